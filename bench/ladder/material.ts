import type { Frame } from 'node-av/lib';
import { Compositor } from '../../src/engine/compose/compositor.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { FramePool } from '../../src/engine/libav/frame-pool.ts';
import { ClipReaders } from '../../src/engine/picture/clip-readers.ts';
import { SourceFrames } from '../../src/engine/picture/source-frames.ts';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import type { Frames, Range } from '../../src/time.ts';
import type { BenchRender } from '../render/timelines.ts';

/** A picture on its way to an encoder, and for how many frames it is shown. */
export interface ShownPicture {
  readonly frame: Frame;
  readonly frames: number;
}

/** Pictures as the encoder gets them, held in memory: the cost of making them is not measured. */
export interface Material {
  readonly name: string;
  readonly render: BenchRender;
  readonly pictures: readonly ShownPicture[];
}

/** Composes a range of a timeline, each still picture once. (R22) */
export async function compose(name: string, render: BenchRender, range: Range<number>): Promise<Material> {
  const { plan, files } = render;
  const byField = new Map(plan.sources.map(({ field }, index) => [field, files.get(index)!]));
  const painter = await SkiaPainter.create({ plan, files: byField });
  const pool = new FramePool();
  await using readers = new ClipReaders({ limits: DEFAULT_MEDIA_LIMITS, signal: new AbortController().signal });
  const sources = new SourceFrames({ plan, files, readers, pool });
  using compositor = new Compositor(plan, painter, pool);
  const pictures: { frame: Frame; frames: number }[] = [];
  for await (const inputs of sources.read(range as Range<Frames>)) {
    const { frame, isRepeat } = await compositor.compose(inputs);
    const last = pictures.at(-1);
    if (isRepeat && last !== undefined) {
      last.frames += 1;
      pool.give(frame);
    } else pictures.push({ frame, frames: 1 });
  }
  return { name, render, pictures };
}
