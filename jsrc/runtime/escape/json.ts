/**
 * The escaper for JSON in a data script such as `<script type="application/ld+json">`, where HTML does not decode
 * character references.
 */

import { PREFIX } from "./text.ts";

/**
 * Write one JSON value that cannot end the element or the JSON around it. An invalid value, such as NaN, becomes null.
 * `<` and the beginning of a placeholder occur only in strings, where they are escaped.
 */
export const escapeJson = (text: string): string => {
  try {
    JSON.parse(text);
  } catch {
    return "null";
  }
  return text.replace(/</g, "\\u003c").split(`{${PREFIX}`).join(`\\u007b${PREFIX}`);
};
