import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ExportError } from '../../errors.ts';
import type { PixelSize } from '../../image-header/image-header.ts';
import { checkSvg } from '../../image-header/svg-bounds.ts';
import { besideModule } from '../../platform/beside-module.ts';
import type { SvgOrder, SvgReply } from './svg-worker.ts';

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
/** Of the longer side, for drawings that are much longer than high. */
const MAX_SIDE_PX = 4_096;

/**
 * Draws SVGs in its own thread, one after the other. A drawing can demand any amount of work: `checkSvg` bounds it
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
    const svg = textOf(bytes);
    checkSvg(svg);
    const reply = await this.#draw({ svg, fitTo: fitTo(size, sidePx), fonts: fontsFor(svg) });
    if ('failed' in reply) {
      const cause = new Error(reply.failed);
      if (reply.trapped) {
        // A program that stopped in the middle is not to be trusted with the next drawing.
        await this[Symbol.asyncDispose]();
        throw tooComplex('The drawing needs too much memory.', cause);
      }
      throw new ExportError('invalid', 'paint.image_broken', 'The drawing cannot be drawn.', { cause });
    }
    return reply;
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

function tooComplex(message: string, cause?: unknown): ExportError {
  return new ExportError('invalid', 'paint.image_too_complex', message, { cause });
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ExportError('invalid', 'paint.image_broken', 'The drawing is not UTF-8 text.', { cause });
  }
}

function fitTo({ width, height }: PixelSize, sidePx: number): SvgOrder['fitTo'] {
  const longerPx = Math.round(sidePx * (Math.max(width, height) / Math.min(width, height)));
  const value = Math.max(1, Math.min(MAX_SIDE_PX, longerPx));
  return { mode: width >= height ? 'width' : 'height', value };
}

/** Fonts are megabytes: none for a drawing without text, and only the common ones if they are enough. */
function fontsFor(svg: string): SvgOrder['fonts'] {
  if (!/<(?:[\w.-]+:)?text\b/.test(svg)) return 'none';
  return /[\u0530-\uffff]/.test(svg) || /&#(?:x|\d{4})/i.test(svg) ? 'all' : 'latin';
}
