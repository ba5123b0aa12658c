import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PixelSize } from '../../image-header/image-header.ts';
import { besideModule } from '../../platform/beside-module.ts';
import { orderOf, type SvgOrder, type SvgReply, svgError, tooComplex } from './svg-drawing.ts';

/** A drawing as straight RGBA, row by row. */
export interface RasterizedSvg extends PixelSize {
  readonly rgba: Uint8Array;
}

/**
 * The processor time of one drawing, and of all drawings of a plan. Not wall time, or a busy machine would draw less
 * than an idle one; and a child without progress for a minute is ended.
 */
const MAX_CPU_MS = 4_000;
const MAX_CPU_MS_TOGETHER = 12_000;

/**
 * Draws SVGs in its own thread, one after the other. A drawing can demand any amount of work: `orderOf` bounds it
 * first, and memory and time are limited. Owns the thread.
 */
export class SvgRasterizer implements AsyncDisposable {
  #worker: Worker | null = null;
  /** The time of ended threads, and of the current one up to its last drawing. */
  #endedCpuMs = 0;
  #cpuMs = 0;

  /**
   * @param size from its header.
   * @param sidePx the target length of its shorter side.
   * @throws `paint.image_too_complex`, `paint.image_broken`.
   */
  async rasterize(bytes: Uint8Array, size: PixelSize, sidePx: number): Promise<RasterizedSvg> {
    const reply = await this.#draw(orderOf(bytes, size, sidePx));
    if (!('failed' in reply)) return reply;
    // A program that stopped in the middle is not to be trusted with the next drawing.
    if (reply.trapped) await this[Symbol.asyncDispose]();
    throw svgError(reply);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#endedCpuMs += this.#cpuMs;
    this.#cpuMs = 0;
    await worker?.terminate();
  }

  async #draw(order: SvgOrder): Promise<SvgReply> {
    const maxMs = Math.min(this.#cpuMs + MAX_CPU_MS, MAX_CPU_MS_TOGETHER - this.#endedCpuMs);
    if (this.#cpuMs < maxMs) {
      this.#worker ??= new Worker(besideModule('./svg-worker', import.meta.url));
      const worker = this.#worker;
      worker.postMessage(order);
      do {
        const reply = await replyWithin(worker, maxMs - this.#cpuMs);
        this.#cpuMs = await cpuMsOf(worker);
        if (reply !== null) return reply;
      } while (this.#cpuMs < maxMs);
      await this[Symbol.asyncDispose]();
    }
    throw tooComplex('The drawing takes too long to draw.');
  }
}

/** The thread's answer, or null if it takes longer by the clock. */
async function replyWithin(worker: Worker, clockMs: number): Promise<SvgReply | null> {
  try {
    const [reply] = await once(worker, 'message', { signal: AbortSignal.timeout(Math.ceil(clockMs)) });
    return reply;
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  }
}

async function cpuMsOf(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
}
