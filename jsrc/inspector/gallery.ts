/**
 * The dev server's own pages: states in frames that are as high as their content and are drawn again when the build
 * changes, and what is wrong with the workspace over the page.
 */
import { makeOverlay } from "./overlay.ts";
import { listen, type Message } from "./server.ts";
import { STYLE } from "./style.ts";

/** Whether there is a text, a picture or a field in the element, open shadow roots included. */
function showsAnything(place: HTMLElement): boolean {
  const roots = [...place.querySelectorAll("*")].flatMap((one) => one.shadowRoot ?? []);
  const inside = roots.flatMap((root) => [...root.querySelectorAll("div")]);
  return [place, ...inside].some((one) => one.innerText.trim() || one.querySelector("svg,img,input"));
}

/** A frame is as high as what it shows; its card says when that is nothing. */
function fit(frame: HTMLIFrameElement): void {
  const content = frame.contentDocument?.querySelector<HTMLElement>("[data-stage]");
  if (!content) return;
  const measure = (): void => {
    frame.style.height = `${Math.ceil(content.getBoundingClientRect().height)}px`;
    const slot = content.querySelector<HTMLElement>("[data-slot]");
    frame.closest(".shot")?.classList.toggle("is-empty", !slot || !showsAnything(slot));
  };
  new ResizeObserver(measure).observe(content);
  measure();
}

function start(): void {
  const frames = [...document.querySelectorAll("iframe")];
  for (const frame of frames) {
    frame.addEventListener("load", () => fit(frame));
    if (frame.contentDocument?.readyState === "complete") fit(frame);
  }
  const host = document.createElement("awning-overlay");
  const root = host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = STYLE;
  root.append(style);
  document.documentElement.append(host);
  const overlay = makeOverlay(root);
  let shown: number | null = null;
  const again = (): void => {
    if (!frames.length) location.reload();
    for (const frame of frames) frame.contentWindow?.location.reload();
  };
  const at = (revision: number): void => {
    if (shown !== null && shown !== revision) again();
    shown = revision;
    overlay.hide();
  };
  listen({ language: document.documentElement.lang, revision: null }, (message: Message) => {
    if (message.kind === "failed") overlay.show(message.failure);
    else if (message.kind === "hello" && message.failure) overlay.show(message.failure);
    else at(message.revision);
  });
}

document.addEventListener("DOMContentLoaded", start);
