import type { BoardItem } from '../../../plan/model/board-scene.ts';
import type { Bitmap, Canvas2D, CreateSurface } from '../../canvas-2d.ts';
import { contrast, type Rgb, rgba } from '../color.ts';

/** Whole pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * How a picture fills its place: all of it, or as much as fills the place (C46), by its edge if that is left open (R43);
 * and which part of it is visible (R35).
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
  if (fit === 'cover' || (fit === 'auto' && !look.transparent && look.edge === null))
    drawCover(context, whole, size, view);
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

/** What the background under a picture depends on. */
export interface PictureLook {
  /** Whether it is transparent anywhere but at soft edges. */
  readonly transparent: boolean;
  /** The colour all of its edge has; null if it has several, or holes. */
  readonly edge: Rgb | null;
  /** Its colours, each standing for as much of it as any other. */
  readonly colors: readonly Rgb[];
}

/** Sampled at this many places across and down. */
const PLACES = 24;
/** The share of samples that may be transparent in a picture that counts as opaque: rounded corners are not holes. */
const HOLES = 0.04;
/** The largest difference between the colours of an even edge. */
const EVEN_EDGE = 12;
/** Below this contrast, WCAG calls two colours hard to distinguish. */
const DISTINCT_CONTRAST = 1.9;
/** The share of a picture that may be invisible on its background before it gets another one. */
const MAY_VANISH = 0.3;

const LIGHT_GROUND: Rgb = [240, 241, 244];
const DARK_GROUND: Rgb = [30, 33, 43];

/** Looks at a picture, coarsely: the same picture gives the same answer at every size of cards. (R18) */
export function pictureLook(picture: Bitmap, createSurface: CreateSurface): PictureLook {
  const { context } = createSurface(PLACES, PLACES);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, PLACES, PLACES);
  const { data } = context.getImageData(0, 0, PLACES, PLACES);
  const colors: Rgb[] = [];
  const edge: Rgb[] = [];
  let holes = 0;
  for (let place = 0; place < PLACES * PLACES; place += 1) {
    const [red, green, blue, alpha] = data.subarray(place * 4, place * 4 + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    if (alpha < 128) {
      holes += 1;
      continue;
    }
    colors.push([red, green, blue]);
    const [x, y] = [place % PLACES, Math.floor(place / PLACES)];
    if (x === 0 || y === 0 || x === PLACES - 1 || y === PLACES - 1) edge.push([red, green, blue]);
  }
  const transparent = holes > PLACES * PLACES * HOLES;
  return { transparent, edge: transparent ? null : evenColor(edge), colors };
}

/**
 * The colour under a transparent picture: that of cards, unless too much of the picture would be invisible on it; then
 * the light or the dark one with the better contrast. (C46)
 */
export function groundUnder({ transparent, colors }: PictureLook, card: Rgb): Rgb {
  if (!transparent || colors.length === 0 || vanishing(colors, card) <= MAY_VANISH) return card;
  const [light, dark] = [vanishing(colors, LIGHT_GROUND), vanishing(colors, DARK_GROUND)];
  return light <= dark ? LIGHT_GROUND : DARK_GROUND;
}

/** The share that looks like the background, from 0 to 1. */
function vanishing(colors: readonly Rgb[], ground: Rgb): number {
  return colors.filter((color) => contrast(color, ground) < DISTINCT_CONTRAST).length / colors.length;
}

function evenColor(colors: readonly Rgb[]): Rgb | null {
  if (colors.length === 0) return null;
  const mean = (channel: 0 | 1 | 2) =>
    Math.round(colors.reduce((sum, color) => sum + color[channel], 0) / colors.length);
  const even: Rgb = [mean(0), mean(1), mean(2)];
  const isNear = (color: Rgb) => color.every((value, channel) => Math.abs(value - even[channel]!) <= EVEN_EDGE);
  return colors.every(isNear) ? even : null;
}
