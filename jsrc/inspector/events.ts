/** The list of the trace's entries: subscriptions, deliveries, insertions, broken rules. */
import { h } from "./element.ts";
import type { Names } from "./names.ts";

export interface Entry {
  t: number;
  kind: string;
  event: string | null;
  subscriber: number | null;
  position: number | null;
  detail: string | null;
}

const WHAT: Record<string, string> = {
  subscribe: "subscribed",
  deliver: "delivered",
  init: "took a place",
  content: "set content",
  exception: "threw",
  violation: "broke a rule",
};
const LONGEST = 140;

export interface Events {
  element: HTMLElement;
  add(entry: Entry): void;
  /** Returns a function that adds a place to the last exception with this text in the list. */
  lastException(message: string): (place: string) => void;
  clear(): void;
}

export function makeEvents(names: Names): Events {
  const rows = h("tbody");
  const empty = h("p", { class: "dim" }, "No event yet: this page fires none, or no app has subscribed.");
  const head = ["Time", "What", "Event", "Subscriber", "Place", "Detail"].map((text) => h("th", { scope: "col" }, text));
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...head)), rows);
  table.hidden = true;
  return {
    element: h("div", { class: "events" }, empty, table),
    add(entry) {
      empty.hidden = true;
      table.hidden = false;
      rows.append(row(entry, names.of(entry.subscriber)));
    },
    lastException(message) {
      const exceptions = [...rows.querySelectorAll<HTMLElement>(".kind-exception .detail")];
      const detail = exceptions.filter(({ title }) => title.includes(message.replace(/\s+/g, " ").trim().slice(0, LONGEST))).at(-1);
      return (place) => detail?.append(h("span", { class: "place" }, place));
    },
    clear() {
      empty.hidden = false;
      table.hidden = true;
      rows.replaceChildren();
    },
  };
}

function row(entry: Entry, subscriber: string): HTMLElement {
  const detail = (entry.detail ?? "").replace(/\s+/g, " ").trim();
  const cut = detail.length > LONGEST ? `${detail.slice(0, LONGEST)} …` : detail;
  return h(
    "tr",
    { class: `kind-${entry.kind}` },
    h("td", { class: "number" }, `${entry.t.toFixed(1)} ms`),
    h("td", {}, h("span", { class: "kind" }, WHAT[entry.kind] ?? entry.kind)),
    h("td", {}, (entry.event ?? "").replace(AWNING_EVENT_PREFIX, "")),
    h("td", {}, subscriber),
    h("td", { class: "number" }, String(entry.position ?? "")),
    h("td", { class: "detail", title: detail.slice(0, 2000) }, h("code", {}, cut)),
  );
}
