import type { RawItem } from '../../timeline/document-schemas.ts';

/** CSS of a square image that shows an item's picture with its focus and zoom. (R35) */
export function cardView(
  { image_focus: focus, image_zoom: zoom = 1 }: RawItem,
  { width, height }: { readonly width: number; readonly height: number },
  isWhole: boolean,
): Readonly<Record<string, string>> {
  if (focus === undefined && zoom === 1) return {};
  const side = isWhole ? Math.max(width, height) : Math.min(width, height);
  const [across, down] = [axis(width, side, zoom, focus?.x), axis(height, side, zoom, focus?.y)];
  const far = (near: number) => 1 - near - 1 / zoom;
  return {
    'object-position': percents(across.position, down.position),
    'clip-path': `inset(${percents(down.near, far(across.near), far(down.near), across.near)} round ${6 / zoom}px)`,
    scale: `${zoom}`,
    'transform-origin': percents(across.origin, down.origin),
  };
}

/** For one axis: the `object-position`, the offset of the visible part in the element, and the fixed point of the zoom. */
function axis(length: number, side: number, zoom: number, percent = 50) {
  const start = (visible: number) =>
    length <= visible
      ? (length - visible) / 2
      : Math.min(length - visible, Math.max(0, (length * percent) / 100 - visible / 2));
  const near = (start(side / zoom) - start(side)) / side;
  return {
    position: length > side ? start(side) / (length - side) : 0.5,
    near,
    origin: zoom > 1 ? (near * zoom) / (zoom - 1) : 0.5,
  };
}

function percents(...shares: readonly number[]): string {
  return shares.map((share) => `${+(share * 100).toFixed(4)}%`).join(' ');
}
