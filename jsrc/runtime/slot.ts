/**
 * What `afterPrice(render)` and its siblings make: a value, nothing happens yet. A tuple and not an object because
 * its field names would be shipped with every snippet.
 */
import type { Json, Page } from "../types/index.ts";
import type { Translate } from "./messages.ts";

/** What every render function gets. `Data` is what the author knows about the app data (see data.schema.json). */
export interface Common<Data = Json> {
  /** Page and language info. */
  page: Page;
  /** This widget's part of the app data, with the defaults of its data.schema.json under it. */
  data: Data;
  /** The text of a message: `t("arrives", { days: 3 })`. The texts are plain: a template escapes them. */
  t: Translate;
  /** The page's language code. */
  language: string;
}

/** What a render function returns: HTML, a promise of it, or nothing. */
export type Rendered = string | null | undefined | false;

export type Render<Args> = (args: Args) => Rendered | PromiseLike<Rendered>;

/** Make the arguments of a render function from what the service delivered, and call it. */
export type Draw = (common: Common, param: never, update: unknown) => Rendered | PromiseLike<Rendered>;

/** Puts HTML into the page, for one host: called again with every HTML that differs from the one before. */
export type Show = (html: string) => void;

/** The service's setContent: a string, or an element where the page allows no strings. */
export type SetContent = (content: string | Node) => unknown;

/**
 * Makes a `Show` for one host. `className` is the widget's own, which its style is scoped to. `mounted` is called
 * with the element around the content each time that such an element is made.
 */
export type Insert = (setContent: SetContent, className: string, mounted?: (root: Element) => void) => Show;

/** What `live(...)` makes: chooses and completes the way of inserting. */
export type Lively = (insert?: Insert) => Insert;

export type Slot = readonly [event: string, draw: Draw, lively?: Lively | undefined];
