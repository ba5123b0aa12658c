import type { Seconds } from '../../../time.ts';

/** The visible part of the timeline: the time at the left edge, and pixels per second. */
export interface TimeScale {
  readonly from: Seconds;
  readonly pxPerSecond: number;
}

/** From two hours on a narrow screen to single frames at 60 a second. */
export const MIN_PX_PER_SECOND = 0.05;
export const MAX_PX_PER_SECOND = 2400;
/** The free space after the end when everything is fitted. */
const END_SHARE = 0.03;

export function xOf(seconds: Seconds, { from, pxPerSecond }: TimeScale): number {
  return (seconds - from) * pxPerSecond;
}

export function secondsAt(x: number, { from, pxPerSecond }: TimeScale): Seconds {
  return from + x / pxPerSecond;
}

/** Zooms so that the time under the cursor stays there. */
export function zoomedAt(scale: TimeScale, x: number, factor: number): TimeScale {
  const pxPerSecond = Math.min(MAX_PX_PER_SECOND, Math.max(MIN_PX_PER_SECOND, scale.pxPerSecond * factor));
  return { pxPerSecond, from: Math.max(0, secondsAt(x, scale) - x / pxPerSecond) };
}

/** Zooms and scrolls with two fingers: the times under them stay under them. */
export function pinched(scale: TimeScale, from: readonly [Finger, Finger], to: readonly [Finger, Finger]): TimeScale {
  const [begun, now] = [from, to].map(([a, b]) => ({
    middle: (a.x + b.x) / 2,
    spread: Math.hypot(a.x - b.x, a.y - b.y),
  }));
  const zoomed = zoomedAt(scale, begun!.middle, now!.spread / Math.max(1, begun!.spread));
  return { ...zoomed, from: Math.max(0, secondsAt(begun!.middle, scale) - now!.middle / zoomed.pxPerSecond) };
}

interface Finger {
  readonly x: number;
  readonly y: number;
}

/** Fits the whole timeline. */
export function fitted(lengthSeconds: Seconds, widthPx: number): TimeScale {
  const pxPerSecond = (widthPx * (1 - END_SHARE)) / Math.max(1, lengthSeconds);
  return { from: 0, pxPerSecond: Math.min(MAX_PX_PER_SECOND, Math.max(MIN_PX_PER_SECOND, pxPerSecond)) };
}

/** Scrolls so that a time is visible, with some margin; the same object if it already is. */
export function showing(scale: TimeScale, at: Seconds, widthPx: number): TimeScale {
  const x = xOf(at, scale);
  if (x >= 0 && x <= widthPx) return scale;
  const room = widthPx * (x < 0 ? 0.25 : 0.1);
  return { ...scale, from: Math.max(0, at - room / scale.pxPerSecond) };
}

/** A mark on the ruler; long ones have a label. */
interface Tick {
  readonly at: Seconds;
  readonly label: string | null;
}

/** Seconds between two labels: the smallest step that leaves room for them. */
const STEPS: readonly number[] = [0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
const LABEL_PX = 84;
const PARTS = 5;

/** The marks of a ruler of this width. */
export function ticks(scale: TimeScale, widthPx: number): Tick[] {
  const step = STEPS.find((seconds) => seconds * scale.pxPerSecond >= LABEL_PX) ?? STEPS.at(-1)!;
  const small = step / PARTS;
  const first = Math.ceil(scale.from / small - 1e-9);
  const last = Math.floor(secondsAt(widthPx, scale) / small + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const place = first + index;
    return { at: place * small, label: place % PARTS === 0 ? timeLabel((place / PARTS) * step, step < 1) : null };
  });
}

/** 0:07, 12:30, 1:02:03; with a fraction if requested. */
export function timeLabel(seconds: Seconds, fraction = false): string {
  const tenths = Math.round(seconds * (fraction ? 100 : 1)) / (fraction ? 100 : 1);
  const hours = Math.floor(tenths / 3600);
  const minutes = Math.floor((tenths % 3600) / 60);
  const rest = (tenths % 60).toFixed(fraction ? 2 : 0).padStart(fraction ? 5 : 2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
