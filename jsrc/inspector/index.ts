/**
 * The dev server's JavaScript on the shop's pages: it starts the inspector beside the emulator. It is loaded in the head,
 * after the emulator and before any snippet.
 */
import { playAnswers } from "./answers.ts";
import { startInspector } from "./inspector.ts";
import { makeNames } from "./names.ts";
import { pageForm } from "./page.ts";
import { makeRedraw } from "./redraw.ts";
import { makeReplay } from "./replay.ts";
import { DEV_SERVER, type Here } from "./server.ts";
import { makeTimeline, type Emulator } from "./timeline.ts";

declare const awningEmulator: Emulator;

const here: Here = { revision: null, language: document.currentScript?.dataset.language ?? "" };
const answers = playAnswers(document.currentScript?.dataset.answers);
const names = makeNames();
awningEmulator.watch(names.learn);
const timeline = makeTimeline(awningEmulator, names);
awningEmulator.watch(timeline.learn);
const redraw = makeRedraw(AWNING_GLOBAL, names);

startInspector({
  here,
  server: DEV_SERVER,
  timeline,
  redraw: () => redraw,
  replay: makeReplay(awningEmulator, timeline, redraw),
  tabs: { Page: async () => pageForm(await DEV_SERVER.readInfo(here), here.language, answers) },
});
