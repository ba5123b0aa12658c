import { AV_PIX_FMT_YUVA420P } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { ClipLook } from '../../plan/layers/clip-layer.ts';
import type { LayerRef, PaintedRef } from '../../plan/layers/span.ts';
import type { Overlay, OverlayPainter, Painting, Shift, Veil } from '../../plan/overlay-painter.ts';
import { PAINTED, paintedLayer } from '../../plan/painted/painted-kinds.ts';
import type { Rect } from '../../plan/rect.ts';
import type { RenderPlan } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import { evenOverlay, writePainted } from './painted-planes.ts';

/** A painted picture in yuva420p and its place, on even edges. The frame belongs to the `OverlayFrames` it came from. */
export interface OverlayFrame {
  readonly rect: Rect;
  readonly frame: Frame;
}

/** A layer that no veil dims, both ways: as a frame and, on even edges, as it was painted. */
interface UnveiledFrame extends OverlayFrame {
  readonly painted: Overlay;
}

/**
 * A still layer that a veil may dim, and the painting it was made from, while another layer still uses that: it is
 * large.
 */
interface VeiledFrame extends OverlayFrame {
  readonly source: WeakRef<Overlay>;
}

/**
 * A painted layer as it is shown: the picture to blend, then the dimming of everything below, then the picture in front
 * of that.
 */
export interface ShownLayer extends OverlayFrame {
  /** On even edges, as it was painted: of a layer that no veil dims. */
  readonly painted: Overlay | null;
  /** Replaces its part of the layer, on even edges; null if nothing does, or if the frame contains it already. */
  readonly patch: Overlay | null;
  readonly veil: Veil | null;
  readonly front: Overlay | null;
  readonly shake: Shift | null;
}

/** The decoration around a clip: below it, and over it. */
interface FramedClip {
  readonly shadow: OverlayFrame | null;
  readonly border: OverlayFrame | null;
}

/** Still pictures kept for the spans to come: a subtitle seen in many spans is painted once. */
const MAX_KEPT = 8;
/** … as long as they have no more pixels than as many full pictures of 1080p: boards at 4K are large. */
const MAX_KEPT_PIXELS = MAX_KEPT * 1920 * 1080;

/** Whether the layer may look different at every frame of its span. */
export function isChanging(ref: LayerRef): boolean {
  return ref.kind !== 'clip' && ref.changes;
}

/** Painted overlays as frames that can be blended. Owns the frames. */
export class OverlayFrames implements Disposable {
  readonly #plan: RenderPlan;
  readonly #painter: OverlayPainter;
  readonly #pool: FramePool;
  /** Resting layers, least recently used first; null if the layer is invisible. */
  readonly #unveiled = new Map<string, UnveiledFrame | null>();
  readonly #veiled = new Map<string, VeiledFrame | null>();
  readonly #framed = new Map<number, FramedClip>();
  /** Veiled layers in motion, as they were last; `patched` is the frame one has to itself, if any. */
  readonly #moving = new Map<
    string,
    { readonly painting: Painting; readonly shown: ShownLayer; readonly patched: Frame | null }
  >();

  /** Unveiled layers that change within their span, as they were last. */
  readonly #changed = new Map<string, UnveiledFrame & { readonly source: Overlay }>();

  constructor(plan: RenderPlan, painter: OverlayPainter, pool: FramePool) {
    this.#plan = plan;
    this.#painter = painter;
    this.#pool = pool;
  }

  /**
   * A layer at frame `n`; null if no part of it is on the canvas. Valid for the span; a changing layer, until the next
   * call. Returns the same frame as before if nothing moved in between, as while a card is held up.
   *
   * @param apart whether to return the moving part as it was painted: putting it into a copy of the board takes longer
   * than everything else.
   */
  at(ref: PaintedRef, n: Frames, apart: boolean): ShownLayer | null {
    if (!PAINTED[ref.kind].isVeiled) {
      const text = ref.changes ? this.#changing(layerName(ref), this.#paint(ref, n)) : this.#resting(ref, n);
      return text && { ...text, patch: null, veil: null, front: null, shake: null };
    }
    return ref.changes ? this.#inMotion(ref, n, apart) : this.#still(ref, n);
  }

  /** The decoration around a clip. Valid for the span. */
  clipFrame(clip: number, look: ClipLook): FramedClip {
    if (!this.#framed.has(clip)) {
      const { shadow, border } = this.#painter.clipFrame(look);
      this.#framed.set(clip, { shadow: shadow && this.#bothWays(shadow), border: border && this.#bothWays(border) });
    }
    return recent(this.#framed, clip);
  }

  #paint(ref: PaintedRef, n: Frames): Painting | null {
    return this.#painter.paint(ref.kind, paintedLayer(this.#plan, ref), n);
  }

  #resting(ref: PaintedRef, n: Frames): UnveiledFrame | null {
    const name = stillName(ref);
    if (!this.#unveiled.has(name)) {
      const painting = this.#paint(ref, n);
      this.#unveiled.set(name, painting && this.#bothWays(painting.still));
    }
    return recent(this.#unveiled, name);
  }

  #still(ref: PaintedRef, n: Frames): ShownLayer | null {
    const name = stillName(ref);
    if (!this.#veiled.has(name)) {
      const painting = this.#paint(ref, n);
      this.#veiled.set(name, painting && this.#convertVeiled(painting.still));
    }
    const still = recent(this.#veiled, name);
    return still && { ...still, painted: null, patch: null, veil: null, front: null, shake: null };
  }

  #inMotion(ref: PaintedRef, n: Frames, apart: boolean): ShownLayer | null {
    const name = layerName(ref);
    const painting = this.#paint(ref, n);
    const before = this.#moving.get(name);
    if (painting !== null && before?.painting === painting) return before.shown;
    const shown = painting && this.#show(painting, stillName(ref), apart);
    // Only now: code that compares frames must not get the same object with other pixels.
    this.#forget(name);
    if (painting !== null && shown !== null) this.#moving.set(name, { painting, ...shown });
    return shown?.shown ?? null;
  }

  /** The very same frame as before for the very same picture. */
  #changing(name: string, painting: Painting | null): UnveiledFrame | null {
    const source = painting?.still ?? null;
    const before = this.#changed.get(name);
    if (source !== null && before?.source === source) return before;
    const text = source && this.#bothWays(source);
    if (before !== undefined) this.#pool.give(before.frame);
    this.#changed.delete(name);
    if (source !== null && text !== null) this.#changed.set(name, { ...text, source });
    return this.#changed.get(name) ?? null;
  }

  #bothWays(painted: Overlay): UnveiledFrame {
    const even = evenOverlay(painted);
    return { ...this.#convert(even), painted: even };
  }

  /** Releases moving pictures, and the least recently used still ones. Call it between spans. */
  trim(): void {
    this.#keep(MAX_KEPT);
  }

  [Symbol.dispose](): void {
    this.#keep(0);
  }

  #keep(max: number): void {
    for (const name of [...this.#moving.keys()]) this.#forget(name);
    this.#drop(this.#changed, 0);
    this.#drop(this.#unveiled, max);
    this.#dropFramed(max);
    this.#drop(this.#veiled, max);
  }

  #forget(name: string): void {
    const patched = this.#moving.get(name)?.patched ?? null;
    if (patched !== null) this.#pool.give(patched);
    this.#moving.delete(name);
  }

  /** Drops all but the `max` frames used last, and more while they have over `MAX_KEPT_PIXELS`. */
  #drop<K>(kept: Map<K, OverlayFrame | null>, max: number): void {
    let pixels = kept.values().reduce((sum, overlay) => sum + pixelsOf(overlay), 0);
    for (const [key, overlay] of kept) {
      if (kept.size <= max && pixels <= MAX_KEPT_PIXELS) return;
      if (overlay !== null) this.#pool.give(overlay.frame);
      pixels -= pixelsOf(overlay);
      kept.delete(key);
    }
  }

  #dropFramed(max: number): void {
    for (const [clip, { shadow, border }] of this.#framed) {
      if (this.#framed.size <= max) return;
      for (const overlay of [shadow, border]) if (overlay !== null) this.#pool.give(overlay.frame);
      this.#framed.delete(clip);
    }
  }

  #show(painting: Painting, name: string, apart: boolean): { shown: ShownLayer; patched: Frame | null } {
    const { still, isInPlace, moving, veil, front, shake } = painting;
    const around = { painted: null, veil, front: front && evenOverlay(front), shake };
    if (!isInPlace) {
      const layer = this.#convert(evenOverlay(still));
      return { shown: { ...layer, ...around, patch: null }, patched: layer.frame };
    }
    const kept = this.#veiled.get(name);
    const resting = kept?.source.deref() === still ? kept : this.#convertVeiled(still);
    if (kept && kept !== resting) this.#pool.give(kept.frame);
    this.#veiled.set(name, resting);
    recent(this.#veiled, name);
    const part = moving && evenOverlay(moving);
    const patched = part === null || apart ? null : this.#patched(resting, part);
    const frame = patched ?? resting.frame;
    return { shown: { rect: resting.rect, frame, ...around, patch: patched === null ? part : null }, patched };
  }

  #convertVeiled(still: Overlay): VeiledFrame {
    return { ...this.#convert(evenOverlay(still)), source: new WeakRef(still) };
  }

  /** @param overlay on even edges. */
  #convert(overlay: Overlay): OverlayFrame {
    const { rect } = overlay;
    const frame = this.#pool.filled(this.#pool.take(), (taken) => {
      taken.width = rect.width;
      taken.height = rect.height;
      taken.format = AV_PIX_FMT_YUVA420P;
      mustSucceed(taken.getBuffer(), 'av_frame_get_buffer');
      writePainted(taken, rect, overlay);
      tagBt709(taken);
    });
    return { rect, frame };
  }

  /** A copy of a still board in which a part, on even edges, is another. It belongs to the caller. */
  #patched({ frame, rect }: OverlayFrame, part: Overlay): Frame {
    return this.#pool.filled(this.#pool.share(frame), (copy) => {
      mustSucceed(copy.makeWritable(), 'av_frame_make_writable');
      writePainted(copy, rect, part);
    });
  }
}

function pixelsOf(overlay: OverlayFrame | null): number {
  return overlay === null ? 0 : overlay.rect.width * overlay.rect.height;
}

/** Marks the entry of `key` as the most recently used. */
function recent<K, V>(kept: Map<K, V>, key: K): V {
  const value = kept.get(key)!;
  kept.delete(key);
  kept.set(key, value);
  return value;
}

function layerName({ kind, index }: PaintedRef): string {
  return `${kind} ${index}`;
}

/** The name of a resting layer: its events decide how it looks. */
function stillName(ref: PaintedRef): string {
  return `${layerName(ref)} ${ref.settled}`;
}
