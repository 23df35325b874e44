/**
 * The part of jQuery that the emulator uses. The service loads jQuery 2.2.4 before its own JavaScript.
 */

export interface JQueryObject extends ArrayLike<Element> {
  html(content: unknown): JQueryObject;
  empty(): JQueryObject;
  append(content: unknown): JQueryObject;
  before(content: JQueryObject): JQueryObject;
  data(name: string): unknown;
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

/** Return the major version of the page's jQuery, or 0 if `$` is not jQuery. */
export function jQueryVersion(): number {
  const version = (window as { $?: Partial<JQuery> }).$?.fn?.jquery;
  return version === undefined ? 0 : Number.parseInt(version, 10);
}

/**
 * Return the page's current `$`. If the page replaces `$`, later calls use the new `$`; if the page removes it, they
 * fail.
 */
export function page$(): JQuery {
  const { $ } = window as { $?: JQuery };
  if ($ === undefined) {
    throw new ReferenceError("$ is not defined");
  }
  return $;
}
