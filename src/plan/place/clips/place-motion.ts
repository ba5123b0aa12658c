import type { Frames, Range } from '../../../time.ts';
import type { Camera, MotionEntry, VideoEntry } from '../../../timeline/export-request.ts';
import type { IssueList } from '../../../timeline/issue-list.ts';
import { pointer } from '../../../timeline/json/json-pointer.ts';
import type { Motion, Rect } from '../../render-plan.ts';
import type { Placement } from '../fit-clip.ts';

/** What `ken_burns` stands for, one of these by the clip's id: slow, and never far from the middle. (C59) */
const KEN_BURNS: readonly Pick<Motion, 'from' | 'to'>[] = [
  [{ x: 50, y: 50, scale: 1 }, { x: 54, y: 46, scale: 1.18 }],
  [{ x: 54, y: 52, scale: 1.18 }, { x: 50, y: 50, scale: 1 }],
  [{ x: 45, y: 48, scale: 1.14 }, { x: 55, y: 52, scale: 1.14 }],
  [{ x: 50, y: 50, scale: 1 }, { x: 45, y: 47, scale: 1.18 }],
  [{ x: 55, y: 47, scale: 1.14 }, { x: 45, y: 53, scale: 1.14 }],
  [{ x: 46, y: 46, scale: 1.18 }, { x: 50, y: 50, scale: 1 }],
].map(([from, to]) => ({ from: from!, to: to! })); // biome-ignore format: a table

/** Half a pixel of a picture of 1080 lines: nobody sees that a view was moved by less. */
const UNSEEN_PERCENT = 0.05;

/** What of a picture a moving view covers, and how it moves; null where it stands still and shows what it would show anyway. */
interface PlacedMotion {
  /** All that is ever seen, in whole pixels of the upright source. */
  readonly crop: Rect;
  readonly motion: Motion;
}

/** What a motion is placed by. */
interface MotionPlace {
  readonly entry: VideoEntry;
  readonly motion: MotionEntry;
  /** The cut that the clip is made of, in the upright source. */
  readonly cut: Rect;
  /** How the clip fills its box, whether or not all of that is on the canvas, and what of it is. */
  readonly fitted: Placement;
  readonly seen: Rect;
  readonly shows: Range<Frames>;
}

/** Pan and zoom over a clip's slot. The view is kept within the picture, with a warning. (C59) */
export function placeMotion(place: MotionPlace, issues: IssueList): PlacedMotion {
  const { entry, motion, cut, fitted, seen, shows } = place;
  const { from, to } = motion === 'ken_burns' ? KEN_BURNS[hashOf(entry.id) % KEN_BURNS.length]! : motion;
  const camera = (end: 'from' | 'to', asked: Camera): Camera => {
    const [x, y] = (['width', 'height'] as const).map((side) => {
      const half = (50 * fitted.crop[side]) / cut[side] / asked.scale;
      const wanted = side === 'width' ? asked.x : asked.y;
      return Math.min(100 - half, Math.max(half, wanted));
    }) as [number, number];
    if (motion !== 'ken_burns' && Math.max(Math.abs(x - asked.x), Math.abs(y - asked.y)) > UNSEEN_PERCENT) {
      const message = `The view would leave the picture: its centre is moved to ${shown(x)}, ${shown(y)}.`;
      issues.warn(pointer(entry.path, 'motion', end), 'motion.outside', message);
    }
    return { x: cut.x + (x * cut.width) / 100, y: cut.y + (y * cut.height) / 100, scale: asked.scale };
  };
  const { crop, dest } = fitted;
  const [across, down] = [crop.width / dest.width, crop.height / dest.height];
  const part = {
    x: (seen.x - dest.x - dest.width / 2) * across,
    y: (seen.y - dest.y - dest.height / 2) * down,
    width: seen.width * across,
    height: seen.height * down,
  };
  const ease = motion === 'ken_burns' ? 'ease_in_out' : motion.ease;
  const placed: Motion = { over: shows, from: camera('from', from), to: camera('to', to), ease, part };
  return { crop: reach(placed, crop, cut), motion: placed };
}

/** What both ends show, whether or not all of it is on the canvas: every view between them lies within. */
function reach({ from, to }: Motion, { width, height }: Rect, cut: Rect): Rect {
  const ends = [from, to];
  const left = Math.min(...ends.map(({ x, scale }) => x - width / 2 / scale));
  const top = Math.min(...ends.map(({ y, scale }) => y - height / 2 / scale));
  const right = Math.max(...ends.map(({ x, scale }) => x + width / 2 / scale));
  const bottom = Math.max(...ends.map(({ y, scale }) => y + height / 2 / scale));
  const x = Math.max(cut.x, Math.floor(left + ALMOST));
  const y = Math.max(cut.y, Math.floor(top + ALMOST));
  return {
    x,
    y,
    width: Math.max(1, Math.min(cut.x + cut.width, Math.ceil(right - ALMOST)) - x),
    height: Math.max(1, Math.min(cut.y + cut.height, Math.ceil(bottom - ALMOST)) - y),
  };
}

/** What floats make of a whole pixel is a whole pixel. */
const ALMOST = 1e-6;

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

function shown(percent: number): number {
  return Math.round(percent * 10) / 10;
}
