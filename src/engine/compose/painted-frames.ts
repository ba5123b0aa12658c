import { AV_PIX_FMT_YUVA420P } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { PAINTED, paintedLayer } from '../../plan/frame/painted-kinds.ts';
import type { Rect } from '../../plan/model/canvas.ts';
import type { ClipLook } from '../../plan/model/clip-layer.ts';
import type { PaintedPicture, Painter, Painting } from '../../plan/model/painter.ts';
import type { PaintedRef, RenderPlan } from '../../plan/model/render-plan.ts';
import type { Frames } from '../../time.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import { CONVERTED_PX, type PaintedKernel, paintedKernel } from '../simd/painted-kernel.ts';
import { type WasmInstance, wasmInstances } from '../simd/wasm-program.ts';
import { copyRows, type Rows } from './planes.ts';

/** A painted picture in yuva420p and its place, on even edges. The frame belongs to the `PaintedFrames` it came from. */
export interface PaintedFrame {
  readonly rect: Rect;
  readonly frame: Frame;
}

/** A layer that is never dimmed, both ways: as a frame and, on even edges, as it was painted. */
interface TextFrame extends PaintedFrame {
  readonly painted: PaintedPicture;
}

/**
 * A still layer that may be dimmed, and the painting it was made from, while another layer still uses that: it is
 * large.
 */
interface BoardFrame extends PaintedFrame {
  readonly source: WeakRef<PaintedPicture>;
}

/** A painted layer as it is shown: the picture to blend, and the picture in front of the dim. */
export interface ShownLayer extends PaintedFrame {
  /** On even edges, as it was painted: of a layer that is never dimmed. */
  readonly painted: PaintedPicture | null;
  /** Replaces its part of the layer, on even edges; null if nothing does, or if the frame contains it already. */
  readonly patch: PaintedPicture | null;
  readonly front: PaintedPicture | null;
}

/** The decoration around a clip: below it, and over it. */
interface FramedClip {
  readonly shadow: PaintedFrame | null;
  readonly border: PaintedFrame | null;
}

/** Still pictures kept for the spans to come: a subtitle seen in many spans is painted once. */
const MAX_KEPT = 8;
/** … as long as they have no more pixels than as many full pictures of 1080p: boards at 4K are large. */
const MAX_KEPT_PIXELS = MAX_KEPT * 1920 * 1080;

/** Painted layers as frames that can be blended. Owns the frames. */
export class PaintedFrames implements Disposable {
  readonly #plan: RenderPlan;
  readonly #painter: Painter;
  readonly #pool: FramePool;
  /** Resting layers, least recently used first; null if the layer is invisible. */
  readonly #texts = new Map<string, TextFrame | null>();
  readonly #boards = new Map<string, BoardFrame | null>();
  readonly #framed = new Map<number, FramedClip>();
  /** Boards in motion, as they were last; `patched` is the frame one has to itself, if any. */
  readonly #moving = new Map<
    string,
    { readonly painting: Painting; readonly shown: ShownLayer; readonly patched: Frame | null }
  >();

  /** Other layers that change within their span, as they were last. */
  readonly #changed = new Map<string, TextFrame & { readonly source: PaintedPicture }>();

  constructor(plan: RenderPlan, painter: Painter, pool: FramePool) {
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
    if (!PAINTED[ref.kind].isDimmed) {
      const text = ref.changes ? this.#changing(layerName(ref), this.#paint(ref, n)) : this.#resting(ref, n);
      return text && { ...text, patch: null, front: null };
    }
    return ref.changes ? this.#inMotion(ref, n, apart) : this.#still(ref, n);
  }

  /** The pixels of the theme's ground, as large as the canvas. */
  ground(): Uint8Array {
    return this.#painter.ground().rgba;
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

  #resting(ref: PaintedRef, n: Frames): TextFrame | null {
    const name = stillName(ref);
    if (!this.#texts.has(name)) {
      const painting = this.#paint(ref, n);
      this.#texts.set(name, painting && this.#bothWays(painting.still));
    }
    return recent(this.#texts, name);
  }

  #still(ref: PaintedRef, n: Frames): ShownLayer | null {
    const name = stillName(ref);
    if (!this.#boards.has(name)) {
      const painting = this.#paint(ref, n);
      this.#boards.set(name, painting && this.#convertBoard(painting.still));
    }
    const still = recent(this.#boards, name);
    return still && { ...still, painted: null, patch: null, front: null };
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
  #changing(name: string, painting: Painting | null): TextFrame | null {
    const source = painting?.still ?? null;
    const before = this.#changed.get(name);
    if (source !== null && before?.source === source) return before;
    const text = source && this.#bothWays(source);
    if (before !== undefined) this.#pool.give(before.frame);
    this.#changed.delete(name);
    if (source !== null && text !== null) this.#changed.set(name, { ...text, source });
    return this.#changed.get(name) ?? null;
  }

  #bothWays(painted: PaintedPicture): TextFrame {
    const even = evenPicture(painted);
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
    this.#drop(this.#texts, max);
    this.#dropFramed(max);
    this.#drop(this.#boards, max);
  }

  #forget(name: string): void {
    const before = this.#moving.get(name);
    if (before === undefined) return;
    if (before.patched !== null) this.#pool.give(before.patched);
    before.painting.release?.();
    this.#moving.delete(name);
  }

  /** Drops all but the `max` frames used last, and more while they have over `MAX_KEPT_PIXELS`. */
  #drop<K>(kept: Map<K, PaintedFrame | null>, max: number): void {
    let pixels = kept.values().reduce((sum, picture) => sum + pixelsOf(picture), 0);
    for (const [key, picture] of kept) {
      if (kept.size <= max && pixels <= MAX_KEPT_PIXELS) return;
      if (picture !== null) this.#pool.give(picture.frame);
      pixels -= pixelsOf(picture);
      kept.delete(key);
    }
  }

  #dropFramed(max: number): void {
    for (const [clip, { shadow, border }] of this.#framed) {
      if (this.#framed.size <= max) return;
      for (const picture of [shadow, border]) if (picture !== null) this.#pool.give(picture.frame);
      this.#framed.delete(clip);
    }
  }

  #show(painting: Painting, name: string, apart: boolean): { shown: ShownLayer; patched: Frame | null } {
    const { still, isInPlace, moving, front } = painting;
    const around = { painted: null, front: front && evenPicture(front) };
    if (!isInPlace) {
      const layer = this.#convert(evenPicture(still));
      return { shown: { ...layer, ...around, patch: null }, patched: layer.frame };
    }
    const kept = this.#boards.get(name);
    const resting = kept?.source.deref() === still ? kept : this.#convertBoard(still);
    if (kept && kept !== resting) this.#pool.give(kept.frame);
    this.#boards.set(name, resting);
    recent(this.#boards, name);
    const part = moving && evenPicture(moving);
    const patched = part === null || apart ? null : this.#patched(resting, part);
    const frame = patched ?? resting.frame;
    return { shown: { rect: resting.rect, frame, ...around, patch: patched === null ? part : null }, patched };
  }

  #convertBoard(still: PaintedPicture): BoardFrame {
    return { ...this.#convert(evenPicture(still)), source: new WeakRef(still) };
  }

  /** @param picture on even edges. */
  #convert(picture: PaintedPicture): PaintedFrame {
    const { rect } = picture;
    const frame = this.#pool.filled(this.#pool.take(), (taken) => {
      taken.width = rect.width;
      taken.height = rect.height;
      taken.format = AV_PIX_FMT_YUVA420P;
      mustSucceed(taken.getBuffer(), 'av_frame_get_buffer');
      writePainted(taken, rect, picture);
      tagBt709(taken);
    });
    return { rect, frame };
  }

  /** A copy of a still board in which a part, on even edges, is another. It belongs to the caller. */
  #patched({ frame, rect }: PaintedFrame, part: PaintedPicture): Frame {
    return this.#pool.filled(this.#pool.share(frame), (copy) => {
      mustSucceed(copy.makeWritable(), 'av_frame_make_writable');
      writePainted(copy, rect, part);
    });
  }
}

function pixelsOf(picture: PaintedFrame | null): number {
  return picture === null ? 0 : picture.rect.width * picture.rect.height;
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

/** So few rows at a time that they stay in the processor's cache. Even. */
const BAND_ROWS = 64;

const instances = wasmInstances<PaintedKernel>(paintedKernel);
/** The last converter, which is reused for all pictures that are no wider. */
let converter: { readonly width: number; readonly instance: WasmInstance<PaintedKernel> } | null = null;

/**
 * Writes a painted picture into a yuva420p frame whose corner is at `corner` of the canvas, replacing its pixels. It
 * must be inside the frame, on even edges.
 *
 * The four pixels that share a chroma sample are weighted by their alpha, or invisible colours would bleed into the
 * edges. Alpha is averaged in the same way when layers are blended.
 */
export function writePainted(frame: Frame, corner: Pick<Rect, 'x' | 'y'>, { rect, rgba }: PaintedPicture): void {
  const { width, height } = rect;
  const planes = planesAt(frame, rect.x - corner.x, rect.y - corner.y);
  const stride = Math.ceil(width / CONVERTED_PX) * CONVERTED_PX;
  if (converter === null || converter.width < stride) {
    converter = { width: stride, instance: instances(BAND_ROWS * stride * BYTES_PX) };
  }
  const { memory, exports } = converter.instance;
  const [y, a, u] = [4, 5, 6].map((bytes) => BAND_ROWS * stride * bytes) as [number, number, number];
  const v = u + (BAND_ROWS * stride) / 4;
  for (let top = 0; top < height; top += BAND_ROWS) {
    const rows = Math.min(BAND_ROWS, height - top);
    copyRows({ bytes: rgba, at: top * width * 4, stride: width * 4 }, held(0, stride * 4), width * 4, rows);
    for (let row = 0; row < rows; row += 2) {
      const [pixels, half] = [row * stride * 4, (row * stride) / 4];
      const end = pixels + stride * 4;
      exports.convertRows(pixels, end, stride * 4, y + row * stride, a + row * stride, stride, u + half, v + half);
    }
    for (const [index, from] of [y, u, v, a].entries()) {
      const plane = planes[index]!;
      const shift = index === 1 || index === 2 ? 1 : 0;
      const to = { ...plane, at: plane.at + (top >> shift) * plane.stride };
      copyRows(held(from, stride >> shift), to, width >> shift, rows >> shift);
    }
  }

  function held(at: number, step: number): Rows {
    return { bytes: memory, at, stride: step };
  }
}

/** A pixel's, its luma and alpha, and its part of the differences. */
const BYTES_PX = 4 + 2 + 0.5;

/** Luma, the two differences, and alpha. As plain arrays of bytes: through a `Buffer` it takes longer. */
function planesAt(frame: Frame, x: number, y: number): Rows[] {
  return frame.data!.map(({ buffer, byteOffset, byteLength }, plane): Rows => {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    const stride = frame.linesize[plane]!;
    const isHalved = plane === 1 || plane === 2;
    return { bytes, stride, at: isHalved ? (y >> 1) * stride + (x >> 1) : y * stride + x };
  });
}

/**
 * The picture on even edges, with transparent pixels added where needed: in 4:2:0, a picture at an odd place would be moved by a
 * pixel.
 */
function evenPicture(picture: PaintedPicture): PaintedPicture {
  const { rect, rgba } = picture;
  const left = rect.x % 2 === 0 ? 0 : 1;
  const top = rect.y % 2 === 0 ? 0 : 1;
  const width = left + rect.width + ((left + rect.width) % 2);
  const height = top + rect.height + ((top + rect.height) % 2);
  if (width === rect.width && height === rect.height) return picture;
  const padded = new Uint8Array(width * height * 4);
  const rowBytes = rect.width * 4;
  for (let row = 0; row < rect.height; row += 1) {
    const from = row * rowBytes;
    padded.set(rgba.subarray(from, from + rowBytes), ((top + row) * width + left) * 4);
  }
  return { rect: { x: rect.x - left, y: rect.y - top, width, height }, rgba: padded };
}
