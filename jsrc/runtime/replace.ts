import type { Insert } from "./slot.ts";
import { put } from "./trusted.ts";

/** Replace the whole content with each change. Nothing rendered at first leaves no DOM at all. */
export const replace: Insert =
  (content, className, shown: unknown = "") =>
  (html) => {
    html ||= "";
    if (html != shown) {
      put(content, `<div class="${className}">${html as string}</div>`);
      shown = html;
    }
  };
