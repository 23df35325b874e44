/**
 * Reads the app data that the service inserts. Their form is not documented, so each of these forms is read:
 *
 *     {"a": 1}                      raw JSON
 *     {&quot;a&quot;: 1}            HTML-escaped
 *     "{\"a\": 1}"                  a JSON string that holds JSON
 *     (empty), {{svc_app_data}}     not set, or not replaced
 */
import type { Json } from "../types/index.ts";
import type { MakeCommon } from "./slot.ts";

/** The app data. The runtime itself reads only the key `_awning`, whose value may be of any shape. */
type Stored = (Json & { readonly _awning?: { readonly disabled?: unknown } | null }) | null;

const isObject = (value: unknown): value is Json => !!value && typeof value == "object" && !Array.isArray(value);

const under = (defaults: Json, stored: unknown): Json => {
  const merged = { ...defaults };
  for (const [key, value] of Object.entries(isObject(stored) ? stored : {})) {
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

const NAMED: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", apos: "'" };
/** Decode character references. A `0` before the digits makes both forms numbers: `0` + `39` and `0` + `x27` are 39. */
const unescape = (text: string): string =>
  text.replace(/&(?:#(\d{1,6}|x[\da-f]{1,5})|(\w+));/gi, (whole, code: string | undefined, name: string) =>
    code ? String.fromCodePoint(+`0${code}`) : (NAMED[name] ?? whole),
  );

/**
 * Read the data element of this snippet. Call this function while the snippet's code runs for the first time, because
 * later `document.currentScript` is null. `app` is the element's `data-awning`.
 *
 * The returned function completes `common`: it passes a widget's part of the data, merged with `defaults`, and the
 * element's language if the page has none. It returns false if the widget must not run: `enabled` is false in the
 * merged data, or the publisher disabled the widget (its name is in the list `disabled` of the reserved key `_awning`).
 * A value of another shape disables nothing.
 */
export const appData = (app: string): ((widget: string, defaults: Json, common: MakeCommon) => MakeCommon | false) => {
  const element = dataElement(app);
  const all = parse(element?.textContent ?? "") as Stored;
  const placed = element?.lang ?? "";
  return (widget, defaults, common) => {
    const data = under(defaults, isObject(all) && all[widget]);
    return (
      !(AWNING_KILL_SWITCH && Array.isArray(all?._awning?.disabled) && all._awning.disabled.includes(widget)) &&
      data["enabled"] !== false &&
      ((page) => common({ ...page, language: page.language || (/^[\w-]+$/.test(placed) ? placed : "") }, data))
    );
  };
};

/** Return the data element just before the running script, else the first one of this app, else undefined. */
const dataElement = (app: string): HTMLElement | undefined => {
  const before = document.currentScript?.previousElementSibling as HTMLElement | null | undefined;
  const named = document.querySelectorAll<HTMLElement>("[data-awning]");
  return before?.dataset["awning"] != null ? before : [...named].find((one) => one.dataset["awning"] == app);
};
