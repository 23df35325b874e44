/** A page that poses: it is made still and measured, and stays until the caller has looked at it. */
import type { Control } from "./controls.ts";
import type { Frame } from "./frame.ts";
import type { Measures } from "./look.ts";

type Capture = (page: Frame, options: { selector: string; fonts: [Uint8Array, string][]; family: string }) => Promise<unknown>;

/** The bytes of each font, by their text. They are the same on every page. */
const bytes = new Map<string, Uint8Array>();
let posed: { own: Control; element: HTMLIFrameElement } | undefined;

/** Make a page still, and return what its blocks look like, as `capture.js` says. */
export function pose(frame: Frame, selector: string, { capture = "", fonts = [], family = "" }: Measures): Promise<unknown> {
  const measure = new Function(`return (${capture})`)() as Capture;
  return measure(frame, { selector, family, fonts: fonts.map(([base64, characters]) => [bytesOf(base64), characters]) });
}

function bytesOf(base64: string): Uint8Array {
  let own = bytes.get(base64);
  if (!own) bytes.set(base64, (own = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))));
  return own;
}

/** Keep a page until `dismiss`. */
export function keep(own: Control, element: HTMLIFrameElement): void {
  posed = { own, element };
}

/** Draw the page that poses, as high as it is. */
export function show(): void {
  if (!posed) return;
  const { element } = posed;
  const { scrollHeight } = element.contentDocument?.documentElement ?? element;
  const height = Math.max(element.clientHeight, scrollHeight);
  Object.assign(element.style, { position: "absolute", visibility: "visible", height: `${height}px` });
}

/** Remove the page that poses. Return whether it has stored a cookie, a database or a cache. */
export function dismiss(): boolean {
  if (!posed) return false;
  const { own, element } = posed;
  posed = undefined;
  own.isOver = true;
  element.remove();
  return own.hasStored;
}
