/** The part of the emulator (`jsrc/emulator`) that the storefront's pages use. */

interface AwningEmulator {
  /** Answers by assumption id. */
  configure(assumptions: Record<string, string>): void;
  /** Creates the host and queues its base delivery. Content goes into `container`. */
  host(container: Element, event: string, params: unknown): void;
  /** Delivers an `-updated` event. */
  fire(event: string, updatedItem: unknown): void;
  trace(): unknown[];
}

declare const awningEmulator: AwningEmulator;
