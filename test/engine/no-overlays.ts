import type { OverlayPainter } from '../../src/plan/overlay-painter.ts';

/** For plans that have nothing painted in them. */
export const NO_OVERLAYS: OverlayPainter = {
  paint: () => null,
  clipFrame: () => ({ shadow: null, border: null }),
};
