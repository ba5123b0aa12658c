import type { Frame } from 'node-av/lib';
import { clipsIn, frameAt, type Operation } from '../../plan/frame/frame-at.ts';
import { type FrameRun, frameRuns } from '../../plan/frame/frame-runs.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { type Frames, type Micros, type Range, sourceElapsed } from '../../time.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import type { ClipReaders } from './clip-readers.ts';
import type { PictureFacts } from './picture-facts.ts';
import type { SharedPicture, SharedPictures } from './shared-pictures.ts';

/** A source picture for a clip. The holder of this object owns the frame. */
export interface SourcePicture {
  readonly clip: number;
  readonly frame: Frame;
  readonly facts: PictureFacts;
  /** Which field of the frame is seen, where it is interlaced. */
  readonly field: 'first' | 'second';
  /** Where other presets see the same frame. */
  readonly shared: SharedPicture | null;
}

/** Releases a picture. */
export function releasePicture({ frame, shared }: SourcePicture, pool: FramePool): void {
  pool.give(frame);
  shared?.leave();
}

/** All that output frame `n` is made of. */
export interface FrameInputs {
  readonly n: Frames;
  readonly run: FrameRun;
  readonly operations: readonly Operation[];
  /** One for each clip of the run whose picture differs from that at `n − 1`. */
  readonly changed: readonly SourcePicture[];
}

/** Options for reading besides the range. */
interface SourceFramesOptions {
  readonly plan: RenderPlan;
  /** Paths by source index. */
  readonly files: ReadonlyMap<number, string>;
  /** The caller's. */
  readonly readers: ClipReaders;
  readonly pool: FramePool;
  /** The caller's, where several presets are read in step. */
  readonly shared?: SharedPictures | undefined;
}

/**
 * The first stage of a render: for output frames in ascending order, the source frames they show. (R5)
 *
 * Ranges given one after the other share their readers, and so do several of these that are read in step.
 */
export class SourceFrames {
  readonly #plan: RenderPlan;
  readonly #files: ReadonlyMap<number, string>;
  readonly #pool: FramePool;
  readonly #readers: ClipReaders;
  readonly #shared: SharedPictures | undefined;
  /** The last picture of each clip. */
  readonly #shown = new Map<number, Shown>();

  constructor(options: SourceFramesOptions) {
    this.#plan = options.plan;
    this.#files = options.files;
    this.#pool = options.pool;
    this.#readers = options.readers;
    this.#shared = options.shared;
  }

  /** The inputs of every frame of `range`, in order. Their pictures belong to the consumer. */
  async *read(range: Range<Frames>): AsyncGenerator<FrameInputs> {
    for (const run of frameRuns(this.#plan, range)) {
      const clips = new Set(run.layers.flatMap((layer) => (layer.kind === 'clip' ? [layer.index] : [])));
      for (const clip of [...this.#shown.keys()]) if (!clips.has(clip)) this.#shown.delete(clip);
      await this.#readers.keep(new Set([...clips].map((clip) => this.#plan.clips[clip]!.path)), this);
      for (let n = run.start; n < run.end; n = (n + 1) as Frames) {
        const operations = frameAt(this.#plan, n);
        const changed = await this.#changed(operations);
        yield { n, run, operations, changed };
      }
    }
  }

  async #changed(operations: readonly Operation[]): Promise<SourcePicture[]> {
    const changed: SourcePicture[] = [];
    try {
      for (const [clip, at] of new Map([...clipsIn(operations)].map(({ clip, at }) => [clip, at]))) {
        const picture = await this.#picture(clip, at);
        if (picture !== null) changed.push(picture);
      }
      return changed;
    } catch (error) {
      for (const picture of changed) releasePicture(picture, this.#pool);
      throw error;
    }
  }

  /** The clip's picture at a source time; null if it is the same as before. */
  async #picture(clip: number, at: Micros): Promise<SourcePicture | null> {
    const layer = this.#plan.clips[clip]!;
    if (layer.kind === 'still' && this.#shown.has(clip)) return null;
    const reader = await this.#readers.reader({ clip: layer, file: this.#file(layer.source) }, this);
    const frame = await reader.frameAt(at);
    const field = reader.fieldAt(at, sourceElapsed(1 as Frames, this.#plan.rate, layer.speed));
    const now: Shown = { frame, pts: frame.pts, dts: frame.pktDts, field };
    if (isSame(this.#shown.get(clip), now)) return null;
    this.#shown.set(clip, now);
    // A still is scaled only once in a render.
    const shared = layer.kind === 'still' ? null : (this.#shared?.of(reader, `${now.pts} ${now.dts} ${field}`) ?? null);
    const picture = { clip, frame: this.#pool.share(frame), facts: reader.facts, field, shared };
    // A still has one frame, which may be huge: after it is read, the file is not needed any more.
    if (layer.kind === 'still') await this.#readers.close(layer);
    return picture;
  }

  #file(source: number): string {
    const file = this.#files.get(source);
    if (file === undefined) throw new Error(`no file was given for source ${source}`);
    return file;
  }
}

/** Identifies a reader's frame: the reader reuses the same two objects. */
interface Shown {
  readonly frame: Frame;
  readonly pts: bigint;
  readonly dts: bigint;
  readonly field: SourcePicture['field'];
}

function isSame(last: Shown | undefined, now: Shown): boolean {
  return last?.frame === now.frame && last.pts === now.pts && last.dts === now.dts && last.field === now.field;
}
