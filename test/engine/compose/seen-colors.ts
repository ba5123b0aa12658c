import assert from 'node:assert/strict';
import { renderStill, type Still } from '../../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { frames } from '../../../src/time.ts';
import { NO_PAINTER } from '../no-painter.ts';
import { fileSource, videoPlan } from '../video-plan.ts';
import { type PatchOptions, patchClip, type Rgb } from './patch-clip.ts';

/** The whole canvas by default. */
export const SIZE = { width: 192, height: 108 };

/** The colour in the middle of each of `count` patches side by side. */
export function patchesOf({ rgba, width, height }: Still, count: number): Rgb[] {
  return Array.from({ length: count }, (_, patch) => pixel(rgba, width, ((patch + 0.5) * width) / count, height / 2));
}

export function pixel(rgba: Uint8Array, width: number, x: number, y: number): Rgb {
  const at = (Math.floor(y) * width + Math.floor(x)) * 4;
  return [rgba[at]!, rgba[at + 1]!, rgba[at + 2]!];
}

export async function stillOf(options: PatchOptions, settings: Record<string, unknown> = {}): Promise<Still> {
  const clip = fileSource(await patchClip(options), { width: options.width ?? 192, height: options.height ?? 108 });
  const planned = videoPlan(
    { clip },
    { videos: [{ file_field: 'clip', start: 0, duration: 1 }] },
    { ...SIZE, ...settings },
  );
  return renderStill({ ...planned, painter: NO_PAINTER, limits: DEFAULT_MEDIA_LIMITS, frame: frames(0) });
}

export function assertNear(actual: readonly Rgb[], expected: readonly Rgb[], within: number): void {
  for (const [index, color] of expected.entries()) {
    const off = Math.max(...color.map((value, channel) => Math.abs(value - actual[index]![channel]!)));
    assert.ok(off <= within, `patch ${index}: ${actual[index]} instead of ${color}`);
  }
}
