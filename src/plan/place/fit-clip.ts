import type { Fit } from '../../timeline/choices.ts';
import type { Crop } from '../../timeline/export-request.ts';
import type { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { intersect, nearestEven, type Rect } from '../model/canvas.ts';
import type { MediaFacts } from '../model/media-facts.ts';

/** A cut of the source and the place it is scaled into. */
export interface Placement {
  readonly crop: Rect;
  readonly dest: Rect;
}

/** How a clip fills its box. (R10) */
export interface FittedClip extends Placement {
  /** The blurred copy behind, for `blur` where the picture leaves room beside it. */
  readonly backdrop: Placement | null;
}

/** Fits a crop of the source into a box of the canvas; null if no part of it is on the canvas. */
export function fitClip(crop: Rect, box: Rect, fit: Fit, canvas: Rect): FittedClip | null {
  const picture = placeInBox(crop, box, fit);
  const seen = clip(picture, canvas);
  const behind = fit === 'blur' && !sameSize(picture.dest, box) ? clip(cover(crop, box), canvas) : null;
  if (seen === null) return behind === null ? null : { ...behind, backdrop: null };
  return { ...seen, backdrop: behind };
}

/** How the picture itself is fitted, regardless of the canvas. */
export function placeInBox(crop: Rect, box: Rect, fit: Fit): Placement {
  return fit === 'cover' ? cover(crop, box) : contain(crop, box);
}

/** The part of a box that the fitted clip fills, regardless of the canvas. */
export function fitOutline(crop: Rect, box: Rect, fit: Fit): Rect {
  return fit === 'contain' ? contain(crop, box).dest : box;
}

/** The whole cut, as large as the box allows, centred. */
function contain(crop: Rect, box: Rect): Placement {
  const scale = Math.min(box.width / crop.width, box.height / crop.height);
  const width = Math.min(box.width, Math.max(2, nearestEven(crop.width * scale)));
  const height = Math.min(box.height, Math.max(2, nearestEven(crop.height * scale)));
  const x = box.x + nearestEven((box.width - width) / 2);
  const y = box.y + nearestEven((box.height - height) / 2);
  return { crop, dest: { x, y, width, height } };
}

/** The middle of the crop, in the aspect ratio of the box. */
function cover(crop: Rect, box: Rect): Placement {
  const width = Math.min(crop.width, Math.max(1, Math.round((crop.height * box.width) / box.height)));
  const height = Math.min(crop.height, Math.max(1, Math.round((crop.width * box.height) / box.width)));
  const x = crop.x + Math.floor((crop.width - width) / 2);
  const y = crop.y + Math.floor((crop.height - height) / 2);
  return { crop: { x, y, width, height }, dest: box };
}

/** Removes the part that is off the canvas, in the source too: invisible pixels are not scaled. */
function clip({ crop, dest }: Placement, canvas: Rect): Placement | null {
  const seen = intersect(dest, canvas);
  if (seen === null) return null;
  if (sameSize(seen, dest)) return { crop, dest };
  const across = crop.width / dest.width;
  const down = crop.height / dest.height;
  const x = Math.min(crop.x + Math.round((seen.x - dest.x) * across), crop.x + crop.width - 1);
  const y = Math.min(crop.y + Math.round((seen.y - dest.y) * down), crop.y + crop.height - 1);
  const width = Math.max(1, Math.min(Math.round(seen.width * across), crop.x + crop.width - x));
  const height = Math.max(1, Math.min(Math.round(seen.height * down), crop.y + crop.height - y));
  return { crop: { x, y, width, height }, dest: seen };
}

function sameSize(a: Rect, b: Rect): boolean {
  return a.width === b.width && a.height === b.height;
}

/**
 * The crop in whole pixels of the upright picture; the whole picture without a crop. A crop outside the picture is an
 * error. (C18)
 */
export function cropRect(
  crop: Crop | null,
  picture: Pick<MediaFacts, 'width' | 'height'>,
  path: string,
  issues: IssueList,
): Rect {
  if (crop === null) return { x: 0, y: 0, width: picture.width, height: picture.height };
  const across = cut(crop.unit, crop.x, crop.width, picture.width);
  const down = cut(crop.unit, crop.y, crop.height, picture.height);
  reportOutside(across, picture.width, pointer(path, across.start >= picture.width ? 'crop_x' : 'crop_w'), issues);
  reportOutside(down, picture.height, pointer(path, down.start >= picture.height ? 'crop_y' : 'crop_h'), issues);
  return { x: across.start, y: down.start, width: across.end - across.start, height: down.end - down.start };
}

interface Cut {
  readonly start: number;
  readonly end: number;
}

/**
 * One axis. Edges are rounded rather than sizes; a crop thinner than a pixel becomes that pixel, and one that leaves
 * the picture by less than a pixel is clamped.
 */
function cut(unit: Crop['unit'], offset: number, size: number | null, side: number): Cut {
  const whole = { fraction: 1, percent: 100, pixel: side }[unit];
  const from = (offset / whole) * side;
  const to = size === null ? side : ((offset + size) / whole) * side;
  const start = from < side ? Math.min(Math.round(from), side - 1) : Math.round(from);
  const end = to - side < ALMOST_A_PIXEL ? Math.min(Math.round(to), side) : Math.ceil(to);
  return { start, end: Math.max(end, start + 1) };
}

/** The float error of a whole pixel. */
const ALMOST_A_PIXEL = 1 - 1e-6;

function reportOutside({ start, end }: Cut, side: number, path: string, issues: IssueList): void {
  if (end <= side && start < side) return;
  const message = `The crop reaches from pixel ${start} to ${end}, outside the picture, which has ${side}.`;
  issues.error(path, 'crop.outside', message);
}
