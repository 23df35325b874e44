/** Documents that scripts make of HTML. Their HTML is judged when a part of them becomes a part of the page. */
import { define, window } from "./dom.ts";
import { DOMParser as Parser } from "../vendor/linkedom-0.18.15.js";

const texts = new WeakMap<Document, string>();

/** The HTML of the document that a node comes from, if a script made it. */
export function parsedText(node: unknown): string | undefined {
  const { ownerDocument } = Object(node) as { ownerDocument?: Document };
  return ownerDocument && texts.get(ownerDocument);
}

const wrapped = (body: string, title = ""): string =>
  `<!doctype html><html><head>${title}</head><body>${body}</body></html>`;

export const createDocument = (title?: string): Document =>
  new Parser().parseFromString(wrapped("", `<title>${title ?? ""}</title>`), "text/html");

define(
  window,
  "DOMParser",
  class DOMParser {
    parseFromString(text: string, type: string): Document {
      const isHtml = /html/.test(type);
      const parsed = new Parser().parseFromString(isHtml ? wrapped(text) : text, type);
      if (isHtml) {
        texts.set(parsed, String(text));
      }
      return parsed;
    }
  },
);
