/** What becomes HTML. Texts of the payload have marks (`payloads.py`), and the parent process reads the HTML. */
import { state } from "./clock.ts";
import { define, defineAccess, document, isMethod, window } from "./dom.ts";
import { createDocument } from "./parsed.ts";
import { report } from "./reports.ts";

const LONGEST = 20_000;
const MARK = /aw\d+[ <%&+]|<aw\d/i;

/** HTML that was judged where it was made. */
export const judged = new Set<string>();

/** Report HTML that has a mark. `where` is what makes it a part of the page. */
export function sink(text: unknown, where: string): void {
  const html = String(text);
  for (const known of judged) {
    if (known && html.includes(known)) {
      return;
    }
  }
  if (MARK.test(html)) {
    report("raw-html", where, { html: html.slice(0, LONGEST) });
  }
}

const watched = new WeakSet<object>();

function watchSetter(prototype: object, name: "innerHTML" | "outerHTML"): void {
  const member = Object.getOwnPropertyDescriptor(prototype, name);
  const original = member?.set;
  if (!original || watched.has(original)) {
    return;
  }
  const set = function (this: Element, value: unknown): void {
    const text = value === null && name === "innerHTML" ? "" : String(value);
    sink(text, name);
    const { at } = state;
    original.call(this, text);
    state.at = at;
  };
  watched.add(set);
  Object.defineProperty(prototype, name, { ...member, set, configurable: true });
}

const ELEMENTS = Object.getOwnPropertyNames(window).filter((name) => /^HTML.*Element$/.test(name));
for (const name of ["Element", ...ELEMENTS, "ShadowRoot"]) {
  const Class = window[name];
  if (isMethod(Class)) {
    watchSetter(Class.prototype as object, "innerHTML");
    watchSetter(Class.prototype as object, "outerHTML");
  }
}

// linkedom neither escapes the text of these elements nor reads references in it.
const { toString } = HTMLElement.prototype;
for (const name of ["textarea", "title"]) {
  const prototype = Object.getPrototypeOf(document.createElement(name)) as HTMLElement;
  defineAccess(
    prototype,
    "innerHTML",
    function (this: Element) {
      return String(document.createTextNode(this.textContent));
    },
    function (this: Element, html: unknown) {
      const { head } = createDocument(String(html ?? "").replaceAll("<", "&lt;"));
      this.textContent = head.textContent;
    },
  );
  define(prototype, "toString", function (this: Element) {
    return String(toString.call(this.cloneNode())).replace(/><(?=\/\w+>$)/, () => `>${this.innerHTML}<`);
  });
}

const insertAdjacentHTML = Element.prototype.insertAdjacentHTML;
define(Element.prototype, "insertAdjacentHTML", function (this: Element, where: InsertPosition, html: unknown) {
  sink(html, "insertAdjacentHTML()");
  const isBeside = where === "beforebegin" || where === "afterend";
  if (!this.parentNode && isBeside) {
    throw new Error("The element has no parent.");
  }
  insertAdjacentHTML.call(this, where, String(html));
});
Object.defineProperty(HTMLElement.prototype, "innerText", {
  get(this: Element) {
    return this.textContent;
  },
  set(this: Element, value: string) {
    this.textContent = value;
  },
  configurable: true,
});
