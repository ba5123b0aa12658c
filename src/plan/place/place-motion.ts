import { type FrameRate, frameRange, type Range, type Seconds } from '../../time.ts';
import type { Camera, MotionEntry, VideoEntry } from '../../timeline/export-request.ts';
import type { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import type { Rect } from '../model/canvas.ts';
import type { Motion } from '../model/clip-layer.ts';
import type { MediaFacts } from '../model/media-facts.ts';
import type { Placement } from './fit-clip.ts';

/** Half a pixel of a picture of 1080 lines: a smaller movement of a view is invisible. */
const UNSEEN_PERCENT = 0.05;

/**
 * The part of a picture that a moving view covers, and how it moves; null if it does not move and shows the default
 * part.
 */
interface PlacedMotion {
  /** Everything that is ever visible, in whole pixels of the upright source. */
  readonly crop: Rect;
  readonly motion: Motion;
}

/** What the place of a motion depends on. */
interface MotionPlace {
  readonly entry: VideoEntry;
  readonly facts: Pick<MediaFacts, 'hash'>;
  readonly motion: MotionEntry;
  /** The cut that the clip is made of, in the upright source. */
  readonly cut: Rect;
  /** How the clip fills its box, on the canvas or not, and its part on the canvas. */
  readonly fitted: Placement;
  readonly seen: Rect;
  readonly slot: Range<Seconds>;
  readonly rate: FrameRate;
}

/** Pan and zoom over a clip's slot. The view is kept within the picture, with a warning. (C59) */
export function placeMotion(place: MotionPlace, issues: IssueList): PlacedMotion {
  const { entry, facts, motion, cut, fitted, seen, slot, rate } = place;
  // Clips before it may be added or removed: without an id, its file's hash decides.
  const name = entry.hasOwnId ? entry.id : facts.hash;
  const { from, to, ease, before, after } =
    motion === 'ken_burns' ? { ...kenBurns(name), ease: 'ease_in_out' as const, before: 0, after: 0 } : motion;
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
  const over = frameRange(slot.start - before, slot.end + after, rate);
  const placed: Motion = { over, from: camera('from', from), to: camera('to', to), ease, part };
  return { crop: reach(placed, crop, cut), motion: placed };
}

/** The area that both ends show, on the canvas or not: every view between them is inside it. */
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

/** The float error of a whole pixel. */
const ALMOST = 1e-6;

function shown(percent: number): number {
  return Math.round(percent * 10) / 10;
}

/** The views of `ken_burns`; it uses one of them: slow, and never far from the middle. (C59) */
const VIEWS: readonly { readonly from: Camera; readonly to: Camera }[] = [
  [{ x: 50, y: 50, scale: 1 }, { x: 54, y: 46, scale: 1.18 }],
  [{ x: 54, y: 52, scale: 1.18 }, { x: 50, y: 50, scale: 1 }],
  [{ x: 45, y: 48, scale: 1.14 }, { x: 55, y: 52, scale: 1.14 }],
  [{ x: 50, y: 50, scale: 1 }, { x: 45, y: 47, scale: 1.18 }],
  [{ x: 55, y: 47, scale: 1.14 }, { x: 45, y: 53, scale: 1.14 }],
  [{ x: 46, y: 46, scale: 1.18 }, { x: 50, y: 50, scale: 1 }],
].map(([from, to]) => ({ from: from!, to: to! })); // biome-ignore format: a table

/** @param name the clip's id, or the hash of its file where it has none. */
export function kenBurns(name: string): { readonly from: Camera; readonly to: Camera } {
  return VIEWS[hashOf(name) % VIEWS.length]!;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
