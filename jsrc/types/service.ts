/**
 * The service's global and the arguments of subscribers (Apps Integration API, Subscribing).
 */

/** The return value of `initContentHandler()`. */
export interface ContentHandler<Param> {
  /**
   * Documented: sets or updates the inserted HTML; may be called later. Observed: accepts the same values as jQuery's
   * `.html()` and returns the wrapper as a jQuery object. Nothing is escaped.
   */
  setContent(htmlCode: string | Node): unknown;
  /** Documented: the event parameter object. */
  params: Param;
}

/** Documented: call it early in the callback of the base event, at most once per event. Never for `-updated`. */
export type InitContentHandler<Param> = () => ContentHandler<Param>;

/** Documented: `updatedItem` is there only for `-updated` events. */
export type Subscriber<Param, Update> = (
  event: Event | { type: string },
  initContentHandler: InitContentHandler<Param>,
  eventParam: Param,
  updatedItem?: Update,
) => void;

/** The service's global: `svcPlugins`, or the dialect's name for it. */
export interface ServiceGlobal {
  /** Documented. Observed: a late subscriber gets the last delivery of that event at once, and cannot unsubscribe. */
  subscribeEvent<Param, Update>(eventName: string, subscribeCallback: Subscriber<Param, Update>): void;
}
