import { type FrameRate, type Frames, type Micros, sourceMiddle } from '../../time.ts';
import type { ClipLayer } from './clip-layer.ts';

/**
 * The source time a clip shows at output frame `n`: in-point + elapsed × speed in the middle of that frame, and never
 * at or after the out-point: there the last frame holds, or an animation starts over. The frames before the in-point
 * show what the source has before it, if anything. (R5, C16, C58)
 */
export function clipTime(
  clip: Pick<ClipLayer, 'shows' | 'window' | 'lead' | 'speed' | 'loop'>,
  n: Frames,
  rate: FrameRate,
): Micros {
  const { start, end } = clip.window;
  const elapsed = sourceMiddle((n - clip.shows.start - clip.lead) as Frames, rate, clip.speed);
  const length = Math.max(1, end - start);
  if (clip.loop) return (start + (((elapsed % length) + length) % length)) as Micros;
  return Math.max(0, start + Math.min(elapsed, length - 1)) as Micros;
}
