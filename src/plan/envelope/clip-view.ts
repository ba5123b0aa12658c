import type { Frames } from '../../time.ts';
import type { Motion } from '../layers/clip-layer.ts';

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
