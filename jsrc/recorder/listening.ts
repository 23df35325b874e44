/** Subscribes to all events of the service, and copies their arguments as `awning payload check` reads them. */
import type { ServiceGlobal } from "../types/service.ts";

declare const AWNING_EVENTS: readonly string[];

// The page may replace these later.
const { parse, stringify } = JSON;

/**
 * Calls `keep` with a copy of each delivery's arguments; with null if they are no JSON. What `keep` throws ends here: the
 * page's other subscribers are called after it.
 */
export function subscribe(service: ServiceGlobal, keep: (event: object | null) => void): void {
  for (const event of AWNING_EVENTS) {
    service.subscribeEvent<object, unknown>(event, (_event, _init, param, updatedItem) => {
      let copied: object | null = null;
      try {
        copied = parse(stringify(Object.assign({ event }, param, { updatedItem, event }))) as object;
      } catch {
        // Such as an object that contains itself.
      }
      try {
        keep(copied);
      } catch {
        // Such as arguments that are nested too deeply to be redacted.
      }
    });
  }
}

/** Returns the last delivery of each event, which a late subscriber gets at once (observed). */
export function lastDeliveries(): object[] {
  const last = new Map<string, object>();
  subscribe(AWNING_GLOBAL, (event) => {
    if (event && "event" in event) last.set(String(event.event), event);
  });
  return [...last.values()];
}
