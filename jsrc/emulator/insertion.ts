/**
 * How HTML gets into a wrapper and a wrapper into its container, with the page's jQuery or as it would do it.
 *
 * jQuery 2.2.4 parses a string without running its scripts, and runs them itself once they are inside the document:
 * on insertion the first time, at once later, never while the container is outside.
 */
import { pageJQuery } from "./jquery.ts";

const SCRIPT_TYPE = /^$|\/(?:java|ecma)script/i;
const SELF_CLOSED = /<(?!area|br|col|embed|hr|img|input|link|meta|param)(([\w:-]+)[^>]*)\/>/gi;
const HTML = /<|&#?\w+;/;

export interface Insertion {
  /** Replace what the wrapper holds, as jQuery's `.html(value)` with a value that is neither undefined nor a function. */
  fill(wrapper: Element, value: unknown): void;
  /** Put the wrapper into the container, before `next` or at the end. */
  place(container: Element, wrapper: Element, next: Element | null): void;
  /** What setContent returns: the wrapper as a jQuery object, or what can be read of one. */
  wrapped(wrapper: Element): unknown;
}

/** The insertion of this moment: jQuery may load after the emulator. */
export function insertion(scriptsRun: boolean): Insertion {
  const jquery = pageJQuery();
  const wrapped = (wrapper: Element): unknown => (jquery ? jquery(wrapper) : { 0: wrapper, length: 1 });
  if (jquery && scriptsRun) {
    return {
      wrapped,
      fill: (wrapper, value) => void jquery(wrapper).html(value),
      place: (container, wrapper, next) =>
        void (next ? jquery(wrapper).insertBefore(next) : jquery(container).append(jquery(wrapper))),
    };
  }
  const run = scriptsRun ? runScripts : () => {};
  return {
    wrapped,
    fill(wrapper, value) {
      wrapper.replaceChildren(...toNodes(value));
      run(wrapper);
    },
    place(container, wrapper, next) {
      container.insertBefore(wrapper, next);
      run(wrapper);
    },
  };
}

/** What jQuery's `.html()` makes of such a value. */
function toNodes(value: unknown): Node[] {
  if (!value && value !== 0) {
    return [];
  }
  if (typeof value === "string") {
    return parse(value);
  }
  if (value instanceof Node) {
    return [value];
  }
  if (typeof value === "object" && "length" in value) {
    return Array.from(value as ArrayLike<unknown>).flatMap((one) =>
      typeof one === "string" && !HTML.test(one) ? [document.createTextNode(one)] : toNodes(one),
    );
  }
  return [document.createTextNode(String(value))];
}

function parse(html: string): Node[] {
  const template = document.createElement("template");
  template.innerHTML = html.replace(SELF_CLOSED, "<$1></$2>");
  return [...document.importNode(template.content, true).childNodes];
}

const ran = new WeakSet<Element>();

function runScripts(wrapper: Element): void {
  if (!wrapper.isConnected) {
    return;
  }
  for (const script of wrapper.querySelectorAll("script")) {
    if (SCRIPT_TYPE.test(script.type) && !ran.has(script)) {
      ran.add(script);
      runScript(script);
    }
  }
}

function runScript(script: HTMLScriptElement): void {
  const copy = document.createElement("script");
  if (script.nonce) {
    copy.nonce = script.nonce;
  }
  if (script.src) {
    copy.src = script.src;
  } else {
    copy.text = script.text;
  }
  document.head.append(copy);
  if (!script.src) {
    copy.remove();
  }
}
