/** Opens a page of the shop in a frame. */
import { control, listen, type Control } from "./controls.ts";
import type { Trial } from "./trial.ts";

export type Frame = Window & typeof globalThis & { awningFrame?: PageHost };

/** Stands in for `awningStorefront` in a page that `writeFrame` writes. The page calls `host` to create its host. */
export interface PageHost {
  host(container: string, event: string, params: Record<string, unknown>): void;
}

/**
 * A page's HTML with the shop's JavaScript and styles inlined, and separately the snippets at the end of its body. The
 * policy of its header is in a `<meta>` element, because a frame into which a page is written has no headers.
 */
interface PageText {
  html: string;
  snippets: string;
}

/** A file or page of the shop: its text, and the policy of its header. */
interface Sent {
  text: string;
  policy: string;
}

const sent = new Map<string, Promise<Sent>>();
const STILL = "<style>*,*::before,*::after{animation:none!important;transition:none!important}</style>";
/** Matches the app's scripts if they may learn that something has moved: by an event, or from the animation itself. */
const LEARNS_OF_MOTION = /(transition|animation)(run|start|iteration|end|cancel)|\banimate\b|getAnimations/i;
const HOST = "awningStorefront.host(";
const HEIGHT = 900;
/** The attribute of a style sheet of the shop that is put into the page. `examine.js` replaces these. */
const SHEET = "data-sheet";

/**
 * Write a page into a new frame. Where the page's JavaScript would call `awningStorefront.host`, it calls `host`.
 * Returns the frame and the page's text.
 */
export async function writeFrame(
  own: Control,
  host: (frame: Frame, ...created: Parameters<PageHost["host"]>) => void,
): Promise<[HTMLIFrameElement, PageText]> {
  const { trial } = own;
  const { html, snippets: unnamed } = await pageText(trial.url);
  const snippets = withScriptName(unnamed, trial);
  const element = addFrame(trial);
  const frame = element.contentWindow as Frame;
  const loaded = loadOf(element, own);
  frame.document.open();
  own.shown = frame.document;
  control(frame, own);
  listen(frame, own);
  frame.awningFrame = { host: (...created) => host(frame, ...created) };
  own.hasMotion = isToEnd(trial) && LEARNS_OF_MOTION.test(snippets);
  const page = own.hasMotion || trial.reducedMotion || isToPose(trial) ? html.replace(STILL, "") : html;
  frame.document.write(trial.late ? page : page.replace("</body>", () => `${snippets}</body>`));
  frame.document.close();
  await loaded;
  return [element, { html, snippets }];
}

/** Whether the page is made still at its end: an animation then has to be at its own end, and not never to have begun. */
function isToPose({ moves }: Trial): boolean {
  return moves.some((move) => typeof move === "object" && "pose" in move);
}

/** Whether what moves is brought to its end. Otherwise it is looked at, or must not make what it moves jump. */
function isToEnd({ reducedMotion, moves }: Trial): boolean {
  return !reducedMotion && !moves.includes("shifts");
}

/** Name the app's script, because the browser calls each script of a written page `<anonymous>`. */
function withScriptName(snippets: string, { script }: Trial): string {
  return script ? snippets.replace(`${script.end}</script>`, () => `${script.end}\n//# sourceURL=${script.name}\n</script>`) : snippets;
}

/** Load a page into a new frame. `enter` of the laboratory takes control of its window. */
export async function loadFrame(own: Control): Promise<HTMLIFrameElement> {
  const element = addFrame(own.trial);
  const loaded = loadOf(element, own);
  element.src = own.trial.url;
  await loaded;
  return element;
}

/** Wait until a page is loaded, or has stopped loading: the browser then never fires `load`, unless it leaves the page. */
async function loadOf(element: HTMLIFrameElement, own: Control): Promise<void> {
  own.isStopped = await new Promise((done) => {
    element.addEventListener("load", () => done(false), { once: true });
    own.endLoading = () => done(true);
  });
}

/**
 * Clear local and session storage, and add a frame. The frame is hidden, unless a move measures what was drawn. The
 * browser then neither draws it nor looks for what is under the pointer; the page in it cannot know.
 */
function addFrame({ width, moves }: Trial): HTMLIFrameElement {
  // To clear what is empty takes as long as to look at a block.
  for (const storage of [localStorage, sessionStorage]) if (storage.length) storage.clear();
  const element = document.createElement("iframe");
  element.style.cssText = `position:fixed;left:0;top:0;border:0;visibility:${moves.includes("shifts") ? "visible" : "hidden"};width:${width}px;height:${HEIGHT}px`;
  document.body.append(element);
  return element;
}

async function pageText(url: string): Promise<PageText> {
  const { text, policy } = await fetched(url);
  const [before = "", after = ""] = text.split("</footer>");
  const end = after.lastIndexOf("</body>");
  const meta = policy && `<meta http-equiv="content-security-policy" content="${policy.replaceAll('"', "&quot;")}">`;
  const page = before.replace("<head>", () => `<head>${meta}`).replace("</head>", () => `${STILL}</head>`).replace(HOST, () => "awningFrame.host(");
  const [, nonce = ""] = /<script( nonce="[^"]+")/.exec(text) ?? [];
  return { html: await inlined(`${page}</footer>${after.slice(end)}`, nonce), snippets: await inlined(after.slice(0, end), nonce) };
}

/**
 * Put the shop's JavaScript, styles and mark into the page, so that it needs no request: the browser reports each one to
 * the caller, also from its cache. A file whose text would end its element stays a link.
 */
async function inlined(html: string, nonce: string): Promise<string> {
  const parts = html.split(/(<script src="[^"]+"[^>]*><\/script>|<link rel="stylesheet" href="[^"]+">|<img src="\/assets\/[^"]+\.svg")/);
  return (await Promise.all(parts.map((part) => inlinedPart(part, nonce)))).join("");
}

async function inlinedPart(part: string, nonce: string): Promise<string> {
  const [, kind, url, attributes = ""] = /^<(script src|link rel="stylesheet" href|img src)="([^"]+)"([^>]*)/.exec(part) ?? [];
  if (!url) return part;
  const { text } = await fetched(url);
  if (kind === "img src") return `<img src="data:image/svg+xml,${encodeURIComponent(text)}"`;
  if (/<\/(script|style)|<!--/i.test(text)) return part;
  return kind === "script src" ? `<script${nonce}${attributes}>${text}</script>` : `<style ${SHEET}>${text}</style>`;
}

function fetched(url: string): Promise<Sent> {
  let file = sent.get(url);
  if (!file) {
    file = fetch(url).then(async (response) => ({ text: await response.text(), policy: response.headers.get("content-security-policy") ?? "" }));
    sent.set(url, file);
    file.catch(() => sent.delete(url)); // such as a service that was busy: the next page asks again
  }
  return file;
}
