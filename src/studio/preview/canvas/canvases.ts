import { messageOf } from '../../../errors.ts';
import type { CanvasPainter } from '../../../paint/draw/layer/canvas-painter.ts';
import { clipsIn, frameAt, type Operation } from '../../../plan/frame/frame-at.ts';
import { spanAt } from '../../../plan/frame/frame-runs.ts';
import type { RenderPlan } from '../../../plan/model/render-plan.ts';
import type { Frames } from '../../../time.ts';
import { type PackedPlan, PlanChannel, type SentPlan, unpacked } from '../../session/packed-plan.ts';
import * as texts from '../../texts/en/preview.ts';
import type { Drawable } from './browser-surface.ts';
import { FrameComposer, frameContent } from './compose-frame.ts';
import type { PresetPainters } from './preset-painters.ts';
import type { SourceShelf } from './source-shelf.ts';

/** After this wait for frames, what is there is drawn. */
const PATIENCE_MS = 60;
/** How far ahead, in seconds, clips are opened while playing. */
const AHEAD_SECONDS = 1.5;

interface Place {
  readonly canvas: OffscreenCanvas;
  readonly context: OffscreenCanvasRenderingContext2D;
  scale: number;
  /** The content of the canvas, if known: an equal frame is not drawn again. */
  drawn: { readonly painter: CanvasPainter; readonly look: string } | null;
}

interface CanvasesParts {
  readonly painters: PresetPainters;
  readonly sources: SourceShelf;
  readonly onShown: (shown: Shown) => void;
  /** An order is finished: its frames are drawn, failed, or replaced by those of a later order. */
  readonly onDone: (number: number) => void;
  readonly onFailed: (message: string) => void;
}

/** What draws the frames of a preset. */
interface Composing {
  readonly painter: CanvasPainter;
  readonly composer: FrameComposer;
}

/** Draws frames of plans on canvases. It works on one order; of those that arrive meanwhile only the latest counts. */
export class Canvases {
  readonly #parts: CanvasesParts;
  readonly #places = new Map<string, Place>();
  readonly #channel = new PlanChannel();
  #plans: ReadonlyMap<string, PackedPlan> = new Map();
  readonly #composers = new Map<string, Composing>();
  #wanted: ShowOrder | null = null;
  #busy = false;
  /** The last requested frame, and the preset of each place. */
  #frame = 0;
  readonly #presetsByPlace = new Map<string, string>();

  constructor(parts: CanvasesParts) {
    this.#parts = parts;
  }

  attach(place: string, canvas: OffscreenCanvas): void {
    this.#places.set(place, { canvas, context: canvas.getContext('2d', { alpha: false })!, scale: 1, drawn: null });
  }

  detach(place: string): void {
    this.#places.delete(place);
    this.#presetsByPlace.delete(place);
  }

  scale(place: string, scale: number): void {
    const found = this.#places.get(place);
    if (found !== undefined) found.scale = scale;
  }

  /** @param presets all presets; those without a new plan keep theirs. */
  setPlans(sent: ReadonlyMap<string, SentPlan>, presets: readonly string[]): void {
    const plans = new Map([...sent].map(([preset, plan]) => [preset, this.#channel.received(preset, plan)]));
    this.#plans = new Map(
      presets.flatMap((preset) => {
        const plan = plans.get(preset) ?? this.#plans.get(preset);
        return plan === undefined ? [] : [[preset, plan] as const];
      }),
    );
    for (const preset of this.#composers.keys()) if (!this.#plans.has(preset)) this.#composers.delete(preset);
  }

  /** Draws the current frame again, because a missing file or font has arrived. */
  again(): void {
    const places = [...this.#presetsByPlace].map(([place, preset]) => ({ place, preset }));
    if (this.#wanted === null && places.length > 0) this.show({ frame: this.#frame, playing: false, places });
  }

  show(order: ShowOrder): void {
    this.#wanted = order;
    this.#frame = order.frame;
    for (const { place, preset } of order.places) this.#presetsByPlace.set(place, preset);
    if (!this.#busy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#busy = true;
    try {
      while (this.#wanted !== null) {
        const order = this.#wanted;
        this.#wanted = null;
        try {
          for (const { place, preset } of order.places) {
            // A place is drawn without a pause, so later orders may wait in the queue of messages.
            await messagesHandled();
            if (this.#wanted !== null) break;
            await this.#showAt(place, preset, order);
          }
        } finally {
          if (order.number !== undefined) this.#parts.onDone(order.number);
        }
      }
    } catch (error) {
      this.#parts.onFailed(messageOf(error));
    } finally {
      this.#busy = false;
    }
    if (this.#wanted !== null) void this.#work();
  }

  async #showAt(placeName: string, preset: string, { frame, playing }: ShowOrder): Promise<void> {
    const place = this.#places.get(placeName);
    const planned = this.#plans.get(preset);
    if (place === undefined || planned === undefined) return;
    const plan = unpacked(planned);
    const n = Math.min(Math.max(0, frame), plan.totalFrames - 1) as Frames;
    const composing = await this.#composer(preset, plan);
    const operations = frameAt(plan, n);
    const clips = new Map([...clipsIn(operations)].map(({ clip, at }) => [clip, at]));
    const pictures = new Map<number, Drawable>();
    const { sources, painters } = this.#parts;
    const layers = spanAt(plan.spans, n)?.layers ?? [];
    sources.nextFrame();
    const arriving = Promise.all(
      [...clips].map(async ([clip, at]) => {
        const picture = await sources.picture(plan, plan.clips[clip]!, at).catch(() => null);
        if (picture !== null) pictures.set(clip, picture);
      }),
    );
    const report = (settled: boolean): void => {
      const reasons = [...clips.keys()].flatMap((clip) => sources.closeness(plan, plan.clips[clip]!) ?? []);
      const fonts = painters.fontsAt(preset, plan, layers);
      if (fonts !== 'there') reasons.push(texts.fontLoads);
      if (layers.some(({ kind }) => kind === 'board') && painters.lackedPicture(plan) !== null)
        reasons.push(texts.pictureNotShown);
      const isSettled = settled && fonts !== 'coming';
      this.#parts.onShown({ place: placeName, preset, frame: n, settled: isSettled, close: [...new Set(reasons)] });
    };
    if (!(await within(arriving, PATIENCE_MS)) && !playing) {
      const there = new Map(pictures);
      for (const clip of clips.keys()) {
        const last = there.has(clip) ? null : sources.lastOf(plan, plan.clips[clip]!);
        if (last !== null) there.set(clip, last);
      }
      this.#draw(place, composing, operations, there);
      report(false);
    }
    await arriving;
    this.#draw(place, composing, operations, pictures);
    report(true);
    if (playing) this.#warm(plan, n);
  }

  #draw(
    place: Place,
    { painter, composer }: Composing,
    operations: readonly Operation[],
    pictures: ReadonlyMap<number, Drawable>,
  ): void {
    const { canvas, context, scale } = place;
    const { width, height } = composer.plan.canvas;
    const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
      place.drawn = null;
    }
    const look = frameContent(composer.plan, operations);
    if (look !== null && place.drawn?.look === look && place.drawn.painter === painter) return;
    place.drawn = look === null ? null : { painter, look };
    context.setTransform(w / width, 0, 0, h / height, 0, 0);
    composer.draw(context, operations, pictures);
  }

  async #composer(preset: string, plan: RenderPlan): Promise<Composing> {
    const painter = await this.#parts.painters.painter(preset, plan);
    const kept = this.#composers.get(preset);
    if (kept?.painter === painter) {
      kept.composer.plan = plan;
      return kept;
    }
    // Few boards use glass, so its blur loads on demand.
    const blur = plan.theme.glass ? (await import('./glass.ts')).blurUnderGlass : null;
    const composing = { painter, composer: new FrameComposer(plan, painter, blur) };
    this.#composers.set(preset, composing);
    return composing;
  }

  #warm(plan: RenderPlan, n: Frames): void {
    const ahead = Math.min(
      plan.totalFrames - 1,
      Math.round(n + (AHEAD_SECONDS * plan.rate.num) / plan.rate.den),
    ) as Frames;
    for (const { clip } of clipsIn(frameAt(plan, ahead))) this.#parts.sources.warm(plan, plan.clips[clip]!);
  }
}

const turns: (() => void)[] = [];
const { port1: turned, port2: turn } = new MessageChannel();
turned.onmessage = () => turns.shift()!();

/** Resolves after the messages that have arrived are handled. */
function messagesHandled(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  turns.push(resolve);
  turn.postMessage(null);
  return promise;
}

/** Whether a promise resolves in time. */
function within(something: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void something.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** From the page to the canvases. */
export type ToCanvases =
  | { readonly kind: 'attach'; readonly place: string; readonly canvas: OffscreenCanvas }
  | { readonly kind: 'detach'; readonly place: string }
  /** Canvas pixels per pixel of the plan. */
  | { readonly kind: 'scale'; readonly place: string; readonly scale: number }
  /** New plans. Listed presets without a new plan keep theirs. */
  | {
      readonly kind: 'plans';
      readonly plans: ReadonlyMap<string, SentPlan>;
      readonly presets: readonly string[];
    }
  | { readonly kind: 'show'; readonly order: ShowOrder }
  | { readonly kind: 'file'; readonly hash: string; readonly file: Blob | null }
  /** A file that was missing has arrived. */
  | { readonly kind: 'came'; readonly hash: string }
  /** A reply to `ask_drawing` and `ask_frame`. */
  | { readonly kind: 'picture'; readonly ask: number; readonly bitmap: ImageBitmap | null };

/** What to show and where: presets by place, the most important first. */
export interface ShowOrder {
  /** Increases; absent in orders of the worker itself. */
  readonly number?: number;
  readonly frame: number;
  readonly playing: boolean;
  readonly places: readonly { readonly place: string; readonly preset: string }[];
}

/** From the canvases to the page. */
export type FromCanvases =
  | { readonly kind: 'ask_file'; readonly hash: string }
  | { readonly kind: 'ask_drawing'; readonly ask: number; readonly hash: string; readonly maxPx: number }
  /** Requests a frame of a video element in the page. `source` names a clip's element, which lives until `end_source`. */
  | {
      readonly kind: 'ask_frame';
      readonly ask: number;
      readonly source: string;
      readonly hash: string;
      readonly micros: number;
    }
  | { readonly kind: 'end_source'; readonly source: string }
  | { readonly kind: 'shown'; readonly shown: Shown }
  /** The order with that number and all before it are finished. */
  | { readonly kind: 'done'; readonly number: number }
  /** A frame cannot be drawn; with a hash: a file cannot be shown. */
  | { readonly kind: 'failed'; readonly message: string; readonly hash?: string };

/** A frame is on a canvas. */
export interface Shown {
  readonly place: string;
  readonly preset: string;
  readonly frame: number;
  /** False while the frames of some clips are loading. */
  readonly settled: boolean;
  /** Why it may differ from the export, without duplicates. */
  readonly close: readonly string[];
}
