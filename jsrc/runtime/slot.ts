/**
 * The types of slots, render functions and content handlers. A slot, the result of `afterPrice(render)`, has a function
 * and no named fields, because the names of fields would be part of every snippet.
 */
import type { Json, Page } from "../types/index.ts";
import type { Translate } from "./messages.ts";

/**
 * The type of `data` without a type argument. To get the type from data.schema.json,
 * `import type { Data } from "./data.schema"` and write `afterPrice<Data>(...)`.
 *
 * @internal
 */
export interface DataOfNoType {}

/** The arguments of every render function. `Data` is the type that "./data.schema" exports: that of data.schema.json. */
export interface Common<Data = DataOfNoType> {
  /** The kind of page and its language. */
  page: Page;
  /** The widget's part of the app data. */
  data: Data;
  /** The text of a message: `t("arrives", { days: 3 })`. The texts are plain: a template escapes them. */
  t: Translate;
  /** The page's language code. */
  language: string;
}

/** The result of a render function in `live` or `redrawn`: HTML with a callback for its element. */
export interface LiveHtml {
  toString(): string;
  mounted(root: Element, show: Show): void;
}

/**
 * The result of a render function: HTML; an empty string, null or false to show nothing. It is not undefined, so that
 * TypeScript reports a forgotten `return`.
 */
export type Rendered = string | LiveHtml | null | false;

/** A result that arrives later, perhaps with the content that `meanwhile` adds. */
export interface LaterResult extends PromiseLike<Rendered> {
  readonly meanwhile?: Rendered;
}

export type Render<Args> = (args: Args) => Rendered | PromiseLike<Rendered>;

/** Makes the arguments of a render function that are specific to its slot, from the delivered parameter and update. */
export type Args = (param: never, update: never) => object;

/**
 * Inserts a rendering into one host of the page. Inserting the same HTML again changes nothing. A render function in
 * JavaScript may return undefined, which shows nothing.
 */
export type Show = (rendered: Rendered | undefined) => void;

/** A content handler. setContent takes a string, or an element if the page forbids strings. */
export interface Content {
  setContent(content: string | Node): unknown;
  /** Set by a page of the dev server, which replaces the code of a widget while the page is open. Else missing. */
  awning?: Succession;
}

/** The replacement of one version of a widget's code by the next in the same block, on a page of the dev server. */
export interface Succession {
  /** Whether newer code has taken over the block, so that this code must not change it any more. */
  isOver(): boolean;
  /** Report the HTML inside the widget's element, as rendered now. */
  rendered(html: string): void;
  /**
   * The HTML that the older code reported last; null if there is none, or if changes by older handlers must not stay.
   */
  last: string | null;
  /** Report that the first rendering arrives later, so that the older content stays until then. */
  awaits(): void;
  /** Report that the first rendering has arrived. */
  settled(): void;
}

/** Makes a `Show` for one host. `className` is the widget's class, to which its style is scoped. */
export type Insert = (content: Content, className: string) => Show;

/** Starts a slot. `events` are its base event and, if the service has one, the event of updates. */
export type Start = (events: readonly string[], render: Render<never>, args: Args) => void;

/**
 * A list with one function. A widget with several slots is a list of slots, which can be flattened.
 *
 * @internal
 */
export type Slot = readonly [(start: Start) => void];

/**
 * Makes the arguments that all render functions get, from the delivered page (or an empty one) and the widget's data.
 */
export type MakeCommon = (page: Page, data: Json) => Common;
