/** JSON in a data script, `<script type="application/ld+json">`, where no text is decoded. */

import { PREFIX } from "./text.ts";

/**
 * One JSON value, which ends neither the element nor the JSON around it: what is no JSON (as NaN) becomes null. `<` and the
 * beginning of a placeholder stand only in strings of JSON, where they have another form.
 */
export const escapeJson = (text: string): string => {
  try {
    JSON.parse(text);
  } catch {
    return "null";
  }
  return text.replace(/</g, "\\u003c").split(`{${PREFIX}`).join(`\\u007b${PREFIX}`);
};
