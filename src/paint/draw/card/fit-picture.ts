import type { BoardItem } from '../../../plan/board-scene.ts';
import type { Bitmap, Canvas2D, CreateSurface } from '../../canvas-2d.ts';
import { rgba } from '../color.ts';
import type { PictureLook } from './picture-look.ts';

/** Whole pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * How a picture fills its place: all of it, or as much as fills the place (C46); and which part of it is visible (R35).
 */
export type Framing = Pick<BoardItem, 'fit' | 'view'>;
type View = NonNullable<Framing['view']>;

const MIDDLE: View = { x: 50, y: 50, scale: 1 };
/** The margin around a picture without a background of its own. */
const MARGIN = 0.06;
/** A picture of so few pixels, drawn large, is blurred everywhere. */
const BLURRED_PX = 10;
const DIMMED = 'rgba(0, 0, 0, 0.3)';

/**
 * A picture of exactly `size`. The area that `contain` leaves free is filled with the colour of the picture's edge, if
 * that is even, else with a blurred copy of the picture; a transparent picture gets no fill.
 */
export function fitPicture(
  whole: Bitmap,
  look: PictureLook,
  size: PictureSize,
  { fit, view = MIDDLE }: Framing,
  createSurface: CreateSurface,
): Bitmap {
  const { width, height } = size;
  const { bitmap, context } = createSurface(width, height);
  context.imageSmoothingQuality = 'high';
  if (fit === 'cover') drawCover(context, whole, size, view);
  else {
    const free = look.transparent ? MARGIN * Math.min(width, height) : 0;
    if (look.edge !== null) {
      context.fillStyle = rgba(look.edge, 1);
      context.fillRect(0, 0, width, height);
    } else if (!look.transparent) drawBlurred(context, whole, size, createSurface);
    const scale = Math.min((width - 2 * free) / whole.width, (height - 2 * free) / whole.height) * view.scale;
    const [across, down] = [whole.width * scale, whole.height * scale];
    context.imageSmoothingQuality = 'high';
    context.drawImage(whole, shifted(width, across, view.x), shifted(height, down, view.y), across, down);
  }
  // A canvas may keep references to everything drawn on it, including the larger picture. Writing its own pixels over
  // everything and reading one of them releases these. (100 photographs of 3 megapixels: 0.4 GB instead of 1.4.)
  context.putImageData(context.getImageData(0, 0, width, height), 0, 0);
  context.getImageData(0, 0, 1, 1);
  return bitmap;
}

/** The largest part of the picture with the aspect ratio of the place, around the middle of the view. */
function drawCover(context: Canvas2D, whole: Bitmap, { width, height }: PictureSize, view: View): void {
  const scale = Math.max(width / whole.width, height / whole.height) * view.scale;
  const [across, down] = [Math.min(whole.width, width / scale), Math.min(whole.height, height / scale)];
  const [left, top] = [-shifted(across, whole.width, view.x), -shifted(down, whole.height, view.y)];
  context.drawImage(whole, left, top, across, down, 0, 0, width, height);
}

/**
 * The offset of a picture in its place along one axis: its point at `percent` is in the middle, unless a gap would
 * appear.
 */
function shifted(place: number, picture: number, percent: number): number {
  if (picture <= place || percent === MIDDLE.x) return (place - picture) / 2;
  return Math.min(0, Math.max(place - picture, place / 2 - (picture * percent) / 100));
}

/** Enlarges a tiny copy, which every canvas does smoothly; not every one has filters. */
function drawBlurred(
  context: Canvas2D,
  whole: Bitmap,
  { width, height }: PictureSize,
  createSurface: CreateSurface,
): void {
  const tiny = {
    width: Math.max(2, Math.round((BLURRED_PX * width) / Math.max(width, height))),
    height: Math.max(2, Math.round((BLURRED_PX * height) / Math.max(width, height))),
  };
  const small = createSurface(tiny.width, tiny.height);
  small.context.imageSmoothingQuality = 'high';
  drawCover(small.context, whole, tiny, MIDDLE);
  context.drawImage(small.bitmap, 0, 0, width, height);
  context.fillStyle = DIMMED;
  context.fillRect(0, 0, width, height);
}
