/**
 * Reports to an address of the app (`beacon` in pyproject.toml): each failing widget once and, of a sample of page views,
 * that a widget rendered. A report has nothing about the shopper, and not the page's address. Without an address this
 * module does not ship.
 *
 *     { app, widget, build, message, event, at: ["812:4411", "812:4500", ...] }     failed
 *     { app, widget, build, ms }                                                    rendered
 *
 * The page decides at which line and column a snippet stands, so `at` begins with the place of `Error` in `tell`, as a
 * point of reference. Then follow the innermost frames of the failure in the same document.
 */
import type { Insert } from "./slot.ts";

const reported: string[] = [];

/** The event that is being delivered. A promise keeps the event of its call, because it is rejected later. */
export interface Delivered {
  event?: string | undefined;
}
export const delivery: Delivered = {};

const send = (widget: string, fields: object): void => {
  try {
    navigator.sendBeacon(AWNING_BEACON, JSON.stringify({ app: AWNING_APP, widget, build: AWNING_BUILD, ...fields }));
  } catch {
    // The browser has no `sendBeacon`.
  }
};

/** Report an error in the delivery of `event`. Never throws, and does not wait. */
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
      // The error cannot become text.
    }
  }
};

/** The same `insert`; on some page views it also reports the widget's first rendering, and how long that took. */
export const sampled = (widget: string, insert: Insert): Insert =>
  Math.random() < AWNING_BEACON_SAMPLE_RATE
    ? (content, className) => {
        const begun = Date.now();
        const show = insert(content, className);
        return (html) => {
          show(html);
          // The name is emptied after the first report.
          if (widget) {
            send(widget, { ms: Date.now() - begun });
            widget = "";
          }
        };
      }
    : insert;
