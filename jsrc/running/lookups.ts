/**
 * Look-ups of elements. An element that a script asks for is there, unless the life says otherwise. Before there is a
 * body, a look-up of an element of the body finds nothing.
 */
import { body, define, document, head, html, isMethod } from "./dom.ts";
import { input, outcome, report, type Lookup } from "./reports.ts";

type LookUp = "querySelector" | "getElementById";
type LookUpOfMany = "querySelectorAll" | "getElementsByClassName" | "getElementsByTagName";

const ONE: readonly LookUp[] = ["querySelector", "getElementById"];
const MANY: readonly LookUpOfMany[] = ["querySelectorAll", "getElementsByClassName", "getElementsByTagName"];

/** Elements of the head, and what may match them. */
const OF_HEAD = /^(?:html|head|meta|link|script|style|title|base|noscript|template|\*|:root|:scope)$/i;
const OF_ROOT = /^(?:html|:root)$/i;

/** Return whether a selector can only match elements of the body. */
export function isOfBody(selector: unknown): boolean {
  return String(selector)
    .split(",")
    .every((part) => {
      const steps = part.trim().split(/\s*[>+~]\s*|\s+/);
      if (part.includes("[")) {
        return false;
      }
      const tag = /^[a-zA-Z][\w-]*/.exec(steps[steps.length - 1] ?? "");
      if (tag) {
        return !OF_HEAD.test(tag[0]);
      }
      return !steps.slice(0, -1).some((step) => OF_HEAD.test(step) && !OF_ROOT.test(step));
    });
}

/** Add an element that a selector matches to the body. */
function madeFor(selector: string): Element {
  const [first = ""] = selector.split(",");
  const last = first.trim().split(/[\s>+~]+/).pop() ?? "";
  const element = document.createElement(/^[\w-]+/.exec(last)?.[0] ?? "div");
  for (const name of last.match(/[#.][\w-]+/g) ?? []) {
    if (name.startsWith("#")) {
      element.id = name.slice(1);
    } else {
      element.classList.add(name.slice(1));
    }
  }
  for (const [, name = "", value] of last.matchAll(/\[([\w-]+)(?:[~|^$*]?=["']?([^"'\]]*)["']?)?\]/g)) {
    element.setAttribute(name, value ?? "");
  }
  body.appendChild(element);
  return element;
}

function madeInHead(selector: string): Element {
  const element = madeFor(selector);
  head.appendChild(element);
  return element;
}

function selectorOf(name: string, argument: unknown): string {
  if (name === "getElementById") {
    return `#${String(argument)}`;
  }
  if (name === "getElementsByClassName") {
    return `.${String(argument).trim().split(/\s+/).join(".")}`;
  }
  return String(argument);
}

function lookupOf(name: string, argument: unknown): Lookup {
  const selector = selectorOf(name, argument);
  const by = /^#[\w-]+$/.test(selector) ? "id" : /^\.[\w-]+$/.test(selector) ? "class" : "";
  return { lookup: `document.${name}('${String(argument)}')`, by };
}

for (const name of ONE) {
  const original = document[name].bind(document) as (argument: string) => Element | null;
  define(document, name, (argument: unknown): Element | null => {
    const element = original(String(argument));
    if (element || (!input.early && !input.elements)) {
      return element;
    }
    const selector = selectorOf(name, argument);
    if (!input.early) {
      return madeFor(selector);
    }
    if (!isOfBody(selector)) {
      return madeInHead(selector);
    }
    outcome.early = lookupOf(name, argument);
    return null;
  });
}
define(html, "querySelector", (selector: string) => document.querySelector(selector));

/** The elements of a look-up. The use of a list that is empty because there is no body breaks `early-dom`. */
class Elements extends Array<Element> {
  item(index: number): Element | null {
    return this[index] ?? null;
  }
  namedItem(): null {
    return null;
  }
}
/** The selector of the element that a script is defining: linkedom then looks for those that are there. */
let defined = "";
const defineElement = customElements.define.bind(customElements);
define(customElements, "define", (...given: Parameters<CustomElementRegistry["define"]>): void => {
  const [name, , options] = given;
  const outer = defined;
  defined = options?.extends ? `${options.extends}[is="${name}"]` : name;
  try {
    defineElement(...given);
  } finally {
    defined = outer;
  }
});
const early = new WeakMap<object, { lookup: string; selector: string }>();

for (const name of MANY) {
  const original = document[name].bind(document) as (argument: string) => Iterable<Element>;
  define(document, name, (argument: unknown): Element[] => {
    const selector = selectorOf(name, argument);
    let elements = [...original(String(argument))];
    if (!elements.length && (input.early ? !isOfBody(selector) : input.elements)) {
      (input.early ? madeInHead : madeFor)(selector);
      elements = [...original(String(argument))];
    }
    Object.setPrototypeOf(elements, Elements.prototype);
    if (input.early && !elements.length && selector !== defined) {
      outcome.early = lookupOf(name, argument);
      early.set(elements, { lookup: outcome.early.lookup, selector });
    }
    return elements;
  });
}
for (const name of ["forEach", Symbol.iterator] as const) {
  const original: unknown = Array.prototype[name];
  if (isMethod(original)) {
    define(Elements.prototype, name, function (this: object, ...values: unknown[]) {
      const list = early.get(this);
      if (list && input.early && isOfBody(list.selector)) {
        report("early-dom", "", { lookup: list.lookup });
      }
      return original.apply(this, values);
    });
  }
}
