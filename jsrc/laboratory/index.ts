/**
 * A laboratory for widgets: runs trials, each on a fresh page of the simulated shop in a frame of this tab.
 *
 * `begin` runs a list of trials, and `finish` resolves with their results as JSON. They end after a trial whose page has
 * stored something that only the caller can delete, or poses for the caller; `resume` runs those after it. An endless
 * loop keeps only this tab busy; the caller notices it by a time limit.
 */
import { control, listen, makeControl, type Control } from "./controls.ts";
import { loadFrame, writeFrame, type Frame } from "./frame.ts";
import { lostAtUpdates } from "./focus.ts";
import { begunAt } from "./growth.ts";
import { examine, isShown, takeLook, type Measures } from "./look.ts";
import { endMotion } from "./motion.ts";
import { dismiss, keep, pose, show } from "./pose.ts";
import { longestJump } from "./shifts.ts";
import { surroundingsIn } from "./surroundings.ts";
import type { Move, Trial, TrialResult } from "./trial.ts";
import { insertedByTyping } from "./typing.ts";
import { isBusy, isObserved, isWaiting, nextFrame } from "./waits.ts";
import { leaveFieldFor, take, type BlockStep, type PageStep } from "../visit/frame_steps.ts";
import { hasOne } from "../visit/one_element.ts";
import { created, isPageMove, makePageMove, own, type Created, type ShopPage, type Update } from "../visit/page_moves.ts";

/** The most milliseconds to wait for what is under way on a page. */
const PATIENCE_MS = 1500;
const LATER_MS = 1000;
/** The most milliseconds of a step. */
const STEP_MS = 5000;
/** The milliseconds between two checks of what is under way. The pause saves processor time while a page waits. */
const PAUSE_MS = 2;

interface Subject {
  own: Control;
  frame: Frame & ShopPage;
  host: Created;
  snippets: string;
  result: TrialResult;
  measures: Measures;
}

let current: Control | undefined;

async function runTrial(trial: Trial, measures: Measures, goesOn: () => void): Promise<TrialResult> {
  goesOn();
  const began = performance.now();
  const own = makeControl(trial);
  current = own;
  const result: TrialResult = { params: null, looks: [], errors: own.errors, shortest: null, lost: [], inserted: [], ran: own.ran, asked: own.asked, requested: [], globals: [], examined: [], surroundings: [], begun: {}, jump: null, pose: null, refused: null, leftAt: null, hasStored: false, ms: 0 };
  const subject = { own, result, measures, host: { container: "", event: trial.event, params: {}, cart: "" }, snippets: "" } as Partial<Subject> as Subject;
  const at = trial.moves.indexOf("loaded");
  const [early, late] = at < 0 ? [trial.moves, []] : [trial.moves.slice(0, at), trial.moves.slice(at)];
  const element = trial.loads ? await loadFrame(own) : await openWritten(subject, early);
  subject.frame = element.contentWindow as Subject["frame"];
  await settle(own);
  if (isLeft(own) || own.isStopped) result.leftAt = -1;
  for (const [number, move] of ([...late, "look"] as Move[]).entries()) {
    if (result.leftAt !== null) break;
    if (result.refused !== null && move !== "look") continue;
    const index = early.length + number;
    if (typeof move === "object" && "step" in move) goesOn();
    try {
      await makeMove(subject, move);
    } catch (error) {
      if (!isLeft(own) && typeof error !== "string") throw error;
      result.refused = { index, why: String(error) };
    }
    if (isLeft(own)) result.leftAt = index;
  }
  result.params = subject.host.params;
  result.begun = begunAt(own);
  if (result.leftAt === null) Object.assign(result, { requested: requestedBy(subject.frame), globals: globalsOf(subject.frame) });
  if (result.leftAt !== null) result.pose = null;
  keep(own, element);
  if (result.pose === null) dismiss();
  result.hasStored = own.hasStored;
  result.ms = performance.now() - began;
  return result;
}

/** Whether the frame has another page than that of the trial. */
function isLeft({ shown }: Control): boolean {
  return shown !== null && shown.defaultView === null;
}

/** Whether a script leads the page elsewhere. It then leaves soon, or stays, as at the beginning of a download. */
function isLeaving({ isLeaving, shown }: Control): boolean {
  return shown?.defaultView != null && isLeaving;
}

async function openWritten(subject: Subject, early: Move[]): Promise<HTMLIFrameElement> {
  const { event, params: replaced } = subject.own.trial;
  const [element, { snippets }] = await writeFrame(subject.own, (frame, container, _event, params) => {
    const page = (subject.frame = frame as Subject["frame"]);
    subject.host = created(page, container, event, replaced ? (own(page, replaced) as Record<string, unknown>) : params);
    early.filter(isPageMove).forEach((move) => makePageMove(page, subject.host, move));
  });
  subject.snippets = snippets;
  return element;
}

/** How often in a row what moves is brought to its end. A page may begin the next transition whenever one has ended. */
const MOST_MOTIONS = 5;

/**
 * Wait until nothing is under way that ends soon, such as a request or an animation frame, what moves is at its end, short
 * timers have run, microtasks have run, and observers have learnt of what has changed. At most PATIENCE_MS pass, of real
 * time and of the timers' time, unless the page is being left. Nothing of a page that is left is waited for.
 */
async function settle(own: Control): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  const lastTimer = own.timers.now() + PATIENCE_MS;
  let hasObserved = false;
  let motions = 0;
  own.timers.endChain();
  for (;;) {
    await tick();
    await tick();
    if (isLeft(own) || (performance.now() >= end && !isLeaving(own))) return;
    const isUnderWay = isBusy(own);
    if (!isUnderWay && motions < MOST_MOTIONS && endMotion(own)) {
      motions += 1;
      await nextFrame(own);
    } else if (!isUnderWay && own.timers.hasNext && own.timers.now() < lastTimer) {
      own.timers.runNext();
    } else if (isUnderWay || own.timers.size) {
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    } else if (!hasObserved && isObserved(own)) {
      await nextFrame(own);
      hasObserved = true;
      continue;
    } else {
      return;
    }
    hasObserved = false;
  }
}

/** The milliseconds between two looks for what a state shows, or a step needs. */
const LOOK_AGAIN_MS = 20;
const CHANGES = { subtree: true, childList: true, characterData: true, attributes: true };
/** How long a page that waits for nothing must not have changed, so that it stays as it is. */
const QUIET_MS = 200;

/**
 * Wait, in real time, until `isReady`. Return whether it is; false after STEP_MS, or as soon as the page is quiet: it has
 * not changed, and waits for nothing that could change it.
 */
async function waitUntil({ frame, own }: Subject, isReady: () => boolean): Promise<boolean> {
  if (isLeft(own)) return false;
  if (isReady()) return true;
  const end = performance.now() + STEP_MS;
  let changed = performance.now();
  const observer = new MutationObserver(() => (changed = performance.now()));
  try {
    while (performance.now() < end) {
      for (const root of [frame.document, ...own.waits.roots]) observer.observe(root, CHANGES);
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
      await settle(own);
      if (isLeft(own)) return false;
      if (isReady()) return true;
      if (isWaiting(frame, own, end)) changed = performance.now();
      else if (performance.now() - changed > QUIET_MS) return false;
    }
  } finally {
    observer.disconnect();
  }
  return false;
}

/** Let the held responses arrive, each when the page has used the one before. Requests of that time are not held. */
async function release(own: Control): Promise<void> {
  own.isHolding = false;
  while (own.held.length) {
    (own.trial.held === "backwards" ? own.held.pop() : own.held.shift())?.();
    await settle(own);
  }
}

/** Take a step while responses are held. Return whether it was possible at once. */
async function takeAtOnce({ frame, own }: Subject, step: PageStep | BlockStep): Promise<boolean> {
  try {
    await take(frame, own.trial.slot, step, "arguments" in step ? 0 : STEP_MS);
    return true;
  } catch (why) {
    if (typeof why !== "string" || !("arguments" in step)) throw why;
    return false;
  }
}

/** Take a step. Its element is waited for first, because a step itself cannot know whether the page may still change. */
async function takeStep(subject: Subject, step: PageStep | BlockStep): Promise<void> {
  const { frame, own } = subject;
  const { slot } = own.trial;
  if (own.isHolding) {
    if (await takeAtOnce(subject, step)) return;
    await release(own);
    await takeStep(subject, step);
    own.isHolding = true;
    return;
  }
  const place = frame.document.querySelector(`.placeholder-${slot}`);
  let hasElement = true;
  if (place && "arguments" in step) {
    const [selector = "", argument] = step.arguments;
    leaveFieldFor(place, selector);
    hasElement = await waitUntil(subject, () => hasOne(place, selector, step.verb, argument));
  }
  await take(frame, slot, step, hasElement ? STEP_MS : 0);
  await settle(own);
}

function requestedBy({ performance }: Frame): TrialResult["requested"] {
  const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  return entries.filter(({ name }) => /^https?:/.test(name) && new URL(name).origin !== location.origin).map(({ name, initiatorType }) => ({ url: name, by: initiatorType }));
}

let plainGlobals: Set<string> | undefined;

function globalsOf(frame: Frame): string[] {
  plainGlobals ??= new Set(Object.getOwnPropertyNames(globalThis));
  return Object.getOwnPropertyNames(frame).filter((name) => !plainGlobals?.has(name));
}

function tick(): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done();
    port2.postMessage(null);
  });
}

async function makeMove(subject: Subject, move: Move): Promise<void> {
  const { frame, host, own: control, result } = subject;
  if (move === "loaded") {
    control.isHolding = control.trial.held !== undefined;
  } else if (move === "look") {
    await release(control);
    await settle(control);
    result.looks.push(takeLook(frame, control, subject.measures));
  } else if (move === "snippet") {
    const range = frame.document.createRange();
    range.selectNode(frame.document.body);
    frame.document.body.append(range.createContextualFragment(subject.snippets));
    await settle(control);
  } else if (move === "focus") {
    const updates = [1, 0].map((place) => otherUpdate(subject, place));
    result.lost = await lostAtUpdates(frame, control.trial.slot, updates, async (update) => {
      makePageMove(frame, host, { update });
      await settle(control);
    });
  } else if (move === "later") {
    control.timers.add(LATER_MS, () => undefined);
    await settle(control);
  } else if (move === "surroundings") {
    result.surroundings = surroundingsIn(frame);
  } else if (move === "examine") {
    result.examined = await examine(frame, control, subject.measures);
  } else if (move === "shifts") {
    await settle(control);
    result.jump = await longestJump(frame);
  } else if (typeof move === "object" && "pose" in move) {
    result.pose = await pose(frame, move.pose.blocks, subject.measures);
  } else if (typeof move === "object" && "type" in move) {
    result.inserted = await insertedByTyping(frame, control, move.type, () => settle(control));
  } else if (typeof move === "object" && "shown" in move) {
    await settle(control);
    await waitUntil(subject, () => isShown(frame, control, subject.measures, move.shown));
  } else if (typeof move === "object" && "step" in move) {
    await takeStep(subject, move.step);
  } else if (typeof move === "object" && "times" in move) {
    result.shortest = shortest(subject, move);
    await settle(control);
  } else {
    makePageMove(frame, host, move);
    if (move === "replaced" || move === "restored") await settle(control);
  }
}

function shortest({ frame, host }: Subject, { times, of }: { times: number; of: "base" | Update }): number {
  const durations = Array.from({ length: times }, () => {
    const start = performance.now();
    makePageMove(frame, host, of === "base" ? "base" : { update: of });
    return performance.now() - start;
  });
  return Math.min(...durations);
}

/** Return an update that selects the variant at index `place` or, on pages without a product, adds `place` to a total. */
function otherUpdate({ host: { params } }: Subject, place: number): Update {
  if ("item" in params) return { variant: place };
  const [value] = Object.values(params) as [{ total?: number } | undefined];
  return { value: typeof value?.total === "number" ? { ...value, total: value.total + place } : value };
}

let running: Promise<string> | undefined;
let all: readonly Trial[] = [];
let mark = "";
let known: Partial<Measures> = {};

async function runFrom(first: number): Promise<string> {
  const results: TrialResult[] = [];
  for (let index = first; index < all.length; index++) {
    const result = await runTrial(all[index] as Trial, known as Measures, () => console.debug(`${mark}${index}`));
    results.push(result);
    if (result.hasStored || result.pose !== null) break;
  }
  console.debug(`${mark}${all.length}`);
  return JSON.stringify(results);
}

const laboratory = {
  /** Take control of a loaded page's window. Each new window of a frame calls this before the page's JavaScript runs. */
  enter(frame: Frame): void {
    if (current?.trial.loads) {
      if (frame.location.href !== "about:blank") current.shown ??= frame.document;
      control(frame, current);
      listen(frame, current);
    }
  },
  /**
   * Begin to run trials. Before each one and each of its steps, the console gets `mark` with its index, so that the caller
   * knows which page an error of the browser belongs to, and that the tab goes on; after the last one, with their number.
   * `finish` resolves with the results. `measures` are kept for later trials.
   */
  begin(trials: readonly Trial[], measures: Partial<Measures>, ownMark: string): void {
    [all, mark] = [trials, ownMark];
    known = { ...known, ...measures };
    running = runFrom(0);
  },
  /** Run the trials from `first` on, after what the caller has done for the one before it. */
  resume(first: number): void {
    running = runFrom(first);
  },
  show,
  dismiss,
  finish: (): Promise<string> | undefined => running,
};

Object.defineProperty(globalThis, "awningLaboratory", { value: laboratory });
