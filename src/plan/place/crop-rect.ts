import type { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import type { Crop } from '../../timeline/request/places.ts';
import type { MediaFacts } from '../media-facts.ts';
import type { Rect } from '../rect.ts';

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
