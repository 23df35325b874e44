/** Members of the document that linkedom lacks, or that depend on the life. */
import { body, define, defineAccess, document, head, html, window } from "./dom.ts";
import { sink } from "./markup.ts";
import { input, notLookedAt, outcome, report } from "./reports.ts";
import { location } from "./url.ts";
import { createDocument } from "./parsed.ts";

/** The parts of the document that change while its page runs. */
export const progress = { readyState: "loading", currentScript: null as Element | null };
const texts = { cookie: "", title: "Shop" };

const READ: Record<string, () => unknown> = {
  readyState: () => progress.readyState,
  head: () => head,
  defaultView: () => window,
  currentScript: () => progress.currentScript,
  activeElement: () => (input.early ? null : body),
  URL: () => location.href,
  baseURI: () => location.href,
  referrer: () => "",
  hidden: () => false,
  visibilityState: () => "visible",
  compatMode: () => "CSS1Compat",
  characterSet: () => "UTF-8",
  scrollingElement: () => html,
  forms: () => document.getElementsByTagName("form"),
  images: () => document.getElementsByTagName("img"),
  scripts: () => document.getElementsByTagName("script"),
  links: () => document.getElementsByTagName("a"),
  styleSheets: () => notLookedAt("document.styleSheets"),
  fonts: () => ({ ready: Promise.resolve(), load: () => Promise.resolve([]), check: () => true }),
};
for (const [name, get] of Object.entries(READ)) {
  defineAccess(document, name, get);
}
defineAccess(
  document,
  "body",
  () => {
    if (input.early) {
      outcome.early = { lookup: "document.body", by: "" };
    }
    return input.early ? null : body;
  },
  () => notLookedAt("document.body ="),
);
defineAccess(
  document,
  "location",
  () => location,
  () => {},
);
defineAccess(
  document,
  "cookie",
  () => texts.cookie,
  (text: unknown) => {
    const [pair = ""] = String(text).split(";");
    texts.cookie = texts.cookie ? `${texts.cookie}; ${pair}` : pair;
  },
);
defineAccess(
  document,
  "title",
  () => texts.title,
  (text: unknown) => {
    texts.title = String(text);
  },
);

const writer = (name: string) => (...written: unknown[]) => {
  report("document-write", "document.write replaces or blocks the page");
  sink(written.join(""), `document.${name}()`);
};

const METHODS: Record<string, (...values: any[]) => unknown> = {
  write: writer("write"),
  writeln: writer("writeln"),
  open: () => notLookedAt("document.open()"),
  close: () => {},
  hasFocus: () => true,
  execCommand: () => false,
  elementFromPoint: () => body,
  getSelection: () => notLookedAt("getSelection()"),
  contains(node: Node | null) {
    let at = node;
    while (at && at !== document) {
      at = at.parentNode;
    }
    return at === document;
  },
  adoptNode: (node: Node) => node,
};
for (const [name, method] of Object.entries(METHODS)) {
  define(document, name, method);
}
define(document, "implementation", { createHTMLDocument: createDocument, hasFeature: () => true });
