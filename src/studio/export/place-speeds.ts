import type { PackedPlan } from '../session/packed-plan.ts';
import { remembered } from '../session/remembered.ts';
import type { Place } from './export-place.ts';

type Speeds = Readonly<Partial<Record<Place, number>>>;

const UNKNOWN: Speeds = {};
/** Shorter exports say little: a start takes a part of them. */
const MIN_MS = 1000;

/** Pixels of video a second, as the last export in each place took. Stored in this browser. */
const speeds = remembered<Speeds>('tiercut-export-speeds', UNKNOWN, (kept) =>
  typeof kept === 'object' && kept !== null && Object.values(kept).every((speed) => typeof speed === 'number')
    ? (kept as Speeds)
    : null,
);

/** The pixels of all frames of some videos. */
export function pixelsOf(plans: Iterable<Pick<PackedPlan, 'canvas' | 'totalFrames'>>): number {
  return [...plans].reduce((sum, { canvas, totalFrames }) => sum + canvas.width * canvas.height * totalFrames, 0);
}

/** An export has rendered so many pixels in this time. */
export function noteSpeed(place: Place, pixels: number, ms: number): void {
  if (ms >= MIN_MS && pixels > 0) speeds.value = { ...speeds.value, [place]: (1000 * pixels) / ms };
}

/** How long so many pixels take; null if nothing was rendered there yet. */
export function usualSeconds(place: Place, pixels: number): number | null {
  const speed = speeds.value[place];
  return speed === undefined ? null : pixels / speed;
}
