import type { ClipFrame, Overlay, OverlayPainter, Painting } from '../../plan/overlay-painter.ts';
import { PAINTED, paintedLayer } from '../../plan/painted/painted-kinds.ts';
import type { ClipLook, RenderPlan } from '../../plan/render-plan.ts';
import type { Surface } from '../canvas-2d.ts';
import { createSkiaSurface } from '../skia/skia.ts';
import { SkiaOverlayPainter } from '../skia/skia-overlay-painter.ts';
import type { DecodedPixels } from '../skia/skia-pictures.ts';
import { movingCalls, type PaintCall } from './moving-calls.ts';
import {
  type FromThread,
  movingBytes,
  type NextPainting,
  type SentPainting,
  type ToThread,
} from './painter-messages.ts';
import { PixelGarbage } from './pixel-garbage.ts';
import { owned, SharedPixels } from './shared-pixels.ts';
import { errorOf, failureOf } from './thread-failure.ts';

/** How far it may be ahead: enough that whoever takes paintings seldom waits, little enough to be cheap to hold. */
const AHEAD_PAINTINGS = 24;
const AHEAD_CANVASES = 1;
/** What is shared in all: two boards at rest, what is shown now, and what is ahead of that. */
const SHARED_CANVASES = 5;

/** Passing is what is read from surfaces, lasting are surfaces and boards at rest. */
const MOST_GARBAGE = { passingBytes: 24 * 2 ** 20, lastingBytes: 32 * 2 ** 20 };

type Opening = Extract<ToThread, { type: 'open' }>;

/** The thread's side of one painter: answers what it is asked, and paints what moves before anybody asks. */
export class AheadPainter {
  readonly #number: number;
  readonly #plan: RenderPlan;
  readonly #send: (message: FromThread) => void;
  readonly #memory: SharedPixels;
  readonly #ended = new AbortController();
  readonly #decoding = new Map<number, PromiseWithResolvers<DecodedPixels>>();
  #lastQuestion = 0;
  /** Sent and not yet taken: how many bytes each had to itself. */
  readonly #ahead: number[] = [];
  #room = Promise.withResolvers<void>();
  #painter: OverlayPainter | null = null;
  /** The last board at rest. */
  #still: Overlay | null = null;
  readonly #garbage = new PixelGarbage(MOST_GARBAGE);
  readonly #aheadBytes: number;

  constructor(opening: Opening, send: (message: FromThread) => void) {
    this.#number = opening.painter;
    this.#plan = opening.plan;
    this.#send = send;
    const { width, height } = opening.plan.canvas;
    this.#aheadBytes = AHEAD_CANVASES * width * height * 4;
    this.#memory = new SharedPixels(SHARED_CANVASES * width * height * 4);
    void this.#run(opening);
  }

  /** What whoever asked for the painter says later. */
  hear(message: Exclude<ToThread, Opening>): void {
    if (message.type === 'ask') {
      this.#memory.giveBack(message.seen);
      this.#answer(message.question, message.call);
    } else if (message.type === 'taken') {
      this.#ahead.shift();
      this.#memory.giveBack(message.seen);
      this.#room.resolve();
    } else if (message.type === 'decoded') {
      const { question, answer } = message;
      if ('failure' in answer) this.#decoding.get(question)?.reject(errorOf(answer.failure));
      else this.#decoding.get(question)?.resolve(answer);
      this.#decoding.delete(question);
    } else {
      const reason = new Error('nobody wants the paintings any more');
      this.#ended.abort(reason);
      this.#room.resolve();
      for (const { reject } of this.#decoding.values()) reject(reason);
    }
  }

  async #run({ plan, files, limits, ranges, decodes }: Opening): Promise<void> {
    const { signal } = this.#ended;
    const painter = this.#number;
    try {
      const decode = decodes ? (path: string, mostPx: number) => this.#decode(path, mostPx) : undefined;
      const createSurface = (width: number, height: number) => this.#surface(width, height);
      const order = { plan, files, limits, signal, createSurface, ...(decode && { decode }) };
      const made = await SkiaOverlayPainter.create(order);
      this.#painter = made;
      this.#send({ type: 'opened', painter, memory: this.#memory.memory, warnings: made.warnings });
    } catch (error) {
      this.#send({ type: 'refused', painter, failure: failureOf(error) });
      return;
    }
    const last = new Map<string, unknown>();
    for (const call of movingCalls(plan, ranges)) {
      while (!signal.aborted && !this.#hasRoom()) {
        this.#room = Promise.withResolvers();
        await this.#room.promise;
      }
      if (signal.aborted) return;
      this.#next(call, last);
      this.#garbage.collect();
      // Questions come in between, and Skia gives back its buffers.
      await new Promise((turned) => setImmediate(turned));
    }
  }

  #hasRoom(): boolean {
    const bytes = this.#ahead.reduce((sum, each) => sum + each, 0);
    return this.#ahead.length < AHEAD_PAINTINGS && bytes < this.#aheadBytes;
  }

  #next(call: PaintCall, last: Map<string, unknown>): void {
    let painting: NextPainting;
    let bytes = 0;
    try {
      const layer = `${call.kind} ${call.index}`;
      const painted = this.#paint(call);
      if (painted !== null && painted === last.get(layer)) painting = 'same';
      else {
        painting = this.#sent(painted, call, true);
        bytes = movingBytes(painting);
      }
      last.set(layer, painted);
    } catch (error) {
      painting = { failure: failureOf(error) };
    }
    this.#ahead.push(bytes);
    this.#send({ type: 'next', painter: this.#number, painting });
  }

  #answer(question: number, call: PaintCall): void {
    let painting: Exclude<NextPainting, 'same'>;
    try {
      painting = this.#sent(this.#paint(call), call, false);
    } catch (error) {
      painting = { failure: failureOf(error) };
    }
    this.#send({ type: 'answer', painter: this.#number, question, painting });
  }

  #paint({ kind, index, frame }: PaintCall): Painting | ClipFrame | null {
    const painter = this.#painter!;
    if (kind === 'clip_frame') return painter.clipFrame(this.#plan.clips[index]!.look as ClipLook);
    return painter.paint(kind, paintedLayer(this.#plan, { kind, index }), frame);
  }

  #sent(painted: Painting | ClipFrame | null, { kind }: PaintCall, moves: boolean): SentPainting {
    const memory = this.#memory;
    if (painted === null) return { layer: null };
    // Whoever shows texts that rest, and frames of clips, keeps them as long as it likes.
    const send = (overlay: Overlay) => (moves ? memory.lend(overlay) : owned(overlay));
    if ('shadow' in painted) {
      const { shadow, border } = painted;
      return { shadow: shadow && send(shadow), border: border && send(border) };
    }
    const { still, isInPlace, moving, veil, front } = painted;
    const isVeiled = kind !== 'clip_frame' && PAINTED[kind].isVeiled;
    const isKept = isInPlace && isVeiled;
    if (isKept && still !== this.#still) this.#garbage.countLasting(still.rgba.byteLength);
    if (isKept) this.#still = still;
    const sent = isKept ? memory.lendAgain(still) : isVeiled ? memory.lend(still) : send(still);
    return {
      layer: {
        ...{ still: sent, isInPlace, isKept, veil },
        ...{ moving: moving && memory.lend(moving), front: front && memory.lend(front) },
      },
    };
  }

  #surface(width: number, height: number): Surface {
    this.#garbage.countLasting(width * height * 4);
    const surface = createSkiaSurface(width, height);
    const pixels = () => {
      const read = surface.pixels!();
      this.#garbage.countPassing(read.byteLength);
      return read;
    };
    return { ...surface, pixels };
  }

  #decode(path: string, mostPx: number): Promise<DecodedPixels> {
    this.#lastQuestion += 1;
    const question = this.#lastQuestion;
    const decoding = Promise.withResolvers<DecodedPixels>();
    this.#decoding.set(question, decoding);
    this.#send({ type: 'decode', painter: this.#number, question, path, mostPx });
    return decoding.promise;
  }
}
