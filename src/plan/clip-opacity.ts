import type { Frames, Range } from '../time.ts';
import { passingEdges } from './presence.ts';
import type { ClipLayer } from './render-plan.ts';

type Fades = Pick<ClipLayer, 'shows' | 'fadeIn' | 'fadeOut' | 'enter' | 'exit'>;

/**
 * How much of a clip is seen at output frame `n`, from 0 to 1: linear over `fadeIn` frames from the clip's start and,
 * mirrored, over `fadeOut` frames to its end; where the two meet they multiply. (C36, R4)
 *
 * A frame stands for its middle, (k + ½) / fadeIn, so that a fade has no frame that shows nothing at all and a fade
 * out into a fade in of the same length is symmetric.
 */
export function clipOpacity(clip: Pick<Fades, 'shows' | 'fadeIn' | 'fadeOut'>, n: Frames): number {
  return ramp(n - clip.shows.start, clip.fadeIn) * ramp(clip.shows.end - 1 - n, clip.fadeOut);
}

/** The frames at which a clip starts or stops fading, coming or going, in order: between two of them the answer does not change. */
export function fadeEdges(clip: Fades): readonly Frames[] {
  const { start, end } = clip.shows;
  const edges: number[] = passingEdges(clip);
  if (clip.fadeIn > 0) edges.push(Math.min(start + clip.fadeIn, end));
  if (clip.fadeOut > 0) edges.push(Math.max(end - clip.fadeOut, start));
  return edges.sort((a, b) => a - b) as Frames[];
}

/** Whether any frame of `range` shows the clip less than whole, or not in its place. */
export function isFading({ shows, fadeIn, fadeOut, enter, exit }: Fades, range: Range<Frames>): boolean {
  const wholeFrom = shows.start + Math.max(fadeIn, enter?.frames ?? 0);
  const wholeUntil = shows.end - Math.max(fadeOut, exit?.frames ?? 0);
  return range.start < wholeFrom || range.end > wholeUntil;
}

function ramp(done: number, length: number): number {
  return done >= length ? 1 : (done + 0.5) / length;
}
