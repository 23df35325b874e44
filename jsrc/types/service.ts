/**
 * The service's global and the arguments of subscribers (Apps Integration API, Subscribing).
 */

/** The return value of `initContentHandler()`. */
export interface ContentHandler<Param> {
  /**
   * Sets or updates the inserted HTML; may be called later (documented). It accepts the same values as jQuery's
   * `.html()` and returns the wrapper as a jQuery object (observed). Nothing is escaped.
   */
  setContent(htmlCode: string | Node): unknown;
  /** The event parameter object (documented). */
  params: Param;
}

/**
 * The function that makes the content handler. Call it early in the callback of the base event, at most once per event,
 * and never for `-updated` (documented).
 */
export type InitContentHandler<Param> = () => ContentHandler<Param>;

/** A callback. Only `-updated` events have the argument `updatedItem` (documented). */
export type Subscriber<Param, Update> = (
  event: Event | { type: string },
  initContentHandler: InitContentHandler<Param>,
  eventParam: Param,
  updatedItem?: Update,
) => void;

/** The service's global: `svcPlugins`, or the name that the dialect has for it. */
export interface ServiceGlobal {
  /**
   * Subscribe to an event (documented). Observed: a subscriber that comes after the event gets the last delivery at
   * once, and no subscriber can unsubscribe.
   */
  subscribeEvent<Param, Update>(eventName: string, subscribeCallback: Subscriber<Param, Update>): void;
}
