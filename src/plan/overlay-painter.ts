import type { Frames } from '../time.ts';
import type { BoardWindow, ClipLook, Rect, SubtitleLayer } from './render-plan.ts';

/**
 * A painted picture and its place: `rect` lies inside the canvas; `rgba` is row by row, no padding, colours multiplied by
 * their alpha, which is how canvases keep them and how they are blended: straight alpha would cost a division a pixel,
 * twice, and be no more exact.
 */
export interface Overlay {
  readonly rect: Rect;
  readonly rgba: Uint8Array;
}

/** One colour laid over all of the canvas; `alpha` from 0 to 1. */
export interface Veil {
  readonly color: readonly [red: number, green: number, blue: number];
  readonly alpha: number;
}

/**
 * The board at one frame, in parts, back to front: who shows it need not touch again what has not moved. A part that looks as it
 * did when last asked for may be the very same object.
 */
export interface BoardPainting {
  /** The board without what is on its way in. */
  readonly still: Overlay;
  /** Whether `still` stands in its place and will again; else it is shaken or on its way, and good for this frame alone. */
  readonly isInPlace: boolean;
  /** Stands in the place of its part of `still`, on edges that are even or those of `still`; null where that rests. */
  readonly moving: Overlay | null;
  /** Dims all that is below: background, clips, boards. (R19) */
  readonly veil: Veil | null;
  /** What stands in front of the veil. */
  readonly front: Overlay | null;
}

/**
 * Paints what is drawn rather than decoded, for one plan. The engine composes its overlays without knowing how they
 * come about. Equal arguments give equal pixels. (R4)
 */
export interface OverlayPainter {
  /**
   * The board as this window shows it at `frame`; null where nothing of it is on the canvas. Where it looks as it did when
   * last asked for, the very same painting may be given out: by that one can tell that nothing moved.
   */
  board(window: BoardWindow, frame: Frames): BoardPainting | null;
  /**
   * The text in its box, which it may outgrow upward (R14), as it is at `frame`; null where nothing of it is on the canvas. The
   * very same one as before where it looks the same.
   */
  subtitle(subtitle: SubtitleLayer, frame: Frames): Overlay | null;
  /** The line that tells how far the video has come, the very same one as before where it has not grown; null: there is none. */
  progress(frame: Frames): Overlay | null;
  /** What is drawn around a picture in a picture: below it and over it. (C48) */
  clipFrame(look: ClipLook): ClipFrame;
}

/** Whoever has paintings to give: a painter, or one whose paintings are made elsewhere and are waited for. */
export type OverlaySource = {
  [Method in keyof OverlayPainter]: (
    ...asked: Parameters<OverlayPainter[Method]>
  ) => ReturnType<OverlayPainter[Method]> | Promise<ReturnType<OverlayPainter[Method]>>;
};

/** Null where there is none, or nothing of it on the canvas. */
export interface ClipFrame {
  readonly shadow: Overlay | null;
  readonly border: Overlay | null;
}
