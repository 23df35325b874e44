/**
 * Finds the widget that made a subscription, and the place of an error in the snippet. A subscription has no name. So
 * the widget is found by the position of the call in the snippet. In a dev build, the code of each source file begins
 * with a comment that has the path of this file.
 */

/** One entry of V8's call stack. Other engines do not offer it, so the inspector finds no widgets in their browsers. */
interface CallSite {
  /** The offset in the text of the script, from 0. */
  getPosition(): number;
  getColumnNumber(): number | null;
  getFileName(): string | null | undefined;
}

interface V8 {
  stackTraceLimit: number;
  prepareStackTrace?: ((error: Error, sites: CallSite[]) => unknown) | undefined;
}

const DEPTH = 50;
const PART = /^[ \t]*\/\/ (\S+)$/gm;
const WIDGET = /^widgets\/([^_/][^/]*)\//;
const RUN = /^\w+\("([^"]+)"/;
const VERBATIM = /^awning-widget (\S+)$/;
const VERBATIM_END = "/awning-widget";
/** The address of the page when it was loaded, which its own scripts may change without a load. */
const LOADED = location.href;
const SOLE = /console\.error\("([^"]+)", /;

/** Let each new error keep more entries of the call stack. The default is ten, which the emulator alone can use up. */
export function lengthenStacks(): void {
  (Error as unknown as V8).stackTraceLimit = DEPTH;
}

/** The origin of an error: the widget, and line and column in the snippet's script, from 1. */
export interface Origin {
  widget: string | null;
  /** The widget whose patch contains the script; null if the app's snippet contains it. */
  unit: string | null;
  line: number;
  column: number;
}

/** Return the widget whose code is running; null if no call on the stack belongs to a known widget. */
export function callingWidget(): string | null {
  for (const { script, at } of standing(callSites(new Error()))) {
    const widget = widgetAt(script, at);
    if (widget !== null) return widget;
  }
  return null;
}

/** Return the inline scripts of the page that the calls on the stack are in. */
export function runningScripts(): HTMLScriptElement[] {
  return standing(callSites(new Error())).map(({ script }) => script.element);
}

/** Return the verbatim widget whose `<script>` is running; null if none is. In dev builds, comments are around its HTML. */
export function verbatimWidget(): string | null {
  for (let node: Node | null = document.currentScript; node; node = node.previousSibling ?? node.parentNode) {
    if (!(node instanceof Comment)) continue;
    if (node.data === VERBATIM_END) return null;
    const name = VERBATIM.exec(node.data)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

/** Return the innermost place of `error` in the files below `widgets/`; null if it has none, or the stack is unknown. */
export function originOf(error: Error): Origin | null {
  const sites = callSites(error);
  // Because the stack was read as call sites, V8 has not made its text.
  if (sites.length) error.stack = [String(error), ...sites.map((site) => `    at ${String(site)}`)].join("\n");
  const places = standing(sites);
  const own = places.find(({ script, at }) => partAt(script, at).startsWith("widgets/"));
  if (!own) return null;
  const before = own.script.code.slice(0, own.at).split("\n");
  const widget = places.map(({ script, at }) => widgetAt(script, at)).find((name) => name !== null) ?? null;
  return { widget, unit: own.script.unit, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** An inline script of the page, and where the code of each source file begins in it. */
interface Script {
  element: HTMLScriptElement;
  code: string;
  unit: string | null;
  parts: ReadonlyArray<{ start: number; path: string }>;
}

const read = new WeakMap<HTMLScriptElement, Script>();

/** Return an inline script. It is searched only once, because the script of a thousand widgets has some megabytes. */
function readScript(element: HTMLScriptElement): Script {
  const known = read.get(element);
  if (known) return known;
  const code = element.text;
  const parts = [...code.matchAll(PART)].map(({ index, 1: path }) => ({ start: index, path: path ?? "" }));
  const script = { element, code, unit: element.dataset["awningUnit"] ?? null, parts };
  read.set(element, script);
  return script;
}

/** Return the call sites in inline scripts of the page, each with its script and the offset in it. */
function standing(sites: CallSite[]): Array<{ script: Script; at: number }> {
  // V8 gives no file name for a script that was inserted later.
  const addresses = [...[location.href, LOADED].map((address) => address.replace(/#.*$/, "")), "", null, undefined];
  // The last script that fits counts: a patch repeats code of the app's snippet.
  const inline = [...document.scripts].filter((script) => !script.src).reverse().map(readScript);
  return sites
    .filter((site) => addresses.includes(site.getFileName()))
    .flatMap((site) => {
      const script = inline.find(({ code }) => standsIn(site, code));
      return script === undefined ? [] : [{ script, at: site.getPosition() }];
    });
}

/** Return the call sites of an error. There are none in engines other than V8, or if the stack was read before. */
function callSites(error: Error): CallSite[] {
  const v8 = Error as unknown as V8;
  const { stackTraceLimit, prepareStackTrace } = v8;
  try {
    v8.stackTraceLimit = DEPTH;
    v8.prepareStackTrace = (_error, sites) => sites;
    const { stack } = error as { stack?: unknown };
    return Array.isArray(stack) ? (stack as CallSite[]) : [];
  } finally {
    v8.stackTraceLimit = stackTraceLimit;
    v8.prepareStackTrace = prepareStackTrace;
  }
}

/** Whether a call site can be in `code`: its column and its offset must fit together. */
function standsIn(site: CallSite, code: string): boolean {
  const at = site.getPosition();
  const lineStart = code.lastIndexOf("\n", at - 1) + 1;
  return lineStart > 0 && at < code.length && at - lineStart + 1 === site.getColumnNumber();
}

/** Return the widget whose code is at an offset, or which the entry point runs by the call at the offset; else null. */
function widgetAt(script: Script, at: number): string | null {
  const part = partAt(script, at);
  const own = WIDGET.exec(part)?.[1];
  if (own !== undefined) return own;
  if (!part.startsWith("entries/")) return null;
  const call = script.code.slice(at);
  return RUN.exec(call)?.[1] ?? SOLE.exec(call)?.[1] ?? null;
}

/** Find the last part that begins before `at`, by binary search, and return the path of its source file. */
function partAt({ parts }: Script, at: number): string {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.start ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return parts[low - 1]?.path ?? "";
}
