/**
 * The little of jQuery that the emulator calls when the page has one. The service loads 2.2.4 before its own script.
 */

export interface JQueryObject {
  readonly length: number;
  readonly [index: number]: Element;
  html(content: unknown): JQueryObject;
  append(content: JQueryObject): JQueryObject;
  insertBefore(sibling: Element): JQueryObject;
  one(event: string, handler: (event: JQueryEvent) => void): JQueryObject;
  off(event: string, handler: (event: JQueryEvent) => void): JQueryObject;
  trigger(event: JQueryEvent, extra: unknown[]): JQueryObject;
}

export interface JQueryEvent {
  type: string;
  isImmediatePropagationStopped(): boolean;
}

export interface JQuery {
  (target: Element | Document): JQueryObject;
  (ready: () => void): unknown;
  Event(type: string): JQueryEvent;
  fn: { jquery: string };
}

/** The page's jQuery at this moment. */
export function pageJQuery(): JQuery | undefined {
  return (window as { jQuery?: JQuery }).jQuery;
}

/** From version 3 on a ready handler is always called later, so deliveries could not be synchronous. */
export function callsReadyAtOnce(jquery: JQuery): boolean {
  return Number.parseInt(jquery.fn.jquery, 10) < 3;
}
