/**
 * The JavaScript of awning's own pages: those of the dev server, and the index of a written gallery. It shows states in
 * frames, which are loaded when they come into view. The dev server's pages load them again when the build changes, and an
 * overlay shows the problems of the build.
 */
import { h } from "./element.ts";
import { showView } from "./gallery_view.ts";
import { makeOverlay } from "./overlay.ts";
import { listen, type Message } from "./server.ts";
import { listenForShown, type Shown } from "./shown.ts";
import { STYLE } from "./style.ts";

const NEAR_PX = 300;

/** The revision of the build that this page shows; undefined in a written gallery, which has no server. */
const { revision } = document.currentScript?.dataset ?? {};

/** Show the part of a frame's page that the page names, and mark the frame's card when it is empty. */
function fit(frame: HTMLIFrameElement, { left, top, width, height, frame: whole, isEmpty, background }: Shown): void {
  const crop = frame.parentElement;
  const card = frame.closest<HTMLElement>(".shot");
  if (!crop || !card) return;
  crop.style.width = `${width}px`;
  crop.style.height = `${height}px`;
  frame.style.height = `${whole}px`;
  frame.style.translate = `${-left}px ${-top}px`;
  card.style.setProperty("--page", background);
  card.classList.toggle("is-empty", isEmpty);
  card.classList.add("is-loaded");
  // An element that scrolls must be reachable by keyboard.
  const stand = crop.parentElement;
  if (stand && stand.scrollWidth > stand.clientWidth) stand.tabIndex = 0;
  else stand?.removeAttribute("tabindex");
}

/** Make the frames that come near the visible part of the page. A frame costs some 10 ms, even without an address. */
function makeFrames(): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        const { frame = "", title = "", width = "" } = (target as HTMLElement).dataset;
        target.append(h("iframe", { src: frame, title, width, scrolling: "no" }));
      }
    },
    { rootMargin: `${NEAR_PX}px 0px` },
  );
  for (const place of document.querySelectorAll("[data-frame]")) near.observe(place);
}

/** Follow the builds of the dev server: load the page or its frames again, and show the problems. */
function follow(shown: number): void {
  const host = document.createElement("awning-overlay");
  const root = host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = STYLE;
  root.append(style);
  document.documentElement.append(host);
  const overlay = makeOverlay(root);
  let shownRevision = shown;
  const reload = (): void => {
    if (!document.querySelector("[data-frame]")) location.reload();
    // While a frame is loading, a browser ignores `reload` (observed in Chromium), but takes an address.
    for (const frame of document.querySelectorAll("iframe")) frame.src = frame.getAttribute("src") ?? "";
  };
  const update = (revision: number): void => {
    if (shownRevision !== revision) reload();
    shownRevision = revision;
  };
  listen({ language: document.documentElement.lang, revision: null }, (message: Message) => {
    const failure = "failure" in message ? message.failure : null;
    if ("revision" in message) update(message.revision);
    if (failure) overlay.show(failure);
    else overlay.hide();
  });
}

document.addEventListener("DOMContentLoaded", () => {
  listenForShown(fit);
  showView();
  makeFrames();
  if (revision !== undefined) follow(Number(revision));
});
