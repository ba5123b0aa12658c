import type { FrameRate, Frames } from '../../time.ts';
import type { Gradient, Rect } from '../model/canvas.ts';

/** A moving gradient repeats after this many seconds. */
const PERIOD_SECONDS = 48;
/**
 * How often it moves in a second. The movement is so slow that it shows no steps, and the frames between two of them
 * repeat, which costs the encoder almost nothing. (R22)
 */
const MOVES_PER_SECOND = 10;
const MOVES = PERIOD_SECONDS * MOVES_PER_SECOND;

/** How far a gradient has moved at a frame, as a whole number; the picture is the same where it is the same. (R4, C61) */
export function gradientMove({ moving }: Gradient, n: Frames, { num, den }: FrameRate): number {
  return moving ? Math.floor((n * den * MOVES_PER_SECOND) / num) % MOVES : 0;
}

/** A colour of a gradient: channels from 0 to 255, not rounded. */
export type GradientColor = readonly [r: number, g: number, b: number];

/**
 * The colour at each place along the gradient, from 0 to 1. One that moves goes from the first colour to the last and back, without an edge
 * where it turns around.
 */
export function gradientColors({ colors, moving }: Gradient, move: number): (place: number) => GradientColor {
  const stops = colors.map(channels);
  const last = stops.length - 1;
  return (place) => {
    const along = moving ? (1 - Math.cos(Math.PI * (place + (2 * move) / MOVES))) / 2 : place;
    const before = Math.min(Math.floor(along * last), last - 1);
    const share = along * last - before;
    const [from, to] = [stops[before]!, stops[before + 1]!];
    const mixed = (channel: 0 | 1 | 2) => from[channel] + (to[channel] - from[channel]) * share;
    return [mixed(0), mixed(1), mixed(2)];
  };
}

function channels(color: string): GradientColor {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Standard deviation of the strongest blur, as a fraction of the shorter side. */
const MAX_SIGMA = 1 / 18;
/** How strong the blur of a backdrop is, from 0 to 1. (R10) */
export const BACKDROP_BLUR = 0.5;
/** A picture is blurred at up to this fraction of its size: no detail survives the blur anyway. */
const MAX_SHRINK = 8;
/** Minimum strength of a blur for each halving of its size; below it pixels show. */
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
