/**
 * jQuery 2.2.4's insertion of content, for pages without jQuery: how it parses content, and how it runs the scripts
 * (`<script>` elements) in it.
 *
 * A script runs when it enters the document, unless it was in the document before. jQuery runs scripts by an indirect
 * eval. So an exception reaches the caller. `var` and functions become global, but `let`, `const` and `class` do not.
 * A script that begins with "use strict" or comes from another origin runs as an element in the head instead.
 */

const SCRIPT_TYPE = /^$|\/(?:java|ecma)script/i;
const SELF_CLOSED = /<(?!area|br|col|embed|hr|img|input|link|meta|param)(([\w:-]+)[^>]*)\/>/gi;
const HTML = /<|&#?\w+;/;
const FIRST_TAG = /<([\w:-]+)/;
const HIDING = /^\s*<!(?:\[CDATA\[|--)|(?:\]\]|--)>\s*$/g;
const DISABLED = /^true\/(.*)/;

/** The parents that the parser needs around some elements: tag names, nesting depth, HTML before and after. */
const AROUND = [
  [["option", "optgroup"], 1, "<select multiple='multiple'>", "</select>"],
  [["thead", "tbody", "tfoot", "colgroup", "caption"], 1, "<table>", "</table>"],
  [["col"], 2, "<table><colgroup>", "</colgroup></table>"],
  [["tr"], 2, "<table><tbody>", "</tbody></table>"],
  [["td", "th"], 3, "<table><tbody><tr>", "</tr></tbody></table>"],
] as const;

/** Objects that jQuery treats as text. Any other object, or an async function, is a node or a list of nodes. */
const TEXTS = /^\[object (?:Boolean|Number|String|Function|Array|Date|RegExp|Error|Symbol)\]$/;

/** Whether jQuery calls `value` to get content. It does not call async functions and generators. */
export function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return Object.prototype.toString.call(value) === "[object Function]";
}

/** Whether `value` is a node, also of another window. */
export function isNode(value: unknown): value is Node {
  return !!(Object(value) as Partial<Node>).nodeType;
}

/** Whether `value` is an element, also of another window. */
export function isElement(value: unknown): value is Element {
  return isNode(value) && value.nodeType === Node.ELEMENT_NODE;
}

/** Whether jQuery takes `value` as a list of nodes, such as a jQuery object, a NodeList or `arguments`. */
export function isList(value: unknown): value is ArrayLike<unknown> {
  return Object(value) === value && !isNode(value) && !TEXTS.test(Object.prototype.toString.call(value));
}

/** Return the nodes that jQuery's `.html(value)` inserts into `wrapper`, which is empty already. */
export function makeNodes(value: unknown, wrapper: Element): Node[] {
  return typeof value === "string" ? parse(value) : appended([value], wrapper);
}

/** Return the nodes that jQuery's `.append(...values)` inserts. It calls the first value if it is a function. */
function appended(values: readonly unknown[], wrapper: Element): Node[] {
  const [first, ...others] = values.flat();
  return isFunction(first)
    ? appended([first.call(wrapper, 0, wrapper.innerHTML), ...others], wrapper)
    : [first, ...others].flatMap(toNodes);
}

function toNodes(value: unknown): Node[] {
  if (!value && value !== 0) {
    return [];
  }
  if (isNode(value)) {
    return [value];
  }
  if (isList(value)) {
    const items: unknown[] = Array.prototype.slice.call(value);
    const end = items.findIndex((item) => !item);
    return (end < 0 ? items : items.slice(0, end)).map(asNode);
  }
  const text = `${value as string}`;
  return HTML.test(text) ? parse(text) : [document.createTextNode(text)];
}

/** jQuery throws for an item of a list that is no node. */
function asNode(item: unknown): Node {
  if (!isNode(item)) {
    throw new TypeError("a list that is given to setContent has an item that is no node");
  }
  return item;
}

/**
 * Whether the page requires Trusted Types, according to `data-trusted-types` of the emulator's script element. `parse`
 * then throws the browser's exception for a string itself, so that the browser reports no violation. A widget's runtime
 * can learn of the policy only by trying a string, and the author would take a violation for a mistake of the widget.
 */
const REQUIRES_TRUSTED_TYPES = document.currentScript?.hasAttribute("data-trusted-types") ?? false;

function parse(html: string): Node[] {
  if (REQUIRES_TRUSTED_TYPES) {
    throw new TypeError("Failed to set the 'innerHTML' property on 'Element': This document requires 'TrustedHTML' assignment.");
  }
  const tag = FIRST_TAG.exec(html)?.[1]?.toLowerCase() ?? "";
  const [, depth, before, after] = AROUND.find(([tags]) => (tags as readonly string[]).includes(tag)) ?? [[], 0, "", ""];
  const parent = document.createElement("div");
  parent.innerHTML = before + html.replace(SELF_CLOSED, "<$1></$2>") + after;
  let parsed: Node = parent;
  for (let level = 0; level < depth; level += 1) {
    parsed = parsed.lastChild ?? parsed;
  }
  return [...parsed.childNodes];
}

/** The scripts that were in the document before they were inserted again. They do not run when they are moved. */
const ran = new WeakSet<Node>();

/**
 * Call `insert`, which inserts `nodes` and returns the copies that it made of them. Then run the scripts of `nodes` as
 * jQuery does, if `run` is true. Scripts of copies do not run.
 */
export function withScripts(nodes: readonly Node[], run: boolean, insert: () => readonly Node[]): void {
  const scripts = nodes.flatMap((node) => {
    const inside = scriptsOf(node);
    if (document.contains(node)) {
      inside.forEach((script) => ran.add(script));
    }
    return inside;
  });
  scripts.forEach((script) => script.setAttribute("type", `${script.hasAttribute("type")}/${script.type}`));
  const copies = insert();
  [...scripts, ...copies.flatMap(scriptsOf)].forEach(enable);
  for (const script of run ? scripts : []) {
    if (SCRIPT_TYPE.test(script.type) && !ran.has(script) && document.contains(script)) {
      runScript(script);
    }
  }
}

function scriptsOf(node: Node): HTMLScriptElement[] {
  const inside = "querySelectorAll" in node ? [...(node as ParentNode).querySelectorAll("script")] : [];
  return isElement(node) && node.localName === "script" ? [node as HTMLScriptElement, ...inside] : inside;
}

/** Restore a script's original type. jQuery disables a script by a special type, which contains the original one. */
function enable(script: HTMLScriptElement): void {
  const type = DISABLED.exec(script.type)?.[1];
  if (type === undefined) {
    script.removeAttribute("type");
  } else {
    script.type = type;
  }
}

function runScript(script: HTMLScriptElement): void {
  if (!script.src) {
    evaluate((script.textContent ?? "").replace(HIDING, ""));
    return;
  }
  const { protocol, host, href } = new URL(script.src, document.baseURI);
  if (protocol === location.protocol && host === location.host) {
    const request = new XMLHttpRequest();
    request.open("GET", href, false);
    request.send();
    if (request.status >= 200 && request.status < 300) {
      evaluate(request.responseText);
    }
    return;
  }
  const copy = document.createElement("script");
  copy.src = href;
  copy.onload = copy.onerror = () => copy.remove();
  document.head.append(copy);
}

function evaluate(code: string): void {
  const trimmed = code.trim();
  if (trimmed.indexOf("use strict") === 1) {
    const script = document.createElement("script");
    script.text = trimmed;
    document.head.append(script);
    script.remove();
  } else if (trimmed) {
    (0, eval)(trimmed);
  }
}
