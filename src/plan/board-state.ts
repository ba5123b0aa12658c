import type { Frames } from '../time.ts';
import type { BoardScene } from './render-plan.ts';

/** The board at one frame: who is there, and who is on the way in. */
export interface BoardState {
  /** Items in their place, by index. */
  readonly shown: ReadonlySet<number>;
  /** Items coming in, earliest first; `progress` runs from 0 at the reveal's frame to 1 where it is over. (R13) */
  readonly inFlight: readonly { readonly item: number; readonly progress: number }[];
}

/** How many of the scene's reveals have begun at `frame`, and how many of those are over. */
export interface RevealCounts {
  readonly started: number;
  readonly settled: number;
}

/** Animations are all of one length, so reveals settle in the order in which they start. */
export function revealCountsAt(scene: BoardScene, frame: Frames): RevealCounts {
  return {
    started: countUntil(scene.reveals.length, (i) => scene.reveals[i]!.at <= frame),
    settled: countUntil(scene.reveals.length, (i) => scene.reveals[i]!.end <= frame),
  };
}

/** The board at `frame`. Outside animations it depends on the counts alone, so one painting serves the whole span. */
export function boardStateAt(scene: BoardScene, frame: Frames): BoardState {
  const { started, settled } = revealCountsAt(scene, frame);
  const waiting = new Set(scene.reveals.slice(settled).map((reveal) => reveal.item));
  const shown = new Set(scene.items.keys().filter((item) => !waiting.has(item)));
  const inFlight = scene.reveals
    .slice(settled, started)
    .map(({ item, at, end }) => ({ item, progress: (frame - at) / (end - at) }));
  return { shown, inFlight };
}

/** The length of the prefix for which `holds` is true, by bisection. */
function countUntil(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
