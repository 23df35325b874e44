/** The control of the recorder in a page: how much it has, a download, and an end. Only who records sees it. */
import type { Recorded } from "./session.ts";

export interface Control {
  show(record: Recorded): void;
  remove(): void;
}

const BAR =
  "position:fixed;inset:auto auto 12px 12px;z-index:2147483647;display:flex;gap:8px;align-items:center;padding:8px 12px;" +
  "border-radius:8px;background:#1d2430;color:#fff;font:14px/1.4 system-ui,sans-serif;box-shadow:0 2px 12px #0006";
const BUTTON = "font:inherit;color:#1d2430;background:#fff;border:0;border-radius:4px;padding:4px 10px;cursor:pointer";

/** Returns the file: the events, as `awning payload check` reads them, and the order and times of their deliveries. */
export function downloadOf(record: Recorded): string {
  const events = record.deliveries.map((each) => each.values);
  const visit = record.deliveries.map(({ load, ms, times }) => ({ load, ms, times }));
  return JSON.stringify({ events, visit, lost: record.lost }, null, 1);
}

export function makeControl(file: () => string, end: () => void): Control {
  const host = document.createElement("awning-recorder");
  const root = host.attachShadow({ mode: "closed" });
  const bar = document.createElement("div");
  const words = document.createElement("span");
  bar.lang = "en";
  // The object model sets styles that a Content Security Policy refuses in HTML.
  bar.style.cssText = BAR;
  words.setAttribute("role", "status");
  const button = (text: string, act: () => void) => {
    const element = document.createElement("button");
    element.type = "button";
    element.textContent = text;
    element.style.cssText = BUTTON;
    element.onclick = act;
    return element;
  };
  let [held, downloaded, isAsked, count] = [0, 0, false, ""];
  const tell = () => {
    isAsked = false;
    words.textContent = count;
  };
  const save = () => {
    const link = document.createElement("a");
    link.href = `data:application/json,${encodeURIComponent(file())}`;
    link.download = "awning-record.json";
    link.click();
    downloaded = held;
    tell();
  };
  // What is not downloaded would be lost with one wrong press.
  const stop = () => {
    if (isAsked || held <= downloaded) return end();
    isAsked = true;
    words.textContent = "Not downloaded yet. Press End again to drop it";
  };
  bar.append(words, button("Download", save), button("End", stop));
  root.append(bar);
  document.documentElement.append(host);
  return {
    remove: () => host.remove(),
    show({ deliveries, lost }) {
      held = deliveries.length;
      const more = lost ? `, ${lost} lost` : "";
      count = `Recording: ${held} event${held == 1 ? "" : "s"}${more}`;
      tell();
    },
  };
}
