/**
 * Members of elements that a browser has and linkedom lacks, as Chromium lists them (`lacking.json`). Some are plain
 * attributes, or have a value that hardly matters. Any other one ends the run, so that no finding depends on it.
 */
import lacking from "./lacking.json";
import { input, notLookedAt } from "./reports.ts";

/** Members with the text of an attribute: those with its name, and those with another. */
const ATTRIBUTES = new Map(
  [
    ..."name alt rel target href action method autocomplete pattern max min step type value cite poster src width".split(" "),
    ..."height label media loading decoding sizes integrity as role translate text cols rows wrap charset preload".split(" "),
    ..."kind srclang accept headers scope abbr start list align border".split(" "),
  ].map((name) => [name, name]),
);
const RENAMED: Record<string, string> = {
  htmlFor: "for",
  dateTime: "datetime",
  defaultValue: "value",
  colSpan: "colspan",
  rowSpan: "rowspan",
  crossOrigin: "crossorigin",
  referrerPolicy: "referrerpolicy",
  inputMode: "inputmode",
  enterKeyHint: "enterkeyhint",
  acceptCharset: "accept-charset",
  fetchPriority: "fetchpriority",
  maxLength: "maxlength",
  minLength: "minlength",
};
for (const [name, attribute] of Object.entries(RENAMED)) {
  ATTRIBUTES.set(name, attribute);
}
const NUMBERS = new Set(["colSpan", "rowSpan", "maxLength", "minLength", "start", "cols", "rows"]);
/** Members that tell whether an attribute is there. */
const FLAGS = new Map(
  "open checked multiple required disabled reversed loop muted controls autoplay inert indeterminate default"
    .split(" ")
    .map((name) => [name, name]),
);
const RENAMED_FLAGS: Record<string, string> = {
  readOnly: "readonly",
  playsInline: "playsinline",
  noValidate: "novalidate",
  noModule: "nomodule",
  defaultChecked: "checked",
};
for (const [name, attribute] of Object.entries(RENAMED_FLAGS)) {
  FLAGS.set(name, attribute);
}
const ADDRESS = new Set([
  "protocol", "host", "hostname", "port", "pathname", "search", "hash", "origin", "username", "password",
]);
const nothing = (): undefined => undefined;
const VALUES: Record<string, unknown> = {
  selectionStart: 0,
  selectionEnd: 0,
  selectionDirection: "none",
  willValidate: true,
  validationMessage: "",
  complete: true,
  naturalWidth: 100,
  naturalHeight: 100,
  currentSrc: "",
  paused: true,
  ended: false,
  currentTime: 0,
  duration: 0,
  readyState: 0,
  volume: 1,
  buffered: { length: 0 },
  assignedSlot: null,
  prefix: null,
  files: null,
  validity: { valid: true, valueMissing: false },
  checkValidity: () => true,
  reportValidity: () => true,
  setCustomValidity: nothing,
  setRangeText: nothing,
  submit: nothing,
  requestSubmit: nothing,
  reset: nothing,
  scrollIntoViewIfNeeded: nothing,
  canPlayType: () => "",
  hasPointerCapture: () => false,
  decode: () => Promise.resolve(),
  requestClose: nothing,
  returnValue: "",
  labels: [],
};

/** The members that elements lack, by the elements' names; `*` for all. */
const members = new Map(Object.entries(lacking).map(([tag, names]) => [tag, new Set(names)]));
const isLacked = ({ localName }: Element, name: string): boolean =>
  !!(members.get("*")?.has(name) || members.get(localName)?.has(name));

function read(element: Element, name: string): unknown {
  const flag = FLAGS.get(name);
  if (flag) {
    return element.hasAttribute(flag);
  }
  const attribute = ATTRIBUTES.get(name);
  if (attribute) {
    const text = element.getAttribute(attribute);
    return NUMBERS.has(name) ? (text === null ? -1 : Number(text)) : (text ?? "");
  }
  if (name === "outerText") {
    return element.textContent;
  }
  if (ADDRESS.has(name)) {
    const address = new URL(element.getAttribute("href") ?? "", location.href);
    return (address as unknown as Record<string, unknown>)[name];
  }
  if (name === "form") {
    return element.closest("form");
  }
  return name in VALUES ? VALUES[name] : notLookedAt(`${element.localName}.${name}`);
}

function write(element: Element, name: string, value: unknown): void {
  const flag = FLAGS.get(name);
  const attribute = ATTRIBUTES.get(name);
  if (flag) {
    if (value) {
      element.setAttribute(flag, "");
    } else {
      element.removeAttribute(flag);
    }
  } else if (attribute) {
    element.setAttribute(attribute, String(value));
  } else if (!(name in VALUES)) {
    notLookedAt(`${element.localName}.${name}`);
  }
}

for (const name of new Set([...members.values()].flatMap((names) => [...names]))) {
  if (Object.hasOwn(HTMLElement.prototype, name)) {
    continue;
  }
  Object.defineProperty(HTMLElement.prototype, name, {
    get(this: Element) {
      return input.loaded && this.localName && isLacked(this, name) ? read(this, name) : undefined;
    },
    set(this: Element, value: unknown) {
      if (input.loaded && isLacked(this, name)) {
        write(this, name, value);
      } else {
        Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
      }
    },
    configurable: true,
    enumerable: false,
  });
}
