/** Describes the app's blocks on a page: their form, their text, and problems that need no comparison with another page. */
import type { Control } from "./controls.ts";
import type { Frame } from "./frame.ts";
import type { Counts } from "./growth.ts";
import type { Shown } from "./trial.ts";

/** The source texts of functions in `awning_harness.visit.pages.visibility`, by the functions' names. */
export type Measures = Record<"texts" | "tooWide" | "clipped", string> & {
  /** The source texts of axe-core, and of a function that examines the elements of a selector with it. */
  axe?: string;
  examine?: string;
  /** The source text of the function that makes a page still and measures it, with its font. */
  capture?: string;
  fonts?: [base64: string, characters: string][];
  family?: string;
};

export interface Look {
  /** Whether the page has the slot. */
  hasPlace: boolean;
  /** The number of the app's blocks. */
  blocks: number;
  /**
   * The blocks as normalised HTML, with the values of fields. Attributes that only name an element (`NAMES`), links with
   * `#`, scripts and styles are left out, because they may differ from page to page.
   */
  form: string;
  /** The visible text. */
  text: string;
  /** The whole text of the blocks, also text that styles hide. */
  content: string;
  /** Whether the blocks take space. */
  isSeen: boolean;
  /** The form of the blocks of other apps. */
  others: string;
  tooWide: unknown;
  clipped: string[];
  /** Elements and attributes that a hostile text has created, and addresses that run JavaScript, each with its place. */
  planted: string[];
  /** What moves in the blocks, each with its place. */
  moving: string[];
  violations: string[];
  exceptions: string[];
  counts: Counts & { nodes: number };
}

/**
 * Attributes that name an element, refer to one or give its position, and `nonce`. Their values may differ from page to
 * page.
 */
const NAMES = new Set(["id", "for", "name", "list", "form", "data-aw", "data-order", "data-key", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-activedescendant", "nonce"]);
/** Matches the exceptions that other apps of the simulated shop throw on purpose. */
const FOREIGN_FAILURE = /a (neighbouring|foreign) app failed/;

interface TraceEntry {
  kind: string;
  event: string;
  subscriber: number | null;
  detail: unknown;
}

const SILENT = new Set(["SCRIPT", "STYLE", "TEMPLATE"]);
const OWN = "[data-order]:not(:has(> [data-foreign]))";
const OTHERS = "[data-order]:has(> [data-foreign])";

export function takeLook(frame: Frame, own: Control, measures: Measures): Look {
  const { document } = frame;
  const place = `.placeholder-${own.trial.slot}`;
  const blocks = ownBlocks(frame, own);
  const elements = blocks.flatMap(within);
  const { awningEmulator } = frame as Frame & { awningEmulator: { trace(): TraceEntry[] } };
  const trace = awningEmulator.trace();
  const throwing = new Set(trace.filter(({ detail }) => FOREIGN_FAILURE.test(String(detail))).map(({ subscriber }) => subscriber));
  const ours = trace.filter(({ subscriber }) => !throwing.has(subscriber));
  const entries = (kind: string): TraceEntry[] => ours.filter((entry) => entry.kind === kind);
  return {
    hasPlace: document.querySelector(place) !== null,
    blocks: blocks.length,
    form: blocks.map(formOf).join("\n"),
    text: textOf(blocks, frame, measures),
    content: [...blocks, ...elements].map(ownText).join(" ").replace(/\s+/g, " ").trim(),
    isSeen: [...blocks, ...elements].some(takesSpace),
    others: [...document.querySelectorAll(`${place} ${OTHERS}`)].map(formOf).join("\n"),
    tooWide: run(measures.tooWide, frame)(place),
    clipped: blocks.flatMap((block) => run(measures.clipped, frame)(block) as string[]),
    planted: plantedIn(document, elements),
    moving: [...blocks, ...elements.filter(({ parentNode }) => parentNode instanceof frame.ShadowRoot)].flatMap(movementsIn),
    violations: entries("violation").map(({ detail, event }) => `${String(detail)} (${event})`),
    exceptions: entries("exception").map(({ detail }) => String(detail)),
    counts: { ...own.counts, nodes: document.querySelectorAll("*").length },
  };
}

/** Return whether the slot shows what a state says. White space counts as one space. */
export function isShown(frame: Frame, own: Control, measures: Measures, { present, absent, isEmpty }: Shown): boolean {
  const blocks = ownBlocks(frame, own);
  const plain = (words: string): string => words.split(/\s+/).filter(Boolean).join(" ");
  const all = plain(textOf(blocks, frame, measures));
  const hasBlock = isEmpty ? ![...blocks, ...blocks.flatMap(within)].some(takesSpace) : blocks.length === 1;
  return hasBlock && present.every((words) => all.includes(plain(words))) && !absent.some((words) => all.includes(plain(words)));
}

function ownBlocks({ document }: Frame, { trial }: Control): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`.placeholder-${trial.slot} ${OWN}`)];
}

function textOf(blocks: readonly HTMLElement[], frame: Frame, measures: Measures): string {
  return (run(measures.texts, frame)(blocks) as string[]).join("\n");
}

/**
 * Examine the blocks with axe-core, which runs in the frame because it compares elements with the classes of its window.
 * What it cannot examine, for example because the page has changed a built-in function, is a violation, too.
 */
export async function examine(frame: Frame, { trial }: Control, { axe = "", examine: source = "" }: Measures): Promise<unknown[]> {
  const page = frame as Frame & { eval(source: string): unknown };
  try {
    page.eval(axe);
    const examineAll = page.eval(`(${source})`) as (selector: string) => Promise<unknown[]>;
    return await examineAll(`.placeholder-${trial.slot} ${OWN}`);
  } catch (error) {
    const own = { rule: "not-examined", impact: "critical", help: "axe-core can examine the block", url: "https://github.com/dequelabs/axe-core" };
    return [{ ...own, html: "", fix: `axe-core ended with ${String(error)}: does the page change a function of the browser?`, themes: [null] }];
  }
}

/** Return the function with the source text `source`. Its globals `document` and `innerWidth` are those of the frame. */
function run(source: string, frame: Frame): (value: unknown) => unknown {
  const make = new Function("document", "innerWidth", `return ${source}`) as (page: Document, width: number) => (value: unknown) => unknown;
  return make(frame.document, frame.innerWidth);
}

/** Return the elements inside an element, and inside open shadow roots. */
export function within(root: ParentNode): Element[] {
  return [...root.querySelectorAll("*")].flatMap((element) => (element.shadowRoot ? [element, ...within(element.shadowRoot)] : [element]));
}

function ownText(element: Element): string {
  const silent = SILENT.has(element.nodeName);
  return silent ? "" : [...element.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.nodeValue : "")).join("");
}

function takesSpace(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0;
}

function formOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return (node.nodeValue ?? "").replace(/\s+/g, " ");
  if (node.nodeType !== Node.ELEMENT_NODE || SILENT.has(node.nodeName)) return "";
  const element = node as HTMLInputElement;
  const attributes = [...element.attributes].filter(isTelling).map(({ name, value }) => ` ${name}="${value}"`);
  const typed = "value" in element && typeof element.value === "string" && element.localName !== "button" ? ` value: ${element.value}` : "";
  const ticked = element.checked ? " checked" : "";
  const children = [...(element.shadowRoot?.childNodes ?? []), ...element.childNodes].map(formOf).join("");
  return `<${element.localName}${attributes.sort().join("")}${typed}${ticked}>${children}</${element.localName}>`;
}

function isTelling({ name, value }: Attr): boolean {
  return !NAMES.has(name) && !(name === "href" && value.startsWith("#"));
}

/** Matches the names of the elements and attributes that the hostile texts of the tests create if parsed as HTML. */
const PLANTED = /^(x-planted|planted)$/;
const RUNS = /^\s*(javascript|vbscript|data:text\/html)/i;

/** Return what hostile texts have created on the page. */
export function plantedOn({ document }: Frame, slot: string): string[] {
  return plantedIn(document, [...document.querySelectorAll(`.placeholder-${slot} ${OWN}`)].flatMap(within));
}

function plantedIn(document: Document, elements: readonly Element[]): string[] {
  const all = new Set([...document.querySelectorAll("x-planted, [planted]"), ...elements]);
  return [...all].flatMap((element) => [
    ...(PLANTED.test(element.localName) ? [`<${element.localName}> in ${nameOf(element.parentElement)}`] : []),
    ...[...element.attributes].filter(isPlanted).map(({ name, value }) => `${name}="${value.slice(0, 60)}" of ${nameOf(element)}`),
  ]);
}

/** Matches the keys of keyframes that move nothing. */
const KEEPS_STILL = /^(offset|computedOffset|easing|composite|opacity|visibility|fill|stroke|filter|\w*color|\w*shadow)$/i;

/** An animation that ends sooner than this many milliseconds moves nothing that is seen. */
const UNSEEN_MS = 100;

/** Return what moves in an element and its pseudo-elements: the names of animations, the properties of transitions. */
function movementsIn(element: Element): string[] {
  return element.getAnimations({ subtree: true }).flatMap((animation) => {
    const effect = animation.effect as KeyframeEffect | null;
    if (!effect) return [];
    const isSeen = animation.playState === "running" && Number(effect.getComputedTiming().endTime ?? 0) > UNSEEN_MS;
    const moved = isSeen && effect.getKeyframes().flatMap(Object.keys).find((key) => !KEEPS_STILL.test(key));
    return moved ? [`${nameOf(effect.target)} (${(animation as CSSAnimation).animationName ?? moved})`] : [];
  });
}

/** Return an element with its classes, without those that the build adds: `p.note`. */
function nameOf(element: Element | null): string {
  if (!element || element.hasAttribute("data-order")) return "the block";
  const classes = [...element.classList].filter((name) => !name.startsWith("aw-"));
  return [element.localName, ...classes].join(".");
}

function isPlanted({ name, value }: Attr): boolean {
  return PLANTED.test(name) || (["href", "src", "action", "formaction", "xlink:href"].includes(name) && RUNS.test(value)) || (name.startsWith("on") && /pwn|alert/.test(value));
}

/** Return an element with its type and its classes, without those that the build adds: `input[type=radio].slot`. */
export function kindOf(element: Element): string {
  const names = [...element.classList].filter((name) => !name.startsWith("aw-")).map((name) => `.${name}`);
  const type = element.getAttribute("type");
  return `${element.localName}${type ? `[type=${type}]` : ""}${names.join("")}`;
}
