import type { OverlayPainter } from '../../src/plan/overlay-painter.ts';

/** For plans without painted layers. */
export const NO_OVERLAYS: OverlayPainter = {
  paint: () => null,
  clipFrame: () => ({ shadow: null, border: null }),
};
