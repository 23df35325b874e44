/** The part of the emulator (`jsrc/emulator`) that the storefront's pages use. */

interface AwningEmulator {
  /** Set answers by assumption id. */
  configure(assumptions: Record<string, string>): void;
  /** Create the host and fire its base event. Content goes into the elements of `container`. */
  host(container: string | Element, event: string, params: unknown): void;
  /** Fire an `-updated` event. */
  fire(event: string, updatedItem: unknown): void;
  trace(): unknown[];
}

declare const awningEmulator: AwningEmulator;
