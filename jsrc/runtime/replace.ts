import type { Insert } from "./slot.ts";
import { put } from "./trusted.ts";

/** Replace the whole content with each change. Nothing rendered at first leaves no DOM at all. */
export const replace: Insert = (content, className) => {
  let shown = "";
  return (rendered) => {
    const html = (rendered || "") as string;
    if (html != shown) {
      put(content, `<div class="${className}">${html}</div>`);
      shown = html;
    }
  };
};
