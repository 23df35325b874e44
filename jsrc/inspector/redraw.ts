/**
 * Redraws the app in place. Only the snippet is replaced; the page, its scroll position and the shopper's choices stay.
 *
 * The service has no way to unsubscribe. So each callback of the app is wrapped in a guard that knows its generation:
 * which snippet it comes from. Callbacks of an older generation are no longer called. When a new callback calls
 * initContentHandler, it gets the block of its predecessor, in the same position. The emulator replays the last
 * deliveries to the new snippet, as it does for any late subscriber.
 */
import type { Names } from "./names.ts";
import { callingWidget } from "./origin.ts";
import type { ContentHandler, InitContentHandler, ServiceGlobal, Subscriber } from "../types/service.ts";

type Handler = ContentHandler<unknown>;
type Guarded = Subscriber<unknown, unknown>;

/** A block that a generation took. `param`, the event parameter of the page load, identifies the host. */
interface Claim {
  param: unknown;
  handler: Handler;
  generation: number;
}

export interface Redraw {
  /** Replaces the app's snippet by `body`. Returns false if that is not possible; then reload the page. */
  (body: string): boolean;
}

export function makeRedraw(service: ServiceGlobal, names: Names): Redraw {
  let generation = 0;
  let claims: Claim[] = [];
  let running = false;
  const inits = new WeakMap<InitContentHandler<unknown>, InitContentHandler<unknown>>();
  let guards = new WeakMap<Guarded, Guarded>();
  const subscribe = service.subscribeEvent;

  /** Return the block of an older generation in the same host, else a new block. */
  const claimBlock = (param: unknown, init: InitContentHandler<unknown>): Handler => {
    const older = claims.find((claim) => claim.param === param && claim.generation < generation);
    if (older) {
      older.generation = generation;
      return older.handler;
    }
    const handler = init();
    claims.push({ param, handler, generation });
    return handler;
  };

  /** Return the guard of `init`. Each `init` has one guard, because all subscribers of a delivery share the `init`. */
  const claiming = (init: InitContentHandler<unknown>, param: unknown): InitContentHandler<unknown> => {
    const guarded = inits.get(init) ?? (() => claimBlock(param, init));
    inits.set(init, guarded);
    return guarded;
  };

  /**
   * Return the guard of a callback. Each callback has one guard, so the emulator can detect a callback that subscribes
   * twice.
   */
  const guard = (callback: Guarded): Guarded => {
    if (typeof callback !== "function") return callback;
    const own = generation;
    const guarded = guards.get(callback) ?? ((...delivered: unknown[]): void => {
      if (own !== generation) return;
      const [event, init, ...rest] = delivered;
      // An app can trigger an event itself. Its arguments are then passed on unchanged.
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

/** Mark the scripts of a generation, so that the emulator treats all generations as one app. */
function sameApp(snippet: DocumentFragment): DocumentFragment {
  for (const script of snippet.querySelectorAll("script")) script.setAttribute("data-awning-app", "redrawn");
  return snippet;
}

const START = /^awning-snippet (\d+)$/;
const END = "/awning-snippet";

/** Return the revision of the snippet on this page. */
export function shownRevision(): number | null {
  const revision = START.exec(marks()?.[0].data ?? "")?.[1];
  return revision === undefined ? null : Number(revision);
}

/** Return the comments that the dev server puts around the app's body snippet. */
function marks(): [Comment, Comment] | null {
  const comments: Comment[] = [];
  for (const node of document.body?.childNodes ?? []) {
    if (node instanceof Comment && (START.test(node.data) || node.data === END)) comments.push(node);
  }
  const [start, end] = comments;
  return start && end ? [start, end] : null;
}

function snippetPlace(): Range | null {
  const pair = marks();
  if (!pair) return null;
  const range = document.createRange();
  range.setStartAfter(pair[0]);
  range.setEndBefore(pair[1]);
  return range;
}

/** Whether the running script belongs to the app: it is between the two comments. */
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
