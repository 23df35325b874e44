/**
 * The panel at the bottom of a page in the dev storefront. When closed, it is a narrow button in the page's margin,
 * where it covers nothing. When open, it is a sheet with three tabs. It is in a shadow root, which separates its style
 * from the page's.
 */
import { dataForm } from "./data.ts";
import { h } from "./element.ts";
import { makeEvents, type Entry } from "./events.ts";
import type { Names } from "./names.ts";
import { pageForm } from "./page.ts";
import { readInfo, type Here } from "./server.ts";

export interface Panel {
  element: HTMLElement;
  add(entry: Entry): void;
  /** Returns a function that adds a place to the last exception with this text. */
  lastException(message: string): (place: string) => void;
  /** Remove all entries and counts, because a new snippet is on the page. */
  clear(): void;
  /** Show the result of the last build, such as "Redrawn in 4 ms". */
  say(text: string, state: "good" | "bad"): void;
}

const TABS = ["Events", "App data", "Page"] as const;
const STORAGE_KEY = "awning-panel";

export function makePanel(here: Here, names: Names): Panel {
  const events = makeEvents(names);
  const counts = { events: 0, violations: 0, exceptions: 0 };
  const summary = h("span", { class: "summary" });
  const status = h("span", { class: "status", role: "status" });
  const body = h("div", { class: "body", role: "tabpanel", tabindex: "0" });
  const tabs = TABS.map((name) => h("button", { type: "button", role: "tab", onclick: () => open(name) }, name));
  const sheet = h(
    "section",
    { class: "sheet", "aria-label": "awning inspector" },
    h(
      "header",
      {},
      h("div", { class: "tabs", role: "tablist" }, ...tabs),
      status,
      h("button", { type: "button", class: "quiet", onclick: () => close(), "aria-label": "Close the inspector" }, "Close"),
    ),
    body,
  );
  const pill = h("button", { type: "button", class: "pill", onclick: () => open("Events") }, h("i", {}), "awning", summary);
  const element = h("div", { class: "panel" }, sheet, pill);

  const content = async (tab: string): Promise<HTMLElement> => {
    if (tab === "Events") return events.element;
    const info = await readInfo(here);
    return tab === "Page" ? pageForm(info, here.language) : dataForm(info);
  };
  const open = (tab: string): void => {
    sheet.hidden = false;
    pill.hidden = true;
    document.body.style.paddingBottom = `${sheet.offsetHeight}px`;
    storeTab(tab);
    tabs.forEach((button, i) => button.setAttribute("aria-selected", String(TABS[i] === tab)));
    void content(tab).then((element) => body.replaceChildren(element));
  };
  const close = (): void => {
    sheet.hidden = true;
    pill.hidden = false;
    document.body.style.paddingBottom = "";
    storeTab(null);
    pill.focus({ preventScroll: true });
  };
  const count = (): void => {
    const { violations, exceptions, events } = counts;
    summary.textContent = violations
      ? `${violations} ${violations === 1 ? "rule" : "rules"} broken`
      : exceptions
        ? `${exceptions} ${exceptions === 1 ? "error" : "errors"}`
        : `${events} ${events === 1 ? "event" : "events"}`;
    element.classList.toggle("has-violations", violations + exceptions > 0);
  };
  const storedTab = storeTab();
  if (storedTab) open(storedTab);
  else sheet.hidden = true;
  count();
  return {
    element,
    add(entry) {
      events.add(entry);
      counts.events += entry.kind === "deliver" ? 1 : 0;
      counts.violations += entry.kind === "violation" ? 1 : 0;
      counts.exceptions += entry.kind === "exception" ? 1 : 0;
      count();
    },
    lastException: events.lastException,
    clear() {
      events.clear();
      Object.assign(counts, { events: 0, violations: 0, exceptions: 0 });
      count();
    },
    say(text, state) {
      status.textContent = text;
      element.classList.toggle("is-bad", state === "bad");
    },
  };
}

/** Read (without an argument) or store which tab is open, for later pages in this browser tab. */
function storeTab(tab?: string | null): string | null {
  try {
    if (tab === undefined) return sessionStorage.getItem(STORAGE_KEY);
    if (tab === null) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, tab);
  } catch {
    // The browser may refuse storage. The panel then starts closed.
  }
  return null;
}
