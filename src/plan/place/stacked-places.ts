import type { BlockEntry } from '../../timeline/request/board-entries.ts';
import type { VideoEntry } from '../../timeline/request/clip-entries.ts';
import type { ExportRequest } from '../../timeline/request/export-request.ts';
import type { PercentBox } from '../../timeline/request/places.ts';
import { BLOCK_BOX, type CanvasSize, GAP_PERCENT, isGiven, overlap, shapeOf } from './canvas-shape.ts';

/** Decides which entries may be moved, and how far down. */
interface StackingRules {
  /** Whether an entry has no place for this preset. */
  isFree(entry: VideoEntry | BlockEntry): boolean;
  /** Down to where a block may reach, in percent. */
  floor(block: BlockEntry): number;
}

/** The share of the height for the pictures above a board, and the share left to them over a subtitle. */
const ABOVE = 0.36;
const WIDEST = 16 / 9;
/** In a square a board may be beside a picture, unless that makes it a thin strip. */
const THIN_STRIP = 0.62;
/** Percents that meet may overlap a little. */
const TOUCHING = 2;

/**
 * Places for a board and the pictures-in-picture that are beside it in landscape, in a preset too narrow for that: the
 * pictures above, the board below. Percents that were set for a preset other than landscape are left alone. (C21)
 */
export function stackedPlaces(
  { timeline, settings }: ExportRequest,
  canvas: CanvasSize,
  rules: StackingRules,
): ReadonlyMap<VideoEntry | BlockEntry, PercentBox> {
  const shape = shapeOf(canvas);
  const places = new Map<VideoEntry | BlockEntry, PercentBox>();
  if (shape === 'landscape' || shapeOf(settings) !== 'landscape') return places;
  const pictures = timeline.videos.filter((video) => isGiven(video.box) && rules.isFree(video));
  const blocks = timeline.blocks.filter((block) => {
    const { width, height } = landscapeBox(block);
    const thin = (width * canvas.width) / (height * canvas.height) < THIN_STRIP;
    return rules.isFree(block) && (shape === 'portrait' || thin) && besideOf(block, pictures).length > 0;
  });
  if (blocks.length === 0) return places;
  const { x, y, width } = BLOCK_BOX[shape];
  const floor = Math.min(...blocks.map((block) => rules.floor(block)));
  const max = Math.max(...blocks.map((block) => besideOf(block, pictures).length));
  const narrowest = (width - (max - 1) * GAP_PERCENT) / max;
  // No taller than a wide picture needs: the rest is for the board.
  const above = Math.min((floor - y) * ABOVE, (narrowest * canvas.width) / WIDEST / canvas.height);
  for (const block of blocks) {
    const top = y + above + GAP_PERCENT;
    places.set(block, { x, y: top, width, height: rules.floor(block) - top });
    const beside = besideOf(block, pictures);
    const share = (width - (beside.length - 1) * GAP_PERCENT) / beside.length;
    const widest = (above * canvas.height * WIDEST) / canvas.width;
    for (const [place, video] of beside.entries()) {
      if (places.has(video)) continue;
      const own = Math.min(share, widest);
      const left = x + place * (share + GAP_PERCENT) + (share - own) / 2;
      places.set(video, { x: left, y, width: own, height: above });
    }
  }
  return places;
}

/** The pictures that are seen with the block, from the left, each wholly to its left or right. */
function besideOf(block: BlockEntry, pictures: readonly VideoEntry[]): VideoEntry[] {
  const board = landscapeBox(block);
  return pictures
    .filter((video) => {
      const { x, width } = { x: 0, width: 100, ...video.box };
      const isBeside = x + TOUCHING >= board.x + board.width || x + width <= board.x + TOUCHING;
      return isBeside && overlap(video, block);
    })
    .sort((a, b) => (a.box.x ?? 0) - (b.box.x ?? 0));
}

function landscapeBox({ box }: BlockEntry): PercentBox {
  return { ...BLOCK_BOX.landscape, ...box };
}
