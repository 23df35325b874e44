/** The tab with the figures of each widget: its size in this page, its time and its number of renderings. */
import { h } from "./element.ts";
import type { Info } from "./server.ts";
import { snippetSizes, type SnippetSize } from "./snippet_size.ts";
import type { Figures, Timeline } from "./timeline.ts";

const HEAD = ["Widget", "Slot", "In this page", "Last build, gzip", "Renderings", "Updates", "Last", "Slowest", "Errors"];
const NONE = "–";

export function widgetTable(info: Info, timeline: Timeline): HTMLElement {
  if (!info.widgets.length) return h("p", { class: "dim" }, "There is no widget: add one with awning add widget NAME --slot SLOT.");
  const body = h("tbody");
  let isDue = false;
  const draw = (): void => {
    isDue = false;
    const figures = timeline.figures();
    const sizes = snippetSizes();
    body.replaceChildren(...info.widgets.map((widget) => line(widget, figures.get(widget.name), sizes.get(widget.name))));
  };
  const head = HEAD.map((text, at) => h("th", { scope: "col", class: at > 1 ? "number" : "" }, text));
  const table = h("table", { class: "figures" }, h("thead", {}, h("tr", {}, ...head)), body);
  const stop = timeline.follow(() => {
    if (!table.isConnected) stop();
    if (isDue || !table.isConnected) return;
    isDue = true;
    requestAnimationFrame(draw);
  });
  draw();
  const note = h("p", { class: "dim" }, "The snippet in this page is built for reading. The last build is what awning build wrote, for the widget alone.");
  return h("div", { class: "widgets" }, table, note);
}

function line({ name, slots, gzip }: Info["widgets"][number], figures: Figures | undefined, size: SnippetSize | undefined): HTMLElement {
  const { script, style } = size ?? { script: 0, style: 0 };
  const cells = [
    script + style ? bytes(script + style) : NONE,
    gzip === null ? NONE : bytes(gzip),
    String(figures?.renderings ?? 0),
    String(figures?.updates ?? 0),
    figures?.renderings ? `${figures.last.toFixed(1)} ms` : NONE,
    figures?.renderings ? `${figures.slowest.toFixed(1)} ms` : NONE,
    String(figures?.errors ?? 0),
  ];
  return h(
    "tr",
    { class: figures?.errors ? "is-threw" : "" },
    h("th", { scope: "row" }, name),
    h("td", { "data-label": "Slot" }, slots.join(", ")),
    ...cells.map((text, at) =>
      h("td", { class: "number", "data-label": HEAD[at + 2] ?? "", ...(at ? {} : { title: `script ${bytes(script)}, style ${bytes(style)}` }) }, text),
    ),
  );
}

const bytes = (count: number): string => `${count.toLocaleString("en")} B`;
