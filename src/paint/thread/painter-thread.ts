import { Worker } from 'node:worker_threads';
import { DEFAULT_IMAGE_LIMITS, type ImageLimits } from '../../image-header/image-header.ts';
import type { RenderPlan } from '../../plan/render-plan.ts';
import { besideModule } from '../../platform/beside-module.ts';
import { unlessAborted } from '../../platform/unless-aborted.ts';
import type { Frames, Range } from '../../time.ts';
import type { PaintingOrder } from '../skia/skia-overlay-painter.ts';
import type { DecodePicture } from '../skia/skia-pictures.ts';
import type { FromThread, ToThread } from './painter-messages.ts';
import { errorOf, failureOf } from './thread-failure.ts';
import { type Opened, ThreadPainter } from './thread-painter.ts';

/** What is young is little: pixels lie outside of the heap. */
const MOST_MEGABYTES = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 8 };

/** What painting ahead takes. */
interface AheadOrder extends Pick<PaintingOrder, 'plan' | 'files' | 'decode' | 'signal'> {
  readonly limits?: ImageLimits;
  /** What is going to be rendered, in this order. */
  readonly ranges: readonly Range<Frames>[];
}

interface Opening {
  readonly decode: DecodePicture | undefined;
  readonly opened: PromiseWithResolvers<ThreadPainter>;
  readonly make: (opened: Opened) => ThreadPainter;
  painter: ThreadPainter | null;
}

/**
 * A thread that paints, for any number of plans. Fonts are the process's: what one thread has loaded the others have, too. Owns the
 * thread, which keeps the process alive only while somebody has a painter of it.
 */
export class PainterThread implements AsyncDisposable {
  readonly #worker = new Worker(besideModule('./painter-worker', import.meta.url), { resourceLimits: MOST_MEGABYTES });
  readonly #painters = new Map<number, Opening>();
  #lastNumber = 0;
  #isOver = false;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (cause) => this.#end(new Error('the painter failed', { cause })));
    this.#worker.on('exit', () => this.#end(new Error('the painter ended')));
  }

  /** Whether it will paint nothing any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * A painter of a plan; its pictures are decoded by then.
   *
   * @throws what `SkiaOverlayPainter.create` does; the signal's reason.
   */
  async open({
    plan,
    files,
    limits = DEFAULT_IMAGE_LIMITS,
    decode,
    signal,
    ranges,
  }: AheadOrder): Promise<ThreadPainter> {
    signal?.throwIfAborted();
    if (this.#isOver) throw new Error('the painter is gone');
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const tell = (message: ToThread) => this.#worker.postMessage(message);
    const onClosed = () => this.#close(number);
    const opened = Promise.withResolvers<ThreadPainter>();
    const make = (said: Opened) => new ThreadPainter({ number, plan, ranges }, said, tell, onClosed);
    this.#painters.set(number, { decode, opened, make, painter: null });
    this.#worker.ref();
    tell({ type: 'open', painter: number, plan: seen(plan), files, limits, ranges, decodes: decode !== undefined });
    try {
      return await (signal === undefined ? opened.promise : unlessAborted(opened.promise, signal));
    } catch (error) {
      this.#close(number);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  #close(number: number): void {
    if (!this.#painters.delete(number)) return;
    this.#worker.postMessage({ type: 'close', painter: number } satisfies ToThread);
    if (this.#painters.size === 0) this.#worker.unref();
  }

  #end(error: Error): void {
    this.#isOver = true;
    for (const { opened, painter } of this.#painters.values()) {
      opened.reject(error);
      painter?.fail(error);
    }
    this.#painters.clear();
  }

  #hear(message: FromThread): void {
    const opening = this.#painters.get(message.painter);
    if (opening === undefined) return;
    if (message.type === 'opened') {
      opening.painter = opening.make(message);
      opening.opened.resolve(opening.painter);
    } else if (message.type === 'refused') opening.opened.reject(errorOf(message.failure));
    else if (message.type === 'decode') void this.#decode(opening.decode!, message);
    else opening.painter?.hear(message);
  }

  async #decode(decode: DecodePicture, asked: Extract<FromThread, { type: 'decode' }>): Promise<void> {
    const { painter, question, path, mostPx } = asked;
    const answer = await decode(path, mostPx).catch((error: unknown) => ({ failure: failureOf(error) }));
    this.#worker.postMessage({ type: 'decoded', painter, question, answer } satisfies ToThread);
  }
}

/** A plan without what nobody sees: it is copied on its way. */
function seen(plan: RenderPlan): RenderPlan {
  return { ...plan, audio: { ...plan.audio, clips: [] }, chunks: [], chapters: [], warnings: [], shorts: [] };
}
