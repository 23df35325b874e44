/**
 * Reports to an address of the app (`beacon` in pyproject.toml): each failing widget once and, for a sample of page
 * views, that a widget rendered. Apart from the error's text, a report has nothing about the shopper, not even the
 * page's address. Without a beacon, this module is not part of the snippet.
 *
 *     { app, widget, build, message, event, at: ["812:4411", "812:4500", ...] }     failed
 *     { app, widget, build, ms }                                                    rendered
 *
 * A snippet can be at any line and column of the page. So `at` begins with the place of `Error` in `tell`, as a point
 * of reference. Up to three innermost stack frames of the failure in the same document follow.
 */
import type { Insert } from "./slot.ts";

const reported: string[] = [];

/**
 * The event of a delivery, and the widget that gets it. A promise and a timer store their own, because they may fail after
 * another delivery.
 */
export interface Delivered {
  event?: string | undefined;
  widget?: string;
}
export const delivery: Delivered = {};

const send = (widget: string, fields: object): void => {
  try {
    navigator.sendBeacon(AWNING_BEACON, JSON.stringify({ app: AWNING_APP, widget, build: AWNING_BUILD, ...fields }));
  } catch {
    // `sendBeacon` is missing in this browser.
  }
};

/** Report the first error of a widget, with the event in whose delivery it was thrown. Never throws, never waits. */
export const tell = (widget: string, error: unknown, event = delivery.event): void => {
  if (!reported.includes(widget)) {
    reported.push(widget);
    try {
      const [, page, here] = /([^\s(@]+):(\d+:\d+)/.exec(Error(AWNING_BUILD).stack as string) || [];
      const frames = `${(error as Error)?.stack}`.split(`${page}:`).slice(1, 4);
      send(widget, {
        message: `${error}`.slice(0, 200),
        event,
        at: [here, ...frames.map((frame) => frame.split(/[^\d:]/)[0])],
      });
    } catch {
      // The error cannot be converted to a string.
    }
  }
};

/** On some page views, return an `insert` that also reports the first rendering and its duration; else `insert`. */
export const sampled = (widget: string, insert: Insert): Insert =>
  Math.random() < AWNING_BEACON_SAMPLE_RATE
    ? (content, className) => {
        const begun = Date.now();
        const show = insert(content, className);
        return (html) => {
          show(html);
          // The name is emptied after the first rendering, so that later ones are not reported.
          if (widget) {
            send(widget, { ms: Date.now() - begun });
            widget = "";
          }
        };
      }
    : insert;
