/**
 * The preview in the settings form: it is loaded again a moment after an entry changes, as its button does. Each time a new
 * frame takes the place of the old one when it is loaded, so nothing flickers and the browser's history does not grow.
 */
import { listenForShown, type Shown } from "../inspector/shown.ts";
import { askBeforeLeaving } from "./leaving.ts";
import { markFields } from "./marks.ts";

const WAIT_MS = 400;
const LEAST_PX = 96;
const MOST_PX = 2000;

/** The window of a phone. Its visitor first sees the app as wide as that. */
const PHONE = "(max-width: 30rem)";

/** The frames whose states have taken all their steps. */
const staged = new WeakSet<Element>();

/**
 * Give the focus back to the form when a step takes it, such as one that opens a dialog. Neither a sandbox nor `inert`
 * prevents that (observed in Chromium).
 */
function keepFocus(form: HTMLFormElement): void {
  let last: HTMLElement | null = null;
  form.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement && target.localName !== "iframe") last = target;
  });
  addEventListener("blur", () => {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLIFrameElement) || staged.has(activeElement)) return;
    if (last?.isConnected) last.focus({ preventScroll: true });
    else activeElement.blur();
  });
}

/** Give the frame its height. When the whole page is shown, make it as small as the place for it. */
function fit(frame: HTMLIFrameElement, { frame: wanted, width, isEmpty, isStaged }: Shown): void {
  if (isStaged) staged.add(frame);
  const height = Math.min(Math.max(wanted, LEAST_PX), MOST_PX);
  const place = frame.parentElement;
  if (!place) return;
  frame.style.height = `${height}px`;
  const isWhole = !isEmpty && width >= frame.clientWidth;
  const scale = isWhole ? Math.min(1, place.clientWidth / width) : 1;
  frame.style.transform = scale < 1 ? `scale(${scale})` : "";
  frame.dataset.height = `${Math.ceil(height * scale)}px`;
  if (!frame.classList.contains("coming")) place.style.height = frame.dataset.height;
}

/** Choose a state of the widget whose entry or rows change: their names begin with its name. */
function follow(name: string | null, states: HTMLSelectElement): void {
  const widget = /^\/([^/]+)\//.exec(name ?? "")?.[1];
  if (!widget || states.value.startsWith(`${widget}/`)) return;
  const first = [...states.options].find(({ value }) => value.startsWith(`${widget}/`));
  if (first) states.value = first.value;
}

/** What the page in a frame says of entries that it does not show. */
interface Wrong {
  texts: string[];
  /** The problems by the id of their field. */
  fields: ReadonlyMap<string, string>;
  /** Whether the page shows the widget, without these entries. */
  isShown: boolean;
}

/** Return what `preview.html` has sent; null for anything else. A widget in the frame can send anything. */
function wrongIn(data: unknown): Wrong | null {
  const wrong = (data as Record<string, unknown> | null)?.["awning-wrong"] as Record<string, unknown> | null | undefined;
  if (!Array.isArray(wrong?.texts)) return null;
  const fields = Array.isArray(wrong.fields) ? (wrong.fields as unknown[]) : [];
  return {
    texts: wrong.texts.map(String),
    fields: new Map(fields.filter(Array.isArray).map(([id, problem]) => [String(id), String(problem)])),
    isShown: wrong.isShown === true,
  };
}

/** What this page tells itself when a frame is loaded. */
const LOADED = "awning-loaded";

/** Give the languages their names instead of codes, in the language of the form. */
function nameLanguages(options: Iterable<HTMLOptionElement>): void {
  for (const option of options) {
    try {
      const names = new Intl.DisplayNames(document.documentElement.lang || "en", { type: "language" });
      option.text = names.of(option.value) ?? option.value;
    } catch {
      // The browser has no names, or takes this for no code.
    }
  }
}

/** A page that is loaded again does not say once more that the entries were saved. */
function forgetNotice(): void {
  const address = new URL(location.href);
  address.searchParams.delete("notice");
  history.replaceState(null, "", address);
}

function start(button: HTMLButtonElement, form: HTMLFormElement, first: HTMLIFrameElement): void {
  let frame = first;
  let coming: HTMLIFrameElement | null = null;
  let count = 0;
  let timer = 0;
  let wrong: Wrong | null = null;
  let shown = choice();
  let asked = shown;
  const note = form.querySelector<HTMLElement>("[data-not-shown]");
  const states = form.querySelector<HTMLSelectElement>("#preview-state");
  nameLanguages(form.querySelector<HTMLSelectElement>("#preview-language")?.options ?? []);
  button.hidden = true;
  forgetNotice();
  const marks = markFields(form, note?.dataset.error ?? "");

  /** Return the chosen state and language. */
  function choice(): string {
    return [...form.querySelectorAll<HTMLSelectElement>("#preview-state, #preview-language")].map(({ value }) => value).join();
  }

  function load(): void {
    coming?.remove();
    wrong = null;
    asked = choice();
    marks.begin();
    const next = frame.cloneNode() as HTMLIFrameElement;
    next.removeAttribute("src");
    next.removeAttribute("srcdoc");
    next.style.cssText = "";
    delete next.dataset.height;
    next.name = button.formTarget = `preview-${++count}`;
    next.classList.add("coming");
    frame.after(next);
    coming = next;
    form.requestSubmit(button);
    // The event may come before what the page in the frame has said while it was loaded. A message comes after that: messages
    // to a window keep their order (HTML, the posted message task source).
    next.addEventListener("load", () => postMessage({ [LOADED]: next.name }));
  }

  function replace(next: HTMLIFrameElement): void {
    // The last preview stays, if there is one and it is what was chosen.
    const isKept = wrong !== null && !wrong.isShown && !frame.hasAttribute("srcdoc") && asked === shown;
    const isListed = wrong !== null && (wrong.isShown || isKept);
    if (note) note.textContent = isListed ? [note.dataset.notShown ?? "", ...(wrong?.texts ?? [])].join("\n") : "";
    marks.end(wrong?.fields ?? new Map<string, string>());
    if (isKept) {
      next.remove();
      coming = null;
      return;
    }
    frame.remove();
    next.classList.remove("coming");
    if (next.parentElement) next.parentElement.style.height = next.dataset.height ?? "";
    frame = next;
    shown = wrong?.isShown === false ? "" : asked;
    coming = null;
  }

  form.addEventListener("input", ({ target }) => {
    // The width changes the frame by the style sheet alone.
    if (target instanceof Element && target.matches("[data-width]")) return;
    if (states && target instanceof Element) follow(target.getAttribute("name"), states);
    clearTimeout(timer);
    timer = setTimeout(load, WAIT_MS);
  });
  form.addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest<HTMLButtonElement>("button[name=act]") : null;
    if (states && row) follow(row.value.slice(row.value.indexOf(":") + 1), states);
  });
  addEventListener("message", ({ data, source }: MessageEvent<unknown>) => {
    if (!coming) return;
    if (source === coming.contentWindow) wrong = wrongIn(data) ?? wrong;
    if (source === window && (data as Record<string, unknown> | null)?.[LOADED] === coming.name) replace(coming);
  });
  askBeforeLeaving(form, button, "unsaved" in button.dataset);
  keepFocus(form);
  const phone = form.querySelector<HTMLInputElement>("[data-width][value=phone]");
  if ("unsaved" in button.dataset) load();
  else if (phone && matchMedia(PHONE).matches) phone.checked = true;
}

// This script comes before the frame, which says how high its page is as soon as it is loaded.
listenForShown(fit);
document.addEventListener("DOMContentLoaded", () => {
  const button = document.querySelector<HTMLButtonElement>("[data-preview]");
  const frame = document.querySelector<HTMLIFrameElement>("iframe[name=preview]");
  if (button?.form && frame) start(button, button.form, frame);
});
