/** Members of the window that scripts need and QuickJS lacks. */
import { time } from "./clock.ts";
import { define, window } from "./dom.ts";
import { input, notLookedAt } from "./reports.ts";
import { unknown } from "./unknown.ts";

const nothing = (): undefined => undefined;
const always =
  <T>(value: T) =>
  (): T =>
    value;

function makeStorage(): object {
  const values = new Map<string, string>();
  return {
    getItem: (key: unknown) => values.get(String(key)) ?? input.stored,
    setItem: (key: unknown, value: unknown) => void values.set(String(key), String(value)),
    removeItem: (key: unknown) => void values.delete(String(key)),
    clear: () => values.clear(),
    key: always(null),
    get length() {
      return values.size;
    },
  };
}

function computedStyle(element: unknown): object {
  if (!(element instanceof Element)) {
    throw new TypeError("parameter 1 is not of type 'Element'");
  }
  const values: Record<PropertyKey, unknown> = { getPropertyValue: always(""), display: "block", length: 0 };
  return new Proxy(values, { get: (_target, name) => values[name] ?? "" });
}

class TextEncoder {
  encode(text: unknown = ""): Uint8Array {
    const bytes = encodeURIComponent(String(text)).replace(/%(..)/g, (_all, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    );
    return Uint8Array.from(bytes, (sign) => sign.charCodeAt(0));
  }
}

const CONSOLE = [
  "log", "info", "warn", "error", "debug", "table", "group", "groupEnd", "groupCollapsed", "time", "timeEnd", "trace",
  "assert", "count", "dir",
];
const WITHOUT_EFFECT = ["alert", "scrollTo", "scrollBy", "scroll", "focus", "blur", "print", "stop", "postMessage", "close"];

const MEMBERS: Record<string, unknown> = {
  trustedTypes: {
    createPolicy: (_name: string, rules: object) => ({ ...rules }),
    isHTML: always(false),
    emptyHTML: "",
    defaultPolicy: null,
  },
  TextEncoder,
  localStorage: makeStorage(),
  sessionStorage: makeStorage(),
  navigator: {
    userAgent: "Mozilla/5.0 Chrome/140",
    language: "en",
    languages: ["en"],
    onLine: true,
    platform: "",
    sendBeacon: always(true),
    clipboard: { writeText: () => Promise.resolve() },
    cookieEnabled: true,
    maxTouchPoints: 0,
  },
  history: { pushState: nothing, replaceState: nothing, back: nothing, state: null, length: 1 },
  console: Object.fromEntries(CONSOLE.map((name) => [name, nothing])),
  getComputedStyle: computedStyle,
  matchMedia: () => ({
    matches: false,
    media: "",
    addEventListener: nothing,
    removeEventListener: nothing,
    addListener: nothing,
    removeListener: nothing,
  }),
  ...Object.fromEntries(WITHOUT_EFFECT.map((name) => [name, () => {}])),
  confirm: always(true),
  prompt: always(null),
  open: always(null),
  getSelection: () => notLookedAt("getSelection()"),
  innerWidth: 1024,
  innerHeight: 768,
  outerWidth: 1024,
  outerHeight: 768,
  pageXOffset: 0,
  pageYOffset: 0,
  scrollX: 0,
  scrollY: 0,
  devicePixelRatio: 1,
  screen: { width: 1024, height: 768, availWidth: 1024, availHeight: 768 },
  length: 0,
  name: "",
  closed: false,
  origin: "https://shop.example",
  isSecureContext: true,
  opener: null,
  frameElement: null,
  structuredClone: (value: unknown) =>
    value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown),
  performance: {
    now: () => time(),
    mark: nothing,
    measure: nothing,
    timing: {},
    timeOrigin: 0,
    getEntriesByType: () => [],
    getEntriesByName: () => [],
  },
  crypto: {
    randomUUID: always("0b6a1c5e-0000-4000-8000-000000000000"),
    getRandomValues: (array: unknown) => array,
    subtle: unknown("crypto.subtle") as unknown,
  },
  CSS: {
    escape: (text: unknown) => String(text).replace(/[^\w-]/g, (sign) => `\\${sign}`),
    supports: always(false),
  },
  indexedDB: { open: () => ({}), deleteDatabase: () => ({}) },
  caches: { open: () => Promise.resolve(unknown("cache") as unknown), match: () => Promise.resolve(undefined) },
};
for (const [name, value] of Object.entries(MEMBERS)) {
  define(window, name, value);
}

/** Members that this page lacks. A script that uses one is not looked at from there on. */
const LACKING = [
  "FormData", "Headers", "Request", "Response", "Blob", "File", "FileReader", "TextDecoder", "WebSocket", "Worker",
  "SharedWorker", "EventSource", "BroadcastChannel", "Notification", "Audio", "CSSStyleSheet", "Range", "Selection",
  "ReadableStream", "speechSynthesis", "showOpenFilePicker", "DOMRect", "DOMMatrix", "ImageData", "OffscreenCanvas",
  "createImageBitmap", "visualViewport", "Path2D", "XMLSerializer", "XPathResult", "HTMLCollection", "DataTransfer",
  "ClipboardEvent", "DragEvent", "TouchEvent", "WheelEvent", "AnimationEvent", "TransitionEvent", "ProgressEvent",
  "MediaQueryList", "Storage", "Location", "History", "Navigator", "Window",
];
for (const name of LACKING) {
  if (!(name in window)) {
    let value: unknown;
    let isSet = false;
    Object.defineProperty(window, name, {
      get: () => (isSet ? value : input.loaded ? notLookedAt(name) : undefined),
      set(given: unknown) {
        isSet = true;
        value = given;
      },
      configurable: true,
      enumerable: false,
    });
  }
}
