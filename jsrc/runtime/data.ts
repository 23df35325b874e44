/**
 * App data as the service inserts it: nobody promises in which form, so every form is read and none is trusted.
 *
 *     {"a": 1}                      raw JSON
 *     {&quot;a&quot;: 1}            HTML-escaped
 *     "{\"a\": 1}"                  a JSON string that holds JSON
 *     (empty), {{svc_app_data}}     nothing set, or nothing replaced
 */
import type { Json } from "../types/index.ts";

/** This widget's part of the app data over `defaults`; null when the widget is turned off. */
export type Part = (widget: string, defaults: Json) => Json | null;

export interface AppData {
  part: Part;
  /** What the service put in place of the language placeholder, or `""`. */
  language: string;
}

const isObject = (value: unknown): value is Json => !!value && typeof value == "object" && !Array.isArray(value);

const under = (defaults: Json, given: unknown): Json => {
  const merged = { ...defaults };
  for (const [key, value] of Object.entries(isObject(given) ? given : {})) {
    const standard = merged[key];
    merged[key] = isObject(standard) && isObject(value) ? under(standard, value) : value;
  }
  return merged;
};

const parse = (text: string): unknown => {
  for (let left = 4; left--; ) {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value != "string") {
        return value;
      }
      text = value;
    } catch {
      text = unescape(text);
    }
  }
  return null;
};

const NAMED: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", apos: "'", "#34": '"', "#39": "'", "#039": "'" };
const unescape = (text: string): string => text.replace(/&(#?\w+);/g, (whole, name: string) => NAMED[name] ?? whole);

/**
 * Read the data element of this snippet. Call while the snippet's script runs: later nobody knows which script it is.
 * `app` is the element's `data-awning`.
 */
export const appData = (app: string): AppData => {
  const before = document.currentScript?.previousElementSibling as HTMLElement | null | undefined;
  const element =
    before?.dataset["awning"] != null
      ? before
      : ([...document.querySelectorAll<HTMLElement>("[data-awning]")].find((one) => one.dataset["awning"] == app));
  const all = parse(element?.textContent ?? "");
  const language = element?.lang ?? "";
  return {
    language: /^[\w-]+$/.test(language) ? language : "",
    part(widget, defaults) {
      const part = isObject(all) ? all[widget] : null;
      return isObject(part) && part["enabled"] === false ? null : under(defaults, part);
    },
  };
};
