import { type FrameRate, type Frames, type Micros, type Range, sourceMiddle } from '../../time.ts';
import type { Canvas, Rect } from '../model/canvas.ts';
import type { ClipLayer, ClipTransition, Motion } from '../model/clip-layer.ts';
import { isEnteringOrExiting } from './picture-envelope.ts';

/**
 * The source time a clip shows at output frame `n`: in-point + elapsed × speed in the middle of that frame, and never
 * at or after the out-point: there the last frame holds, or an animation starts over. The frames before the in-point
 * show what the source has before it, if anything. (R5, C16, C58)
 */
export function clipTime(
  clip: Pick<ClipLayer, 'shows' | 'trim' | 'lead' | 'speed' | 'loop'>,
  n: Frames,
  rate: FrameRate,
): Micros {
  const { start, end } = clip.trim;
  const elapsed = sourceMiddle((n - clip.shows.start - clip.lead) as Frames, rate, clip.speed);
  const length = Math.max(1, end - start);
  if (clip.loop) return (start + (((elapsed % length) + length) % length)) as Micros;
  return Math.max(0, start + Math.min(elapsed, length - 1)) as Micros;
}

/** Part of a picture, in fractions of pixels. */
export interface ClipView {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The part of the upright source that a moving clip shows at frame `n`, computed for the middle of the frame. (C59, R4)
 */
export function viewAt({ over, from, to, ease, part }: Motion, n: Frames): ClipView {
  const passed = (n - over.start + 0.5) / (over.end - over.start);
  const linear = Math.min(1, Math.max(0, passed));
  const done = ease === 'linear' ? linear : linear * linear * (3 - 2 * linear);
  const between = (a: number, b: number) => a + (b - a) * done;
  const scale = between(from.scale, to.scale);
  return {
    x: between(from.x, to.x) + part.x / scale,
    y: between(from.y, to.y) + part.y / scale,
    width: part.width / scale,
    height: part.height / scale,
  };
}

/** How two pictures of the canvas are one, in a frame of a transition. (C58) */
export type Mix =
  /** The opacity of the second, each enlarged about its middle. */
  | { readonly by: 'share'; readonly share: number; readonly fromScale: number; readonly toScale: number }
  /** One of them, under the background's colour at this opacity. */
  | { readonly by: 'color'; readonly shown: 'from' | 'to'; readonly share: number }
  /** The second is seen left of an edge, which is `soft` pixels wide and ends at `end`. */
  | { readonly by: 'edge'; readonly end: number; readonly soft: number }
  /** Both are shifted to the left by this many even pixels, the second behind the first. */
  | { readonly by: 'shift'; readonly shift: number };

type Size = Pick<Canvas, 'width' | 'height'>;

/** The width of a wipe's edge, as a share of the canvas. */
const WIPE_EDGE = 0.06;
/** How much larger a picture of a zoom is at most. */
const ZOOM = 0.6;

/** The look of each transition at this progress, from 0 to 1. */
const MIXES: Readonly<Record<ClipTransition['kind'], (done: number, canvas: Size) => Mix>> = {
  crossfade: (done) => ({ by: 'share', share: done, fromScale: 1, toScale: 1 }),
  dip: (done) =>
    done < 0.5 ? { by: 'color', shown: 'from', share: 2 * done } : { by: 'color', shown: 'to', share: 2 * (1 - done) },
  wipe: (done, { width }) => {
    const soft = width * WIPE_EDGE;
    return { by: 'edge', end: eased(done) * (width + soft), soft };
  },
  push: (done, { width }) => ({ by: 'shift', shift: 2 * Math.round((eased(done) * width) / 2) }),
  // The first picture grows ever faster while the second shrinks to its size in front of it. Both are visible in the
  // middle half.
  zoom: (done) => ({
    by: 'share',
    share: eased(Math.min(1, Math.max(0, 2 * done - 0.5))),
    fromScale: 1 + ZOOM * Math.min(1, done / 0.75) ** 2,
    toScale: 1 + ZOOM * Math.min(1, (1 - done) / 0.75) ** 2,
  }),
};

/**
 * The mix of a clip with the one it replaces at frame `n`; null if the transition is over or there is none. A frame is
 * computed for its middle.
 */
export function mixAt(clip: Pick<ClipLayer, 'shows' | 'transition'>, n: Frames, canvas: Size): Mix | null {
  if (clip.transition === null || n >= clip.shows.start + clip.transition.frames) return null;
  const { kind, frames } = clip.transition;
  return MIXES[kind]((n - clip.shows.start + 0.5) / frames, canvas);
}

/** How much of the second picture is seen at a column, from 0 to 1. */
export function shareAt({ end, soft }: { readonly end: number; readonly soft: number }, x: number): number {
  return Math.min(1, Math.max(0, (end - x) / soft));
}

/** Slow at both ends. */
function eased(done: number): number {
  return done * done * (3 - 2 * done);
}

/** The area that a clip covers, and the area that must be covered to hide it. */
type Covering = Omit<ClipLayer, 'source'>;

/** All that a clip fills, bars included. */
export function boundsOf({ matte, backdrop, dest }: Covering): Rect {
  return matte ?? backdrop?.dest ?? dest;
}

/** The rectangle of a clip that hides everything below it in all of `range`; null if there is none. */
export function coverOf(clip: Covering, range: Range<Frames>): Rect | null {
  const isOpaque = !clip.alpha && (clip.look?.radiusPx ?? 0) === 0;
  return isOpaque && !isEnteringOrExiting(clip, range) ? boundsOf(clip) : null;
}

/** Whether the background is visible among these clips: if none covers the canvas, and in bars. (C61) */
export function isGroundSeen(clips: readonly Covering[], range: Range<Frames>, canvas: Canvas): boolean {
  return clips.some(({ matte }) => matte !== null) || !clips.some((clip) => fills(coverOf(clip, range), canvas));
}

function fills(cover: Rect | null, { width, height }: Canvas): boolean {
  if (cover === null || cover.x > 0 || cover.y > 0) return false;
  return cover.x + cover.width >= width && cover.y + cover.height >= height;
}
