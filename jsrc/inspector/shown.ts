/**
 * What a frame of the gallery shows of a state's page: the slot, or the whole page of a verbatim widget, which may show
 * something outside of the slot. The page measures itself and tells the gallery, because frames of a gallery that is opened
 * from files cannot look into each other.
 */

/** The part of the page that the gallery shows, in CSS pixels. */
export interface Shown {
  left: number;
  top: number;
  width: number;
  height: number;
  /** The height of the page that the frame must have. */
  frame: number;
  isEmpty: boolean;
  /** The background behind the part. */
  background: string;
}

const KIND = "awning-shown";

/** The heights of the whole page of a verbatim widget, which may stand at the window's lower edge. */
const LEAST_PX = 200;
const MOST_PX = 600;

/** Tell the page around this one what to show, now and whenever the size changes. */
export function tellShown(isWhole: boolean): void {
  const observed = isWhole ? document.body : document.querySelector<HTMLElement>("[data-stage]");
  if (!observed) return;
  const tell = (): void => {
    const shown = isWhole ? wholePage(observed) : slotAlone(observed);
    parent.postMessage({ [KIND]: shown }, "*");
  };
  new ResizeObserver(tell).observe(observed);
  tell();
}

/** Call `show` with the frame and what it shows, for each message of a frame of this page. */
export function listenForShown(show: (frame: HTMLIFrameElement, shown: Shown) => void): void {
  addEventListener("message", ({ data, source }: MessageEvent<unknown>) => {
    const shown = (data as Record<string, unknown> | null)?.[KIND];
    const frame = [...document.querySelectorAll("iframe")].find(({ contentWindow }) => contentWindow === source);
    if (frame && isShown(shown)) show(frame, shown);
  });
}

/** Whether a value from another page is what `tellShown` sends. A widget in the frame can send anything. */
function isShown(value: unknown): value is Shown {
  if (typeof value !== "object" || value === null) return false;
  const { isEmpty, background, ...numbers } = value as Record<string, unknown>;
  const names = ["left", "top", "width", "height", "frame"];
  return typeof isEmpty === "boolean" && typeof background === "string" && names.every((name) => Number.isFinite(numbers[name]));
}

function slotAlone(stage: HTMLElement): Shown {
  const { left, top, bottom, width, height } = stage.getBoundingClientRect();
  const slot = stage.querySelector<HTMLElement>("[data-slot]");
  // The slot of a widget that throws may be empty, but the card with its error is visible.
  const hasError = stage.querySelector("awning-errors") !== null;
  return {
    left,
    top,
    width: Math.ceil(width),
    height: Math.ceil(height),
    frame: Math.ceil(bottom) + 1,
    isEmpty: !hasError && (!slot || !showsAnything(slot)),
    background: backgroundOf(stage),
  };
}

function wholePage(body: HTMLElement): Shown {
  const height = Math.min(Math.max(Math.ceil(body.getBoundingClientRect().height), LEAST_PX), MOST_PX);
  return {
    left: 0,
    top: 0,
    width: innerWidth,
    height,
    frame: height,
    isEmpty: !body.innerText.trim() && !body.querySelector("svg,img,input,iframe,canvas,video,awning-errors"),
    background: backgroundOf(body),
  };
}

/** Whether the app's blocks or their open shadow roots contain a text, a picture or a field. */
function showsAnything(slot: HTMLElement): boolean {
  // The content of other apps in the theme "crowded" is marked.
  const places = [...slot.children].filter((child) => !child.querySelector("[data-foreign]")) as HTMLElement[];
  const roots = places.flatMap((place) => [...place.querySelectorAll("*")]).flatMap((element) => element.shadowRoot ?? []);
  const inside = roots.flatMap((root) => [...root.querySelectorAll("div")]);
  return [...places, ...inside].some((element) => element.innerText.trim() || element.querySelector("svg,img,input"));
}

/** The background of the page behind an element. */
function backgroundOf(element: Element | null): string {
  if (!element) return "";
  const { backgroundColor } = getComputedStyle(element);
  return /, 0\)$|transparent/.test(backgroundColor) ? backgroundOf(element.parentElement) : backgroundColor;
}
