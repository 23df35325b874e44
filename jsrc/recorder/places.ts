/** Watches what becomes of the containers of slots after the page has loaded, and which request came before. */
import { cleanName } from "./redaction.ts";

declare const AWNING_SLOTS: readonly string[];

/** What became of a container. `request` is "" when no request ended shortly before. */
export interface PlaceChange {
  place: string;
  what: "replaced" | "emptied" | "moved" | "removed" | "added";
  request: string;
  /** Milliseconds from the end of the request to the change. */
  after: number;
  /** How long ago the change was, in milliseconds. */
  ago: number;
}

const NEAR_MS = 2000;
const REPORTED_AFTER_MS = 200;
const MOST_KNOWN = 50;
const REQUESTS = ["fetch", "xmlhttprequest"];

/** Returns the kind and the path of a request, without what is no word of a program. */
function named(entry: PerformanceResourceTiming): string {
  const { origin, pathname } = new URL(entry.name);
  const parts = pathname.split("/").slice(1, 8);
  const path = origin == location.origin ? parts.map((part) => `/${cleanName(part, "*")}`).join("") : "to another host";
  return `${entry.initiatorType} ${path}`;
}

export function watchPlaces(report: (change: PlaceChange) => void): void {
  const requests: PerformanceResourceTiming[] = [];
  new PerformanceObserver((list) => {
    const entries = list.getEntries() as PerformanceResourceTiming[];
    requests.push(...entries.filter((entry) => REQUESTS.includes(entry.initiatorType)));
    requests.splice(0, requests.length - MOST_KNOWN);
  }).observe({ type: "resource", buffered: true });

  const container = (slot: string) => document.querySelector(`.placeholder-${slot}`);
  const seen = new Map(AWNING_SLOTS.map((slot) => [slot, { element: container(slot), parent: container(slot)?.parentNode }]));
  const change = (slot: string, records: MutationRecord[]): PlaceChange["what"] | null => {
    const before = seen.get(slot);
    const element = container(slot);
    const parent = element?.parentNode;
    seen.set(slot, { element, parent });
    if (!before || before.element != element) return !element ? "removed" : before?.element ? "replaced" : "added";
    if (before.parent != parent) return "moved";
    const isEmptied = records.some(({ target, removedNodes }) => target == element && removedNodes.length > 0);
    return isEmptied ? "emptied" : null;
  };
  new MutationObserver((records) => {
    const now = performance.now();
    for (const slot of AWNING_SLOTS) {
      const what = change(slot, records);
      if (!what) continue;
      setTimeout(() => {
        // The browser lists a request shortly after its response was read.
        const [last] = requests
          .filter(({ responseEnd }) => responseEnd <= now && responseEnd > now - NEAR_MS)
          .sort((one, other) => other.responseEnd - one.responseEnd);
        const after = last ? Math.round(now - last.responseEnd) : 0;
        const ago = Math.round(performance.now() - now);
        report({ place: slot, what, request: last ? named(last) : "", after, ago });
      }, REPORTED_AFTER_MS);
    }
  }).observe(document, { childList: true, subtree: true });
}
