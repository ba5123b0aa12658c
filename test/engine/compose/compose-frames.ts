import { createHash } from 'node:crypto';
import type { Frame } from 'node-av/lib';
import { type CanvasFrame, Compositor } from '../../../src/engine/compose/compositor.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { FramePool } from '../../../src/engine/libav/frame-pool.ts';
import { ClipReaders } from '../../../src/engine/picture/clip-readers.ts';
import { SourceFrames } from '../../../src/engine/picture/source-frames.ts';
import type { Operation } from '../../../src/plan/frame/frame-at.ts';
import type { Frames, Range } from '../../../src/time.ts';
import type { Render } from '../encode/render-video.ts';
import { NO_PAINTER } from '../no-painter.ts';

/**
 * Composes the frames of a range, without encoding them. The frame is valid for the call only.
 *
 * @param change changes the operations of each frame.
 */
export async function composeFrames(
  { plan, files, painter = NO_PAINTER }: Render,
  range: Range<Frames>,
  look: (frame: Frame, n: Frames, composed: CanvasFrame) => void,
  change: (operations: readonly Operation[]) => readonly Operation[] = (operations) => operations,
): Promise<void> {
  using pool = new FramePool();
  const { signal } = new AbortController();
  await using readers = new ClipReaders({ limits: DEFAULT_MEDIA_LIMITS, signal });
  const sources = new SourceFrames({ plan, files, readers, pool });
  using compositor = new Compositor(plan, painter, pool);
  for await (const inputs of sources.read(range)) {
    const composed = await compositor.compose({ ...inputs, operations: change(inputs.operations) });
    const { frame } = composed;
    look(frame, inputs.n, composed);
    pool.give(frame);
  }
}

/** A hash of every pixel of every frame of the range. */
export async function frameHashes(render: Render, range: Range<Frames>): Promise<string[]> {
  const hashes: string[] = [];
  await composeFrames(render, range, (frame) => {
    hashes.push(createHash('sha256').update(frame.toBuffer()).digest('hex').slice(0, 16));
  });
  return hashes;
}

/** The colour of a pixel of a frame in yuv420p, BT.709 limited. */
export function colorAt({ data, linesize }: Frame, x: number, y: number): readonly [number, number, number] {
  const luma = (data![0]![y * linesize[0]! + x]! - 16) * (255 / 219);
  const [u, v] = [1, 2].map(
    (plane) => (data![plane]![(y >> 1) * linesize[plane]! + (x >> 1)]! - 128) * (255 / 224),
  ) as [number, number];
  return [luma + 1.5748 * v, luma - 0.1873 * u - 0.4681 * v, luma + 1.8556 * u];
}
