/**
 * The service's global and what it calls subscribers with (Apps Integration API, Subscribing).
 */

/** What `initContentHandler()` returns. */
export interface ContentHandler<Param> {
  /**
   * Documented: sets or updates the inserted HTML; may be called later. Observed: takes whatever jQuery's `.html()`
   * takes and returns the wrapper as a jQuery object. Nothing is escaped.
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

/** The service's global, `svcPlugins` unless the dialect says otherwise. */
export interface ServiceGlobal {
  /** Documented. Observed: a late subscriber gets the last delivery of that event at once; there is no unsubscribing. */
  subscribeEvent<Param, Update>(eventName: string, subscribeCallback: Subscriber<Param, Update>): void;
}
