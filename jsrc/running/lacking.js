// Members of elements that a browser has and linkedom lacks, as Chromium lists them (`lacking.json`). Some are plain
// attributes, or have a value that hardly matters. Any other one ends the run, so that no finding depends on it.
import lacking from "./lacking.json";
import { input, notLookedAt } from "./page.js";

const ATTRIBUTES = new Map(
  ("name alt rel target href action method autocomplete pattern max min step type value cite poster src width height label media loading " +
    "decoding sizes integrity as role translate text cols rows wrap charset preload kind srclang accept headers scope abbr start list align border")
    .split(" ")
    .map((name) => [name, name])
    .concat([
      ["htmlFor", "for"], ["dateTime", "datetime"], ["defaultValue", "value"], ["colSpan", "colspan"], ["rowSpan", "rowspan"], ["crossOrigin", "crossorigin"],
      ["referrerPolicy", "referrerpolicy"], ["inputMode", "inputmode"], ["enterKeyHint", "enterkeyhint"], ["acceptCharset", "accept-charset"], ["fetchPriority", "fetchpriority"],
      ["maxLength", "maxlength"], ["minLength", "minlength"],
    ]),
);
const FLAGS = new Map(
  "open checked multiple required disabled reversed loop muted controls autoplay inert indeterminate default"
    .split(" ")
    .map((name) => [name, name])
    .concat([["readOnly", "readonly"], ["playsInline", "playsinline"], ["noValidate", "novalidate"], ["noModule", "nomodule"], ["defaultChecked", "checked"]]),
);
const NUMBERS = new Set(["colSpan", "rowSpan", "maxLength", "minLength", "start", "cols", "rows"]);
const ADDRESS = new Set(["protocol", "host", "hostname", "port", "pathname", "search", "hash", "origin", "username", "password"]);
const nothing = () => undefined;
const VALUES = {
  selectionStart: 0, selectionEnd: 0, selectionDirection: "none", willValidate: true, validationMessage: "", complete: true, naturalWidth: 100, naturalHeight: 100,
  currentSrc: "", paused: true, ended: false, currentTime: 0, duration: 0, readyState: 0, volume: 1, buffered: { length: 0 }, assignedSlot: null, prefix: null, files: null,
  validity: { valid: true, valueMissing: false }, checkValidity: () => true, reportValidity: () => true, setCustomValidity: nothing, setRangeText: nothing, submit: nothing, requestSubmit: nothing,
  reset: nothing, scrollIntoViewIfNeeded: nothing, canPlayType: () => "", hasPointerCapture: () => false, decode: () => Promise.resolve(), requestClose: nothing, returnValue: "", labels: [],
};
const owned = new Map(Object.entries(lacking).map(([tag, names]) => [tag, new Set(names)]));
const isLacked = (element, name) => owned.get("*").has(name) || (owned.get(element.localName)?.has(name) ?? false);

function read(element, name) {
  if (FLAGS.has(name)) return element.hasAttribute(FLAGS.get(name));
  if (ATTRIBUTES.has(name)) {
    const text = element.getAttribute(ATTRIBUTES.get(name));
    return NUMBERS.has(name) ? (text === null ? -1 : Number(text)) : (text ?? "");
  }
  if (name === "outerText") return element.textContent;
  if (ADDRESS.has(name)) return new URL(element.getAttribute("href") ?? "", location.href)[name];
  if (name === "form") return element.closest("form");
  return name in VALUES ? VALUES[name] : notLookedAt(`${element.localName}.${name}`);
}

function write(element, name, value) {
  if (FLAGS.has(name)) {
    if (value) element.setAttribute(FLAGS.get(name), "");
    else element.removeAttribute(FLAGS.get(name));
  } else if (ATTRIBUTES.has(name)) element.setAttribute(ATTRIBUTES.get(name), String(value));
  else if (!(name in VALUES)) notLookedAt(`${element.localName}.${name}`);
}

for (const name of new Set([...owned.values()].flatMap((names) => [...names]))) {
  if (Object.hasOwn(HTMLElement.prototype, name)) continue;
  Object.defineProperty(HTMLElement.prototype, name, {
    get() { return input.loaded && this.localName && isLacked(this, name) ? read(this, name) : undefined; },
    set(value) {
      if (input.loaded && isLacked(this, name)) write(this, name, value);
      else Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
    },
    configurable: true,
    enumerable: false,
  });
}
