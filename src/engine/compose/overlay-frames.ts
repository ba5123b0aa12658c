import { AV_PIX_FMT_YUVA420P } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { BoardPainting, Overlay, OverlaySource, Veil } from '../../plan/overlay-painter.ts';
import type { ClipLook, LayerRef, Rect, RenderPlan } from '../../plan/render-plan.ts';
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

/** A text both ways: as a frame and, on even edges, as it was painted. */
export interface TextFrame extends OverlayFrame {
  readonly painted: Overlay;
}

/** A still board, and the painting it was made from for as long as anybody else has that: it is large. */
interface Board extends OverlayFrame {
  readonly source: WeakRef<Overlay>;
}

/** A board in motion: what is to be blended, then what dims all that is below, then what stands in front of that. */
interface MovingBoard {
  readonly board: OverlayFrame;
  /** Stands in the place of its part of the board, on even edges; null where nothing does, or the board has it already. */
  readonly patch: Overlay | null;
  readonly veil: Veil | null;
  readonly front: Overlay | null;
}

type SubtitleRef = Extract<LayerRef, { kind: 'subtitle' }>;
type BoardRef = Extract<LayerRef, { kind: 'board' }>;

/** What is drawn around a clip: below it, and over it. */
interface FramedClip {
  readonly shadow: OverlayFrame | null;
  readonly border: OverlayFrame | null;
}

/** Still pictures kept for the spans to come: a subtitle seen in many spans is painted once. */
const MOST_KEPT = 8;

/** Whether the layer may look different at every frame of its span. */
export function isChanging(ref: LayerRef): boolean {
  return ref.kind === 'progress' || (ref.kind !== 'clip' && ref.changes);
}

/** Painted overlays as frames that can be blended. Owns the frames. */
export class OverlayFrames implements Disposable {
  readonly #plan: RenderPlan;
  readonly #painter: OverlaySource;
  readonly #pool: FramePool;
  /** Least recently used first; null where there is nothing to see. */
  readonly #texts = new Map<number, TextFrame | null>();
  readonly #boards = new Map<string, Board | null>();
  readonly #framed = new Map<number, FramedClip>();
  /** By window, as it was last; `patched` is the frame it has to itself, if any. */
  readonly #moving = new Map<
    number,
    { readonly painting: BoardPainting; readonly shown: MovingBoard; readonly patched: Frame | null }
  >();

  /** Texts that change within their span, as they were last. */
  readonly #changed = new Map<string, TextFrame & { readonly source: Overlay }>();

  constructor(plan: RenderPlan, painter: OverlaySource, pool: FramePool) {
    this.#plan = plan;
    this.#painter = painter;
    this.#pool = pool;
  }

  /** A text at frame `n`; null where nothing of it is on the canvas. Valid for the span, or until the next call if it changes. */
  async subtitle({ subtitle, changes }: SubtitleRef, n: Frames): Promise<TextFrame | null> {
    const layer = this.#plan.subtitles[subtitle]!;
    if (changes) return this.#changing(`text ${subtitle}`, await this.#painter.subtitle(layer, n));
    if (!this.#texts.has(subtitle)) {
      const painted = await this.#painter.subtitle(layer, n);
      this.#texts.set(subtitle, painted && this.#text(painted));
    }
    return recent(this.#texts, subtitle);
  }

  /** What is drawn around a clip. Valid for the span. */
  async clipFrame(clip: number, look: ClipLook): Promise<FramedClip> {
    if (!this.#framed.has(clip)) {
      const { shadow, border } = await this.#painter.clipFrame(look);
      this.#framed.set(clip, { shadow: shadow && this.#text(shadow), border: border && this.#text(border) });
    }
    return recent(this.#framed, clip);
  }

  /** The line that grows, at frame `n`. Valid until the next call. */
  async progress(n: Frames): Promise<TextFrame | null> {
    return this.#changing('progress', await this.#painter.progress(n));
  }

  /** A board that does not change within its span; null where nothing of it is on the canvas. Valid for the span. */
  async still({ window, settled }: BoardRef, n: Frames): Promise<OverlayFrame | null> {
    const key = boardKey(window, settled);
    if (!this.#boards.has(key)) {
      const painting = await this.#painter.board(this.#plan.windows[window]!, n);
      this.#boards.set(key, painting && this.#board(painting.still));
    }
    return recent(this.#boards, key);
  }

  /**
   * A board as it is at frame `n`; the very same one as before where nothing moved in between, as while a card is held up.
   * Valid until the next call for that window.
   *
   * @param apart whether the part that moves is wanted as it was painted: to put it into a copy of the board takes longer than all else.
   */
  async moving({ window, settled }: BoardRef, n: Frames, apart: boolean): Promise<MovingBoard | null> {
    const painting = await this.#painter.board(this.#plan.windows[window]!, n);
    const before = this.#moving.get(window);
    if (painting !== null && before?.painting === painting) return before.shown;
    const shown = painting && this.#show(painting, boardKey(window, settled), apart);
    // Only now: whoever compares frames must not be given the same one with other pixels in it.
    this.#forget(window);
    if (painting !== null && shown !== null) this.#moving.set(window, { painting, ...shown });
    return shown?.shown ?? null;
  }

  /** The very same frame as before for the very same picture. */
  #changing(name: string, painted: Overlay | null): TextFrame | null {
    const before = this.#changed.get(name);
    if (painted !== null && before?.source === painted) return before;
    const text = painted && this.#text(painted);
    if (before !== undefined) this.#pool.give(before.frame);
    this.#changed.delete(name);
    if (painted !== null && text !== null) this.#changed.set(name, { ...text, source: painted });
    return this.#changed.get(name) ?? null;
  }

  #text(painted: Overlay): TextFrame {
    const even = evenOverlay(painted);
    return { ...this.#convert(even), painted: even };
  }

  /** Gives back what moved, and the still pictures used longest ago. To be called between spans. */
  trim(): void {
    for (const window of [...this.#moving.keys()]) this.#forget(window);
    this.#drop(this.#changed, 0);
    this.#drop(this.#texts, MOST_KEPT);
    this.#dropFramed(MOST_KEPT);
    this.#drop(this.#boards, MOST_KEPT);
  }

  [Symbol.dispose](): void {
    for (const window of [...this.#moving.keys()]) this.#forget(window);
    this.#drop(this.#changed, 0);
    this.#drop(this.#texts, 0);
    this.#dropFramed(0);
    this.#drop(this.#boards, 0);
  }

  #forget(window: number): void {
    const patched = this.#moving.get(window)?.patched ?? null;
    if (patched !== null) this.#pool.give(patched);
    this.#moving.delete(window);
  }

  /** All but the `most` used last. */
  #drop<K>(kept: Map<K, OverlayFrame | null>, most: number): void {
    for (const [key, overlay] of kept) {
      if (kept.size <= most) return;
      if (overlay !== null) this.#pool.give(overlay.frame);
      kept.delete(key);
    }
  }

  #dropFramed(most: number): void {
    for (const [clip, { shadow, border }] of this.#framed) {
      if (this.#framed.size <= most) return;
      for (const overlay of [shadow, border]) if (overlay !== null) this.#pool.give(overlay.frame);
      this.#framed.delete(clip);
    }
  }

  #show(painting: BoardPainting, key: string, apart: boolean): { shown: MovingBoard; patched: Frame | null } {
    const { still, isInPlace, moving, veil, front } = painting;
    const shownFront = front && evenOverlay(front);
    if (!isInPlace) {
      const board = this.#convert(evenOverlay(still));
      return { shown: { board, patch: null, veil, front: shownFront }, patched: board.frame };
    }
    const kept = this.#boards.get(key);
    const resting = kept?.source.deref() === still ? kept : this.#board(still);
    if (kept && kept !== resting) this.#pool.give(kept.frame);
    this.#boards.set(key, resting);
    recent(this.#boards, key);
    const part = moving && evenOverlay(moving);
    const patched = part === null || apart ? null : this.#patched(resting, part);
    const board = { rect: resting.rect, frame: patched ?? resting.frame };
    return { shown: { board, patch: patched === null ? part : null, veil, front: shownFront }, patched };
  }

  #board(still: Overlay): Board {
    return { ...this.#convert(evenOverlay(still)), source: new WeakRef(still) };
  }

  /** @param overlay on even edges. */
  #convert(overlay: Overlay): OverlayFrame {
    const { rect } = overlay;
    const frame = this.#pool.take();
    frame.width = rect.width;
    frame.height = rect.height;
    frame.format = AV_PIX_FMT_YUVA420P;
    mustSucceed(frame.getBuffer(), 'av_frame_get_buffer');
    writePainted(frame, rect, overlay);
    tagBt709(frame);
    return { rect, frame };
  }

  /** A copy of a still board in which a part, on even edges, is another. It belongs to the caller. */
  #patched({ frame, rect }: OverlayFrame, part: Overlay): Frame {
    const copy = this.#pool.share(frame);
    mustSucceed(copy.makeWritable(), 'av_frame_make_writable');
    writePainted(copy, rect, part);
    return copy;
  }
}

/** What is kept under `key` is the one used last. */
function recent<K, V>(kept: Map<K, V>, key: K): V {
  const value = kept.get(key)!;
  kept.delete(key);
  kept.set(key, value);
  return value;
}

function boardKey(window: number, settled: number): string {
  return `board ${window} ${settled}`;
}
