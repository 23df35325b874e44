/**
 * The script of the dev server's own pages. It shows states in frames that are as high as their content and reload when
 * the build changes. An overlay shows the problems of the build.
 */
import { makeOverlay } from "./overlay.ts";
import { listen, type Message } from "./server.ts";
import { STYLE } from "./style.ts";

/** Whether the element or its open shadow roots contain a text, a picture or a field. */
function showsAnything(place: HTMLElement): boolean {
  const roots = [...place.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
  const inside = roots.flatMap((root) => [...root.querySelectorAll("div")]);
  return [place, ...inside].some((element) => element.innerText.trim() || element.querySelector("svg,img,input"));
}

/** Make a frame as high as its content, and mark its card when the frame shows nothing. */
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
  let shownRevision: number | null = null;
  const reload = (): void => {
    if (!frames.length) location.reload();
    for (const frame of frames) frame.contentWindow?.location.reload();
  };
  const follow = (revision: number): void => {
    if (shownRevision !== null && shownRevision !== revision) reload();
    shownRevision = revision;
    overlay.hide();
  };
  listen({ language: document.documentElement.lang, revision: null }, (message: Message) => {
    if (message.kind === "failed") overlay.show(message.failure);
    else if (message.kind === "hello" && message.failure) overlay.show(message.failure);
    else follow(message.revision);
  });
}

document.addEventListener("DOMContentLoaded", start);
