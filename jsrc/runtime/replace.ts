import type { Insert } from "./slot.ts";
import { put } from "./trusted.ts";

/** Replace the whole content with each change. An empty first rendering leaves no DOM. */
export const replace: Insert =
  (content, className, current: unknown = "") =>
  (html) => {
    html ||= "";
    if (html != current) {
      put(content, `<div class="${className}">${html as string}</div>`);
      current = html;
    }
  };
