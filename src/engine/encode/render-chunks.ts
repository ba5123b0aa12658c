import type { OverlayPainter } from '../../plan/overlay-painter.ts';
import type { RenderPlan } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import { type CanvasFrame, Compositor } from '../compose/compositor.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { FramePool } from '../libav/frame-pool.ts';
import { type FrameInputs, SourceFrames } from '../picture/source-frames.ts';
import { BoundedQueue } from './bounded-queue.ts';
import { ChunkEncoding, type ChunkJob } from './chunk-encoding.ts';

/** A chunk that is on disk under its name. */
export interface RenderedChunk {
  readonly job: ChunkJob;
  readonly frames: number;
  readonly bytes: number;
}

/** What rendering needs beside the chunks. */
export interface RenderOptions {
  readonly plan: RenderPlan;
  /** Paths by source index. */
  readonly files: ReadonlyMap<number, string>;
  readonly painter: OverlayPainter;
  readonly limits: MediaLimits;
  readonly signal?: AbortSignal | undefined;
  /** Called after each encoded frame with the number of frames done, over all chunks. */
  readonly onProgress?: ((frames: number) => void) | undefined;
}

/** Frames that may wait between two stages: enough to ride out the opening of a file, few enough to be cheap to hold. */
const WAITING_FRAMES = 6;

/**
 * Renders chunks one after the other, each into its own file, and gives each out when it is on disk.
 *
 * One that takes more bits than its level allows (noise does, films do not) comes last, encoded anew with a cap: x264 with a
 * cap gives the same bytes twice only in a single thread, which is too dear to have it always. (R18, R24)
 *
 * Reading, composing and encoding run at the same time; while a chunk's encoder empties itself, the next one's frames are
 * already made. When it fails, is aborted or is left early, no unfinished file remains.
 *
 * @throws what reading media does, naming the entry; the signal's reason.
 */
export async function* renderChunks(options: RenderOptions, jobs: readonly ChunkJob[]): AsyncGenerator<RenderedChunk> {
  const overfull: ChunkJob[] = [];
  yield* renderOnce(options, jobs, overfull);
  if (overfull.length > 0) yield* renderOnce({ ...options, onProgress: undefined }, overfull, null);
}

/** Those that do not keep to their level are not written but added to `overfull`; where that is null, they are capped. */
async function* renderOnce(
  options: RenderOptions,
  jobs: readonly ChunkJob[],
  overfull: ChunkJob[] | null,
): AsyncGenerator<RenderedChunk> {
  const stop = new AbortController();
  const abort = () => stop.abort(options.signal!.reason);
  options.signal?.addEventListener('abort', abort);
  if (options.signal?.aborted) abort();
  const run = new Pipeline(options, jobs, overfull, stop);
  const finished = run.start();
  try {
    for (let chunk = await run.rendered.take(); chunk !== undefined; chunk = await run.rendered.take()) yield chunk;
    await finished;
  } finally {
    // Reached early only if the consumer lost interest.
    stop.abort(new Error('nobody waits for the chunks any more'));
    await finished.catch(() => {});
    options.signal?.removeEventListener('abort', abort);
  }
}

/** One frame of the canvas on its way to an encoder. */
interface ComposedFrame extends CanvasFrame {
  readonly job: ChunkJob;
  readonly n: Frames;
}

class Pipeline {
  readonly rendered = new BoundedQueue<RenderedChunk>(Number.POSITIVE_INFINITY, () => {});
  readonly #options: RenderOptions;
  readonly #jobs: readonly ChunkJob[];
  readonly #overfull: ChunkJob[] | null;
  readonly #stop: AbortController;
  readonly #pool = new FramePool();
  readonly #inputs = new BoundedQueue<{ job: ChunkJob; inputs: FrameInputs }>(WAITING_FRAMES, ({ inputs }) => {
    for (const { frame } of inputs.changed) this.#pool.give(frame);
  });
  readonly #composed = new BoundedQueue<ComposedFrame>(WAITING_FRAMES, ({ frame }) => this.#pool.give(frame));
  #framesDone = 0;

  constructor(options: RenderOptions, jobs: readonly ChunkJob[], overfull: ChunkJob[] | null, stop: AbortController) {
    this.#options = options;
    this.#jobs = jobs;
    this.#overfull = overfull;
    this.#stop = stop;
  }

  /** Runs all stages to their end. The first to fail stops the others; its error is what is thrown. */
  async start(): Promise<void> {
    const { signal } = this.#stop;
    const stopQueues = () => {
      for (const queue of [this.#inputs, this.#composed, this.rendered]) queue.abort(signal.reason);
    };
    signal.addEventListener('abort', stopQueues);
    if (signal.aborted) stopQueues();
    const stages = [this.#read(), this.#compose(), this.#encode()].map(async (stage) => {
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

  async #read(): Promise<void> {
    const { plan, files, limits } = this.#options;
    const { signal } = this.#stop;
    await using sources = new SourceFrames({ plan, files, limits, signal, pool: this.#pool });
    for (const job of this.#jobs) {
      for await (const inputs of sources.read(job.range)) await this.#inputs.put({ job, inputs });
    }
    this.#inputs.close();
  }

  async #compose(): Promise<void> {
    using compositor = new Compositor(this.#options.plan, this.#options.painter, this.#pool);
    for (let next = await this.#inputs.take(); next !== undefined; next = await this.#inputs.take()) {
      const { job, inputs } = next;
      await this.#composed.put({ job, n: inputs.n, ...(await compositor.compose(inputs)) });
    }
    this.#composed.close();
  }

  async #encode(): Promise<void> {
    let current: ChunkEncoding | null = null;
    let committing: Promise<void> = Promise.resolve();
    try {
      for (let next = await this.#composed.take(); next !== undefined; next = await this.#composed.take()) {
        const { job, n, frame, isRepeat } = next;
        try {
          if (current?.job !== job) {
            await committing;
            if (current !== null) committing = (await this.#finish(current)).committed;
            current = await ChunkEncoding.start(this.#options.plan, job, this.#pool, this.#overfull === null);
          }
          await current.encode(frame, n, isRepeat);
        } finally {
          this.#pool.give(frame);
        }
        this.#framesDone += 1;
        this.#options.onProgress?.(this.#framesDone);
      }
      await committing;
      if (current !== null) await (await this.#finish(current)).committed;
    } finally {
      await Promise.allSettled([committing]);
      await current?.[Symbol.asyncDispose]();
    }
  }

  /**
   * Empties a chunk's encoder and lets go of it, since two of them at once would double what a render needs; the next
   * frames are read and composed meanwhile. What remains to be done on disk is returned as a promise of its own.
   */
  async #finish(chunk: ChunkEncoding): Promise<{ committed: Promise<void> }> {
    await chunk.drain();
    const committed = (async () => {
      await using ending = chunk;
      if (this.#overfull !== null && !chunk.withinLevel) {
        this.#overfull.push(chunk.job);
        return;
      }
      const bytes = await ending.commit();
      const { start, end } = chunk.job.range;
      await this.rendered.put({ job: chunk.job, frames: end - start, bytes });
    })();
    committed.catch((error) => this.#stop.abort(error));
    return { committed };
  }
}
