import { createHash } from 'node:crypto';
import type { Frame } from 'node-av/lib';
import { type CanvasFrame, Compositor } from '../../../src/engine/compose/compositor.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { FramePool } from '../../../src/engine/libav/frame-pool.ts';
import { ClipReaders } from '../../../src/engine/picture/clip-readers.ts';
import { SourceFrames } from '../../../src/engine/picture/source-frames.ts';
import type { Frames, Range } from '../../../src/time.ts';
import type { Render } from '../encode/render-video.ts';
import { NO_OVERLAYS } from '../no-overlays.ts';

/** Composes the frames of a range, without encoding them. The frame is valid for the call only. */
export async function composeFrames(
  { plan, files, painter = NO_OVERLAYS }: Render,
  range: Range<Frames>,
  look: (frame: Frame, n: Frames, composed: CanvasFrame) => void,
): Promise<void> {
  using pool = new FramePool();
  const { signal } = new AbortController();
  await using readers = new ClipReaders({ limits: DEFAULT_MEDIA_LIMITS, signal });
  const sources = new SourceFrames({ plan, files, readers, pool });
  using compositor = new Compositor(plan, painter, pool);
  for await (const inputs of sources.read(range)) {
    const composed = await compositor.compose(inputs);
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
