/**
 * What a frame of the gallery shows of a state's page: the slot, or the whole page while something is over it, and for a
 * verbatim widget, which may show something outside of the slot. The page measures itself and tells the gallery, because frames of a gallery that is opened
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
  /** Whether all steps of the state are taken. */
  isStaged: boolean;
  /** The background behind the part. */
  background: string;
}

const KIND = "awning-shown";

/** The heights of a whole page. Its widget may stand at the window's lower edge. */
const LEAST_PX = 200;
const MOST_PX = 600;

/** What is over the page, wherever its element is: an open dialog or popover. */
const OVER_THE_PAGE = "dialog:modal, :popover-open";
/** The height around it. */
const AROUND_PX = 64;

/** Tell the page around this one, and `listener`, what to show, now and whenever that may change. */
export function tellShown(isWhole: boolean, listener?: (shown: Shown) => void): void {
  const stage = document.querySelector<HTMLElement>("[data-stage]");
  if (!stage) return;
  const tell = (): void => {
    const over = findAll(document, OVER_THE_PAGE);
    const part = isWhole || over.length ? wholePage(over) : slotAlone(stage);
    const shown = { ...part, isStaged: document.documentElement.hasAttribute("data-staged") };
    listener?.(shown);
    parent.postMessage({ [KIND]: shown }, "*");
  };
  new ResizeObserver(tell).observe(isWhole ? document.body : stage);
  // A step or a click may open or close what is over the page, which changes no size.
  new MutationObserver(tell).observe(document.documentElement, { attributeFilter: ["data-staged"] });
  addEventListener("click", () => setTimeout(tell));
  tell();
}

/** Find elements in a part of the page and in all open shadow roots below it. */
function findAll(root: ParentNode, selector: string): HTMLElement[] {
  const shadows = [...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  return [...root.querySelectorAll<HTMLElement>(selector), ...shadows.flatMap((shadow) => findAll(shadow, selector))];
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
  const { isEmpty, isStaged, background, ...numbers } = value as Record<string, unknown>;
  const names = ["left", "top", "width", "height", "frame"];
  const areFlags = typeof isEmpty === "boolean" && typeof isStaged === "boolean";
  return areFlags && typeof background === "string" && names.every((name) => Number.isFinite(numbers[name]));
}

function slotAlone(stage: HTMLElement): Omit<Shown, "isStaged"> {
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

function wholePage(over: HTMLElement[]): Omit<Shown, "isStaged"> {
  const { body } = document;
  const heights = [body.getBoundingClientRect().height, ...over.map(({ scrollHeight }) => scrollHeight + AROUND_PX)];
  const height = Math.min(Math.max(Math.ceil(Math.max(...heights)), LEAST_PX), MOST_PX);
  return {
    left: 0,
    top: 0,
    width: innerWidth,
    height,
    frame: height,
    isEmpty: !over.length && !body.innerText.trim() && !body.querySelector("svg,img,input,iframe,canvas,video,awning-errors"),
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
