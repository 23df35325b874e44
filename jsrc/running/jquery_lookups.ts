/** jQuery's look-ups before there is a body, and its ways to run text and to wait for an answer. */
import { expected } from "./code.ts";
import { document, isMethod, window, type Members, type Method } from "./dom.ts";
import { isOfBody } from "./lookups.ts";
import { reportSynchronous } from "./network.ts";
import { input, report } from "./reports.ts";

interface Selection {
  readonly length: number;
  /** What was looked up, if it found nothing because there is no body. */
  early?: string;
}
interface JQuery {
  (selector: unknown): Selection;
  fn: Record<string, Method> & { init: (new (...values: unknown[]) => Selection) & Method; pushStack: Method };
  globalEval: Method;
  ajax: Method;
}

const $ = window.$ as JQuery;
const { fn } = $;
/** Methods that ask for something, and do nothing to elements. */
const ASKING = new Set([
  "constructor", "is", "hasClass", "length", "init", "ready", "get", "toArray", "index", "size", "first", "last", "eq",
  "find", "filter", "not", "children", "parent", "parents", "closest", "next", "prev", "siblings", "end", "slice",
  "extend", "pushStack", "map", "selector", "jquery", "add", "addBack", "sort", "splice", "push",
]);
/** Methods whose argument says where elements are moved. */
const MOVING = new Set(["appendTo", "prependTo", "insertAfter", "insertBefore"]);

const isSelector = (value: unknown): value is string => typeof value === "string" && value !== "" && !value.includes("<");

function judge(name: string, selection: Selection | undefined, target: unknown): void {
  if (MOVING.has(name) && isSelector(target) && isOfBody(target) && !$(target).length) {
    report("early-dom", "", { lookup: `$('${target}')` });
  } else if (selection?.length === 0 && selection.early !== undefined) {
    report("early-dom", "", { lookup: selection.early });
  }
}

for (const [name, method] of Object.entries(fn)) {
  if (!isMethod(method) || ASKING.has(name)) {
    continue;
  }
  const judged = function (this: Selection, ...values: unknown[]): unknown {
    if (input.early) {
      judge(name, this, values[0]);
    }
    return method.apply(this, values);
  };
  fn[name] = Object.assign(judged, method as unknown as Members);
}

const { init: Init, pushStack } = fn;
const init = function (selector: unknown, context: unknown, root: unknown): Selection {
  const result = new Init(selector, context, root);
  if (result.length !== 0) {
    return result;
  }
  if (input.early) {
    if (isSelector(selector) && isOfBody(selector)) {
      result.early = `$('${selector}')`;
    } else if (selector === null) {
      result.early = "$(document.body)";
    }
  } else if (input.elements && isSelector(selector) && !selector.includes(":") && !context) {
    document.querySelector(selector); // which adds the element
    return new Init(selector, context, root);
  }
  return result;
};
init.prototype = fn;
fn.init = init as unknown as typeof fn.init;
fn.pushStack = function (this: Selection, elements: unknown): unknown {
  const result = pushStack.call(this, elements) as Selection;
  if (this.early !== undefined && result.length === 0) {
    result.early = this.early;
  }
  return result;
};

const { globalEval, ajax } = $;
$.globalEval = function (this: unknown, code: unknown): unknown {
  expected.isInserted = true;
  try {
    return globalEval.call(this, code);
  } finally {
    expected.isInserted = false;
  }
};
$.ajax = function (this: unknown, ...values: unknown[]): unknown {
  const [address, options] = values;
  const { async: isAsync } = Object(typeof address === "object" ? address : options) as { async?: unknown };
  if (isAsync === false) {
    reportSynchronous();
  }
  return ajax.apply(this, values);
};
