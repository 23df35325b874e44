/**
 * A host is what a page has for one slot: the containers that blocks are inserted into, the base event and its
 * parameter, and a counter of the blocks' positions. `makeContent` implements initContentHandler.
 */
import type { ContentHandler } from "../types/index.ts";
import type { Assumptions } from "./assumptions.ts";
import { insertion } from "./insertion.ts";
import { isElement, isFunction, isList, isNode } from "./manipulation.ts";
import type { Rules } from "./rules.ts";
import type { Trace } from "./trace.ts";

/**
 * Callbacks of a page. They run at the first init and the first content of a host, for example to show a hidden box.
 */
export interface Hooks {
  init?: () => void;
  content?: () => void;
}

export interface Host {
  /** The containers. Without any, the content is not visible. */
  readonly containers: readonly Element[];
  readonly event: string;
  readonly param: Record<string, unknown>;
  readonly hooks: Hooks;
  /** The number of positions that were given to blocks. */
  positions: number;
  initialised: boolean;
  filled: boolean;
  /** Whether an update was delivered to the host. */
  updated: boolean;
  /** The state of the timer that repeats the first update. The timer is set before the base event is delivered. */
  timer: "unset" | "waiting" | "over";
  /** The function that the timer calls. */
  repeat?: () => void;
}

export function makeHost(
  containers: readonly Element[],
  event: string,
  param: Record<string, unknown>,
  hooks: Hooks,
): Host {
  const state = { positions: 0, initialised: false, filled: false, updated: false, timer: "unset" } as const;
  return { containers, event, param, hooks, ...state };
}

export interface Claim {
  host: Host;
  event: string;
  /** The number of the subscription that called initContentHandler; null when it is not known. */
  subscriber: number | null;
  /** The event parameter that this subscriber got. */
  param: Record<string, unknown>;
}

/** Return the content handler of a new block in `claim.host`. By default, setContent inserts the block into the page. */
export function makeContent(claim: Claim, assumptions: Assumptions, trace: Trace, rules: Rules): ContentHandler<unknown> {
  const { host } = claim;
  const wrapper = document.createElement("div");
  let position: number | null = null;
  const who = () => ({ event: claim.event, subscriber: claim.subscriber, position });
  const change = (work: () => void) => rules.change(wrapper, claim.subscriber, work);
  const takePosition = () => {
    position = ++host.positions;
    wrapper.setAttribute("data-order", String(position));
  };
  const place = (scriptsRun: boolean) => {
    const { before, append, orderOf } = insertion(assumptions, scriptsRun);
    const next = follower(host.containers, wrapper, position, orderOf);
    change(() => (next ? before(next, wrapper) : append(host.containers, wrapper)));
  };
  if (assumptions.is("position", "init")) {
    takePosition();
  }
  trace.record("init", who());
  onFirstInit(host, assumptions);
  if (assumptions.is("wrapper-enters", "init")) {
    place(false);
  }
  return {
    setContent(value?: unknown) {
      const scriptsRun = assumptions.is("scripts-run", "on");
      const { fill, wrapped } = insertion(assumptions, scriptsRun);
      const content = assumptions.is("set-content-argument", "string") ? asString(value) : asContent(wrapper, value);
      const unplaced = position === null;
      if (unplaced) {
        takePosition();
      }
      trace.record("content", who(), content === undefined ? wrapper.innerHTML : described(content));
      if (content !== undefined) {
        change(() => fill(wrapper, content));
      }
      if (unplaced || !host.containers.some((container) => container.contains(wrapper))) {
        place(scriptsRun);
      }
      onFirstContent(host, assumptions);
      return assumptions.is("set-content-returns", "wrapper") ? wrapped(wrapper) : undefined;
    },
    params: claim.param,
  };
}

function asString(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value ?? "");
}

/**
 * Return the content to set; undefined for no change. If `value` is a function, it gets the current content and returns
 * the new one, as in jQuery's `.html(function)`.
 */
function asContent(wrapper: Element, value: unknown): unknown {
  return isFunction(value) ? value.call(wrapper, 0, wrapper.innerHTML) : value;
}

/**
 * Return the first block in the containers that comes after `position`; undefined if there is none, or if `position` is
 * null. Only `div` children count.
 */
function follower(
  containers: readonly Element[],
  wrapper: Element,
  position: number | null,
  orderOf: (element: Element) => number,
): Element | undefined {
  return containers
    .flatMap((container) => [...container.children])
    .find((child) => child !== wrapper && child.localName === "div" && orderOf(child) > (position ?? Infinity));
}

/**
 * Return content as the trace shows it: HTML, or the text of a text node. The items of a list or a jQuery object are
 * joined.
 */
function described(value: unknown): string {
  if (isNode(value)) {
    const inner = value.nodeType === Node.DOCUMENT_FRAGMENT_NODE ? described([...value.childNodes]) : value.textContent;
    return isElement(value) ? value.outerHTML : (inner ?? "");
  }
  if (Array.isArray(value) || isList(value)) {
    return Array.prototype.slice.call(value).map(described).join("");
  }
  return value || value === 0 ? String(value) : "";
}

function onFirstInit(host: Host, assumptions: Assumptions): void {
  if (!host.initialised) {
    host.initialised = true;
    host.hooks.init?.();
    if (assumptions.is("reveal", "init")) {
      host.containers.forEach(reveal);
    }
  }
}

function onFirstContent(host: Host, assumptions: Assumptions): void {
  if (!host.filled) {
    host.filled = true;
    host.hooks.content?.();
    if (assumptions.is("reveal", "content")) {
      host.containers.forEach(reveal);
    }
  }
}

function reveal(container: Element): void {
  if (container instanceof HTMLElement) {
    container.hidden = false;
    if (container.style.display === "none") {
      container.style.display = "";
    }
  }
}
