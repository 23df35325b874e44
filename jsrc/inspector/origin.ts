/**
 * Finds the widget that made a subscription, and the place of an error in the snippet. A subscription has no name. So
 * the widget is read from the position of the call in the snippet: a dev build has a comment with the file name above
 * each part.
 */

/** One entry of V8's call stack. Other engines do not offer it, so there the inspector cannot name the widget. */
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
const SOLE = /console\.error\("([^"]+)", /;

/** The origin of an error: the widget, and line and column in the snippet's script, from 1. */
export interface Origin {
  widget: string | null;
  /** The widget whose patch the script is; null if it is the app's snippet. */
  unit: string | null;
  line: number;
  column: number;
}

/** Return the widget whose code is running, if the snippet names it. */
export function callingWidget(): string | null {
  for (const { code, at } of standing(callSites(new Error()))) {
    const widget = widgetAt(code, at);
    if (widget !== null) return widget;
  }
  return null;
}

/** Return the innermost place of `error` in a widget's own files. */
export function originOf(error: Error): Origin | null {
  const places = standing(callSites(error));
  const own = places.find(({ code, at }) => partAt(code, at).startsWith("widgets/"));
  if (!own) return null;
  const before = own.code.slice(0, own.at).split("\n");
  const widget = places.map(({ code, at }) => widgetAt(code, at)).find((name) => name !== null) ?? null;
  return { widget, unit: own.unit, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Return the call sites in inline scripts of the page, each with the script's text and the offset in it. */
function standing(sites: CallSite[]): Array<{ code: string; unit: string | null; at: number }> {
  // A script that was inserted later has no address.
  const addresses = [location.href.replace(/#.*$/, ""), "", null, undefined];
  // The last script that fits counts: a patch repeats code of the app's snippet.
  const inline = [...document.scripts].filter((script) => !script.src).reverse();
  return sites
    .filter((site) => addresses.includes(site.getFileName()))
    .flatMap((site) => {
      const script = inline.find(({ text }) => standsIn(site, text));
      const unit = script?.dataset["awningUnit"] ?? null;
      return script === undefined ? [] : [{ code: script.text, unit, at: site.getPosition() }];
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
    if (!Array.isArray(stack)) return [];
    error.stack = [String(error), ...stack.map((site) => `    at ${String(site)}`)].join("\n");
    return stack as CallSite[];
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

/** Return the widget at an offset: that of the file there, or the one that the generated entry runs there. */
function widgetAt(code: string, at: number): string | null {
  const part = partAt(code, at);
  const own = WIDGET.exec(part)?.[1];
  if (own !== undefined) return own;
  if (!part.startsWith("entries/")) return null;
  return RUN.exec(code.slice(at))?.[1] ?? SOLE.exec(code.slice(at))?.[1] ?? null;
}

/** Return the source file of the code at `at`. */
function partAt(code: string, at: number): string {
  return [...code.slice(0, at).matchAll(PART)].at(-1)?.[1] ?? "";
}
