import * as texts from '../texts/en/preview.ts';

/** The state of the frame on a canvas. */
interface ShownFrame {
  /** False while the frames of some clips are loading. */
  readonly settled: boolean;
  readonly close: readonly string[];
}

/** A picture this many frames behind the clock is visibly late. */
const LATE_FRAMES = 3;

export function isLate(shownFrame: number, playhead: number): boolean {
  return Math.abs(playhead - shownFrame) > LATE_FRAMES;
}

/** Why the canvas differs from the export; empty if it shows the same frame. */
export function closeReasons({ settled, close }: ShownFrame, isBehind: boolean): readonly string[] {
  const behind = isBehind ? [texts.machineBusy] : [];
  if (settled || close.length > 0 || isBehind) return [...behind, ...close];
  return [texts.frameLoads];
}
