/** Redacts the events of a whole recording once more, in a page whose JavaScript nobody has changed. */
import { inOrder, redaction } from "./redaction.ts";

declare global {
  /** Returns the events as they are written. */
  var awningRedacts: (events: unknown) => unknown;
}

globalThis.awningRedacts = redaction(inOrder());
