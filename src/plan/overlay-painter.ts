import type { Frames } from '../time.ts';
import type { ClipLook } from './layers/clip-layer.ts';
import type { PaintedKind, PaintedTypes } from './layers/painted-layers.ts';
import type { Rect } from './rect.ts';

/**
 * A painted picture and its place: `rect` is inside the canvas; `rgba` is row by row, without padding, with
 * premultiplied alpha. Canvases store colours that way and blending needs them that way: straight alpha would cost a
 * division a pixel, twice, and be no more exact.
 */
export interface Overlay {
  readonly rect: Rect;
  readonly rgba: Uint8Array;
}

/** A way across the canvas, in pixels. */
export interface Shift {
  readonly x: number;
  readonly y: number;
}

/** One colour laid over all of the canvas; `alpha` from 0 to 1. */
export interface Veil {
  readonly color: readonly [red: number, green: number, blue: number];
  readonly alpha: number;
}

/** How much clips in front of the board are dimmed at most: faces stay lit. (R27) */
const MAX_DIMMED_ABOVE = 0.25;

/** The veil that clips in front of the board are seen through. */
export function veilAbove(veil: Veil): Veil {
  return { ...veil, alpha: Math.min(veil.alpha, MAX_DIMMED_ABOVE) };
}

/**
 * A painted layer at one frame, in parts, back to front: the compositor need not touch parts that have not moved. A
 * part that looks the same as at the last call may be the same object.
 */
export interface Painting {
  /** The layer without its moving parts. */
  readonly still: Overlay;
  /** Whether `still` is in its final place; otherwise it is moving, and valid for this frame only. */
  readonly isInPlace: boolean;
  /** Replaces its part of `still`, on edges that are even or those of `still`; null if nothing moves. */
  readonly moving: Overlay | null;
  /** Dims all that is below, and all that a veil dims. (R19) */
  readonly veil: Veil | null;
  /** Drawn in front of the veil. */
  readonly front: Overlay | null;
  /** How far the layer and everything below are shifted, in even pixels; null: not at all. (R30) */
  readonly shake: Shift | null;
}

/**
 * Paints the layers that are drawn rather than decoded, for one plan. The engine composes its paintings without knowing
 * how they are made. Equal arguments give equal pixels. (R4)
 */
export interface OverlayPainter {
  /**
   * A layer at `frame`; null if no part of it is on the canvas. If it looks the same as at the last call, it may return
   * the same object, which tells the caller that nothing moved.
   */
  paint<Kind extends PaintedKind>(kind: Kind, layer: PaintedTypes[Kind], frame: Frames): Painting | null;
  /** The decoration of a picture-in-picture: below it and over it. (C48) */
  clipFrame(look: ClipLook): ClipFrame;
}

/** Null if there is none, or if no part of it is on the canvas. */
export interface ClipFrame {
  readonly shadow: Overlay | null;
  readonly border: Overlay | null;
}
