import type { Canvas } from '../../plan/model/canvas.ts';
import type { Painter } from '../../plan/model/painter.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { Frames, Range } from '../../time.ts';
import { type CanvasFrame, Compositor } from '../compose/compositor.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { FramePool } from '../libav/frame-pool.ts';
import { ClipReaders } from '../picture/clip-readers.ts';
import { SharedPictures } from '../picture/shared-pictures.ts';
import { type FrameInputs, releasePicture, SourceFrames } from '../picture/source-frames.ts';
import { BoundedQueue } from './bounded-queue.ts';
import { ChunkEncoding, type ChunkJob } from './chunk-encoding.ts';

/** Options of a render besides the presets. */
interface CommonOptions {
  readonly limits: MediaLimits;
  readonly signal?: AbortSignal | undefined;
  /** Called after each encoded frame with the number of frames done, over all chunks; repeated frames count again. */
  readonly onProgress?: ((frames: number) => void) | undefined;
}

/** A preset of the video: its plan, and its files. */
interface Preset {
  readonly plan: RenderPlan;
  /** Paths by source index. */
  readonly files: ReadonlyMap<number, string>;
  readonly painter: Painter;
}

/** Options for one preset besides the chunks. */
export interface RenderOptions extends Preset, CommonOptions {}

/** The presets of one video, each with its own chunks. */
interface RenderChunksOptions extends CommonOptions {
  readonly presets: readonly (Preset & { readonly jobs: readonly ChunkJob[] })[];
}

/**
 * Renders chunks one after the other, each into its own file, and yields each when it is on disk. A chunk that exceeds
 * the bits of its level (noise does, films do not) comes last, encoded again with a cap: with a cap, x264 gives the
 * same bytes twice only in a single thread, which is too slow for every chunk. (R18, R24)
 *
 * Reading, composing and encoding run at the same time; while a chunk's encoder drains, the next one's frames are
 * already made. Chunks of several presets that cover the same frames are rendered side by side, and their media are
 * decoded once. When it fails, is aborted or is left early, no unfinished file remains.
 *
 * @throws the errors of reading media, naming the entry; the signal's reason.
 */
export async function* renderChunks(options: RenderChunksOptions): AsyncGenerator<RenderedChunk> {
  const overfull = new Set<ChunkJob>();
  yield* renderOnce(options, overfull);
  if (overfull.size === 0) return;
  const presets = options.presets.map((preset) => ({
    ...preset,
    jobs: preset.jobs.filter((job) => overfull.has(job)),
  }));
  // Progress keeps rising, so that clients see that the render is active.
  const before = options.presets
    .flatMap(({ jobs }) => jobs)
    .reduce((sum, { range }) => sum + range.end - range.start, 0);
  const onProgress = (frames: number) => options.onProgress?.(before + frames);
  yield* renderOnce({ ...options, presets, onProgress }, null);
}

/** Chunks over their level are not written but added to `overfull`; if that is null, they are capped. */
async function* renderOnce(
  options: RenderChunksOptions,
  overfull: Set<ChunkJob> | null,
): AsyncGenerator<RenderedChunk> {
  const stop = new AbortController();
  const abort = () => stop.abort(options.signal!.reason);
  options.signal?.addEventListener('abort', abort);
  if (options.signal?.aborted) abort();
  const run = new Pipeline(options, overfull, stop);
  const finished = run.start();
  try {
    for (let chunk = await run.rendered.take(); chunk !== undefined; chunk = await run.rendered.take()) yield chunk;
    await finished;
  } finally {
    // Reached early only if the consumer has stopped.
    stop.abort(new Error('nobody waits for the chunks any more'));
    await finished.catch(() => {});
    options.signal?.removeEventListener('abort', abort);
  }
}

/** One reading stage, followed by a line for each preset. */
class Pipeline {
  readonly rendered = new BoundedQueue<RenderedChunk>(Number.POSITIVE_INFINITY, () => {});
  readonly #options: RenderChunksOptions;
  readonly #stop: AbortController;
  readonly #pool = new FramePool();
  readonly #lines: readonly PresetLine[];
  #framesDone = 0;

  constructor(options: RenderChunksOptions, overfull: Set<ChunkJob> | null, stop: AbortController) {
    this.#options = options;
    this.#stop = stop;
    const onFrame = (): void => {
      this.#framesDone += 1;
      options.onProgress?.(this.#framesDone);
    };
    const hooks = {
      rendered: this.rendered,
      pool: this.#pool,
      onFrame,
      onFailure: (error: unknown) => stop.abort(error),
      onOverfull: overfull && ((job: ChunkJob) => overfull.add(job)),
    };
    this.#lines = options.presets.map((preset) => new PresetLine(preset, hooks));
  }

  /** Runs all stages to their end. The first failure stops the others, and is thrown. */
  async start(): Promise<void> {
    const { signal } = this.#stop;
    const stopQueues = () => {
      for (const line of this.#lines) line.abort(signal.reason);
      this.rendered.abort(signal.reason);
    };
    signal.addEventListener('abort', stopQueues);
    if (signal.aborted) stopQueues();
    const stages = [this.#read(), ...this.#lines.flatMap((line) => line.start())].map(async (stage) => {
      try {
        await stage;
      } catch (error) {
        this.#stop.abort(error);
      }
    });
    await Promise.all(stages);
    this.#pool[Symbol.dispose]();
    signal.removeEventListener('abort', stopQueues);
    signal.throwIfAborted();
    this.rendered.close();
  }

  /** Presets are read in step, frame by frame, so that each frame of a source is decoded once for all of them. */
  async #read(): Promise<void> {
    const { presets, limits } = this.#options;
    await using readers = new ClipReaders({ limits, signal: this.#stop.signal });
    const pool = this.#pool;
    using shared = new SharedPictures(pool);
    const common = { readers, pool, shared: presets.length > 1 ? shared : undefined };
    const sources = presets.map(({ plan, files }) => new SourceFrames({ plan, files, ...common }));
    for (const range of distinctRanges(presets)) {
      const reading = presets.flatMap(({ jobs }, preset) => {
        const job = jobs.find((candidate) => isSameRange(candidate.range, range));
        return job === undefined ? [] : [{ job, line: this.#lines[preset]!, frames: sources[preset]!.read(range) }];
      });
      for (let n = range.start; n < range.end; n = (n + 1) as Frames) {
        for (const { job, line, frames } of reading) {
          const { value } = await frames.next();
          await line.take(job, value as FrameInputs);
        }
      }
    }
    for (const line of this.#lines) line.close();
  }
}

/** Each range that any preset has a chunk for, in the order of the presets' own. */
function distinctRanges(presets: RenderChunksOptions['presets']): Range<Frames>[] {
  const ranges: Range<Frames>[] = [];
  for (const { range } of presets.flatMap(({ jobs }) => jobs)) {
    if (!ranges.some((known) => isSameRange(known, range))) ranges.push(range);
  }
  return ranges;
}

function isSameRange(one: Range<Frames>, other: Range<Frames>): boolean {
  return one.start === other.start && one.end === other.end;
}

/** A chunk that is on disk under its name. */
interface RenderedChunk {
  readonly job: ChunkJob;
  readonly frames: number;
  readonly bytes: number;
}

/** The callbacks of a line, and what it shares with the others. */
interface LineHooks {
  readonly rendered: BoundedQueue<RenderedChunk>;
  readonly pool: FramePool;
  readonly onFrame: () => void;
  readonly onFailure: (error: unknown) => void;
  /** Called for a chunk that exceeds its level, which is then not written; null: all chunks are capped. */
  readonly onOverfull: ((job: ChunkJob) => void) | null;
}

/** Frames that may wait between two stages: enough to bridge the opening of a file, and few enough to need little memory. */
const WAITING_FRAMES = { max: 6, min: 2, pixels: 6 * 1920 * 1080 } as const;

/** One frame of the canvas for an encoder. */
interface ComposedFrame extends CanvasFrame {
  readonly job: ChunkJob;
  readonly n: Frames;
}

/** The way of one preset from source frames to chunks on disk: composing and encoding, at the same time. */
class PresetLine {
  readonly #plan: RenderPlan;
  readonly #painter: Painter;
  readonly #hooks: LineHooks;
  readonly #inputs: BoundedQueue<{ job: ChunkJob; inputs: FrameInputs }>;
  readonly #composed: BoundedQueue<ComposedFrame>;

  constructor({ plan, painter }: { plan: RenderPlan; painter: Painter }, hooks: LineHooks) {
    const { pool } = hooks;
    const waiting = waitingFrames(plan.canvas);
    this.#plan = plan;
    this.#painter = painter;
    this.#hooks = hooks;
    this.#inputs = new BoundedQueue(waiting, ({ inputs }) => {
      for (const picture of inputs.changed) releasePicture(picture, pool);
    });
    this.#composed = new BoundedQueue(waiting, ({ frame }) => pool.give(frame));
  }

  /** Waits for room. The inputs' pictures belong to the line from the call on. */
  take(job: ChunkJob, inputs: FrameInputs): Promise<void> {
    return this.#inputs.put({ job, inputs });
  }

  /** No more frames will come. */
  close(): void {
    this.#inputs.close();
  }

  /** Ends all stages, now. */
  abort(reason: unknown): void {
    this.#inputs.abort(reason);
    this.#composed.abort(reason);
  }

  /** The stages, running. */
  start(): Promise<void>[] {
    return [this.#compose(), this.#encode()];
  }

  async #compose(): Promise<void> {
    using compositor = new Compositor(this.#plan, this.#painter, this.#hooks.pool);
    for (let next = await this.#inputs.take(); next !== undefined; next = await this.#inputs.take()) {
      const { job, inputs } = next;
      await this.#composed.put({ job, n: inputs.n, ...(await compositor.compose(inputs)) });
    }
    this.#composed.close();
  }

  async #encode(): Promise<void> {
    const { pool, onFrame } = this.#hooks;
    let current: ChunkEncoding | null = null;
    let committing: Promise<void> = Promise.resolve();
    try {
      for (let next = await this.#composed.take(); next !== undefined; next = await this.#composed.take()) {
        const { job, n, frame } = next;
        try {
          if (current?.job !== job) {
            await committing;
            if (current !== null) committing = (await this.#finish(current)).committed;
            current = await ChunkEncoding.start(this.#plan, job, pool, this.#hooks.onOverfull === null);
          }
          await current.encode(next, n);
        } finally {
          pool.give(frame);
        }
        onFrame();
      }
      await committing;
      if (current !== null) await (await this.#finish(current)).committed;
    } finally {
      await Promise.allSettled([committing]);
      await current?.[Symbol.asyncDispose]();
    }
  }

  /**
   * Drains a chunk's encoder and releases it, since two encoders at once would double the memory of a render; the next
   * frames are read and composed meanwhile. The returned promise covers the remaining work on disk.
   */
  async #finish(chunk: ChunkEncoding): Promise<{ committed: Promise<void> }> {
    await chunk.drain();
    const committed = (async () => {
      await using ending = chunk;
      const { onOverfull } = this.#hooks;
      if (onOverfull !== null && !chunk.withinLevel) {
        onOverfull(chunk.job);
        return;
      }
      const bytes = await ending.commit();
      const { start, end } = chunk.job.range;
      await this.#hooks.rendered.put({ job: chunk.job, frames: end - start, bytes });
    })();
    committed.catch(this.#hooks.onFailure);
    return { committed };
  }
}

/** Fewer of large frames: six of 4K would take 75 MB in each of both places. */
function waitingFrames({ width, height }: Canvas): number {
  const { max, min, pixels } = WAITING_FRAMES;
  return Math.max(min, Math.min(max, Math.floor(pixels / (width * height))));
}
