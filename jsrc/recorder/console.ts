/** The line for the browser's console: copies the last delivery of each event, redacted. docs/live-shop.md has it. */
import { lastDeliveries } from "./listening.ts";
import { inOrder, redaction } from "./redaction.ts";

/** A function of the console. */
declare const copy: (text: string) => void;

copy(JSON.stringify(redaction(inOrder())(lastDeliveries()), null, 1));
