import type { Overlay } from '../../plan/overlay-painter.ts';

/**
 * The overlay on even edges, with transparent pixels added where needed: blended in 4:2:0, a picture at an odd place
 * would be moved by a pixel.
 */
export function evenOverlay(overlay: Overlay): Overlay {
  const { rect, rgba } = overlay;
  const left = rect.x % 2 === 0 ? 0 : 1;
  const top = rect.y % 2 === 0 ? 0 : 1;
  const width = left + rect.width + ((left + rect.width) % 2);
  const height = top + rect.height + ((top + rect.height) % 2);
  if (width === rect.width && height === rect.height) return overlay;
  const padded = new Uint8Array(width * height * 4);
  const rowBytes = rect.width * 4;
  for (let row = 0; row < rect.height; row += 1) {
    const from = row * rowBytes;
    padded.set(rgba.subarray(from, from + rowBytes), ((top + row) * width + left) * 4);
  }
  return { rect: { x: rect.x - left, y: rect.y - top, width, height }, rgba: padded };
}
