/**
 * The script of the dev storefront: redraws the app in place when its files change, shows problems of the build, and has
 * the inspector panel. It is loaded in the head, after the emulator and before any snippet.
 */
import { listenForFailures, type Thrown } from "./failures.ts";
import { makeNames } from "./names.ts";
import { makeOverlay } from "./overlay.ts";
import { makePanel } from "./panel.ts";
import { makeRedraw, shownRevision } from "./redraw.ts";
import { makeReplay } from "./replay.ts";
import { listen, tellThrown, type Here, type Message } from "./server.ts";
import { STYLE } from "./style.ts";
import { makeTimeline, type Emulator } from "./timeline.ts";

declare const awningEmulator: Emulator;

const here: Here = { revision: null, language: document.currentScript?.dataset.language ?? "" };
const names = makeNames();
awningEmulator.watch(names.learn);
const timeline = makeTimeline(awningEmulator, names);
awningEmulator.watch(timeline.learn);
const redraw = makeRedraw(AWNING_GLOBAL, names);

/** Tell the server about an error. It needs the revision, which is known when the page is parsed. */
let tell = (thrown: Thrown, locate: (place: string) => void): void => void early.push([thrown, locate]);
const early: Array<Parameters<typeof tell>> = [];
listenForFailures((thrown) => tell(thrown, timeline.addThrown(thrown)));

function start(): void {
  here.revision = shownRevision();
  const host = document.createElement("awning-inspector");
  const root = host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = STYLE;
  const panel = makePanel(here, timeline, makeReplay(awningEmulator, timeline, redraw));
  const overlay = makeOverlay(root);
  root.append(style, panel.element);
  document.documentElement.append(host);
  panel.restore();
  tell = (thrown, locate) => void tellThrown(here, thrown).then((place) => place && locate(place));
  for (const error of early.splice(0)) tell(...error);

  const redrawn = (message: Extract<Message, { kind: "redraw" | "patch" }>): void => {
    const started = performance.now();
    // This must precede the run of the new snippet, so that its first exceptions are attributed to it.
    here.revision = message.revision;
    if (message.kind === "redraw") timeline.clear();
    if (!(message.kind === "redraw" ? redraw.all(message.body) : redraw.widget(message))) {
      location.reload();
      return;
    }
    overlay.hide();
    panel.say(`Redrawn in ${(performance.now() - started).toFixed(1)} ms`, "good");
    host.dataset.revision = String(message.revision);
    if (message.kind === "redraw" && message.failure) fail(message.failure);
  };
  listen(here, (message) => {
    if (message.kind === "redraw" || message.kind === "patch") redrawn(message);
    else if (message.kind === "reload") location.reload();
    else if (message.kind === "failed") fail(message.failure);
    else if (message.kind === "fixed" || !message.failure) fixed(message.revision);
    else fail(message.failure);
  });
  const fail = (failure: Parameters<typeof overlay.show>[0]): void => {
    overlay.show(failure);
    panel.say("Not built", "bad");
  };
  const fixed = (revision: number): void => {
    if (here.revision !== null && revision !== here.revision) location.reload();
    overlay.hide();
    panel.say("", "good");
    host.dataset.revision = String(revision);
  };
}

document.addEventListener("DOMContentLoaded", start);
