import type { Frame } from 'node-av/lib';
import type { Overlay, OverlayPainter } from '../../plan/overlay-painter.ts';
import type { LayerRef, Rect, RenderPlan } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import { RGB_TO_BT709 } from '../color/rgb-bt709.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import { FrameGraph } from '../libav/frame-graph.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { rgbaFrame, rgbaShape } from '../libav/rgba-frame.ts';
import { weightedChroma } from './weighted-chroma.ts';

/** A painted picture in yuva420p and its place. The frame belongs to the `OverlayFrames` it came from. */
export interface OverlayFrame {
  readonly rect: Rect;
  readonly frame: Frame;
}

type PaintedRef = Exclude<LayerRef, { kind: 'clip' }>;
type BoardRef = Extract<LayerRef, { kind: 'board' }>;

/** Still pictures kept for the spans to come: a subtitle seen in many spans is painted once. */
const MOST_KEPT = 8;
/** Converters kept, one for each size in use. */
const MOST_CONVERTERS = 4;

/** Whether the layer may look different at every frame of its span. */
export function isMoving(ref: LayerRef): ref is BoardRef {
  return ref.kind === 'board' && ref.started > ref.settled;
}

/** Painted overlays as frames that can be blended. Owns the frames and the converters. */
export class OverlayFrames implements Disposable {
  readonly #plan: RenderPlan;
  readonly #painter: OverlayPainter;
  readonly #pool: FramePool;
  /** Least recently used first; null where there is nothing to see. */
  readonly #kept = new Map<string, OverlayFrame | null>();
  readonly #converters = new Map<string, FrameGraph>();
  /** By window, as it was last. */
  readonly #moving = new Map<number, { readonly painted: Overlay; readonly shown: OverlayFrame }>();
  #runs = 0;

  constructor(plan: RenderPlan, painter: OverlayPainter, pool: FramePool) {
    this.#plan = plan;
    this.#painter = painter;
    this.#pool = pool;
  }

  /** A layer that does not change within its span; null where nothing of it is on the canvas. Valid for the span. */
  async still(ref: PaintedRef, n: Frames): Promise<OverlayFrame | null> {
    const key = ref.kind === 'board' ? `board ${ref.window} ${ref.settled}` : `subtitle ${ref.subtitle}`;
    let kept = this.#kept.get(key);
    if (kept === undefined) kept = await this.#paint(ref, n);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  /**
   * A board as it is at frame `n`; the very frame given out before where nothing moved in between, as while a card is
   * held up. Valid until the next call for that window.
   */
  async moving({ window }: BoardRef, n: Frames): Promise<OverlayFrame | null> {
    const painted = this.#painter.board(this.#plan.windows[window]!, n);
    const before = this.#moving.get(window);
    if (painted !== null && before?.painted === painted) return before.shown;
    const shown = painted && (await this.#convert(evenOverlay(painted)));
    this.#forget(window);
    if (painted !== null && shown !== null) this.#moving.set(window, { painted, shown });
    return shown;
  }

  /** Gives back what moved, and the still pictures used longest ago. To be called between spans. */
  trim(): void {
    for (const window of [...this.#moving.keys()]) this.#forget(window);
    for (const [key, kept] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT) return;
      this.#kept.delete(key);
      if (kept !== null) this.#pool.give(kept.frame);
    }
  }

  [Symbol.dispose](): void {
    for (const window of [...this.#moving.keys()]) this.#forget(window);
    for (const kept of this.#kept.values()) if (kept !== null) this.#pool.give(kept.frame);
    this.#kept.clear();
    for (const converter of this.#converters.values()) converter[Symbol.dispose]();
    this.#converters.clear();
  }

  #forget(window: number): void {
    const moving = this.#moving.get(window);
    if (moving !== undefined) this.#pool.give(moving.shown.frame);
    this.#moving.delete(window);
  }

  async #paint(ref: PaintedRef, n: Frames): Promise<OverlayFrame | null> {
    const painted =
      ref.kind === 'board'
        ? this.#painter.board(this.#plan.windows[ref.window]!, n)
        : this.#painter.subtitle(this.#plan.subtitles[ref.subtitle]!);
    return painted === null ? null : this.#convert(evenOverlay(painted));
  }

  async #convert({ rect, rgba }: Overlay): Promise<OverlayFrame> {
    const { width, height } = rect;
    using source = rgbaFrame(rgba, width, height);
    const converter = await this.#converter(width, height);
    converter.feed(0, source, this.#runs++);
    const frame = this.#pool.take();
    await converter.pull(frame);
    tagBt709(frame);
    return { rect, frame };
  }

  async #converter(width: number, height: number): Promise<FrameGraph> {
    const key = `${width}x${height}`;
    let converter = this.#converters.get(key);
    if (converter === undefined) {
      const filters = `[0]${RGB_TO_BT709},format=yuva444p,${weightedChroma({ width, height }, false, 'overlay')}[out]`;
      converter = await FrameGraph.open([rgbaShape(width, height)], filters);
    }
    this.#converters.delete(key);
    this.#converters.set(key, converter);
    if (this.#converters.size > MOST_CONVERTERS) {
      const [oldest, unused] = this.#converters.entries().next().value!;
      this.#converters.delete(oldest);
      unused[Symbol.dispose]();
    }
    return converter;
  }
}

/**
 * The overlay on even edges, with transparent pixels added where needed: blended in 4:2:0, a picture at an odd place
 * would be moved by a pixel.
 */
function evenOverlay(overlay: Overlay): Overlay {
  const { rect, rgba } = overlay;
  const left = rect.x % 2 === 0 ? 0 : 1;
  const top = rect.y % 2 === 0 ? 0 : 1;
  const width = left + rect.width + ((left + rect.width) % 2);
  const height = top + rect.height + ((top + rect.height) % 2);
  if (width === rect.width && height === rect.height) return overlay;
  const padded = new Uint8Array(width * height * 4);
  const rowBytes = rect.width * 4;
  for (let row = 0; row < rect.height; row += 1) {
    const from = row * rowBytes;
    padded.set(rgba.subarray(from, from + rowBytes), ((top + row) * width + left) * 4);
  }
  return { rect: { x: rect.x - left, y: rect.y - top, width, height }, rgba: padded };
}
