/**
 * The little of jQuery that the emulator calls. The service loads 2.2.4 before its own script.
 */

export interface JQueryObject extends ArrayLike<Element> {
  html(content: unknown): JQueryObject;
  append(content: JQueryObject): JQueryObject;
  before(content: JQueryObject): JQueryObject;
  on(events: unknown, listener: (event: JQueryEvent) => void): JQueryObject;
  trigger(event: JQueryEvent, extra: unknown[]): JQueryObject;
}

export interface JQueryEvent {
  type: string;
  originalEvent?: Event;
  stopImmediatePropagation(): void;
}

export interface JQuery {
  (target: unknown): JQueryObject;
  Event(type: string): JQueryEvent;
  fn: { jquery: string };
}

/** The major version of the page's jQuery, or 0 where `$` is none. */
export function jQueryVersion(): number {
  const version = (window as { $?: Partial<JQuery> }).$?.fn?.jquery;
  return version === undefined ? 0 : Number.parseInt(version, 10);
}

/**
 * The page's `$` at this moment. A page that replaces it moves every later call to the new one; a page that takes it
 * away makes them fail.
 */
export function page$(): JQuery {
  const { $ } = window as { $?: JQuery };
  if ($ === undefined) {
    throw new ReferenceError("$ is not defined");
  }
  return $;
}
