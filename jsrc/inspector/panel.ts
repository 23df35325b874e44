/**
 * The panel at the bottom of a page in the dev storefront. When closed, it is a narrow button in the page's margin,
 * where it covers nothing. When open, it is a sheet with tabs. The page ends above the sheet and the cards of errors. The
 * panel is in a shadow root, which separates its style from the page's.
 */
import type { Answers } from "./answers.ts";
import { dataForm, type DataForm } from "./data.ts";
import { h } from "./element.ts";
import { makeEvents, type Events } from "./events.ts";
import { makeKnowledge } from "./knowledge.ts";
import { pageForm } from "./page.ts";
import type { Replay } from "./replay.ts";
import { readInfo, readPayloadFields, type Here } from "./server.ts";
import type { Timeline } from "./timeline.ts";
import { widgetTable } from "./widgets.ts";

export interface Panel {
  element: HTMLElement;
  /** Open the tab that was open on the last page in this browser tab. */
  restore(): void;
  /** Show the result of the last build or action, such as "Redrawn in 4 ms". */
  say(text: string, state?: "good" | "bad"): void;
}

const TABS = ["Events", "Widgets", "App data", "Page"] as const;
type Tab = (typeof TABS)[number];
/** How long the result of an action is shown. */
const BRIEF_MS = 4000;
const STORAGE_KEY = "awning-panel";

export function makePanel(here: Here, answers: Answers, timeline: Timeline, replay: Replay): Panel {
  let events: Events | null = null;
  let form: DataForm | null = null;
  let opened: Tab | null = null;
  const summary = h("span", { class: "summary" });
  const status = h("span", { class: "status", role: "status" });
  const body = h("div", { class: "body", role: "tabpanel", id: "tabpanel" });
  const tabs = TABS.map((name) =>
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
    { type: "button", class: "pill", "aria-expanded": "false", onclick: () => (open("Events"), tabs[0]?.focus()) },
    h("i", {}),
    "awning",
    summary,
  );
  const element = h("div", { class: "panel" }, sheet, pill);
  // The element has the height of the sheet and of the cards of errors.
  new ResizeObserver(() => makeRoom(element.offsetHeight)).observe(element);

  const clear = (): void => status.replaceChildren();
  const say: Panel["say"] = (text, state) => {
    form?.clearOutcome();
    status.textContent = text;
    status.classList.toggle("is-brief", !state);
    if (state) element.classList.toggle("is-bad", state === "bad");
    else setTimeout(() => status.textContent === text && clear(), BRIEF_MS);
  };
  const timelineTab = async (): Promise<HTMLElement> => {
    events ??= makeEvents(timeline, { replay, knowledge: makeKnowledge(await readPayloadFields()), say });
    return events.element;
  };
  const content = async (tab: Tab): Promise<HTMLElement> => {
    if (tab === "Events") return timelineTab();
    const info = await readInfo(here);
    if (tab === "Widgets") return widgetTable(info, timeline);
    if (tab === "Page") return pageForm(info, here.language, answers);
    form = dataForm(info, clear);
    return form.element;
  };
  const open = (tab: Tab): void => {
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
      body.classList.toggle("is-whole", tab === "Events");
      // An element that scrolls must be reachable by keyboard. In the timeline, only inner elements scroll.
      if (tab === "Events") body.removeAttribute("tabindex");
      else body.tabIndex = 0;
      if (body.firstElementChild !== element) body.replaceChildren(element);
      if (tab === "Events") events?.draw();
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
    const at = TABS.indexOf(opened ?? "Events");
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 + TABS.length, Home: 0, End: TABS.length - 1 };
    const next = steps[key];
    if (next === undefined) return;
    open(TABS[next % TABS.length] as Tab);
    tabs[next % TABS.length]?.focus();
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
    restore() {
      const stored = TABS.find((tab) => tab === storeTab());
      if (stored) open(stored);
    },
  };
}

const tabId = (tab: Tab): string => `tab-${tab.replace(" ", "-").toLowerCase()}`;

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
