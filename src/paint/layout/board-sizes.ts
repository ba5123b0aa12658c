import type { BoardScene, CardLook } from '../../plan/model/board-scene.ts';
import type { LaneCounts } from '../../plan/reveal/board-state.ts';
import { cardsInLine, evenLines, type LaneLines, laneHeight, linesTaken } from './lane-lines.ts';

/** The sizes of a card. Its picture is in the upper left corner, its name below or beside it. */
export interface CardSizes {
  readonly cardPx: number;
  readonly cardHeightPx: number;
  /** The height of the room for a name below the picture; 0: it is not there. */
  readonly namePx: number;
  /** The width of the room for a name beside the picture; 0: it is not there. */
  readonly besidePx: number;
}

/** The sizes everything on a board follows from. */
export interface BoardSizes extends CardSizes {
  /** The proportions of a card that is held up: its name is never beside its picture. */
  readonly held: CardSizes;
  /** Between two cards, and between a lane's edge and its cards. */
  readonly gapPx: number;
  /** Between two lanes. */
  readonly laneGapPx: number;
  readonly labelPx: number;
  /** How many rows are one under the other. The others continue in the next stack, to the right. */
  readonly rowsPerStack: number;
  /** How wide a row is. */
  readonly stackPx: number;
  /** How large names beside pictures usually are. (R43) */
  readonly besideTextPx: number;
}

/** The inputs for choosing sizes: the room inside the panel, and the preferred size of labels. */
interface SizesRoom {
  readonly width: number;
  readonly height: number;
  readonly padding: number;
  /** Width by height of a card's picture. */
  readonly aspect: number;
  /** Whether all cards are names alone, which may be wider. */
  readonly isText: boolean;
  readonly names: CardLook['names'];
  readonly minTextPx: number;
  /** Of a name below its picture, and of one beside it: at the least, and usually. (R43) */
  readonly minNamePx: number;
  readonly minBesidePx: number;
  readonly usualBesidePx: number;
  /** Cards larger than this look like posters; the side of a square as large as a card's picture. */
  readonly maxCardPx: number;
  /** How rows are arranged. (C53) */
  readonly layout: BoardScene['layout'];
  /** A ladder whose cards have a shorter side below this is rejected. */
  readonly minCardPx: number;
  /** Whether the pool has its room even while it is empty. (C65) */
  readonly keepsPool: boolean;
  readonly labelled: boolean;
  readonly widestWordEm: number;
}

/** The items in the lanes of a board. */
export interface LaneLoad {
  /** The moments at which the board is fullest. (C65) */
  readonly moments: readonly LaneCounts[];
  /** The most items that each lane ever holds. */
  readonly max: LaneCounts;
}

/** How much larger cards must get for rows to be placed side by side, and for each further stack. */
const WORTH_STACKING = 1.15;
const WORTH_ANOTHER = 1.2;
/** And for a last stack that has fewer rows than those beside it. */
const WORTH_A_HOLE = 1.15;
const MAX_STACKS = 6;
/**
 * A row has room for this many cards, or for all it ever has: with fewer it looks like a column, and its label has no
 * room.
 */
const ROW_OF_CARDS = 3;
/** With fewer rows to a stack than this, or than there are stacks, they would be read across. */
const MIN_STACK = 3;

/** The least, usual and greatest width of labels, relative to their row; rows that are side by side are short. */
const LABEL_SHARE = { min: 0.06, usual: 0.115, max: 0.18, texts: 6 };
/** `texts`: the least width in heights of the smallest text, so that their letters are larger than that. */
const STACKED_LABEL_SHARE = { min: 0.14, usual: 0.14, max: 0.22, texts: 4.5 };

/** How tall the room for a name below its picture is, against the side of a square as large as the picture: usually, and at the most. */
const NAME_SHARE = { usual: 0.21, max: 0.6 };
/** The same below a picture that is held up, where names are beside pictures on the board, against its width. */
const HELD_NAME = 0.26;
/** The same in heights of the smallest name: one line has room below a picture of at least `named`, two below one of at least `wordy`. */
const NAME_LINES = { one: 1.5, two: 2.5 };
const NAMED_PICTURE = { named: 4.5, wordy: 5 };
/** A board is full where its fullest row takes this share of its lane. */
const FULL = 0.75;
/** The most room for a name beside its picture, in widths of the picture. */
const WIDEST_BESIDE = 3.2;
/** The least, in heights of the name: most names have a line there, or they break. */
const LINE_BESIDE = 5.3;
const BROKEN_BESIDE = 4.4;
/** Between a picture and the name beside it, as a share of the card's height. */
export const BESIDE_MARGIN = 0.11;
/** From a usual name beside its picture to the smallest. */
const BESIDE_STEPS = 4;
/** How large the pictures of a board that is not full must stay for their names to be beside them. */
const WORTH_BESIDE = 0.8;

/** Where the names of a board's cards are. */
type NamePlace = 'none' | 'below' | 'beside';

/**
 * The cards that fill a board best, for all rows alike: with their names beside their pictures, where these are larger
 * then, or almost as large on a board that is not full otherwise; else with their names below them; pictures alone,
 * where names would be too small. (R43)
 *
 * Neither the names nor the visible items matter: hidden items count only by the room they will need. (R18)
 */
export function boardSizes(load: LaneLoad, room: SizesRoom): BoardSizes {
  if (room.isText) return textSizes(load, room);
  const sizesFor = arrangement(load, room);
  const alone = sizesFor(load, room, 'none');
  if (room.names === 'never') return withWideLabels(alone, load, room);
  const below = withTwoLines(sizesFor(load, room, 'below'), load, room);
  const usual = room.names === 'always' || isWorthNaming(below, alone, load, room) ? below : alone;
  const beside = besideSizes(load, room, usual);
  if (beside === null) return withWideLabels(usual, load, room);
  return withWideNames(withWideLabels(beside, load, room), load, room);
}

/** How rows are arranged: in a ladder where cards are not too small for it. (C53) */
function arrangement(load: LaneLoad, room: SizesRoom): typeof ladderSizes {
  const isLadder =
    room.layout === 'ladder' &&
    shorterSide(ladderSizes(load, room, room.names === 'always' ? 'below' : 'none')) >= room.minCardPx;
  return isLadder ? ladderSizes : stackedSizes;
}

/** Whether names below the pictures can be read; names of one line are many cut ones, and not worth the room on a board that is full without them. */
function isWorthNaming(below: BoardSizes, alone: BoardSizes, { max }: LaneLoad, room: SizesRoom): boolean {
  const side = pictureSide(below, room) / room.minNamePx;
  const hasTwoLines = below.namePx >= wholePx(NAME_LINES.two * room.minNamePx);
  return side >= NAMED_PICTURE.named && (hasTwoLines || !isFull(alone, max));
}

/** Names with room for two lines, where rows are tall enough. */
function withTwoLines(sizes: BoardSizes, load: LaneLoad, room: SizesRoom): BoardSizes {
  const more = wholePx(NAME_LINES.two * room.minNamePx) - sizes.namePx;
  if (more <= 0) return sizes;
  const card = { ...sizes, cardHeightPx: sizes.cardHeightPx + more, namePx: sizes.namePx + more };
  return fits(load, room, card) ? { ...card, held: card } : sizes;
}

/** Whether the fullest row takes most of its lane. */
function isFull(sizes: BoardSizes, max: LaneCounts): boolean {
  const lane = sizes.stackPx - sizes.labelPx;
  const inRow = Math.min(Math.max(0, ...max.slice(0, -1)), cardsInLine(lane, sizes));
  return inRow * (sizes.cardPx + sizes.gapPx) >= FULL * lane;
}

/** The side of a square as large as the picture of a card. */
function pictureSide({ cardPx, besidePx }: CardSizes, { aspect }: SizesRoom): number {
  return (cardPx - besidePx) / Math.sqrt(aspect);
}

/** Cards with their names beside their pictures; null unless they fill the board better than those of `usual`. */
function besideSizes(load: LaneLoad, room: SizesRoom, usual: BoardSizes): BoardSizes | null {
  const best = bestBeside(LINE_BESIDE, load, room, usual) ?? bestBeside(BROKEN_BESIDE, load, room, usual);
  if (best !== null || usual.namePx > 0) return best;
  // Small names are better than none.
  const { minNamePx } = room;
  return bestBeside(BROKEN_BESIDE, load, { ...room, minBesidePx: minNamePx, usualBesidePx: minNamePx }, usual);
}

function bestBeside(besideEm: number, load: LaneLoad, room: SizesRoom, usual: BoardSizes): BoardSizes | null {
  const rowsPerStack = load.max.length - 1;
  const worthFull = usual.rowsPerStack < rowsPerStack ? 1 / WORTH_STACKING : 1;
  const least = pictureSide(usual, room) * (isFull(usual, load.max) ? worthFull : WORTH_BESIDE);
  const minInLine = Math.max(0, ...load.max.slice(0, -1));
  const leastPx = least * Math.sqrt(room.aspect);
  let best: BoardSizes | null = null;
  // Large pictures count for more than large names.
  const worth = (sizes: BoardSizes) => pictureSide(sizes, room) * Math.sqrt(sizes.besideTextPx);
  for (let step = 0; step < BESIDE_STEPS; step += 1) {
    const shrunk = (room.minBesidePx / room.usualBesidePx) ** (step / (BESIDE_STEPS - 1));
    const besideTextPx = room.usualBesidePx * shrunk;
    if (minInLine * (leastPx + besideEm * besideTextPx) > room.width) continue;
    const sizes = besideSizesOf({ rowsPerStack, minInLine, besideTextPx, besideEm }, load, room);
    if (sizes === null || pictureSide(sizes, room) < least) continue;
    if (step === 0 && pictureSide(sizes, room) >= pictureSide(usual, room)) return sizes;
    if (best === null || worth(sizes) > worth(best)) best = sizes;
  }
  return best;
}

/** Cards with names of that size beside their pictures; null unless every row is one line of them. */
function besideSizesOf(stacking: Required<Stacking>, load: LaneLoad, room: SizesRoom): BoardSizes | null {
  const { minInLine, besideTextPx } = stacking;
  if (minInLine === 0) return null;
  const sizes = largestSizes(load, room, stacking, 'beside');
  const isLine = cardsInLine(sizes.stackPx - sizes.labelPx, sizes) >= minInLine;
  return isLine && sizes.cardHeightPx >= NAME_LINES.one * besideTextPx ? sizes : null;
}

/** Proportions of cards with texts, and how long a line of them is, in heights of its letters. */
const TEXT_ASPECTS = [1.6, 2.2, 3];
const TEXT_LINE_EM = 6;
/** How tall their letters may be, against the card, and how wide a card may be, in heights of it. */
const TEXT_LETTERS = 0.3;
const WIDEST_TEXT = 4.4;

/** Cards with the largest texts, then as wide as the fullest row leaves room. (R43) */
function textSizes(load: LaneLoad, room: SizesRoom): BoardSizes {
  const lettersPx = ({ cardPx, cardHeightPx }: BoardSizes) =>
    Math.min(cardHeightPx * TEXT_LETTERS, cardPx / TEXT_LINE_EM);
  const sizesFor = arrangement(load, room);
  const tried = TEXT_ASPECTS.map((aspect) => sizesFor(load, { ...room, aspect }, 'none'));
  const legible = tried.filter(({ cardHeightPx }) => cardHeightPx >= NAME_LINES.one * room.minNamePx);
  const best = (legible.length > 0 ? legible : tried.slice(0, 1)).reduce((best, sizes) => {
    return lettersPx(sizes) > lettersPx(best) ? sizes : best;
  });
  const sizes = withWideLabels(best, load, room);
  const { cardPx, cardHeightPx } = sizes;
  const wide = widened(sizes, load, room, wholePx(WIDEST_TEXT * cardHeightPx) - cardPx);
  const held = { ...best.held, cardPx: Math.min(wide.cardPx, wholePx(cardHeightPx * room.aspect)) };
  return { ...wide, held };
}

const WIDENING_STEPS = 8;

/** Wider cards, as far as the fullest line leaves room for them, `most` at the most. */
function widened(sizes: BoardSizes, load: LaneLoad, room: SizesRoom, most: number): BoardSizes {
  const { cardPx, gapPx, stackPx, labelPx } = sizes;
  const inLine = Math.max(
    1,
    ...laneLines(load.max, room.width, sizes)!
      .slice(0, -1)
      .map(({ columns }) => columns),
  );
  const widest = wholePx((stackPx - labelPx - gapPx) / inLine) - gapPx;
  const more = Math.min(widest - cardPx, most);
  for (let step = WIDENING_STEPS; step > 0; step -= 1) {
    const by = wholePx((more * step) / WIDENING_STEPS);
    const wider = { ...sizes, cardPx: cardPx + by };
    // Wider cards may take more lines of the pool.
    if (by >= 1 && fits(load, room, wider)) return wider;
  }
  return sizes;
}

/** Names beside their pictures with as much room as the fullest row leaves. */
function withWideNames(sizes: BoardSizes, load: LaneLoad, room: SizesRoom): BoardSizes {
  const { cardPx, besidePx } = sizes;
  const wide = widened(sizes, load, room, wholePx(WIDEST_BESIDE * (cardPx - besidePx)) - besidePx);
  return { ...wide, besidePx: besidePx + wide.cardPx - cardPx };
}

/** Rows one under the other, as in most tier lists. */
function ladderSizes(load: LaneLoad, room: SizesRoom, names: NamePlace): BoardSizes {
  const rows = load.max.slice(0, -1);
  const stacking = { rowsPerStack: Math.max(1, rows.length), minInLine: Math.min(Math.max(0, ...rows), 2) };
  return largestSizes(load, room, stacking, names);
}

/** Rows side by side, if cards become large enough to be worth it, or would otherwise be too small; else a ladder. */
function stackedSizes(load: LaneLoad, room: SizesRoom, names: NamePlace): BoardSizes {
  const counts = load.max.slice(0, -1);
  const rows = counts.length;
  const ladder = ladderSizes(load, room, names);
  const isPoor = (sizes: BoardSizes) => shorterSide(sizes) < room.minCardPx;
  const minInLine = Math.min(Math.max(1, ...counts), ROW_OF_CARDS);
  const isFree = room.layout === 'auto';
  let best = { sizes: ladder, worth: ladder.cardPx };
  for (let stacks = 2; stacks <= rows && (isFree || isPoor(best.sizes)); stacks += 1) {
    const rowsPerStack = Math.ceil(rows / stacks);
    if (!isPoor(best.sizes) && (stacks > MAX_STACKS || rowsPerStack < Math.max(MIN_STACK, stacks))) break;
    const sizes = largestSizes(load, room, { rowsPerStack, minInLine }, names);
    const worth = sizes.cardPx / (rows % rowsPerStack === 0 ? 1 : WORTH_A_HOLE);
    const more = best.sizes === ladder ? WORTH_STACKING : WORTH_ANOTHER;
    if (worth > best.worth * (isPoor(best.sizes) ? 1 : more)) best = { sizes, worth };
  }
  return best.sizes.cardPx >= ladder.cardPx * WORTH_STACKING ? best.sizes : ladder;
}

function shorterSide({ cardPx, cardHeightPx }: BoardSizes): number {
  return Math.min(cardPx, cardHeightPx);
}

/** Whole pixels keep edges sharp; smaller sizes have no sharp edge and stay exact. */
export function wholePx(px: number): number {
  return px < 1 ? px : Math.floor(px);
}

function nearestPx(px: number): number {
  return px < 1 ? px : Math.round(px);
}

/** How rows are arranged. */
interface Stacking {
  readonly rowsPerStack: number;
  /** How many cards a row has room for at the least. */
  readonly minInLine: number;
  readonly besideTextPx?: number;
  /** How wide the room for a name beside its picture is at the least, in heights of the name. */
  readonly besideEm?: number;
}

/** Tries sizes downward; small enough always fits, since gaps and labels shrink along. */
function largestSizes(load: LaneLoad, room: SizesRoom, stacking: Stacking, names: NamePlace): BoardSizes {
  const { minInLine } = stacking;
  let picturePx = Math.max(1, Math.floor(room.maxCardPx * Math.sqrt(room.aspect)));
  for (;;) {
    const sizes = sizesWith(picturePx, load.max.length - 1, room, stacking, names);
    const isRow = cardsInLine(sizes.stackPx - sizes.labelPx, sizes) >= minInLine;
    if (picturePx < 0.01 || (isRow && fits(load, room, sizes))) {
      return names === 'beside' ? sizes : tidied(sizes, load, room, names);
    }
    picturePx = picturePx > 12 ? picturePx - 1 : picturePx * 0.97;
  }
}

/** How much smaller cards may get for lines that do not end with one or two cards on the next. */
const WORTH_TIDYING = 0.88;
/** So few cards of a line look forgotten. */
const FORGOTTEN = 0.2;

/** The sizes, or somewhat smaller ones with which fewer rows have an almost empty last line. */
function tidied(sizes: BoardSizes, load: LaneLoad, room: SizesRoom, names: NamePlace): BoardSizes {
  const { max } = load;
  let best = { sizes, forgotten: forgottenLines(max, room, sizes) };
  const min = Math.max(12, sizes.cardPx * WORTH_TIDYING);
  for (let cardPx = sizes.cardPx - 1; best.forgotten > 0 && cardPx >= min; cardPx -= 1) {
    const smaller = sizesWith(cardPx, max.length - 1, room, sizes, names);
    const forgotten = forgottenLines(max, room, smaller);
    if (forgotten < best.forgotten && fits(load, room, smaller)) best = { sizes: smaller, forgotten };
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

function sizesWith(
  picturePx: number,
  rows: number,
  room: SizesRoom,
  { rowsPerStack, besideTextPx = room.usualBesidePx, besideEm = LINE_BESIDE }: Omit<Stacking, 'minInLine'>,
  names: NamePlace,
): BoardSizes {
  const sidePx = picturePx / Math.sqrt(room.aspect);
  const picture = { cardPx: picturePx, cardHeightPx: wholePx(picturePx / room.aspect), namePx: 0, besidePx: 0 };
  const foot = nearestPx(nameRoom(sidePx, room));
  const below = { ...picture, cardHeightPx: picture.cardHeightPx + foot, namePx: foot };
  const besidePx = Math.ceil(besideEm * besideTextPx + 2 * BESIDE_MARGIN * picture.cardHeightPx);
  const card = { none: picture, below, beside: { ...picture, cardPx: picturePx + besidePx, besidePx } }[names];
  const gapPx = nearestPx(sidePx * 0.055);
  const laneGapPx = wholePx(Math.min(room.padding * 0.35, sidePx * 0.08));
  const stacks = Math.max(1, Math.ceil(rows / rowsPerStack));
  const stackPx = wholePx((room.width - (stacks - 1) * laneGapPx) / stacks);
  const labelPx = rows === 0 ? 0 : labelWidth(sidePx, stackPx, stacks > 1 ? STACKED_LABEL_SHARE : LABEL_SHARE, room);
  const held = names === 'beside' ? heldSizes(picture) : card;
  return { ...card, held, gapPx, laneGapPx, labelPx, rowsPerStack, stackPx, besideTextPx };
}

/** A card that is held up, of a board with names beside pictures: its foot does not depend on the size of the board's cards. */
function heldSizes(picture: CardSizes): CardSizes {
  const namePx = nearestPx(picture.cardPx * HELD_NAME);
  return { ...picture, cardHeightPx: picture.cardHeightPx + namePx, namePx };
}

/** How tall the room for a name below a picture is. */
function nameRoom(sidePx: number, { minNamePx }: SizesRoom): number {
  const lines = sidePx >= NAMED_PICTURE.wordy * minNamePx ? NAME_LINES.two : NAME_LINES.one;
  return Math.max(sidePx * NAME_SHARE.usual, Math.min(lines * minNamePx, sidePx * NAME_SHARE.max));
}

function fits(load: LaneLoad, room: SizesRoom, sizes: BoardSizes): boolean {
  const lines = laneLines(load.max, room.width, sizes);
  if (lines === null) return false;
  return load.moments.every((counts) => {
    const { lanesPx, gapsPx } = tallestStack(counts, lines, sizes, room.keepsPool);
    return lanesPx + gapsPx <= room.height;
  });
}

/** How the cards of each lane make up lines; null if a lane has no room for one card. */
export function laneLines(max: LaneCounts, widthPx: number, sizes: BoardSizes): LaneLines[] | null {
  const inRow = cardsInLine(sizes.stackPx - sizes.labelPx, sizes);
  const inPool = cardsInLine(widthPx, sizes);
  if ((max.length > 1 && inRow < 1) || inPool < 1) return null;
  return max.map((cards, lane) => evenLines(cards, lane === max.length - 1 ? inPool : inRow));
}

/** The tallest stack of rows at a moment, with the pool below it: its lanes, and the gaps between them. */
export function tallestStack(
  counts: LaneCounts,
  lines: readonly LaneLines[],
  sizes: BoardSizes,
  keepsPool: boolean,
): { readonly lanesPx: number; readonly gapsPx: number } {
  const rows = counts.length - 1;
  const height = (lane: number) => laneHeight(linesTaken(lines[lane]!, counts[lane]!), sizes);
  const hasPool = keepsPool || counts[rows]! > 0;
  const poolPx = hasPool ? height(rows) : 0;
  let tallest = { lanesPx: poolPx, gapsPx: 0 };
  for (let first = 0; first < rows; first += sizes.rowsPerStack) {
    const end = Math.min(rows, first + sizes.rowsPerStack);
    let lanesPx = poolPx;
    for (let row = first; row < end; row += 1) lanesPx += height(row);
    const gapsPx = (end - first - (hasPool ? 0 : 1)) * sizes.laneGapPx;
    if (lanesPx + gapsPx > tallest.lanesPx + tallest.gapsPx) tallest = { lanesPx, gapsPx };
  }
  return tallest;
}

/** About as wide as a card, wider for long words, within the limits of a row; a stripe if no row has a name. */
function labelWidth(cardPx: number, width: number, share: typeof LABEL_SHARE, room: SizesRoom): number {
  const { labelled, widestWordEm, minTextPx } = room;
  if (!labelled) return wholePx(Math.min(cardPx * 0.2, width * 0.03));
  const wanted = widestWordEm * Math.min(cardPx * 0.24, width * 0.022) * 1.2;
  const usual = Math.max(Math.min(cardPx * 1.08, width * share.usual), cardPx * 0.4);
  const min = Math.max(width * share.min, minTextPx * share.texts);
  return wholePx(Math.min(Math.max(usual, min, wanted), width * share.max));
}

/** A label grows to this share of its row for a long word, and to this height of its letters, against a card's side. */
const WIDEST_LABEL = 0.25;
const WORD_SHARE = 0.3;

/** Labels as wide as they would like to be, where every row is one line and leaves the room. */
function withWideLabels(sizes: BoardSizes, { max }: LaneLoad, room: SizesRoom): BoardSizes {
  const { labelled, widestWordEm } = room;
  const { cardPx, gapPx, stackPx, rowsPerStack, labelPx } = sizes;
  if (!labelled) return sizes;
  const rows = max.slice(0, -1);
  const share = rows.length > rowsPerStack ? STACKED_LABEL_SHARE : LABEL_SHARE;
  const sidePx = pictureSide(sizes, room);
  const wordPx = Math.min(widestWordEm * sidePx * WORD_SHARE * 1.2, stackPx * WIDEST_LABEL);
  const wanted = Math.max(Math.min(sidePx * 1.08, stackPx * share.max), wordPx);
  const free = stackPx - Math.max(1, ...rows) * (cardPx + gapPx) - gapPx;
  return { ...sizes, labelPx: Math.max(labelPx, wholePx(Math.min(wanted, free))) };
}
