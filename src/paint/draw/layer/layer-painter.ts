import type { Overlay, Painting } from '../../../plan/overlay-painter.ts';
import type { PaintedKind, PaintedTypes } from '../../../plan/render-plan.ts';
import type { Frames } from '../../../time.ts';
import type { PreparedPlan } from '../prepare-painting.ts';
import type { PaintSurfaces } from './paint-surfaces.ts';

/** What layers of all kinds are painted with. */
export interface LayerTools {
  readonly prepared: PreparedPlan;
  readonly surfaces: PaintSurfaces;
}

/** Paints the layers of one kind, each in its place: coming and going is not its concern. Keeps what it may be asked for again. */
export interface LayerPainter<Kind extends PaintedKind> {
  /** The very same painting where it looks as it did before; null where nothing of it is on the canvas. */
  paint(layer: PaintedTypes[Kind], frame: Frames): Painting | null;
}

/** Layers at rest that are kept. One span needs each but once, and spans come in order. */
export const KEPT_OVERLAYS = 4;

/** One picture is all of it. */
export function atRest(still: Overlay): Painting {
  return { still, isInPlace: true, moving: null, veil: null, front: null, shake: null };
}
