/**
 * The JavaScript of the dev server's own pages. It shows states in frames, which are loaded when they come into view and
 * again when the build changes. An overlay shows the problems of the build.
 */
import { h } from "./element.ts";
import { makeOverlay } from "./overlay.ts";
import { listen, type Message } from "./server.ts";
import { STYLE } from "./style.ts";

const NEAR_PX = 300;
/** The heights of the whole page of a verbatim widget, which may stand at the window's lower edge. */
const LEAST_PX = 200;
const MOST_PX = 600;

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

/** Show the whole page of a frame, because a verbatim widget may show something outside of the slot. */
function fitWhole(frame: HTMLIFrameElement, crop: HTMLElement, body: HTMLElement): void {
  const card = frame.closest<HTMLElement>(".shot");
  const measure = (): void => {
    const height = Math.min(Math.max(Math.ceil(body.getBoundingClientRect().height), LEAST_PX), MOST_PX);
    crop.style.width = `${frame.width}px`;
    crop.style.height = frame.style.height = `${height}px`;
    const isEmpty = !body.innerText.trim() && !body.querySelector("svg,img,input,iframe,canvas,video,awning-errors");
    card?.classList.toggle("is-empty", isEmpty);
    card?.classList.add("is-loaded");
  };
  card?.style.setProperty("--page", backgroundOf(body));
  new ResizeObserver(measure).observe(body);
  measure();
}

/** Show the slot of a frame's page, without what is around it, and mark the frame's card when the slot is empty. */
function fit(frame: HTMLIFrameElement): void {
  const content = frame.contentDocument?.querySelector<HTMLElement>("[data-stage]");
  const crop = frame.parentElement;
  if (!content || !crop) return;
  if (crop.dataset["whole"] !== undefined) return fitWhole(frame, crop, content.ownerDocument.body);
  const card = frame.closest<HTMLElement>(".shot");
  const measure = (): void => {
    const { left, top, bottom, width, height } = content.getBoundingClientRect();
    crop.style.width = `${Math.ceil(width)}px`;
    crop.style.height = `${Math.ceil(height)}px`;
    frame.style.height = `${Math.ceil(bottom) + 1}px`;
    frame.style.translate = `${-left}px ${-top}px`;
    const slot = content.querySelector<HTMLElement>("[data-slot]");
    // The slot of a widget that throws may be empty, but the card with its error is visible.
    const hasError = content.querySelector("awning-errors") !== null;
    card?.classList.toggle("is-empty", !hasError && (!slot || !showsAnything(slot)));
    card?.classList.add("is-loaded");
    // An element that scrolls must be reachable by keyboard.
    const stand = crop.parentElement;
    if (stand && stand.scrollWidth > stand.clientWidth) stand.tabIndex = 0;
    else stand?.removeAttribute("tabindex");
  };
  card?.style.setProperty("--page", backgroundOf(content));
  new ResizeObserver(measure).observe(content);
  measure();
}

/** Make the frame of a state. It is fitted to its content whenever it is loaded. */
function makeFrame({ frame = "", title = "", width = "" }: DOMStringMap): HTMLIFrameElement {
  const element = h("iframe", { src: frame, title, width, scrolling: "no" });
  element.addEventListener("load", () => fit(element));
  return element;
}

/** Make the frames that come near the visible part of the page. A frame costs some 10 ms, even without an address. */
function makeFrames(): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        target.append(makeFrame((target as HTMLElement).dataset));
      }
    },
    { rootMargin: `${NEAR_PX}px 0px` },
  );
  for (const place of document.querySelectorAll("[data-frame]")) near.observe(place);
}

/** Let each switch keep the place: its link leads to the state that is at the top of the window when it is clicked. */
function keepPlace(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-switch]")) {
    link.addEventListener("click", () => {
      const states = scrollY ? [...document.querySelectorAll(".state")] : [];
      const first = states.find((state) => state.getBoundingClientRect().bottom > innerHeight / 4);
      link.hash = first?.id ?? "";
    });
  }
}

function start(): void {
  makeFrames();
  keepPlace();
  const host = document.createElement("awning-overlay");
  const root = host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = STYLE;
  root.append(style);
  document.documentElement.append(host);
  const overlay = makeOverlay(root);
  let shownRevision: number | null = null;
  const reload = (): void => {
    if (!document.querySelector("[data-frame]")) location.reload();
    for (const frame of document.querySelectorAll("iframe")) frame.contentWindow?.location.reload();
  };
  const follow = (revision: number): void => {
    if (shownRevision !== null && shownRevision !== revision) reload();
    shownRevision = revision;
  };
  listen({ language: document.documentElement.lang, revision: null }, (message: Message) => {
    const failure = "failure" in message ? message.failure : null;
    if ("revision" in message) follow(message.revision);
    if (failure) overlay.show(failure);
    else overlay.hide();
  });
}

document.addEventListener("DOMContentLoaded", start);
