import type { Painter } from '../../src/plan/model/painter.ts';

/** For plans without painted layers. */
export const NO_PAINTER: Painter = {
  paint: () => null,
  clipFrame: () => ({ shadow: null, border: null }),
  ground: () => ({ rect: { x: 0, y: 0, width: 0, height: 0 }, rgba: new Uint8Array() }),
};
