/**
 * Detects changes of blocks. A widget may change its block without `setContent`: the runtime patches the present
 * content, also in a shadow root and after a promise. So the containers are observed.
 */

export interface Blocks {
  /** Observe the containers of a base event, and the shadow roots in them. */
  watch(event: string, containers: readonly Element[]): void;
  /** Record that a subscriber owns the block at a position. */
  own(event: string, position: number, subscriber: number): void;
  /** Return whether a block changed since the last `take` or `settle`. Changes reported to `late` do not count. */
  take(): boolean;
  /** Attribute the changes so far to the owners of the blocks. */
  settle(): void;
}

/** Return whether an element belongs to a block of an app, also if it is in a shadow root there. */
export function isOfApp(element: Element): boolean {
  const root = element.getRootNode();
  return element.closest("[data-order]") !== null || (root instanceof ShadowRoot && isOfApp(root.host));
}

const CHANGES = { subtree: true, childList: true, characterData: true, attributes: true };

/** `late` is called with the owner of a block that changed while no subscriber was running. */
export function makeBlocks(late: (subscriber: number) => void): Blocks {
  const events = new Map<Element, string>();
  const owners = new Map<string, number>();
  const known = new WeakSet<ShadowRoot>();

  /** Observe the shadow roots in new blocks. The shadow host is the block itself, or the host element in it. */
  const watchRoots = (records: MutationRecord[]): void => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node instanceof Element);
    for (const { shadowRoot } of added.flatMap((element) => [element, ...element.children])) {
      if (shadowRoot && !known.has(shadowRoot)) {
        known.add(shadowRoot);
        observer.observe(shadowRoot, CHANGES);
      }
    }
  };
  const ownerOf = (target: Node): number | undefined => {
    for (let node: Node | null = target; node; node = node.parentNode ?? (node as Partial<ShadowRoot>).host ?? null) {
      const event = node.parentNode instanceof Element ? events.get(node.parentNode) : undefined;
      if (event !== undefined && node instanceof Element) return owners.get(`${event} ${node.getAttribute("data-order")}`);
    }
    return undefined;
  };
  const attribute = (records: MutationRecord[]): void => {
    watchRoots(records);
    for (const owner of new Set(records.map(({ target }) => ownerOf(target)))) if (owner !== undefined) late(owner);
  };
  const observer = new MutationObserver(attribute);

  return {
    watch(event, containers) {
      for (const container of containers) {
        if (events.has(container)) continue;
        events.set(container, event);
        observer.observe(container, CHANGES);
      }
    },
    own: (event, position, subscriber) => void owners.set(`${event} ${position}`, subscriber),
    take() {
      const records = observer.takeRecords();
      watchRoots(records);
      return records.length > 0;
    },
    settle: () => attribute(observer.takeRecords()),
  };
}
