/**
 * The inspector of a page that follows the author's saves: the panel, problems of the build, errors of widgets, and what a
 * save needs: a new style, a widget redrawn in place, or another load. `index.ts` starts it in the simulated shop,
 * `live.ts` on a live page.
 */
import { isOfApp } from "./blocks.ts";
import { dataForm, type DataForm } from "./data.ts";
import { makeErrorCards } from "./error_cards.ts";
import { listenForFailures, type Thrown } from "./failures.ts";
import { makeOverlay } from "./overlay.ts";
import { makePanel, type PanelContent } from "./panel.ts";
import { shownRevision, type Redraw } from "./redraw.ts";
import { reload, restoreAfterReload } from "./reload.ts";
import type { Replay } from "./replay.ts";
import { placeText, type Failure, type Here, type Message, type Server } from "./server.ts";
import { captureState, describeLost, restoreState, type ShopperState } from "./shopper_state.ts";
import { STYLE } from "./style.ts";
import type { Timeline } from "./timeline.ts";
import { widgetTable } from "./widgets.ts";

/** A page with an inspector. `redraw` returns null as long as the page has no service; `tabs` are those of this page alone. */
export interface InspectedPage {
  here: Here;
  server: Server;
  timeline: Timeline;
  redraw(): Redraw | null;
  replay: Replay;
  tabs: PanelContent["tabs"];
}

const NO_SERVICE = "the page has no service for widgets";

/** Start the inspector when the page is parsed. Errors of widgets are collected from now on. */
export function startInspector(page: InspectedPage): void {
  /** Tell the server about an error. Until the page is parsed, and its revision known, errors are only collected. */
  let tell = (thrown: Thrown, locate: (place: string) => void): void => void early.push([thrown, locate]);
  const early: Array<Parameters<typeof tell>> = [];
  listenForFailures((thrown) => tell(thrown, page.timeline.addThrown(thrown)));
  document.addEventListener("DOMContentLoaded", () => {
    tell = open(page);
    for (const error of early.splice(0)) tell(...error);
  });
}

/** Open the inspector. Returns a function that shows an error of a widget, and tells the server about it. */
function open({ here, server, timeline, redraw, replay, tabs }: InspectedPage) {
  here.revision = shownRevision();
  const host = document.createElement("awning-inspector");
  host.lang = "en"; // of the inspector's texts, in a page of any language
  const root = host.attachShadow({ mode: "open" });
  // A Content Security Policy of the page refuses a style element, but not a style sheet that is made by a script.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  let form: DataForm | null = null;
  const panel = makePanel(timeline, replay, {
    fields: server.readPayloadFields,
    tabs: {
      Widgets: async () => widgetTable(await server.readInfo(here), timeline),
      "App data": async () =>
        (form = dataForm(await server.readInfo(here), server, () => panel.clear(), () => loadAgain(""))).element,
      ...tabs,
    },
    saying: () => form?.clearOutcome(),
  });
  const overlay = makeOverlay(root);
  const cards = makeErrorCards();
  panel.element.prepend(cards.element);
  root.append(panel.element);
  document.documentElement.append(host);
  panel.restore();
  const setRevision = (revision: number): void => {
    host.dataset.revision = String(revision);
  };
  const loadAgain = (why: string, lost: ShopperState = []): void => reload(() => server.reload(why), lost);

  const redrawn = (message: Extract<Message, { kind: "redraw" | "patch" }>): void => {
    const started = performance.now();
    // This must precede the run of the new snippet, so that its first exceptions are attributed to it.
    here.revision = message.revision;
    const { body, keepsChanges } = message;
    const renewed = message.kind === "redraw" ? null : message.widget;
    if (body !== null) timeline.clear(renewed);
    cards.clear(renewed);
    // A new style alone changes no element, so there is nothing to restore.
    const state = body === null ? [] : captureState();
    const drawing = redraw();
    const refusal =
      drawing === null ? NO_SERVICE : message.kind === "redraw" ? drawing.all(message.body, keepsChanges) : drawing.widget(message);
    const { awaited, refused } = restoreState(state, (field) => !keepsChanges && isOfApp(field));
    const lost = [...awaited, ...refused];
    if (refusal !== null) {
      loadAgain(refusal, lost);
      return;
    }
    const words = describeLost(lost);
    panel.say(`Redrawn in ${(performance.now() - started).toFixed(1)} ms${words ? `; not kept: ${words}` : ""}`, "good");
    if (message.failure) fail(message.failure);
    else overlay.hide();
    setRevision(message.revision);
  };
  const fail = (failure: Failure): void => {
    overlay.show(failure);
    panel.say(failure.isBuilt ? "Shown, with errors" : "Not built", "bad");
  };
  const fixed = (revision: number): void => {
    overlay.hide();
    panel.say("", "good");
    setRevision(revision);
  };
  const receive = (message: Message): void => {
    if (message.kind === "redraw" || message.kind === "patch") {
      // A new body has the stored app data. A page with data of its own gets it with them by loading again.
      if (message.body !== null && server.hasOtherData()) loadAgain("");
      else redrawn(message);
    } else if (message.kind === "reload") loadAgain(message.why);
    else if (message.kind === "failed") fail(message.failure);
    else if (here.revision !== null && message.revision !== here.revision) loadAgain("");
    else if (message.kind === "fixed" || !message.failure) fixed(message.revision);
    else {
      fail(message.failure);
      setRevision(message.revision);
    }
  };
  // The timer fires after the shop's own JavaScript has added its listeners.
  setTimeout(() => {
    server.listen(here, receive);
    restoreAfterReload((lost) => lost && panel.say(`Reloaded; not kept: ${lost}`, "good"));
  });
  return (thrown: Thrown, locate: (place: string) => void): void => {
    const locateCard = cards.add(thrown);
    void server.tellThrown(here, thrown).then((place) => {
      if (!place) return;
      locate(placeText(place));
      locateCard(place);
    });
  };
}
