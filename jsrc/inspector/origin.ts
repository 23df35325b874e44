/**
 * Which widget a subscription is of, and where in the snippet an error comes from. The service is told a callback and no
 * name, so the name is read from where the call stands in the snippet: a build for development says above each part
 * which file it was made from.
 */

/** What V8 tells of a call on the stack. Other browsers do not: there no widget is named. */
interface CallSite {
  /** From 0, in the text of the script. */
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

/** Where an error comes from: the widget, and line and column in the text of the snippet's script, from 1. */
export interface Origin {
  widget: string | null;
  line: number;
  column: number;
}

/** The widget in whose name the running code calls, where the snippet says so. */
export function callingWidget(): string | null {
  for (const { code, at } of standing(callSites(new Error()))) {
    const widget = widgetAt(code, at);
    if (widget !== null) return widget;
  }
  return null;
}

/** The innermost place in a widget's own files that `error` comes from. */
export function originOf(error: Error): Origin | null {
  const places = standing(callSites(error));
  const own = places.find(({ code, at }) => partAt(code, at).startsWith("widgets/"));
  if (!own) return null;
  const before = own.code.slice(0, own.at).split("\n");
  const widget = places.map(({ code, at }) => widgetAt(code, at)).find((name) => name !== null) ?? null;
  return { widget, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Those of `sites` that stand in scripts of the page itself, with the script. */
function standing(sites: CallSite[]): Array<{ code: string; at: number }> {
  // A script that was put into the page later has no address.
  const addresses = [location.href.replace(/#.*$/, ""), "", null, undefined];
  const inline = [...document.scripts].filter((script) => !script.src).map((script) => script.text);
  return sites
    .filter((site) => addresses.includes(site.getFileName()))
    .flatMap((site) => {
      const code = inline.find((text) => standsIn(site, text));
      return code === undefined ? [] : [{ code, at: site.getPosition() }];
    });
}

/** None in browsers other than V8's, and for an error whose stack was read before. */
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

/** Whether a call can stand in `code`: its column is that of its position. */
function standsIn(site: CallSite, code: string): boolean {
  const at = site.getPosition();
  const lineStart = code.lastIndexOf("\n", at - 1) + 1;
  return lineStart > 0 && at < code.length && at - lineStart + 1 === site.getColumnNumber();
}

/** Of a widget's own script, or of the entry, which runs each widget by its name or is one widget alone. */
function widgetAt(code: string, at: number): string | null {
  const part = partAt(code, at);
  const own = WIDGET.exec(part)?.[1];
  if (own !== undefined) return own;
  if (!part.startsWith("entries/")) return null;
  return RUN.exec(code.slice(at))?.[1] ?? SOLE.exec(code.slice(at))?.[1] ?? null;
}

/** The file that the code at `at` was made from. */
function partAt(code: string, at: number): string {
  return [...code.slice(0, at).matchAll(PART)].at(-1)?.[1] ?? "";
}
