/** What the storefront's own pages use of the emulator (`jsrc/emulator`). */

interface AwningEmulator {
  /** Answers by assumption id. */
  configure(assumptions: Record<string, string>): void;
  /** Creates the event host: queues the base delivery, whose content goes into `container`. */
  host(container: Element, event: string, params: unknown): void;
  /** Delivers an `-updated` event. */
  fire(event: string, updatedItem: unknown): void;
  trace(): unknown[];
}

declare const awningEmulator: AwningEmulator;
