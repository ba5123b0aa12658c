import type { Rect } from '../rect.ts';

/** Standard deviation of the strongest blur, as a fraction of the shorter side. */
const MAX_SIGMA = 1 / 18;
/** How strong the blur of a backdrop is, from 0 to 1. (R10) */
export const BACKDROP_BLUR = 0.5;
/** A picture is blurred at up to this fraction of its size: no detail survives the blur anyway. */
const MAX_SHRINK = 8;
/** From this strength on, for each time that its size is halved; a weaker blur would let pixels be seen. */
const STRENGTH_PER_SHRINK = 1 / 20;

/** How a picture is blurred: at which size, and with which standard deviation there, in pixels. */
export interface Blur {
  readonly width: number;
  readonly height: number;
  readonly sigma: number;
}

/** @param strength from 0 to 1. */
export function blurOf({ width, height }: Pick<Rect, 'width' | 'height'>, strength: number): Blur {
  let shrink = MAX_SHRINK;
  while (shrink > 1 && strength < shrink * STRENGTH_PER_SHRINK) shrink /= 2;
  const small = (side: number) => Math.max(2, Math.round(side / shrink));
  const size = { width: small(width), height: small(height) };
  return { ...size, sigma: Math.max(0.5, Math.min(size.width, size.height) * MAX_SIGMA * strength) };
}
