import type { Frames } from '../../time.ts';
import type { Rect } from './canvas.ts';
import type { ClipLook } from './clip-layer.ts';
import type { PaintedKind, PaintedTypes } from './painted-layers.ts';

/**
 * A painted picture and its place: `rect` is inside the canvas; `rgba` is row by row, without padding, with
 * premultiplied alpha. Canvases store colours that way and blending needs them that way: straight alpha would cost a
 * division a pixel, twice, and be no more exact.
 */
export interface PaintedPicture {
  readonly rect: Rect;
  readonly rgba: Uint8Array;
}

/**
 * A painted layer at one frame, in parts, back to front: the compositor need not touch parts that have not moved. A
 * part that looks the same as at the last call may be the same object.
 */
export interface Painting {
  /** The layer without its moving parts. */
  readonly still: PaintedPicture;
  /** Whether `still` is in its final place; otherwise it is moving, and valid for this frame only. */
  readonly isInPlace: boolean;
  /** Replaces its part of `still`, on edges that are even or those of `still`; null if nothing moves. */
  readonly moving: PaintedPicture | null;
  /** Drawn in front of the dim. (R19) */
  readonly front: PaintedPicture | null;
  /** Frees the pixels of `moving` and `front` at once. The painter does not return this painting again. */
  release?(): void;
}

/**
 * Paints the layers that are drawn rather than decoded, for one plan. The engine composes its paintings without knowing
 * how they are made. Equal arguments give equal pixels. (R4)
 */
export interface Painter {
  /**
   * A layer at `frame`; null if no part of it is on the canvas. If it looks the same as at the last call, it may return
   * the same object, which tells the caller that nothing moved.
   */
  paint<Kind extends PaintedKind>(kind: Kind, layer: PaintedTypes[Kind], frame: Frames): Painting | null;
  /** The decoration of a picture-in-picture: below it and over it. (C48) */
  clipFrame(look: ClipLook): ClipFrame;
  /** The ground of the theme, as large as the canvas and opaque. (R37) */
  ground(): PaintedPicture;
}

/** Null if there is none, or if no part of it is on the canvas. */
export interface ClipFrame {
  readonly shadow: PaintedPicture | null;
  readonly border: PaintedPicture | null;
}
