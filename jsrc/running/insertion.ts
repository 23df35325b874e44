/** Inserting nodes. Scripts, style sheets, frames and images load or fail later. */
import { later } from "./clock.ts";
import { countAsNative, define, document, html, isMethod, prototypesOf, window } from "./dom.ts";
import { sink } from "./markup.ts";
import { parsedText } from "./parsed.ts";
import { input, notLookedAt, report } from "./reports.ts";

const LOADING = "script,link,iframe";
const METHODS = [
  "append", "appendChild", "prepend", "insertBefore", "replaceWith", "replaceChild", "replaceChildren", "before", "after",
];

const loading = new WeakSet<Element>();
/** The script elements of the page's own scripts, which the parent process runs. */
export const running = new WeakSet<Element>();

const load = (element: Element): unknown =>
  later(() => element.dispatchEvent(new Event(input.answers ? "load" : "error")), 5);

function hasAddress(element: Element): boolean {
  const name = element.localName;
  return name === "iframe" || !!element.getAttribute(name === "script" ? "src" : "href");
}

function runsText(element: Element): boolean {
  const type = (element as HTMLScriptElement).type;
  return element.localName === "script" && !!element.textContent?.trim() && (!type || /javascript/.test(type));
}

function inserted(node: Node): void {
  if (node.nodeType !== 1) {
    return;
  }
  const element = node as Element;
  const within = element.firstChild ? element.querySelectorAll(LOADING) : [];
  for (const part of [element, ...within]) {
    if (!/^(?:script|link|iframe)$/.test(part.localName)) {
      continue;
    }
    if (hasAddress(part)) {
      if (!loading.has(part)) {
        loading.add(part);
        load(part);
      }
    } else if (!running.has(part) && runsText(part)) {
      notLookedAt("a script that is inserted");
    }
  }
}

/** Invisible elements, which a script may add to a document that is not ready: as in the emulator's rule. */
const SILENT = /^(?:script|style|link|meta|template)$/i;

/** Whether inserting `nodes` into `target` changes what a page shows, before it has a body. */
function isEarly(target: Node | null, nodes: readonly unknown[]): boolean {
  return (
    input.early &&
    target === html &&
    nodes.some((node) => {
      const parts: readonly Node[] = node instanceof DocumentFragment ? [...node.childNodes] : [node as Node];
      return typeof node === "string" || parts.some((part) => !SILENT.test(part.nodeName));
    })
  );
}

function judgeEarly(target: Node, name: string, values: readonly unknown[]): void {
  const isBeside = name === "before" || name === "after" || name === "replaceWith";
  const nodes = /^(?:insertBefore|replaceChild)$/.test(name) ? values.slice(0, 1) : values;
  if (isEarly(isBeside ? target.parentNode : target, nodes)) {
    report("early-dom", "", { lookup: `document.documentElement.${name}()` });
  }
}

let depth = 0;

function watchMethod(prototype: object, name: string): void {
  const original: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
  if (!isMethod(original)) {
    return;
  }
  define(prototype, name, function (this: Node, ...nodes: unknown[]): unknown {
    if (depth) {
      return original.apply(this, nodes);
    }
    for (const node of nodes) {
      const text = parsedText(node);
      if (text !== undefined) {
        sink(text, `${name}()`);
      }
    }
    judgeEarly(this, name, nodes);
    depth += 1;
    let result;
    try {
      result = original.apply(this, nodes);
    } finally {
      depth -= 1;
    }
    for (const node of nodes as Array<Node | null>) {
      if (node?.isConnected) {
        inserted(node);
      }
    }
    return result;
  });
}

const prototypes = new Set<object>();
for (const { prototype } of [HTMLElement, Text, DocumentFragment]) {
  prototypes.add(prototype);
  for (const inherited of prototypesOf(prototype)) {
    prototypes.add(inherited);
  }
}
for (const prototype of prototypes) {
  for (const name of METHODS) {
    watchMethod(prototype, name);
  }
}
for (const prototype of [...prototypes, ...prototypesOf(document)]) {
  countAsNative(prototype);
}

const { setAttribute } = Element.prototype;
Object.defineProperty(HTMLImageElement.prototype, "src", {
  get(this: Element) {
    return this.getAttribute("src") ?? "";
  },
  set(this: Element, value: unknown) {
    setAttribute.call(this, "src", String(value));
    load(this);
  },
  configurable: true,
});
define(window, "Image", function Image() {
  return document.createElement("img");
});
