/** Brings what moves on a page to its end, so that nobody has to wait for it, and its events come. */
import type { Control } from "./controls.ts";

/**
 * Bring animations and transitions to their ends, as time would; one without an end is removed. Returns whether there
 * were any. What scrolling moves stays as it is.
 */
export function endMotion({ shown, waits, hasMotion }: Control): boolean {
  if (!hasMotion || !shown) return false;
  const moving = [shown, ...waits.roots]
    .flatMap((root) => root.getAnimations())
    .filter(({ playState, playbackRate, timeline }) => playState === "running" && playbackRate > 0 && timeline === shown.timeline);
  for (const animation of moving) {
    if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
    else animation.finish();
  }
  return moving.length > 0;
}
