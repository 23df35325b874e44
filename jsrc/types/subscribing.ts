/**
 * Types for subscribing: the event's name determines the arguments of the callback.
 */
import type { Events } from "./events.ts";
import type { InitContentHandler } from "./service.ts";

type Param<Name extends keyof Events> = Events[Name]["param"];
type Update<Name extends keyof Events> = Events[Name]["update"];

/**
 * The arguments of a callback: (event, initContentHandler, eventParam), and updatedItem for `-updated` events
 * (documented).
 */
export type Delivered<Name extends keyof Events> = [
  event: Event | { type: string },
  initContentHandler: InitContentHandler<Param<Name>>,
  eventParam: Param<Name>,
  ...updated: [Update<Name>] extends [never] ? [] : [updatedItem: Update<Name>],
];

/** The service's global, for events whose names begin with `Prefix`. */
export interface TypedGlobal<Prefix extends string> {
  /**
   * Subscribe to an event (documented). Observed: a subscriber that comes after the event gets the last delivery at
   * once, and no subscriber can unsubscribe.
   */
  subscribeEvent<Name extends keyof Events>(
    eventName: `${Prefix}${Name}`,
    subscribeCallback: (...delivered: Delivered<Name>) => unknown,
  ): void;
}
