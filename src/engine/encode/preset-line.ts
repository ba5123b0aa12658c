import type { OverlayPainter } from '../../plan/overlay-painter.ts';
import type { Canvas, RenderPlan } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import { type CanvasFrame, Compositor } from '../compose/compositor.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { type FrameInputs, releasePicture } from '../picture/source-frames.ts';
import { BoundedQueue } from './bounded-queue.ts';
import { ChunkEncoding, type ChunkJob } from './chunk-encoding.ts';

/** A chunk that is on disk under its name. */
export interface RenderedChunk {
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
export class PresetLine {
  readonly #plan: RenderPlan;
  readonly #painter: OverlayPainter;
  readonly #hooks: LineHooks;
  readonly #inputs: BoundedQueue<{ job: ChunkJob; inputs: FrameInputs }>;
  readonly #composed: BoundedQueue<ComposedFrame>;

  constructor({ plan, painter }: { plan: RenderPlan; painter: OverlayPainter }, hooks: LineHooks) {
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
