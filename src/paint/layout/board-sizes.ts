import type { BoardScene } from '../../plan/render-plan.ts';

/** The sizes everything on a board follows from. */
export interface BoardSizes {
  /** The side of every card. */
  readonly cardPx: number;
  /** Between two cards, and between a lane's edge and its cards. */
  readonly gapPx: number;
  /** Between two lanes. */
  readonly laneGapPx: number;
  readonly labelPx: number;
  /** How many rows stand one under the other. Where not all do, they go on in the next stack, to the right. */
  readonly rowsPerStack: number;
  /** How wide a row is. */
  readonly stackPx: number;
}

/** What sizes are chosen for: the room inside the panel, and what the labels would like. */
export interface SizesRoom {
  readonly width: number;
  readonly height: number;
  readonly padding: number;
  /** Cards larger than this look like posters. */
  readonly mostCardPx: number;
  /** Cards smaller than this say little: better to give up the single ladder of rows. */
  readonly poorCardPx: number;
  readonly labelled: boolean;
  readonly widestWordEm: number;
}

/** How much larger cards must get for rows to stand side by side. */
const WORTH_STACKING = 1.4;
/** So many cards in a line still look like a row; fewer look like a column. */
const ROW_OF_CARDS = 5;

/**
 * The largest cards with which the finished board fits. Rows stand one under the other, as everyone knows a tier list;
 * only where that makes poor cards (a wide strip, dozens of rows) are they stacked side by side. (R11)
 */
export function boardSizes(scene: BoardScene, room: SizesRoom): BoardSizes {
  const rows = scene.rows.length;
  const ladder = largestSizes(scene, room, Math.max(1, rows));
  if (ladder.cardPx >= room.poorCardPx) return ladder;
  const longest = Math.max(0, ...scene.rows.map(({ items }) => items.length));
  let best = ladder;
  for (let stacks = 2; stacks <= rows && best.cardPx < room.poorCardPx; stacks += 1) {
    const sizes = largestSizes(scene, room, Math.ceil(rows / stacks));
    const rowLike = cardsInLine(sizes.stackPx - sizes.labelPx, sizes) >= Math.min(longest, ROW_OF_CARDS);
    if (rowLike && sizes.cardPx > best.cardPx) best = sizes;
  }
  return best.cardPx >= ladder.cardPx * WORTH_STACKING ? best : ladder;
}

/** How many cards of a lane make up a line. */
export function cardsInLine(widthPx: number, { cardPx, gapPx }: Pick<BoardSizes, 'cardPx' | 'gapPx'>): number {
  return Math.floor((widthPx - gapPx) / (cardPx + gapPx) + 1e-9);
}

/** How tall a lane wants to be with so many cards: whole lines, and one line where it is empty. */
export function laneHeight(
  cards: number,
  inLine: number,
  { cardPx, gapPx }: Pick<BoardSizes, 'cardPx' | 'gapPx'>,
): number {
  return Math.max(1, Math.ceil(cards / inLine)) * (cardPx + gapPx) + gapPx;
}

/** Whole pixels keep edges sharp; what is smaller than one has no edge to lose and stays exact. */
export function wholePx(px: number): number {
  return px < 1 ? px : Math.floor(px);
}

/** Tries sizes downward; small enough always fits, since gaps and labels shrink along. */
function largestSizes(scene: BoardScene, room: SizesRoom, rowsPerStack: number): BoardSizes {
  let cardPx = Math.max(1, Math.floor(room.mostCardPx));
  for (;;) {
    const sizes = sizesWith(cardPx, scene, room, rowsPerStack);
    if (cardPx < 0.01 || fits(scene, room, sizes)) return sizes;
    cardPx = cardPx > 12 ? cardPx - 1 : cardPx * 0.97;
  }
}

function sizesWith(cardPx: number, scene: BoardScene, room: SizesRoom, rowsPerStack: number): BoardSizes {
  const gapPx = cardPx * 0.055 < 1 ? cardPx * 0.055 : Math.round(cardPx * 0.055);
  const laneGapPx = wholePx(Math.min(room.padding * 0.35, cardPx * 0.08));
  const stacks = Math.max(1, Math.ceil(scene.rows.length / rowsPerStack));
  const stackPx = wholePx((room.width - (stacks - 1) * laneGapPx) / stacks);
  const labelPx = scene.rows.length === 0 ? 0 : labelWidth(cardPx, stackPx, room);
  return { cardPx, gapPx, laneGapPx, labelPx, rowsPerStack, stackPx };
}

function fits(scene: BoardScene, room: SizesRoom, sizes: BoardSizes): boolean {
  const { laneGapPx, rowsPerStack } = sizes;
  const inRow = cardsInLine(sizes.stackPx - sizes.labelPx, sizes);
  const inPool = cardsInLine(room.width, sizes);
  if ((scene.rows.length > 0 && inRow < 1) || inPool < 1) return false;
  const pool = scene.pool.length === 0 ? 0 : laneHeight(scene.pool.length, inPool, sizes);
  for (let first = 0; first < scene.rows.length; first += rowsPerStack) {
    const stack = scene.rows.slice(first, first + rowsPerStack);
    const lanes = stack.length + (pool > 0 ? 1 : 0);
    const height = stack.reduce((sum, { items }) => sum + laneHeight(items.length, inRow, sizes), pool);
    if (height + laneGapPx * (lanes - 1) > room.height) return false;
  }
  return pool <= room.height;
}

/** About as wide as a card, wider for long words, within what a row can spare; a mere stripe where no row has a name. */
function labelWidth(cardPx: number, width: number, { labelled, widestWordEm }: SizesRoom): number {
  if (!labelled) return wholePx(Math.min(cardPx * 0.2, width * 0.03));
  const wanted = widestWordEm * Math.min(cardPx * 0.24, width * 0.022) * 1.2;
  return wholePx(Math.min(Math.max(Math.min(cardPx * 1.08, width * 0.115), width * 0.06, wanted), width * 0.18));
}
