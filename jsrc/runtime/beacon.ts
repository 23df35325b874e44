/**
 * Reports each failing widget once to an address of the app (`beacon` in pyproject.toml). A report has the app, the
 * widget and the error's message, and nothing about the shopper or the page. Without an address this module does not ship.
 */
const reported: string[] = [];

/** Report an error. Never throws, and does not wait. */
export const tell = (widget: string, error: unknown): void => {
  if (!reported.includes(widget)) {
    reported.push(widget);
    try {
      navigator.sendBeacon(AWNING_BEACON, JSON.stringify({ app: AWNING_APP, widget, message: `${error}`.slice(0, 200) }));
    } catch {
      // The browser has no `sendBeacon`, or the error cannot become text.
    }
  }
};
