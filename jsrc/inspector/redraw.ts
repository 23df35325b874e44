/**
 * Redraws the app in place: the page, its scroll position and the shopper's choices stay, only the snippet is new.
 *
 * The service has no unsubscribing. So everything the app subscribes goes through a guard that knows its generation:
 * callbacks of an older generation are no longer called, and a new one that asks for a block gets the block its
 * predecessor had, in the same position. The emulator then replays the last deliveries to the new snippet, as it does
 * for any late subscriber.
 */
import type { Names } from "./names.ts";
import { callingWidget } from "./origin.ts";
import type { ContentHandler, InitContentHandler, ServiceGlobal, Subscriber } from "../types/service.ts";

type Handler = ContentHandler<unknown>;
type Guarded = Subscriber<unknown, unknown>;

/** A block some generation asked for. `param` tells the host: it is the page-load object. */
interface Claim {
  param: unknown;
  handler: Handler;
  generation: number;
}

export interface Redraw {
  /** Puts `body` in the place of the app's snippet. False when this page cannot: it should be loaded again. */
  (body: string): boolean;
}

export function makeRedraw(service: ServiceGlobal, names: Names): Redraw {
  let generation = 0;
  let claims: Claim[] = [];
  let running = false;
  const inits = new WeakMap<InitContentHandler<unknown>, InitContentHandler<unknown>>();
  let guards = new WeakMap<Guarded, Guarded>();
  const subscribe = service.subscribeEvent;

  /** The block of an older generation in the same host, else a new one. */
  const claimBlock = (param: unknown, init: InitContentHandler<unknown>): Handler => {
    const held = claims.find((claim) => claim.param === param && claim.generation < generation);
    if (held) {
      held.generation = generation;
      return held.handler;
    }
    const handler = init();
    claims.push({ param, handler, generation });
    return handler;
  };

  /** One for each `init`: the service gives the same one to all subscribers of a delivery. */
  const claiming = (init: InitContentHandler<unknown>, param: unknown): InitContentHandler<unknown> => {
    const guarded = inits.get(init) ?? (() => claimBlock(param, init));
    inits.set(init, guarded);
    return guarded;
  };

  /** One for each callback in a generation: the emulator sees when the same callback is subscribed twice. */
  const guard = (callback: Guarded): Guarded => {
    if (typeof callback !== "function") return callback;
    const own = generation;
    const guarded = guards.get(callback) ?? ((...delivered: unknown[]): void => {
      if (own !== generation) return;
      const [event, init, ...rest] = delivered;
      // An event that an app triggers itself carries what the app likes.
      const isDelivery = typeof init === "function";
      const passed = isDelivery ? [event, claiming(init as InitContentHandler<unknown>, rest[0]), ...rest] : delivered;
      Reflect.apply(callback, null, passed);
    });
    guards.set(callback, guarded);
    return guarded;
  };

  service.subscribeEvent = ((event: string, callback: Guarded) => {
    if (!running && !fromSnippet()) {
      subscribe.call(service, event, callback);
      return;
    }
    names.during(callingWidget() ?? "this app", () => subscribe.call(service, event, guard(callback)));
  }) as ServiceGlobal["subscribeEvent"];

  return (body) => {
    const place = snippetPlace();
    if (!place || document.querySelector("script[nonce]")) return false;
    generation += 1;
    guards = new WeakMap();
    const scroll = scrollY;
    sameApp(place.extractContents());
    running = true;
    try {
      place.insertNode(sameApp(place.createContextualFragment(body)));
    } finally {
      running = false;
    }
    for (const claim of claims.filter((claim) => claim.generation < generation)) claim.handler.setContent("");
    claims = claims.filter((claim) => claim.generation === generation);
    scrollTo({ top: scroll, behavior: "instant" });
    return true;
  };
}

/** Tells the emulator that the scripts in it are one app's, whichever generation they are of. */
function sameApp(snippet: DocumentFragment): DocumentFragment {
  for (const script of snippet.querySelectorAll("script")) script.setAttribute("data-awning-app", "redrawn");
  return snippet;
}

const START = /^awning-snippet (\d+)$/;
const END = "/awning-snippet";

/** The revision of the snippet on this page. */
export function shownRevision(): number | null {
  const revision = START.exec(marks()?.[0].data ?? "")?.[1];
  return revision === undefined ? null : Number(revision);
}

/** The comments that the dev server puts around the app's body snippet. */
function marks(): [Comment, Comment] | null {
  const found: Comment[] = [];
  for (const node of document.body?.childNodes ?? []) {
    if (node instanceof Comment && (START.test(node.data) || node.data === END)) found.push(node);
  }
  const [start, end] = found;
  return start && end ? [start, end] : null;
}

function snippetPlace(): Range | null {
  const found = marks();
  if (!found) return null;
  const range = document.createRange();
  range.setStartAfter(found[0]);
  range.setEndBefore(found[1]);
  return range;
}

/** Whether the running script is the app's: after the first mark and, while the page is read, before the second. */
function fromSnippet(): boolean {
  let inBody: Node | null = document.currentScript;
  if (!inBody) return true;
  while (inBody?.parentNode && inBody.parentNode !== document.body) inBody = inBody.parentNode;
  let before = inBody?.previousSibling ?? null;
  while (before && !(before instanceof Comment && (START.test(before.data) || before.data === END))) {
    before = before.previousSibling;
  }
  return before instanceof Comment && before.data !== END;
}
