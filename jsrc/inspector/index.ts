/**
 * The dev server's JavaScript on the shop's pages: it redraws the app in place when its files change, shows problems of
 * the build, and has the inspector panel. It is loaded in the head, after the emulator and before any snippet.
 */
import { playAnswers } from "./answers.ts";
import { isOfApp } from "./blocks.ts";
import { dataForm, type DataForm } from "./data.ts";
import { makeErrorCards } from "./error_cards.ts";
import { listenForFailures, type Thrown } from "./failures.ts";
import { makeNames } from "./names.ts";
import { makeOverlay } from "./overlay.ts";
import { pageForm } from "./page.ts";
import { makePanel } from "./panel.ts";
import { makeRedraw, shownRevision } from "./redraw.ts";
import { reload, restoreAfterReload } from "./reload.ts";
import { makeReplay } from "./replay.ts";
import { listen, ownData, placeText, readInfo, readPayloadFields, tellThrown, type Failure, type Here, type Message } from "./server.ts";
import { captureState, describeLost, restoreState } from "./shopper_state.ts";
import { STYLE } from "./style.ts";
import { makeTimeline, type Emulator } from "./timeline.ts";
import { widgetTable } from "./widgets.ts";

declare const awningEmulator: Emulator;

const here: Here = { revision: null, language: document.currentScript?.dataset.language ?? "" };
const answers = playAnswers(document.currentScript?.dataset.answers);
const names = makeNames();
awningEmulator.watch(names.learn);
const timeline = makeTimeline(awningEmulator, names);
awningEmulator.watch(timeline.learn);
const redraw = makeRedraw(AWNING_GLOBAL, names);

/** Tell the server about an error. Until the page is parsed, and its revision known, errors are only collected. */
let tell = (thrown: Thrown, locate: (place: string) => void): void => void early.push([thrown, locate]);
const early: Array<Parameters<typeof tell>> = [];
listenForFailures((thrown) => tell(thrown, timeline.addThrown(thrown)));

function start(): void {
  here.revision = shownRevision();
  const host = document.createElement("awning-inspector");
  host.lang = "en"; // of the inspector's texts, in a page of any language
  const root = host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = STYLE;
  let form: DataForm | null = null;
  const panel = makePanel(timeline, makeReplay(awningEmulator, timeline, redraw), {
    fields: readPayloadFields,
    tabs: {
      Widgets: async () => widgetTable(await readInfo(here), timeline),
      "App data": async () => (form = dataForm(await readInfo(here), () => panel.clear(), () => reload())).element,
      Page: async () => pageForm(await readInfo(here), here.language, answers),
    },
    saying: () => form?.clearOutcome(),
  });
  const overlay = makeOverlay(root);
  const cards = makeErrorCards();
  panel.element.prepend(cards.element);
  root.append(style, panel.element);
  document.documentElement.append(host);
  panel.restore();
  tell = (thrown, locate) => {
    const locateCard = cards.add(thrown);
    void tellThrown(here, thrown).then((place) => {
      if (!place) return;
      locate(placeText(place));
      locateCard(place);
    });
  };
  for (const error of early.splice(0)) tell(...error);
  const setRevision = (revision: number): void => {
    host.dataset.revision = String(revision);
  };

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
    const isDone = message.kind === "redraw" ? redraw.all(message.body, keepsChanges) : redraw.widget(message);
    const { awaited, refused } = restoreState(state, (field) => !keepsChanges && isOfApp(field));
    const lost = [...awaited, ...refused];
    if (!isDone) {
      reload(lost);
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
      if (message.body !== null && ownData().data !== undefined) reload();
      else redrawn(message);
    }
    else if (message.kind === "reload") reload();
    else if (message.kind === "failed") fail(message.failure);
    else if (here.revision !== null && message.revision !== here.revision) reload();
    else if (message.kind === "fixed" || !message.failure) fixed(message.revision);
    else {
      fail(message.failure);
      setRevision(message.revision);
    }
  };
  // The timer fires after the shop's own JavaScript has added its listeners.
  setTimeout(() => {
    listen(here, receive);
    restoreAfterReload((lost) => lost && panel.say(`Reloaded; not kept: ${lost}`, "good"));
  });
}

document.addEventListener("DOMContentLoaded", start);
