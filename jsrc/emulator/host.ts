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
  const enter = (scriptsRun: boolean) => {
    if (!entered) {
      entered = true;
      takePosition();
      change(() => insertion(scriptsRun).place(host.container, wrapper, follower(host.container, wrapper)));
    }
  };
  if (assumptions.is("position", "init")) {
    takePosition();
  }
  trace.record("init", who());
  onFirstInit(host, assumptions);
  if (assumptions.is("wrapper-enters", "init")) {
    enter(false);
  }
  return {
    params: claim.param,
    setContent(value: unknown) {
      const scriptsRun = assumptions.is("scripts-run", "on");
      if (value !== undefined) {
        takePosition();
        const given = assumptions.is("set-content-argument", "string") ? String(value ?? "") : value;
        trace.record("content", who(), described(given));
        change(() => insertion(scriptsRun).fill(wrapper, given));
        enter(scriptsRun);
        onFirstContent(host, assumptions);
      }
      return assumptions.is("set-content-returns", "wrapper") ? insertion(scriptsRun).wrapped(wrapper) : undefined;
    },
  };
}

/** The first block of the container that comes after `wrapper`. */
function follower(container: Element, wrapper: Element): Element | null {
  const order = Number(wrapper.getAttribute("data-order"));
  return [...container.children].find((child) => Number(child.getAttribute("data-order")) > order) ?? null;
}

function described(value: unknown): string {
  return value instanceof Element ? value.outerHTML : String(value ?? "");
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
