import type { Issue } from '../../errors.ts';
import type { ClipFrame, Overlay, OverlaySource, Painting } from '../../plan/overlay-painter.ts';
import type { ClipLook, PaintedKind, PaintedTypes, RenderPlan } from '../../plan/render-plan.ts';
import type { Frames, Range } from '../../time.ts';
import { RecentMap } from '../draw/recent-map.ts';
import { isSameCall, movingCalls, type PaintCall } from './moving-calls.ts';
import {
  type FromThread,
  movingBytes,
  type NextPainting,
  type SentLayer,
  type SentOverlay,
  type SentPainting,
  type ToThread,
} from './painter-messages.ts';
import { PixelGarbage } from './pixel-garbage.ts';
import { errorOf } from './thread-failure.ts';

/** Frames and what else goes with paintings, some of which only the garbage collector lets go of. */
const MOST_GARBAGE = { passingBytes: Number.POSITIVE_INFINITY, lastingBytes: 96 * 2 ** 20 };
/** Boards at rest that are known again: whoever has shown one need not look at its pixels a second time. */
const KEPT_STILLS = 4;

/** What the thread says when it is ready. */
export type Opened = Extract<FromThread, { type: 'opened' }>;

type Painted = Painting | ClipFrame | null;

/**
 * A painter's paintings as they come from its thread. What moves comes in the order of the ranges that were named, made ahead; what is
 * asked for in another order, or rests, is made when it is asked for. A moving board's pixels are good until the next is given
 * out for its window.
 */
export class ThreadPainter implements OverlaySource, Disposable {
  readonly warnings: readonly Issue[];
  readonly #number: number;
  readonly #plan: RenderPlan;
  readonly #memory: SharedArrayBuffer;
  readonly #tell: (message: ToThread) => void;
  readonly #onClosed: () => void;
  readonly #inOrder: Iterator<PaintCall, undefined>;
  #expected: PaintCall | undefined;
  readonly #come: NextPainting[] = [];
  #awaited: PromiseWithResolvers<NextPainting> | null = null;
  readonly #asked = new Map<number, PromiseWithResolvers<SentPainting>>();
  #lastQuestion = 0;
  /** Pictures of the last answer. */
  #seen: readonly number[] = [];
  /** By layer, as it was last. */
  readonly #last = new Map<
    string,
    { readonly frame: Frames; readonly painted: Painted; readonly sent: SentPainting }
  >();
  readonly #stills = new RecentMap<number, Overlay>(KEPT_STILLS);
  readonly #garbage = new PixelGarbage(MOST_GARBAGE);
  #failure: Error | null = null;

  constructor(
    order: { readonly number: number; readonly plan: RenderPlan; readonly ranges: readonly Range<Frames>[] },
    { warnings, memory }: Pick<Opened, 'warnings' | 'memory'>,
    tell: (message: ToThread) => void,
    onClosed: () => void,
  ) {
    this.#number = order.number;
    this.#plan = order.plan;
    this.warnings = warnings;
    this.#memory = memory;
    this.#tell = tell;
    this.#onClosed = onClosed;
    this.#inOrder = movingCalls(order.plan, order.ranges);
    this.#expected = this.#inOrder.next().value;
  }

  async paint<Kind extends PaintedKind>(
    kind: Kind,
    layer: PaintedTypes[Kind],
    frame: Frames,
  ): Promise<Painting | null> {
    const index = this.#plan.painted[kind].indexOf(layer);
    return (await this.#get({ kind, index, frame })) as Painting | null;
  }

  async clipFrame(look: ClipLook): Promise<ClipFrame> {
    const index = this.#plan.clips.findIndex((clip) => clip.look === look);
    return (await this.#get({ kind: 'clip_frame', index, frame: 0 as Frames })) as ClipFrame;
  }

  /** What the thread says to this painter. */
  hear(message: Extract<FromThread, { type: 'next' | 'answer' }>): void {
    if (message.type === 'next') {
      if (this.#awaited === null) this.#come.push(message.painting);
      else this.#awaited.resolve(message.painting);
      this.#awaited = null;
      return;
    }
    const { question, painting } = message;
    const asked = this.#asked.get(question);
    this.#asked.delete(question);
    if ('failure' in painting) asked?.reject(errorOf(painting.failure));
    else asked?.resolve(painting);
  }

  /** Nothing will come any more. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#awaited?.reject(error);
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }

  [Symbol.dispose](): void {
    if (this.#failure !== null) return;
    this.fail(new Error('the painter was closed'));
    this.#onClosed();
  }

  async #get(call: PaintCall): Promise<Painted> {
    if (this.#failure !== null) throw this.#failure;
    if (this.#expected === undefined || !isSameCall(this.#expected, call)) {
      const sent = await this.#ask(call);
      // Until the next question: by then it has been looked at.
      this.#seen = lentOnes(sent);
      return this.#painted(sent);
    }
    this.#expected = this.#inOrder.next().value;
    this.#awaited = this.#come.length > 0 ? null : Promise.withResolvers();
    const next = this.#awaited === null ? this.#come.shift()! : await this.#awaited.promise;
    const layer = `${call.kind} ${call.index}`;
    const before = this.#last.get(layer);
    this.#last.delete(layer);
    if (next !== 'same' && 'failure' in next) throw errorOf(next.failure);
    const last = next === 'same' ? before! : { painted: this.#painted(next), sent: next };
    const seen = [
      ...(next === 'same' || before === undefined ? [] : lentOnes(before.sent)),
      ...this.#outdated(call.frame),
    ];
    this.#last.set(layer, { ...last, frame: call.frame });
    this.#tell({ type: 'taken', painter: this.#number, seen });
    if (next !== 'same') this.#garbage.countLasting(movingBytes(next));
    this.#garbage.collect();
    return last.painted;
  }

  /** Lets go of layers that have come to rest: of a run's layers each is asked for at every frame. */
  #outdated(frame: Frames): number[] {
    const outdated = [...this.#last].filter(([, last]) => last.frame !== frame && last.frame !== frame - 1);
    for (const [layer] of outdated) this.#last.delete(layer);
    return outdated.flatMap(([, { sent }]) => lentOnes(sent));
  }

  #ask(call: PaintCall): Promise<SentPainting> {
    this.#lastQuestion += 1;
    const question = this.#lastQuestion;
    const asked = Promise.withResolvers<SentPainting>();
    this.#asked.set(question, asked);
    this.#tell({ type: 'ask', painter: this.#number, question, call, seen: this.#seen });
    this.#seen = [];
    return asked.promise;
  }

  #painted(sent: SentPainting): Painted {
    if ('layer' in sent) return sent.layer && this.#layer(sent.layer);
    return { shadow: sent.shadow && this.#overlay(sent.shadow), border: sent.border && this.#overlay(sent.border) };
  }

  #overlay({ rect, pixels, at }: SentOverlay): Overlay {
    const memory = pixels === 'shared' ? this.#memory : pixels;
    return { rect, rgba: new Uint8Array(memory, at, rect.width * rect.height * 4) };
  }

  #layer({ still, isInPlace, isKept, moving, veil, front }: SentLayer): Painting {
    return {
      still: isKept ? this.#stills.getOrMake(still.id, () => this.#overlay(still)) : this.#overlay(still),
      ...{ isInPlace, veil },
      moving: moving && this.#overlay(moving),
      front: front && this.#overlay(front),
    };
  }
}

/** Pictures of a painting that are to be given back. */
function lentOnes(sent: SentPainting): number[] {
  if (!('layer' in sent) || sent.layer === null) return [];
  const { still, moving, front } = sent.layer;
  return [still, moving, front].flatMap((part) => (part === null ? [] : [part.id]));
}
