/**
 * The inspector on a live page, for `awning preview --headed`: the timeline of events, and the errors of widgets. The
 * browser runs it before the page's own JavaScript. There is no server: the page loads again when a file is saved.
 */
import { makeErrorCards } from "./error_cards.ts";
import { listenForFailures, type Thrown } from "./failures.ts";
import { makeNames } from "./names.ts";
import { observeService } from "./observed_service.ts";
import { makePanel } from "./panel.ts";
import type { PayloadFields } from "./server.ts";
import { STYLE } from "./style.ts";
import { makeTimeline } from "./timeline.ts";

/** The fields of payloads, which the preview puts before this script. */
declare const AWNING_FIELDS: PayloadFields & { events: Record<string, unknown> };

function inspect(): void {
  const names = makeNames();
  const service = observeService(AWNING_GLOBAL_NAME, Object.keys(AWNING_FIELDS.events), names);
  service.watch(names.learn);
  const timeline = makeTimeline(service, names);
  service.watch(timeline.learn);
  const cards = makeErrorCards();
  listenForFailures((thrown: Thrown) => {
    timeline.addThrown(thrown);
    cards.add(thrown);
  });
  addEventListener("DOMContentLoaded", () => {
    const host = document.createElement("awning-inspector");
    host.lang = "en"; // of the inspector's texts, in a page of any language
    const root = host.attachShadow({ mode: "open" });
    // A Content Security Policy of the page refuses a style element, but not a style sheet that is made by a script.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const replay = { isPossible: (_: string | null): _ is string => false, fire: () => {} };
    const panel = makePanel(timeline, replay, { fields: () => Promise.resolve(AWNING_FIELDS), tabs: {} });
    panel.element.prepend(cards.element);
    root.append(panel.element);
    document.documentElement.append(host);
    panel.restore();
  });
}

if (window === window.top) inspect();
