/**
 * Redraws the app, or one widget of it, in place. The page, its scroll position and the shopper's choices stay.
 *
 * The service has no way to unsubscribe. So each callback of the app is wrapped in a guard that knows its generation:
 * which snippet it comes from. Callbacks of an older generation are no longer called. When a new callback calls
 * initContentHandler, it gets the block of its predecessor, with the elements in it (`succession.ts`). The emulator replays
 * the last deliveries to the new snippet, as it does for any late subscriber.
 */
import { recordListeners } from "./listeners.ts";
import { makeForeignNames, type Names } from "./names.ts";
import { callingWidget, runningScripts, verbatimWidget } from "./origin.ts";
import type { Patch } from "./server.ts";
import { makeBlock, type Block } from "./succession.ts";
import { useHtml } from "./trusted.ts";
import type { ContentHandler, InitContentHandler, ServiceGlobal, Subscriber } from "../types/service.ts";

type Handler = ContentHandler<unknown>;
type Guarded = Subscriber<unknown, unknown>;

/**
 * A block that a callback got. `generation` tells which snippet the callback comes from. `param` is the event parameter
 * that came with the base event; it identifies the delivery.
 */
interface Claim {
  param: unknown;
  block: Block;
  generation: number;
  /** The widget whose callback got the block; null if it is not known. */
  owner: string | null;
  /** The containers of the slot in which the block shows its content, as they were at the delivery. */
  containers: Element[];
}

/**
 * `all` and `widget` return null, or why the caller must reload the page: the change was not possible in place, or a
 * reload gives other blocks. With `keepsChanges`, changes that handlers of the older code made in the page stay.
 */
export interface Redraw {
  /** Replaces the app's snippet by `body`. */
  all(body: string, keepsChanges: boolean): string | null;
  /** Replaces one widget's style sheet, its script or both, and leaves everything else. */
  widget(patch: Patch): string | null;
  /** End the blocks of a delivery, which are no longer on the page. */
  end(param: unknown): void;
}

const NO_SNIPPET = "the page no longer has the app's snippet";
const OTHER_BLOCKS = "the app's blocks are new, gone, or in another order";
const UNKNOWN_OWNER = "it is not known which widget made a subscription";
const OTHER_STYLE = "the page no longer has the widget's style sheet";

export function makeRedraw(service: ServiceGlobal, names: Names): Redraw {
  let generation = 0;
  let claims: Claim[] = [];
  let running = false;
  let keepsChanges = false;
  /** The generation of each patched widget. */
  const patched = new Map<string, number>();
  /** The nodes of each widget's last patch. */
  const inserted = new Map<string, ChildNode[]>();
  /** The widget whose patch is running. */
  let patching: string | null = null;
  let ownersKnown = true;
  /** Whether a reload would give other blocks, because a block is new or gone, or because their order changed. */
  let blocksDiffer = false;
  const inits = new WeakMap<InitContentHandler<unknown>, InitContentHandler<unknown>>();
  let guards = new WeakMap<Guarded, Guarded>();
  const subscribe = service.subscribeEvent;
  const foreign = makeForeignNames();
  const listeners = recordListeners(() => runningOwner());

  /** Return the generation whose callbacks are called: that of the widget's last patch, else that of the app. */
  const current = (owner: string | null): number => Math.max(generation, patched.get(owner ?? "") ?? 0);

  /** Return a content handler: of the block that the widget's older code had in this host, else of a new block. */
  const claimBlock = (event: unknown, param: unknown, init: InitContentHandler<unknown>): Handler => {
    const owner = calling;
    const now = current(owner);
    const isOlder = (claim: Claim): boolean =>
      claim.param === param && claim.owner === owner && claim.generation < now;
    // A shop that replaces a cart may deliver the same event parameter again.
    const older = claims.find((claim) => isOlder(claim) && !isGone(claim)) ?? claims.find(isOlder);
    if (older) {
      // The blocks are in the order in which the code takes them.
      const at = claims.indexOf(older);
      const isEarlier = (claim: Claim, i: number): boolean =>
        i < at && claim.param === param && claim.generation < now && !isGone(claim);
      blocksDiffer ||= patching === null && claims.some(isEarlier);
      older.generation = now;
      return older.block.handOver(keepsChanges);
    }
    blocksDiffer = true;
    const block = makeBlock(init, listeners);
    claims.push({ param, block, generation: now, owner, containers: containersOf(event) });
    return block.handOver(keepsChanges);
  };

  /** The widget whose callback is running. */
  let calling: string | null = null;
  let callbacks = 0;

  /** Call `work`, which is code of `owner`. */
  const runFor = (owner: string | null, work: () => void): void => {
    const before = calling;
    calling = owner;
    callbacks += 1;
    try {
      work();
    } finally {
      calling = before;
      callbacks -= 1;
    }
  };

  /** Return the widget whose code is running, or "this app"; null for other code. */
  const runningOwner = (): string | null => {
    if (callbacks > 0) return calling ?? APP;
    const isSnippet = running || (document.currentScript !== null && fromSnippet());
    // After an `await`, only the call stack tells whose code is running.
    return isSnippet ? (patching ?? callingWidget() ?? verbatimWidget() ?? APP) : callingWidget();
  };

  /** Return the guard of `init`. Each `init` has one guard, because all subscribers of a delivery share the `init`. */
  const claiming = (init: InitContentHandler<unknown>, event: unknown, param: unknown): InitContentHandler<unknown> => {
    const guarded = inits.get(init) ?? (() => claimBlock(event, param, init));
    inits.set(init, guarded);
    return guarded;
  };

  /**
   * Return the guard of a callback. Each callback has one guard, so the emulator can detect a callback that subscribes
   * twice.
   */
  const guard = (callback: Guarded, owner: string | null): Guarded => {
    if (typeof callback !== "function") return callback;
    const own = current(owner);
    const guarded = guards.get(callback) ?? ((...delivered: unknown[]): void => {
      if (own !== current(owner)) return;
      const [event, init, ...rest] = delivered;
      // An app can trigger an event itself. Its arguments are then passed on unchanged.
      const isDelivery = typeof init === "function";
      const passed = isDelivery ? [event, claiming(init as InitContentHandler<unknown>, event, rest[0]), ...rest] : delivered;
      runFor(owner, () => Reflect.apply(callback, null, passed));
    });
    guards.set(callback, guarded);
    return guarded;
  };

  service.subscribeEvent = ((event: string, callback: Guarded) => {
    if (!running && !fromSnippet()) {
      names.during(foreign(document.currentScript), () => subscribe.call(service, event, callback));
      return;
    }
    const owner = patching ?? callingWidget() ?? verbatimWidget();
    ownersKnown &&= owner !== null;
    const own = current(owner);
    const isOver = (): boolean => own !== current(owner);
    const subscription = (): void => runFor(owner, () => subscribe.call(service, event, guard(callback, owner)));
    names.during({ name: owner ?? APP, isOwn: true, isOver }, subscription);
  }) as ServiceGlobal["subscribeEvent"];

  /** Run scripts of the app that `insert` puts into the page. */
  const run = (insert: () => void): void => {
    running = true;
    try {
      insert();
    } finally {
      running = false;
    }
  };

  /** Empty the blocks of the selected claims that the new code did not take over, or in which it set no content. */
  const release = (concerns: (claim: Claim) => boolean): void => {
    const isOver = (claim: Claim): boolean => claim.generation < current(claim.owner);
    for (const claim of claims.filter(concerns)) {
      if (!isOver(claim)) claim.block.emptyIfUnset();
      // A reload does not give a block that the shop has removed, either.
      else if (isGone(claim)) claim.block.end();
      else {
        claim.block.empty();
        blocksDiffer = true;
      }
    }
    claims = claims.filter((claim) => !(concerns(claim) && isOver(claim)));
  };

  const all = (body: string, keeps: boolean): string | null => {
    const place = snippetPlace();
    if (!place) return NO_SNIPPET;
    const fragment = parsedSnippet(place, body, snippetNonce());
    if (typeof fragment === "string") return fragment;
    generation = Math.max(generation, ...patched.values()) + 1;
    guards = new WeakMap();
    patched.clear();
    inserted.clear();
    blocksDiffer = false;
    keepsChanges = keeps;
    listeners.removeGlobal(null);
    sameApp(place.extractContents());
    run(() => place.insertNode(fragment));
    release(() => true);
    return blocksDiffer ? OTHER_BLOCKS : null;
  };

  const script = (widget: string, body: string, keeps: boolean): string | null => {
    const pair = marks();
    if (!pair) return NO_SNIPPET;
    if (!ownersKnown) return UNKNOWN_OWNER;
    const range = document.createRange();
    range.setStartBefore(pair[1]);
    const fragment = parsedSnippet(range, body, snippetNonce());
    if (typeof fragment === "string") return fragment;
    patched.set(widget, current(widget) + 1);
    for (const node of inserted.get(widget) ?? []) node.remove();
    for (const part of fragment.querySelectorAll("script")) part.dataset["awningUnit"] = widget;
    inserted.set(widget, [...fragment.childNodes]);
    for (let node: Node | null = pair[0]; node && node !== pair[1]; node = node.nextSibling) {
      if (node instanceof Element) sameApp(node);
    }
    patching = widget;
    blocksDiffer = false;
    keepsChanges = keeps;
    listeners.removeGlobal(widget);
    try {
      run(() => pair[1].before(fragment));
    } finally {
      patching = null;
    }
    release((claim) => claim.owner === widget);
    return blocksDiffer ? OTHER_BLOCKS : null;
  };

  return {
    all,
    widget: ({ widget, style, body, keepsChanges: keeps }) =>
      style !== null && !replaceStyle(style) ? OTHER_STYLE : body === null ? null : script(widget, body, keeps),
    end(param) {
      for (const claim of claims) if (claim.param === param) claim.block.end();
      claims = claims.filter((claim) => claim.param !== param);
    },
  };
}

/**
 * Replace one widget's part of the app's style sheet. The part gets an element of its own first, so that the browser
 * reads only that part again. Returns false if the old part is not found.
 */
function replaceStyle({ before, after }: NonNullable<Patch["style"]>): boolean {
  for (const sheet of snippetStyles()) {
    const text = sheet.textContent ?? "";
    const at = text.indexOf(before);
    if (at < 0) continue;
    if (text !== before) {
      const [first, last] = [sheet.cloneNode(false), sheet.cloneNode(false)];
      first.textContent = text.slice(0, at);
      last.textContent = text.slice(at + before.length);
      if (first.textContent) sheet.before(first);
      if (last.textContent) sheet.after(last);
    }
    sheet.textContent = after;
    return true;
  }
  return false;
}

/** Whether the shop has removed a block's element, or its containers, as when it replaces a cart. */
function isGone({ block, containers }: Claim): boolean {
  return block.isGone() || (containers.length > 0 && !containers.some(({ isConnected }) => isConnected));
}

/** The containers of an event's slot. An event has its name as `type` (observed). */
function containersOf(event: unknown): Element[] {
  const name = String((event as { type?: unknown } | null)?.type).replace(/-updated$/, "");
  const isOfSlot = (className: string): boolean => /^placeholder-./.test(className) && name.endsWith(className.slice("placeholder".length));
  return [...document.querySelectorAll(`[class*="placeholder-"]`)].filter(({ classList }) => [...classList].some(isOfSlot));
}

/** The style elements of the app's body snippet. */
function snippetStyles(): HTMLStyleElement[] {
  return snippetNodes().filter((node) => node instanceof HTMLStyleElement);
}

/** The nonce of the app's body snippet, under a Content Security Policy with nonces; else "". */
function snippetNonce(): string {
  const nodes = snippetNodes().filter((node) => node instanceof HTMLScriptElement || node instanceof HTMLStyleElement);
  return nodes.find(({ nonce }) => nonce)?.nonce ?? "";
}

/** The nodes between the comments around the app's body snippet. */
function snippetNodes(): Node[] {
  const pair = marks();
  const nodes: Node[] = [];
  for (let node = pair?.[0].nextSibling; node && node !== pair?.[1]; node = node.nextSibling) nodes.push(node);
  return nodes;
}

/** Parse a snippet for a place. Its scripts and styles get the nonce. Returns why the page refuses it, as a sentence. */
function parsedSnippet(place: Range, html: string, nonce: string): DocumentFragment | string {
  try {
    const fragment = sameApp(useHtml(html, (text) => place.createContextualFragment(text)));
    if (nonce) for (const part of fragment.querySelectorAll<HTMLElement>("script, style")) part.nonce = nonce;
    return fragment;
  } catch (error) {
    return `the page takes no HTML (${String(error).split("\n")[0]})`; // Trusted Types
  }
}

/** Mark the scripts of a generation, so that the emulator treats all generations as one app. */
function sameApp<Part extends DocumentFragment | Element>(snippet: Part): Part {
  const scripts = [...snippet.querySelectorAll("script"), ...(snippet instanceof HTMLScriptElement ? [snippet] : [])];
  for (const script of scripts) script.setAttribute("data-awning-app", "redrawn");
  return snippet;
}

/** The name of code of the app that belongs to no known widget. */
const APP = "this app";
const START = /^awning-snippet (\d+)$/;
const END = "/awning-snippet";
const STARTS = `//comment()[starts-with(., "awning-snippet ")]`;

/** Return the revision of the snippet on this page; null if the page has no snippet. */
export function shownRevision(): number | null {
  const revision = START.exec(marks()?.[0].data ?? "")?.[1];
  return revision === undefined ? null : Number(revision);
}

/** Return the comments around the app's body snippet, which are siblings; null if the page has no snippet. */
function marks(): [Comment, Comment] | null {
  const start = document.evaluate(STARTS, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue;
  for (let end = start?.nextSibling ?? null; end; end = end.nextSibling) {
    if (end instanceof Comment && end.data === END) return [start as Comment, end];
  }
  return null;
}

function snippetPlace(): Range | null {
  const pair = marks();
  if (!pair) return null;
  const range = document.createRange();
  range.setStartAfter(pair[0]);
  range.setEndBefore(pair[1]);
  return range;
}

/** Whether the running code belongs to the app: the running `<script>`, or in a callback a script on the call stack. */
function fromSnippet(): boolean {
  const script = document.currentScript;
  return script ? isInSnippet(script) : runningScripts().some(isInSnippet);
}

/** Whether a script is between the two comments. The second one is not there yet while the page is parsed. */
function isInSnippet(script: Element): boolean {
  for (let node: Node | null = script; node; node = node.previousSibling ?? node.parentNode) {
    if (node instanceof Comment && node.data === END) return false;
    if (node instanceof Comment && START.test(node.data)) return true;
  }
  return false;
}
