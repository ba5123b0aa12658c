import type { Frames } from '../../time.ts';
import type { ClipLayer, ClipTransition } from '../layers/clip-layer.ts';
import type { Canvas } from '../render-plan.ts';

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
