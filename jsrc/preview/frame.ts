/**
 * The page in the frame of the preview: one state of a widget, with the app's snippet and the data of the settings form.
 * `begin` fires the events, before the snippet of the body is parsed. The page around it is another origin.
 */
import { stop } from "../storefront/clock.ts";
import "../emulator/index.ts";
import { begin, type StagedEvents } from "../visit/gallery.ts";
import { playReplies } from "../inspector/state_answers.ts";
import { tellShown, type Shown } from "../inspector/shown.ts";

/** What the page is about: `src/awning/host/previewing.py` writes it. */
interface Visit {
  events: StagedEvents;
  /** The global `page` of the shop's pages. */
  page: unknown;
  /** The time at which the clock stands still; null: it runs. */
  now: string | null;
  /** Whether the widget may show something outside of its slot. */
  whole: boolean;
}

const { visit = "{}", answers = "{}" } = document.currentScript?.dataset ?? {};
const { events, page, now, whole } = JSON.parse(visit) as Visit;
if (now) stop(now);
playReplies(answers);
Object.assign(globalThis, { page });

/** A link would lead the frame away from the preview. Nothing else about a click changes. */
addEventListener("click", (event) => {
  const link = event.composedPath().some((node) => node instanceof Element && node.matches("a[href], area[href]"));
  if (link) event.preventDefault();
});

function find(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}

/** Say that the widget shows nothing, once all steps are taken. */
function sayEmpty({ isEmpty, isStaged }: Shown): void {
  find("[data-empty]").hidden = !(isEmpty && isStaged);
}

const preview = {
  begin: () => {
    begin(find("[data-slot]"), events);
    addEventListener("load", () => tellShown(whole, sayEmpty));
  },
};
Object.defineProperty(globalThis, "awningPreview", { value: Object.freeze(preview) });
