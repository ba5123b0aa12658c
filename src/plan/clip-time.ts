import { type FrameRate, type Frames, type Micros, sourceMiddle } from '../time.ts';
import type { ClipLayer } from './render-plan.ts';

/**
 * The source time a clip shows at output frame `n`: in-point + elapsed × speed in the middle of that frame, and nothing at
 * or after the out-point: there the last frame holds, or an animation starts over. (R5, C16)
 */
export function clipTime(
  clip: Pick<ClipLayer, 'shows' | 'window' | 'speed' | 'loop'>,
  n: Frames,
  rate: FrameRate,
): Micros {
  const { start, end } = clip.window;
  const elapsed = sourceMiddle((n - clip.shows.start) as Frames, rate, clip.speed);
  const length = Math.max(1, end - start);
  return (start + (clip.loop ? elapsed % length : Math.min(elapsed, length - 1))) as Micros;
}
