import type { Presence } from '../../plan/envelope/picture-envelope.ts';
import type { Overlay, Painting } from '../../plan/overlay-painter.ts';
import type { Canvas } from '../../plan/render-plan.ts';
import { presentOverlay } from './present-overlay.ts';

/** The dim changes in steps that every blender can reproduce exactly. */
const VEIL_STEPS = 256;

/** A painting during its entrance or exit: shifted and faded; null if no part of it is on the canvas. (R20) */
export function presentPainting(
  painting: Painting,
  presence: Presence,
  canvas: Pick<Canvas, 'width' | 'height'>,
  isStraight: boolean,
): Painting | null {
  const present = (overlay: Overlay) => presentOverlay(overlay, presence, canvas, isStraight);
  const still = present(joined(painting));
  if (still === null) return null;
  const { veil, front, shake } = painting;
  return {
    still,
    isInPlace: false,
    moving: null,
    veil: veil && { ...veil, alpha: steppedVeil(veil.alpha * presence.opacity) },
    front: front && present(front),
    shake,
  };
}

export function steppedVeil(alpha: number): number {
  return Math.round(alpha * VEIL_STEPS) / VEIL_STEPS;
}

/** The layer as one picture, without the part in front of it. */
function joined({ still, moving }: Painting): Overlay {
  if (moving === null) return still;
  const rgba = new Uint8Array(still.rgba);
  for (let row = 0; row < moving.rect.height; row += 1) {
    const from = row * moving.rect.width * 4;
    const to = ((moving.rect.y + row - still.rect.y) * still.rect.width + moving.rect.x - still.rect.x) * 4;
    rgba.set(moving.rgba.subarray(from, from + moving.rect.width * 4), to);
  }
  return { rect: still.rect, rgba };
}
