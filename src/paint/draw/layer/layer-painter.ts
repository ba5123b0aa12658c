import type { PaintedKind, PaintedTypes } from '../../../plan/layers/painted-layers.ts';
import type { Overlay, Painting } from '../../../plan/overlay-painter.ts';
import type { Frames } from '../../../time.ts';
import type { PreparedPlan } from '../prepare-painting.ts';
import type { PaintSurfaces } from './paint-surfaces.ts';

/** The tools for layers of all kinds. */
export interface LayerTools {
  readonly prepared: PreparedPlan;
  readonly surfaces: PaintSurfaces;
}

/** Paints the layers of one kind, each in its place: entrances and exits are handled elsewhere. Caches paintings. */
export interface LayerPainter<Kind extends PaintedKind> {
  /** Returns the same painting if it looks the same as before; null if no part of it is on the canvas. */
  paint(layer: PaintedTypes[Kind], frame: Frames): Painting | null;
}

/** How many layers at rest are kept. A span needs each of them once, and spans come in order. */
export const KEPT_OVERLAYS = 4;

/** A painting that is one still picture. */
export function atRest(still: Overlay): Painting {
  return { still, isInPlace: true, moving: null, veil: null, front: null, shake: null };
}
