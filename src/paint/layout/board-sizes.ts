import type { CardLook } from '../../plan/board-scene.ts';
import { cardsInLine, laneHeight, lineCount } from './lane-lines.ts';

/** The sizes everything on a board follows from. */
export interface BoardSizes {
  /** How wide every card is, and how tall, with the name at its foot. */
  readonly cardPx: number;
  readonly cardHeightPx: number;
  /** How tall the names at the feet of cards are; 0: there are none. */
  readonly namePx: number;
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
interface SizesRoom {
  readonly width: number;
  readonly height: number;
  readonly padding: number;
  /** Width by height of a card's picture. */
  readonly aspect: number;
  readonly names: CardLook['names'];
  readonly minTextPx: number;
  /** Cards larger than this look like posters; the side of a square as large as a card's picture. */
  readonly mostCardPx: number;
  /** Cards smaller than this say little: better to give up the single ladder of rows. Measured likewise. */
  readonly poorCardPx: number;
  readonly labelled: boolean;
  readonly widestWordEm: number;
}

/** The most items each lane ever holds: the rows, then the pool. */
type LaneCounts = readonly number[];

/** How much larger cards must get for rows to stand side by side, and for one more stack beside those. */
const WORTH_STACKING = 1.15;
const WORTH_ANOTHER = 1.2;
/** And for a last stack that has fewer rows than those beside it. */
const WORTH_A_HOLE = 1.15;
const MOST_STACKS = 6;
/** A row has room for so many cards, or for all it ever has: with fewer it looks like a column, and its label has no room. */
const ROW_OF_CARDS = 3;
/** With fewer rows to a stack than this, or than there are stacks, one would read them across. */
const LEAST_STACK = 3;
/** From so many rows on a ladder that is half empty is no longer worth keeping. */
const MANY_ROWS = 6;
const HALF_EMPTY = 0.5;

/** How wide labels are at the least, usually and at the most, against their row; where rows stand side by side these are short. */
const LABEL_SHARE = { least: 0.06, usual: 0.115, most: 0.18, texts: 6 };
/** `texts`: at the least in heights of the smallest text, so that their letters are more than that. */
const STACKED_LABEL_SHARE = { least: 0.14, usual: 0.14, most: 0.22, texts: 4.5 };

/** How tall a name is, against the side of a square as large as the picture; and what one line of it takes up. */
const NAME_SHARE = 0.21;
export const NAME_LINE = 0.62;

/**
 * The largest cards with which the finished board fits, with names at their feet where those can be read then. (R11, C46)
 * Neither the names nor who is seen matters: hidden items decide nothing but the room they will need. (R18)
 */
export function boardSizes(counts: LaneCounts, room: SizesRoom): BoardSizes {
  const named = room.names === 'never' ? null : sizesFor(counts, room, true);
  const isNamed = named !== null && (room.names === 'always' || named.namePx * NAME_LINE >= room.minTextPx);
  return withWideLabels(isNamed ? named : sizesFor(counts, room, false), counts, room);
}

/**
 * Rows stand one under the other, as everyone knows a tier list; only where that makes poor cards (a wide strip, dozens of
 * rows), or leaves half of many rows empty, are they stacked side by side.
 */
function sizesFor(counts: LaneCounts, room: SizesRoom, named: boolean): BoardSizes {
  const rows = counts.length - 1;
  const longest = Math.max(0, ...counts.slice(0, -1));
  const ladder = largestSizes(
    counts,
    room,
    { rowsPerStack: Math.max(1, rows), leastInLine: Math.min(longest, 2) },
    named,
  );
  const isPoor = (sizes: BoardSizes) => sizes.cardPx < room.poorCardPx * Math.sqrt(room.aspect);
  const isSparse = rows >= MANY_ROWS && filledShare(counts, ladder) < HALF_EMPTY;
  if (!isPoor(ladder) && !isSparse) return ladder;
  const leastInLine = Math.min(Math.max(longest, 1), ROW_OF_CARDS);
  const most = isSparse ? Math.min(rows, MOST_STACKS) : rows;
  let best = { sizes: ladder, worth: ladder.cardPx };
  for (let stacks = 2; stacks <= most && (isSparse || isPoor(best.sizes)); stacks += 1) {
    const rowsPerStack = Math.ceil(rows / stacks);
    if (!isPoor(best.sizes) && rowsPerStack < Math.max(LEAST_STACK, stacks)) break;
    const sizes = largestSizes(counts, room, { rowsPerStack, leastInLine }, named);
    const worth = sizes.cardPx / (rows % rowsPerStack === 0 ? 1 : WORTH_A_HOLE);
    const more = best.sizes === ladder ? WORTH_STACKING : WORTH_ANOTHER;
    if (worth > best.worth * (isPoor(best.sizes) ? 1 : more)) best = { sizes, worth };
  }
  return best.sizes.cardPx >= ladder.cardPx * WORTH_STACKING ? best.sizes : ladder;
}

/** How much of the rows, one under the other, the finished board's cards take up. */
function filledShare(counts: LaneCounts, { cardPx, cardHeightPx, gapPx, stackPx, labelPx }: BoardSizes): number {
  const rows = counts.slice(0, -1);
  const cards = rows.reduce((sum, items) => sum + items, 0) * cardPx * cardHeightPx;
  return cards / (rows.length * (stackPx - labelPx) * (cardHeightPx + 2 * gapPx));
}

/** Whole pixels keep edges sharp; what is smaller than one has no edge to lose and stays exact. */
export function wholePx(px: number): number {
  return px < 1 ? px : Math.floor(px);
}

function nearestPx(px: number): number {
  return px < 1 ? px : Math.round(px);
}

/** How rows are to stand. */
interface Stacking {
  readonly rowsPerStack: number;
  /** How many cards a row has room for at the least. */
  readonly leastInLine: number;
}

/** Tries sizes downward; small enough always fits, since gaps and labels shrink along. */
function largestSizes(counts: LaneCounts, room: SizesRoom, stacking: Stacking, named: boolean): BoardSizes {
  const { rowsPerStack, leastInLine } = stacking;
  let cardPx = Math.max(1, Math.floor(room.mostCardPx * Math.sqrt(room.aspect)));
  for (;;) {
    const sizes = sizesWith(cardPx, counts.length - 1, room, rowsPerStack, named);
    const isRow = cardsInLine(sizes.stackPx - sizes.labelPx, sizes) >= leastInLine;
    if (cardPx < 0.01 || (isRow && fits(counts, room, sizes))) return tidied(sizes, counts, room, named);
    cardPx = cardPx > 12 ? cardPx - 1 : cardPx * 0.97;
  }
}

/** How much smaller cards may get for lines that do not end with one or two cards on the next. */
const WORTH_TIDYING = 0.88;
/** So few cards of a line look forgotten. */
const FORGOTTEN = 0.2;

/** The sizes, or somewhat smaller ones with which fewer rows have a last line of next to nothing. */
function tidied(sizes: BoardSizes, counts: LaneCounts, room: SizesRoom, named: boolean): BoardSizes {
  let best = { sizes, forgotten: forgottenLines(counts, room, sizes) };
  const least = Math.max(12, sizes.cardPx * WORTH_TIDYING);
  for (let cardPx = sizes.cardPx - 1; best.forgotten > 0 && cardPx >= least; cardPx -= 1) {
    const smaller = sizesWith(cardPx, counts.length - 1, room, sizes.rowsPerStack, named);
    const forgotten = forgottenLines(counts, room, smaller);
    if (forgotten < best.forgotten && fits(counts, room, smaller)) best = { sizes: smaller, forgotten };
  }
  return best.sizes;
}

function forgottenLines(counts: LaneCounts, { width }: SizesRoom, sizes: BoardSizes): number {
  return counts.filter((cards, lane) => {
    const inLine = cardsInLine(lane === counts.length - 1 ? width : sizes.stackPx - sizes.labelPx, sizes);
    const last = cards % inLine;
    return cards > inLine && last > 0 && last <= Math.max(1, inLine * FORGOTTEN);
  }).length;
}

function sizesWith(cardPx: number, rows: number, room: SizesRoom, rowsPerStack: number, named: boolean): BoardSizes {
  const sidePx = cardPx / Math.sqrt(room.aspect);
  const namePx = named ? nearestPx(sidePx * NAME_SHARE) : 0;
  const cardHeightPx = wholePx(cardPx / room.aspect) + namePx;
  const gapPx = nearestPx(sidePx * 0.055);
  const laneGapPx = wholePx(Math.min(room.padding * 0.35, sidePx * 0.08));
  const stacks = Math.max(1, Math.ceil(rows / rowsPerStack));
  const stackPx = wholePx((room.width - (stacks - 1) * laneGapPx) / stacks);
  const labelPx = rows === 0 ? 0 : labelWidth(sidePx, stackPx, stacks > 1 ? STACKED_LABEL_SHARE : LABEL_SHARE, room);
  return { cardPx, cardHeightPx, namePx, gapPx, laneGapPx, labelPx, rowsPerStack, stackPx };
}

function fits(most: LaneCounts, room: SizesRoom, sizes: BoardSizes): boolean {
  const { laneGapPx, rowsPerStack } = sizes;
  const inRow = cardsInLine(sizes.stackPx - sizes.labelPx, sizes);
  const inPool = cardsInLine(room.width, sizes);
  const rows = most.slice(0, -1);
  if ((rows.length > 0 && inRow < 1) || inPool < 1) return false;
  const pool = most.at(-1) === 0 ? 0 : laneHeight(lineCount(most.at(-1)!, inPool), sizes);
  for (let first = 0; first < rows.length; first += rowsPerStack) {
    const stack = rows.slice(first, first + rowsPerStack);
    const lanes = stack.length + (pool > 0 ? 1 : 0);
    const height = stack.reduce((sum, items) => sum + laneHeight(lineCount(items, inRow), sizes), pool);
    if (height + laneGapPx * (lanes - 1) > room.height) return false;
  }
  return pool <= room.height;
}

/** About as wide as a card, wider for long words, within what a row can spare; a mere stripe where no row has a name. */
function labelWidth(cardPx: number, width: number, share: typeof LABEL_SHARE, room: SizesRoom): number {
  const { labelled, widestWordEm, minTextPx } = room;
  if (!labelled) return wholePx(Math.min(cardPx * 0.2, width * 0.03));
  const wanted = widestWordEm * Math.min(cardPx * 0.24, width * 0.022) * 1.2;
  const usual = Math.max(Math.min(cardPx * 1.08, width * share.usual), cardPx * 0.4);
  const least = Math.max(width * share.least, minTextPx * share.texts);
  return wholePx(Math.min(Math.max(usual, least, wanted), width * share.most));
}

/** Labels as wide as they would like to be, where every row is one line and leaves the room. */
function withWideLabels(sizes: BoardSizes, counts: LaneCounts, { labelled, aspect }: SizesRoom): BoardSizes {
  const { cardPx, gapPx, stackPx, rowsPerStack, labelPx } = sizes;
  if (!labelled) return sizes;
  const rows = counts.slice(0, -1);
  const share = rows.length > rowsPerStack ? STACKED_LABEL_SHARE : LABEL_SHARE;
  const wanted = Math.min((cardPx / Math.sqrt(aspect)) * 1.08, stackPx * share.most);
  const free = stackPx - Math.max(1, ...rows) * (cardPx + gapPx) - gapPx;
  return { ...sizes, labelPx: Math.max(labelPx, wholePx(Math.min(wanted, free))) };
}
