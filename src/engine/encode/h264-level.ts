import type { Canvas } from '../../plan/render-plan.ts';
import type { FrameRate } from '../../time.ts';

/** Rec. ITU-T H.264, table A-1: macroblocks a second and a frame. 4.0 is left out: what plays it plays 4.1. */
const LEVELS: readonly (readonly [level: string, perSecond: number, perFrame: number])[] = [
  ['3.0', 40_500, 1_620],
  ['3.1', 108_000, 3_600],
  ['3.2', 216_000, 5_120],
  ['4.1', 245_760, 8_192],
  ['4.2', 522_240, 8_704],
  ['5.0', 589_824, 22_080],
  ['5.1', 983_040, 36_864],
];
const HIGHEST = '5.2';

/**
 * The lowest level that allows this size and rate: phones refuse what claims more than they can do, whether or not it is
 * needed. x264 keeps its reference frames within it.
 */
export function h264Level({ width, height }: Pick<Canvas, 'width' | 'height'>, { num, den }: FrameRate): string {
  const perFrame = Math.ceil(width / 16) * Math.ceil(height / 16);
  const perSecond = (perFrame * num) / den;
  return LEVELS.find(([, second, frame]) => perSecond <= second && perFrame <= frame)?.[0] ?? HIGHEST;
}
