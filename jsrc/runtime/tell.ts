/**
 * A failing render told to an address of the app's own (`beacon` in pyproject.toml): which app, which widget, what the
 * error says; nothing of the shopper or the page. Once per widget. Without an address nothing of this is shipped.
 */
const told: string[] = [];

/** Never throws, and nobody waits for it. */
export const tell = (widget: string, error: unknown): void => {
  if (!told.includes(widget)) {
    told.push(widget);
    try {
      navigator.sendBeacon(AWNING_BEACON, JSON.stringify({ app: AWNING_APP, widget, message: `${error}`.slice(0, 200) }));
    } catch {
      // No such function here, or something was thrown that has no text.
    }
  }
};
