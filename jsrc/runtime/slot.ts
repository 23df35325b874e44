/**
 * What `afterPrice(render)` and its siblings make: a value, nothing happens yet. A function that hands over its
 * events and what draws, because the field names of an object would be shipped with every snippet.
 */
import type { Page } from "../types/index.ts";
import type { Translate } from "./messages.ts";

/**
 * `data` where nobody has said what is in it. `import type { Data } from "./data.schema"` and write `afterPrice<Data>(...)`:
 * the type comes from data.schema.json.
 */
export interface DataOfNoType {}

/** What every render function gets. `Data` is the type of data.schema.json, from "./data.schema". */
export interface Common<Data = DataOfNoType> {
  /** Page and language info. */
  page: Page;
  /** This widget's part of the app data, with the defaults of its data.schema.json under it. */
  data: Data;
  /** The text of a message: `t("arrives", { days: 3 })`. The texts are plain: a template escapes them. */
  t: Translate;
  /** The page's language code. */
  language: string;
}

/** HTML that knows what to do with the element it gets into: what a render function wrapped in `live` returns. */
export interface LiveHtml {
  toString(): string;
  mounted(root: Element): void;
}

/** What a render function returns: HTML, or nothing. */
export type Rendered = string | LiveHtml | null | undefined | false;

export type Render<Args> = (args: Args) => Rendered | PromiseLike<Rendered>;

/** What a slot adds to the arguments of a render function, from what the service delivered. */
export type Args = (param: never, update: never) => object;

/** Puts what was rendered into the page, for one host. The same HTML again changes nothing. */
export type Show = (rendered: Rendered) => void;

/** What initContentHandler gave: setContent takes a string, or an element where the page allows no strings. */
export interface Content {
  setContent(content: string | Node): unknown;
}

/** Makes a `Show` for one host. `className` is the widget's own, which its style is scoped to. */
export type Insert = (content: Content, className: string) => Show;

/** `events` of the slot: the base event, then the one of updates where the service has that. */
export type Start = (events: readonly string[], render: Render<never>, args: Args) => void;

/** A list of one, so that a widget with several slots is a list that can be flattened. */
export type Slot = readonly [(start: Start) => void];
