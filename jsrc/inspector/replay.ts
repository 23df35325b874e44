/** Fires events of the timeline again, as they were or with another payload. */
import type { Redraw } from "./redraw.ts";
import { UPDATED, type Emulator, type Timeline } from "./timeline.ts";

export interface Replay {
  /** Whether the page fired this event, or the base event that it updates. */
  isPossible(event: string | null): event is string;
  /** Fire an event. `payload` is the updatedItem of an `-updated` event, or the event parameter. */
  fire(event: string, payload: unknown): void;
}

export function makeReplay(emulator: Emulator, timeline: Timeline, redraw: Redraw): Replay {
  /** Fire a base event as a page load does. First, the blocks of the last delivery are removed, so apps begin anew. */
  const fireBase = (event: string, param: Record<string, unknown>): void => {
    const last = timeline.lastDelivery(event);
    if (!last) return;
    for (const container of last.containers) {
      for (const block of container.querySelectorAll(":scope > div[data-order]")) block.remove();
    }
    redraw.end(last.param);
    emulator.host(last.containers, event, param);
  };
  return {
    isPossible: (event): event is string => event !== null && timeline.lastDelivery(event.replace(UPDATED, "")) !== undefined,
    fire(event, payload) {
      timeline.firing(() => {
        if (UPDATED.test(event)) emulator.fire(event, payload);
        else fireBase(event, payload as Record<string, unknown>);
      });
    },
  };
}
