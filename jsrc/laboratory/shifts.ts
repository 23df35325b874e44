/** Measures how far elements of a page jump after the page was painted (Layout Instability API). */
import type { Frame } from "./frame.ts";

interface LayoutShift extends PerformanceEntry {
  sources: ReadonlyArray<{ node: Node | null; previousRect: DOMRect; currentRect: DOMRect }>;
}

/** The most milliseconds to wait for a paint. The browser may not paint a page at all, or stand still for a while. */
const LONGEST_MS = 3000;

/** Wait for two paints, then return the longest vertical jump since the page was opened (CSS pixels) and its element. */
export async function longestJump(frame: Frame): Promise<{ pixels: number; element: string }> {
  const shifts: LayoutShift[] = [];
  const observer = new frame.PerformanceObserver((list) => shifts.push(...(list.getEntries() as LayoutShift[])));
  observer.observe({ type: "layout-shift", buffered: true });
  for (let paint = 0; paint < 2; paint++) await painted(frame);
  await new Promise((done) => setTimeout(done, 0));
  observer.disconnect();
  const jumps = shifts.flatMap(({ sources }) =>
    sources.map(({ node, previousRect, currentRect }) => ({ pixels: Math.abs(currentRect.y - previousRect.y), element: nameOf(node) })),
  );
  return jumps.reduce((longest, jump) => (jump.pixels > longest.pixels ? jump : longest), { pixels: 0, element: "" });
}

function painted(frame: Frame): Promise<void> {
  return new Promise((done) => {
    const limit = setTimeout(done, LONGEST_MS);
    frame.requestAnimationFrame(() => {
      clearTimeout(limit);
      done();
    });
  });
}

function nameOf(node: Node | null): string {
  const element = (node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement) as Element | null | undefined;
  if (!element) return "an element";
  const [name] = element.classList;
  return element.localName + (name ? `.${name}` : "");
}
