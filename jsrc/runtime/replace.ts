import type { Insert } from "./slot.ts";
import { put } from "./trusted.ts";

/** Replace the whole content with each change. Nothing rendered at first leaves no DOM at all. */
export const replace: Insert = (setContent, className) => {
  let shown = "";
  return (rendered) => {
    const html = (rendered || "") as string;
    if (html != shown) {
      put(setContent, `<div class="${className}">${html}</div>`);
      shown = html;
    }
  };
};
