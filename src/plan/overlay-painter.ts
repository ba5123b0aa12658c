import type { Frames } from '../time.ts';
import type { BoardWindow, Rect, SubtitleLayer } from './render-plan.ts';

/** A painted picture and its place: `rect` lies inside the canvas, `rgba` is straight alpha, row by row, no padding. */
export interface Overlay {
  readonly rect: Rect;
  readonly rgba: Uint8Array;
}

/**
 * Paints what is drawn rather than decoded, for one plan. The engine composes its overlays without knowing how they
 * come about. Equal arguments give equal pixels. (R4)
 */
export interface OverlayPainter {
  /**
   * The board as this window shows it at `frame`; null where nothing of it is on the canvas. Where it looks as it did when
   * last asked for, the very same overlay may be given out: by that one can tell that nothing moved.
   */
  board(window: BoardWindow, frame: Frames): Overlay | null;
  /** The text in its box, which it may outgrow upward (R14); null where nothing of it is on the canvas. */
  subtitle(subtitle: SubtitleLayer): Overlay | null;
}
