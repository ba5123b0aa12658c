import type { OverlayPainter } from '../../src/plan/overlay-painter.ts';

/** For plans that have nothing painted in them. */
export const NO_OVERLAYS: OverlayPainter = {
  board: () => null,
  subtitle: () => null,
  progress: () => null,
  clipFrame: () => ({ shadow: null, border: null }),
};
