import type { Frames, Range } from '../../time.ts';
import type { ClipLayer } from '../layers/clip-layer.ts';
import type { Rect } from '../rect.ts';
import type { Canvas } from '../render-plan.ts';
import { isEnteringOrExiting } from './picture-envelope.ts';

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
