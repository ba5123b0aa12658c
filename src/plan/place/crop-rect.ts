import type { Crop } from '../../timeline/export-request.ts';
import type { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import type { MediaFacts } from '../media-facts.ts';
import type { Rect } from '../render-plan.ts';

/** The cut in whole pixels of the upright picture; all of it without a crop. What lies outside is an error. (C18) */
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

/** One axis. Edges are rounded rather than sizes; a cut thinner than a pixel is given the one it lies in. */
function cut(unit: Crop['unit'], offset: number, size: number | null, side: number): Cut {
  const whole = { fraction: 1, percent: 100, pixel: side }[unit];
  const start = Math.round((offset / whole) * side);
  const end = size === null ? side : Math.round(((offset + size) / whole) * side);
  if (end > start) return { start, end };
  // A fraction can round up to the very edge; a pixel beyond it was meant.
  return start < side || unit === 'pixel' ? { start, end: start + 1 } : { start: start - 1, end: start };
}

function reportOutside({ start, end }: Cut, side: number, path: string, issues: IssueList): void {
  if (end <= side && start < side) return;
  const message = `The crop reaches from pixel ${start} to ${end}, outside the picture, which has ${side}.`;
  issues.error(path, 'crop.outside', message);
}
