/** The tab with the timeline: filters, the list of rows, and the details of the chosen row. */
import { asJson, asText, copyText, shortEvent } from "./copy.ts";
import { makeDetail, type DetailTools } from "./detail.ts";
import { h } from "./element.ts";
import { OUTCOMES, type Outcome, type Row, type RowProblem, type Timeline } from "./timeline.ts";

export interface Events {
  element: HTMLElement;
  /** Show the present rows. */
  draw(): void;
}

const LONGEST = 140;

type Tools = Omit<DetailTools, "back">;
/** The value of each filter of the list; "" for a filter that is not used. */
type Filter = Record<"event" | "from" | "outcome", string>;

export function makeEvents(timeline: Timeline, tools: Tools): Events {
  const filter: Filter = { event: "", from: "", outcome: "" };
  let chosen: number | null = null;
  let isDue = false;
  const lines = new Map<number, { version: number; line: HTMLTableRowElement }>();

  const detail = makeDetail({ ...tools, back: () => choose(null) });
  const rows = h("tbody", {});
  const head = ["Time", "Event", "From", "Outcome", "Took"].map((text) => h("th", { scope: "col" }, text));
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...head)), rows);
  const empty = h("p", { class: "dim" });
  const count = h("span", { class: "dim count", role: "status" });
  const selects = {
    event: select("Filter by event", (value) => (filter.event = value)),
    from: select("Filter by widget or app", (value) => (filter.from = value)),
    outcome: select("Filter by outcome", (value) => (filter.outcome = value)),
  };
  const scroller = h("div", { class: "list" }, empty, table);
  const copy = async (write: (rows: readonly Row[]) => string): Promise<void> => {
    const filtered = visible();
    const isCopied = await copyText(write(filtered));
    tools.say(isCopied ? `Copied ${filtered.length} ${filtered.length === 1 ? "row" : "rows"}` : "The browser refused the clipboard");
  };
  const bar = h(
    "div",
    { class: "bar", role: "group", "aria-label": "Timeline" },
    selects.event,
    selects.from,
    selects.outcome,
    count,
    h(
      "span",
      { class: "bar-buttons" },
      h("button", { type: "button", class: "quiet", onclick: () => void copy(asText) }, "Copy text"),
      h("button", { type: "button", class: "quiet", onclick: () => void copy(asJson) }, "Copy JSON"),
      h("button", { type: "button", class: "quiet", onclick: () => timeline.clear(null) }, "Clear"),
    ),
  );
  const element = h("div", { class: "events" }, h("div", { class: "timeline" }, bar, scroller), detail.element);

  function select(label: string, set: (value: string) => void): HTMLSelectElement {
    const element = h("select", { "aria-label": label });
    element.addEventListener("change", () => {
      set(element.value);
      draw();
    });
    return element;
  }

  const visible = (): Row[] =>
    timeline.rows().filter(
      (row) =>
        (!filter.event || shortEvent(row.event) === filter.event) &&
        (!filter.from || row.from.name === filter.from) &&
        (!filter.outcome || row.outcome === filter.outcome),
    );

  const choose = (id: number | null): void => {
    const before = chosen;
    chosen = id;
    draw();
    if (id === null) lines.get(before ?? 0)?.line.querySelector("button")?.focus();
  };

  const lineOf = (row: Row): HTMLTableRowElement => {
    const known = lines.get(row.id);
    if (known?.version === row.version) return known.line;
    const line = makeLine(row, () => choose(row.id));
    if (known?.line.contains(focused(element))) queueMicrotask(() => line.querySelector("button")?.focus());
    lines.set(row.id, { version: row.version, line });
    return line;
  };

  const draw = (): void => {
    const all = timeline.rows();
    const filtered = visible();
    fill(selects.event, "All events", [...new Set(all.map((row) => shortEvent(row.event)).filter(Boolean))], filter.event);
    fill(selects.from, "Everyone", [...new Set(all.map((row) => row.from.name))], filter.from);
    const outcomes = (Object.keys(OUTCOMES) as Outcome[]).filter((outcome) => all.some((row) => row.outcome === outcome));
    fill(selects.outcome, "Any outcome", outcomes, filter.outcome, (outcome) => OUTCOMES[outcome as Outcome]);
    count.textContent = filtered.length === all.length ? `${all.length}` : `${filtered.length} of ${all.length}`;
    table.hidden = !filtered.length;
    empty.hidden = filtered.length > 0;
    empty.textContent = all.length ? "No row passes the filters." : "No event yet: this page fires none, or no app has subscribed.";
    const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 4;
    const drawn = filtered.map(lineOf);
    const ids = new Set(all.map(({ id }) => id));
    for (const id of lines.keys()) if (!ids.has(id)) lines.delete(id);
    if (drawn.length !== rows.children.length || drawn.some((line, at) => rows.children[at] !== line)) rows.replaceChildren(...drawn);
    const row = filtered.find(({ id }) => id === chosen) ?? null;
    for (const [id, { line }] of lines) {
      line.classList.toggle("is-chosen", id === row?.id);
      const button = line.querySelector("button");
      button?.toggleAttribute("aria-current", false);
      if (id === row?.id) button?.setAttribute("aria-current", "true");
      if (button) button.tabIndex = line === (row ? lines.get(row.id)?.line : drawn[0]) ? 0 : -1;
    }
    detail.show(row);
    element.classList.toggle("has-chosen", row !== null || detail.isEditing());
    if (isAtEnd && !row) scroller.scrollTop = scroller.scrollHeight;
  };

  rows.addEventListener("keydown", (event) => {
    const buttons = [...rows.querySelectorAll("button")];
    const at = buttons.indexOf(focused(element) as HTMLButtonElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 };
    const next = steps[event.key] === undefined ? undefined : buttons[steps[event.key] as number];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  timeline.follow(() => {
    if (isDue || !element.isConnected || !element.checkVisibility()) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
  });
  return { element, draw };
}

/** Return the focused element in the inspector's shadow root. */
function focused(element: HTMLElement): Element | null {
  return (element.getRootNode() as Partial<ShadowRoot>).activeElement ?? null;
}

/** Fill a filter with its choices, and keep the chosen one even if no row has it now. */
function fill(select: HTMLSelectElement, all: string, values: string[], chosen: string, title = (value: string) => value): void {
  const choices = chosen && !values.includes(chosen) ? [...values, chosen] : values;
  const now = [...select.options].map((option) => option.value);
  if (now.length === choices.length + 1 && choices.every((value, at) => now[at + 1] === value)) return;
  select.replaceChildren(h("option", { value: "" }, all), ...choices.map((value) => h("option", { value, selected: value === chosen }, title(value))));
}

function makeLine(row: Row, choose: () => void): HTMLTableRowElement {
  const name = shortEvent(row.event) || "outside of an event";
  const line = h(
    "tr",
    { class: `is-${row.outcome} is-${row.kind}` },
    h("td", { class: "number" }, `${row.t.toFixed(1)} ms`),
    h("td", {}, h("button", { type: "button", class: "link" }, name)),
    h("td", { class: row.from.isOwn ? "from is-own" : "from" }, row.from.name),
    h("td", { class: "outcome" }, OUTCOMES[row.outcome], ...row.problems.map(problemLine)),
    h("td", { class: "number" }, row.took === null ? "" : `${row.took.toFixed(1)} ms`),
  );
  line.addEventListener("click", choose);
  return line;
}

function problemLine({ text, place }: RowProblem): HTMLElement {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
  return h("small", {}, cut, place ? h("code", { class: "place" }, place) : null);
}
