import type { Painter } from '../../src/plan/model/painter.ts';

/** For plans without painted layers. */
export const NO_PAINTER: Painter = {
  paint: () => null,
  clipFrame: () => ({ shadow: null, border: null }),
};
