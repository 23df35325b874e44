/**
 * The panel at the bottom of a page in the dev storefront. When closed, it is a narrow button in the page's margin,
 * where it covers nothing. When open, it is a sheet with tabs. The page ends above the sheet and the cards of errors. The
 * panel is in a shadow root, which separates its style from the page's.
 */
import { h } from "./element.ts";
import { makeEvents, type Events } from "./events.ts";
import { makeKnowledge } from "./knowledge.ts";
import type { Replay } from "./replay.ts";
import type { PayloadFields } from "./server.ts";
import type { Timeline } from "./timeline.ts";

export interface Panel {
  element: HTMLElement;
  /** Open the tab that was open on the last page in this browser tab. */
  restore(): void;
  /** Show the result of the last build or action, such as "Redrawn in 4 ms". */
  say(text: string, state?: "good" | "bad"): void;
  /** Remove the result that is shown. */
  clear(): void;
}

/** What a panel shows: the fields of payloads, and the tabs beside the timeline, which are made when they are opened. */
export interface PanelContent {
  fields(): Promise<PayloadFields>;
  tabs: Readonly<Record<string, () => Promise<HTMLElement>>>;
  /** Called before a result is shown. */
  saying?(): void;
}

const EVENTS = "Events";
/** How long the result of an action is shown. */
const BRIEF_MS = 4000;
const STORAGE_KEY = "awning-panel";

export function makePanel(timeline: Timeline, replay: Replay, { fields, tabs: others, saying }: PanelContent): Panel {
  const names = [EVENTS, ...Object.keys(others)];
  let events: Events | null = null;
  let opened: string | null = null;
  const summary = h("span", { class: "summary" });
  const status = h("span", { class: "status", role: "status" });
  const body = h("div", { class: "body", role: "tabpanel", id: "tabpanel" });
  const tabs = names.map((name) =>
    h("button", { type: "button", role: "tab", id: tabId(name), "aria-controls": "tabpanel", onclick: () => open(name) }, name),
  );
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": "Inspector" }, ...tabs);
  const sheet = h(
    "section",
    { class: "sheet", "aria-label": "awning inspector" },
    h("header", {}, list, status, h("button", { type: "button", class: "quiet", onclick: () => close(), "aria-label": "Close the inspector" }, "Close")),
    body,
  );
  const pill = h(
    "button",
    { type: "button", class: "pill", "aria-expanded": "false", onclick: () => (open(EVENTS), tabs[0]?.focus()) },
    h("i", {}),
    "awning",
    summary,
  );
  const element = h("div", { class: "panel" }, sheet, pill);
  // The element has the height of the sheet and of the cards of errors.
  new ResizeObserver(() => makeRoom(element.offsetHeight)).observe(element);

  const clear = (): void => status.replaceChildren();
  const say: Panel["say"] = (text, state) => {
    saying?.();
    status.textContent = text;
    status.classList.toggle("is-brief", !state);
    if (state) element.classList.toggle("is-bad", state === "bad");
    else setTimeout(() => status.textContent === text && clear(), BRIEF_MS);
  };
  const timelineTab = async (): Promise<HTMLElement> => {
    const knowledge = makeKnowledge(await fields());
    // After the wait: the tab may have been opened twice meanwhile.
    events ??= makeEvents(timeline, { replay, knowledge, say });
    return events.element;
  };
  const content = async (tab: string): Promise<HTMLElement> => others[tab]?.() ?? timelineTab();
  const open = (tab: string): void => {
    opened = tab;
    sheet.hidden = false;
    pill.hidden = true;
    storeTab(tab);
    for (const button of tabs) {
      const isOpen = button.id === tabId(tab);
      button.setAttribute("aria-selected", String(isOpen));
      button.tabIndex = isOpen ? 0 : -1;
    }
    body.setAttribute("aria-labelledby", tabId(tab));
    void content(tab).then((element) => {
      if (opened !== tab) return;
      body.classList.toggle("is-whole", tab === EVENTS);
      // An element that scrolls must be reachable by keyboard. In the timeline, only inner elements scroll.
      if (tab === EVENTS) body.removeAttribute("tabindex");
      else body.tabIndex = 0;
      if (body.firstElementChild !== element) body.replaceChildren(element);
      if (tab === EVENTS) events?.draw();
    });
  };
  const close = (): void => {
    opened = null;
    sheet.hidden = true;
    pill.hidden = false;
    storeTab(null);
    pill.focus({ preventScroll: true });
  };
  list.addEventListener("keydown", ({ key }) => {
    const at = names.indexOf(opened ?? EVENTS);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 + names.length, Home: 0, End: names.length - 1 };
    const next = steps[key];
    if (next === undefined) return;
    open(names[next % names.length] ?? EVENTS);
    tabs[next % names.length]?.focus();
  });
  sheet.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") close();
  });

  const count = (): void => {
    const rows = timeline.rows();
    const own = rows.filter(({ from }) => from.isOwn).flatMap(({ problems }) => problems);
    const exceptions = own.filter(({ kind }) => kind === "exception").length;
    const rules = own.length - exceptions;
    const fired = rows.filter(({ kind }) => kind === "event").length;
    summary.textContent = rules ? plural(rules, "rule", " broken") : exceptions ? plural(exceptions, "error") : plural(fired, "event");
    element.classList.toggle("has-violations", own.length > 0);
  };
  let isDue = false;
  timeline.follow(() => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      count();
    });
  });
  sheet.hidden = true;
  count();
  return {
    element,
    say,
    clear,
    restore() {
      const stored = names.find((tab) => tab === storeTab());
      if (stored) open(stored);
    },
  };
}

const tabId = (tab: string): string => `tab-${tab.replace(" ", "-").toLowerCase()}`;

const plural = (count: number, noun: string, rest = ""): string => `${count} ${noun}${count === 1 ? "" : "s"}${rest}`;

/** Let the page end above the panel, so that focused elements and link targets are scrolled to a place above it. */
function makeRoom(height: number): void {
  document.body.style.paddingBottom = height ? `${height}px` : "";
  document.documentElement.style.scrollPaddingBottom = height ? `${height}px` : "";
}

/** Without an argument, return the stored tab (null: none). Else store which tab is open, for later pages. */
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
