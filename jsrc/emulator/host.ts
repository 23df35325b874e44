/**
 * A host is one place on a page where blocks are inserted: container, base event, event parameter, and how many
 * blocks were asked for. `makeContent` is what a subscriber's initContentHandler does.
 */
import type { ContentHandler } from "../types/index.ts";
import type { Assumptions } from "./assumptions.ts";
import { insertion } from "./insertion.ts";
import type { Rules } from "./rules.ts";
import type { Trace } from "./trace.ts";

/** What a page may do at the first init and the first content of a host, such as showing a hidden box. */
export interface Hooks {
  init?: () => void;
  content?: () => void;
}

export interface Host {
  readonly container: Element;
  readonly event: string;
  readonly param: Record<string, unknown>;
  readonly hooks: Hooks;
  /** Positions given out so far. */
  positions: number;
  initialised: boolean;
  filled: boolean;
  /** Whether an update was delivered for it. */
  updated: boolean;
}

export function makeHost(container: Element, event: string, param: Record<string, unknown>, hooks: Hooks): Host {
  return { container, event, param, hooks, positions: 0, initialised: false, filled: false, updated: false };
}

export interface Claim {
  host: Host;
  event: string;
  subscriber: number | null;
  /** The event parameter that this subscriber was given. */
  param: Record<string, unknown>;
}

/** A new block of `claim.host`: no DOM before its first content. */
export function makeContent(claim: Claim, assumptions: Assumptions, trace: Trace, rules: Rules): ContentHandler<unknown> {
  const { host } = claim;
  const wrapper = document.createElement("div");
  let position: number | null = null;
  let entered = false;
  const who = () => ({ event: claim.event, subscriber: claim.subscriber, position });
  const change = (work: () => void) => rules.change(wrapper, claim.subscriber, work);
  const takePosition = () => {
    position ??= ++host.positions;
    wrapper.setAttribute("data-order", String(position));
  };
  const place = (scriptsRun: boolean) => {
    entered = true;
    change(() => insertion(scriptsRun).place(host.container, wrapper, follower(host.container, position)));
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
    params: claim.param,
    setContent(value: unknown) {
      const scriptsRun = assumptions.is("scripts-run", "on");
      const given = assumptions.is("set-content-argument", "string") ? asString(value) : asContent(wrapper, value);
      if (given !== undefined) {
        const inPlace = entered && position !== null;
        takePosition();
        trace.record("content", who(), described(given));
        change(() => insertion(scriptsRun).fill(wrapper, given));
        if (!inPlace) {
          place(scriptsRun);
        }
        onFirstContent(host, assumptions);
      }
      return assumptions.is("set-content-returns", "wrapper") ? insertion(scriptsRun).wrapped(wrapper) : undefined;
    },
  };
}

function asString(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value ?? "");
}

/** What a function gives for the content there is, as in jQuery's `.html(function)`: undefined changes nothing. */
function asContent(wrapper: Element, value: unknown): unknown {
  return typeof value === "function" ? value.call(wrapper, 0, wrapper.innerHTML) : value;
}

/** The first block of the container that comes after `position`. A block without a position is last. */
function follower(container: Element, position: number | null): Element | null {
  const comesAfter = (child: Element) => Number(child.getAttribute("data-order")) > (position ?? Infinity);
  return [...container.children].find(comesAfter) ?? null;
}

/** As HTML: what a list or a jQuery object holds one after the other, nothing for what empties. */
function described(value: unknown): string {
  if (value instanceof Element) {
    return value.outerHTML;
  }
  if (value !== null && typeof value === "object" && "length" in value) {
    return Array.from(value as ArrayLike<unknown>, described).join("");
  }
  return value || value === 0 ? String(value) : "";
}

function onFirstInit(host: Host, assumptions: Assumptions): void {
  if (!host.initialised) {
    host.initialised = true;
    host.hooks.init?.();
    if (assumptions.is("reveal", "init")) {
      reveal(host.container);
    }
  }
}

function onFirstContent(host: Host, assumptions: Assumptions): void {
  if (!host.filled) {
    host.filled = true;
    host.hooks.content?.();
    if (assumptions.is("reveal", "content")) {
      reveal(host.container);
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
