/**
 * Detects broken rules, except those about initContentHandler (`delivery.ts`). A rule is broken when an app changes
 * another app's block, writes into a container without initContentHandler, changes the document before it is ready,
 * leaks a global, or changes a prototype of the page.
 *
 * An app is the script element that subscribed, or all script elements with the same `data-awning-app`. The dev server
 * sets this attribute when a new snippet replaces another and takes over its block. Only changes during an app's
 * callbacks and the first run of its script can be attributed to the app. Changes in timers are not checked.
 */
import type { Rule, Trace, Who } from "./trace.ts";

export interface Rules {
  /** Allow globals with these names, which break no rule from now on. */
  allowGlobals(names: readonly string[]): void;
  /** Record that the running script makes a subscription. */
  subscribed(who: Who & { subscriber: number }): void;
  /** Record that a subscriber is about to be called. Call the returned function when it has ended. */
  calling(who: Who & { subscriber: number }): () => void;
  /** Watch a host's container. */
  contain(container: Element): void;
  /** Call a function in which the service changes a subscriber's wrapper. This change breaks no rule. */
  change(wrapper: Element, subscriber: number | null, work: () => void): void;
}

/** Invisible elements, which a script may add to a document that is not ready. */
const SILENT = new Set(["SCRIPT", "STYLE", "LINK", "META", "TEMPLATE"]);

export function makeRules(trace: Trace): Rules {
  const apps = new Map<number, Element | null>();
  const owners = new WeakMap<Node, number | null>();
  const calls: Array<Who & { subscriber: number }> = [];
  const containers = new MutationObserver(() => {});
  const formerParents: FormerParents = new WeakMap();
  const leaks = watchGlobals();
  const scripts = watchScripts(leaks);

  /** Whether both subscribers belong to known and different apps. */
  const areDifferentApps = (a: number, b: number): boolean => {
    const [first, second] = [apps.get(a), apps.get(b)];
    return !!first && !!second && appOf(first) !== appOf(second);
  };

  const ruleOf = (record: MutationRecord, subscriber: number): Rule | null => {
    const gone = [...record.removedNodes].map((node) => owners.get(node)).find((owner) => owner !== undefined);
    const owner = gone ?? ownerOf(record.target, owners, formerParents);
    if (owner !== undefined) {
      return owner !== null && areDifferentApps(owner, subscriber) ? "foreign-dom" : null;
    }
    return record.addedNodes.length ? "content-without-init" : null;
  };

  /** Take the changes since the last call. A node that was removed belongs to the block in which it was. */
  const takeRecords = (): MutationRecord[] => {
    const records = containers.takeRecords();
    for (const { removedNodes, target } of records) {
      removedNodes.forEach((node) => formerParents.set(node, target));
    }
    return records;
  };

  /** Report the rules that the running app broke by the changes since the previous call of `attribute`. */
  const attribute = (): void => {
    const records = takeRecords();
    const who = calls[calls.length - 1];
    if (who) {
      const broken = new Set(records.map((record) => ruleOf(record, who.subscriber)));
      broken.forEach((rule) => rule && trace.violate(rule, who));
    }
  };

  const reportLeaks = (who: Who): void => leaks.take().forEach((rule) => trace.violate(rule, who));

  return {
    allowGlobals: leaks.allow,
    subscribed(who) {
      const script = document.currentScript;
      apps.set(who.subscriber, script);
      scripts.ends(script, (early) => {
        if (early) {
          trace.violate("early-dom", who);
        }
        reportLeaks(who);
      });
    },
    calling(who) {
      attribute();
      leaks.take();
      calls.push(who);
      return () => {
        attribute();
        calls.pop();
        reportLeaks(who);
      };
    },
    contain: (container) =>
      containers.observe(container, { childList: true, subtree: true, attributes: true, characterData: true }),
    change(wrapper, subscriber, work) {
      attribute();
      owners.set(wrapper, subscriber);
      try {
        work();
      } finally {
        takeRecords();
      }
    },
  };
}

function appOf(script: Element): Element | string {
  return script.getAttribute("data-awning-app") ?? script;
}

type FormerParents = WeakMap<Node, Node>;

function ownerOf(
  node: Node, owners: WeakMap<Node, number | null>, formerParents: FormerParents,
): number | null | undefined {
  const seen = new Set<Node>(); // Two nodes can have been in each other, one after the other.
  for (let at: Node | null | undefined = node; at && !seen.has(at); at = at.parentNode ?? formerParents.get(at)) {
    const owner = owners.get(at);
    if (owner !== undefined) {
      return owner;
    }
    seen.add(at);
  }
  return undefined;
}

interface Leaks {
  /** Allow globals with these names. */
  allow(names: readonly string[]): void;
  /** Return the rules that were broken since the last call, by changes of the window or of prototypes. */
  take(): Rule[];
}

/**
 * Compare the globals and prototypes before and after each call. `awning check`, which has no use for the result, leaves
 * it out: in QuickJS it takes most of the time.
 */
function watchGlobals(): Leaks {
  const prototypes = [Object, Array, String, Number, Function, Promise, EventTarget, Node, Element, HTMLElement].map(
    (constructor) => constructor.prototype as object,
  );
  // Loops, because this runs twice for each callback, and `flatMap` and `map` take three times as long.
  const members = (): unknown[] => {
    const all: unknown[] = [];
    for (const prototype of prototypes) {
      for (const key of Reflect.ownKeys(prototype)) {
        all.push(memberOf(prototype, key));
      }
    }
    return all;
  };
  let names = new Set(Object.keys(window));
  let known = members();
  const allowed = new Set<string>();
  return {
    allow: (more) => more.forEach((name) => allowed.add(name)),
    take() {
      if (typeof AWNING_IGNORE_GLOBALS !== "undefined") {
        return [];
      }
      const [namesNow, knownNow] = [Object.keys(window), members()];
      const leaked = namesNow.some((name) => !names.has(name) && !allowed.has(name));
      const changed = known.length !== knownNow.length || known.some((member, at) => member !== knownNow[at]);
      if (leaked || namesNow.length !== names.size) {
        names = new Set(namesNow);
      }
      known = knownNow;
      return [...(leaked ? (["global-leaked"] as const) : []), ...(changed ? (["host-prototype"] as const) : [])];
    },
  };
}

function memberOf(prototype: object, key: PropertyKey): unknown {
  const { value, get } = Object.getOwnPropertyDescriptor(prototype, key) as PropertyDescriptor;
  return typeof value === "number" ? null : (value ?? get);
}

interface Scripts {
  /**
   * Call `done` when `script` has ended, once for each script that the parser inserted. For other scripts, `done` is
   * never called, because their start is not known. `early` tells whether the script changed a document that was not
   * ready.
   */
  ends(script: Element | null, done: (early: boolean) => void): void;
}

/**
 * The browser reports the elements that the parser inserted just before the inserted script runs. So all changes from
 * then until the script's end are the script's. The globals are recorded at the same moment.
 */
function watchScripts(leaks: Leaks): Scripts {
  const parsed = new WeakSet<Node>();
  const changed: MutationRecord[] = [];
  let running = false;
  const take = (records: MutationRecord[]): void => {
    if (running) {
      changed.push(...records);
    } else {
      leaks.take();
      records.forEach((record) => record.addedNodes.forEach((node) => parsed.add(node)));
    }
  };
  const observer = new MutationObserver(take);
  if (document.readyState === "loading") {
    observer.observe(document, { childList: true, subtree: true });
    document.addEventListener("DOMContentLoaded", () => observer.disconnect(), { once: true });
  }
  return {
    ends(script, done) {
      if (!script || !parsed.delete(script)) {
        return;
      }
      running = true;
      take(observer.takeRecords());
      queueMicrotask(() => {
        take(observer.takeRecords());
        running = false;
        done(changed.splice(0).some(isEarly));
      });
    },
  };
}

function isEarly({ target, addedNodes, removedNodes }: MutationRecord): boolean {
  return target !== document.head && [...addedNodes, ...removedNodes].some((node) => !SILENT.has(node.nodeName));
}
