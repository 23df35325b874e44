/** Observers, which call back once, later. */
import { later } from "./clock.ts";
import { define, made, window } from "./dom.ts";
import { rectangle } from "./layout.ts";
import { attempt } from "./reports.ts";

type Callback = (records: unknown[], observer: unknown) => void;
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

class Observer {
  constructor(private callback: Callback) {}

  observe(target: unknown): void {
    if (!isObject(target)) {
      throw new TypeError("parameter 1 is not of type 'Element'");
    }
    const size = rectangle();
    const record = {
      isIntersecting: true,
      intersectionRatio: 1,
      target,
      addedNodes: [],
      removedNodes: [],
      type: "childList",
      contentRect: size,
      boundingClientRect: size,
    };
    later(() => this.callback([record], this), 2);
  }
  disconnect(): void {
    this.callback = () => {};
  }
  unobserve(): void {}
  takeRecords(): [] {
    return [];
  }
}

for (const name of ["IntersectionObserver", "ResizeObserver", "PerformanceObserver"]) {
  define(window, name, Observer);
}

/** Give scripts an observer of changes, in place of the one that the emulator has. */
export function defineMutationObserver(): void {
  const Real = made.MutationObserver as typeof MutationObserver;
  define(
    window,
    "MutationObserver",
    class MutationObserver {
      private readonly inner: InstanceType<typeof Real>;

      constructor(private callback: Callback) {
        this.inner = new Real((records) => attempt(() => this.callback(records, this)));
      }
      observe(target: unknown, options?: MutationObserverInit): void {
        if (!isObject(target) || !("nodeType" in target)) {
          throw new TypeError("parameter 1 is not of type 'Node'");
        }
        this.inner.observe(target as Node, options);
        const record = { target, addedNodes: [], removedNodes: [], type: "childList" };
        later(() => attempt(() => this.callback([record], this)), 2);
      }
      disconnect(): void {
        this.callback = () => {};
        this.inner.disconnect();
      }
      takeRecords(): MutationRecord[] {
        return this.inner.takeRecords();
      }
    },
  );
}
