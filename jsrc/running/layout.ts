/** Sizes and positions, which this page does not compute, and members of elements that linkedom has wrong. */
import { define, defineAccess } from "./dom.ts";
import { notLookedAt } from "./reports.ts";

const SIZES = {
  offsetWidth: 100,
  offsetHeight: 20,
  offsetTop: 0,
  offsetLeft: 0,
  clientWidth: 100,
  clientHeight: 20,
  clientTop: 0,
  clientLeft: 0,
  scrollWidth: 100,
  scrollHeight: 20,
};
/** Methods that change nothing that a rule is about. */
const WITHOUT_EFFECT = [
  "scrollIntoView", "scrollTo", "scrollBy", "scroll", "focus", "blur", "setPointerCapture", "releasePointerCapture",
  "select", "setSelectionRange", "showModal", "close", "show", "play", "pause", "load",
];
/** Members of `select` that linkedom has wrong. */
const WRONG = ["selectedIndex", "selectedOptions"];

export const rectangle = (): object => ({
  top: 0, left: 0, width: 100, height: 20, bottom: 20, right: 100, x: 0, y: 0,
});

for (const name of WRONG) {
  const touch = function (this: Element): never {
    return notLookedAt(`${this.localName}.${name}`);
  };
  Object.defineProperty(HTMLSelectElement.prototype, name, { get: touch, set: touch, configurable: true });
}
for (const [name, value] of Object.entries(SIZES)) {
  defineAccess(Element.prototype, name, () => value);
}
for (const name of ["scrollTop", "scrollLeft"]) {
  defineAccess(
    Element.prototype,
    name,
    () => 0,
    () => {},
  );
}
defineAccess(Element.prototype, "offsetParent", function (this: Element) {
  return this.parentNode;
});
define(Element.prototype, "getBoundingClientRect", rectangle);
define(Element.prototype, "getClientRects", () => [rectangle()]);
for (const name of WITHOUT_EFFECT) {
  if (!(name in HTMLElement.prototype) || name === "focus" || name === "blur") {
    define(HTMLElement.prototype, name, () => undefined);
  }
}
define(HTMLElement.prototype, "click", function (this: HTMLElement) {
  this.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
});
