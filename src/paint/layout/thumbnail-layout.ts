import { inCase } from '../../plan/model/capitals.ts';
import type { LetterStyle, ThemeLook } from '../../plan/theme/theme-look.ts';
import { lookOf } from '../../plan/theme/theme-looks.ts';
import type { ThumbnailPlan } from '../../plan/thumbnail-plan.ts';
import type { Box } from '../boxes.ts';
import { cleanLine, cleanText, fitText, type TextBlock } from './text/text-block.ts';
import type { MeasureText } from './text/text-measure.ts';
import { faceFor } from './text/typeface.ts';

/** A thumbnail with every part in its place, in its pixels. */
export interface ThumbnailLayout {
  readonly cards: readonly ThumbnailCard[];
  /** Of a board. */
  readonly rows: readonly ThumbnailLane[];
  /** Between two cards. */
  readonly versus: Lettering | null;
  readonly text: readonly Lettering[];
}

interface ThumbnailCard {
  /** Index into `ThumbnailPlan.items`. */
  readonly item: number;
  readonly box: Box;
  /** The row of the item, where the style tells it. */
  readonly stamp: Lettering | null;
}

/** Letters, and what they stand on. */
export interface Lettering {
  /** null: the text has no room. */
  readonly block: TextBlock | null;
  readonly box: Box;
  readonly on: 'ground' | 'plate' | 'picture';
  /** Index into `ThumbnailPlan.rows`: its colour; null: the theme's. */
  readonly row: number | null;
}

/** A row of a board whose items are hidden. */
interface ThumbnailLane {
  readonly row: number;
  readonly box: Box;
  readonly label: Lettering;
  readonly slots: readonly Box[];
}

/** No letter of the text is smaller, in heights of the picture: it must be read at the size of a search result. (R39) */
const SMALLEST = 0.1;
/** A word that is too long for that, by the longer side. */
const SMALLEST_WORD = 0.055;
/** The largest letters of the text, by the longer side. */
const LARGEST = { landscape: 0.2, portrait: 0.125 };
/** The text's room. */
const TEXT_ROOM = { landscape: 0.31, portrait: 0.37 };
/** Margins in shares of the shorter side. */
const MARGIN = 0.065;
const GAP = 0.045;
/** Words between verdicts, next to their letters, where that is not too small. */
const JOINING = 0.56;
/** The letters of a verdict, in heights of the picture, and the steps in which they shrink. */
const LARGEST_VERDICT = 0.25;
const SHRINK_STEP = 0.95;
/** In ems of a verdict's letters. */
const PLATE = { height: 1.16, pad: 0.24, gap: 0.19 };
const TEXT_LENGTH = 200;
const LABEL_LENGTH = 40;
const VERSUS = 'VS';

export function layoutThumbnail(plan: ThumbnailPlan, measure: MeasureText): ThumbnailLayout {
  const { width, height, style, theme } = plan;
  const look = lookOf(theme);
  const side = Math.min(width, height);
  const [margin, gap] = [side * MARGIN, side * GAP];
  const room = { x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin };
  const text = layoutText(plan, { ...room, height: height * TEXT_ROOM[orientationOf(plan)] }, look, measure);
  const textHeight = text.reduce((tallest, { box }) => Math.max(tallest, box.height), 0);
  const above = { ...room, height: room.height - (textHeight === 0 ? 0 : textHeight + gap) };
  const parts = STYLES[style]({ plan, room: above, gap, look, measure });
  const used = textHeight === 0 ? parts.height : parts.height + gap + textHeight;
  const spare = Math.max(0, room.height - used);
  // What is left goes above, below and between, in equal parts.
  const shares = textHeight === 0 ? 2 : 3;
  const top = spare / shares;
  const textTop = room.y + room.height - textHeight - spare / shares;
  return { ...movedDown(parts, top), text: text.map((part) => lettersAt(part, 0, textTop - room.y)) };
}

function orientationOf({ width, height }: Pick<ThumbnailPlan, 'width' | 'height'>): 'landscape' | 'portrait' {
  return height > width ? 'portrait' : 'landscape';
}

interface StyleTask {
  readonly plan: ThumbnailPlan;
  readonly room: Box;
  readonly gap: number;
  readonly look: ThemeLook;
  readonly measure: MeasureText;
}

interface StyleParts extends Omit<ThumbnailLayout, 'text'> {
  /** How much of the room they take, from its top. */
  readonly height: number;
}

const STYLES: Readonly<Record<ThumbnailPlan['style'], (task: StyleTask) => StyleParts>> = {
  question: (task) => {
    const { boxes, height } = cardBoxes(task, 1);
    return { ...NOTHING, cards: boxes.map((box, item) => ({ item, box, stamp: null })), height };
  },
  versus: layoutVersus,
  podium: layoutPodium,
  board: layoutBoardOfQuestions,
};

const NOTHING: Omit<StyleParts, 'height'> = { cards: [], rows: [], versus: null };

/** Squares side by side, in portrait one over two; the first or the middle one is `lead` times as large. */
function cardBoxes({ plan, room, gap }: StyleTask, lead: number): { readonly boxes: Box[]; readonly height: number } {
  const count = plan.items.length;
  if (orientationOf(plan) === 'portrait' && count > 1) return pyramid(room, gap, count);
  const leads = count > 1 ? lead : 1;
  const px = Math.min((room.width - (count - 1) * gap) / (count - 1 + leads), room.height / leads);
  const tallest = px * leads;
  let x = room.x + (room.width - (px * (count - 1) + tallest + gap * (count - 1))) / 2;
  // The best one stands in the middle of three, and first of two.
  const order = count === 3 && lead > 1 ? [1, 0, 2] : [0, 1, 2].slice(0, count);
  const boxes: Box[] = [];
  for (const item of order) {
    const own = item === 0 ? tallest : px;
    boxes[item] = { x, y: room.y + tallest - own, width: own, height: own };
    x += own + gap;
  }
  return { boxes, height: tallest };
}

/** How much larger than the others the first one of a pyramid is, at the least and at the most. */
const PYRAMID_LEAD = { min: 1.12, max: 1.65 };

/** The first one over the others, as large as the room allows: it fills a tall picture. */
function pyramid(room: Box, gap: number, count: number): { boxes: Box[]; height: number } {
  const below = count - 1;
  const { min, max } = PYRAMID_LEAD;
  const px = Math.min((room.width - (below - 1) * gap) / below, (room.height - gap) / (1 + min), room.width / min);
  const top = Math.min(px * max, room.height - gap - px, room.width);
  const first = { x: room.x + (room.width - top) / 2, y: room.y, width: top, height: top };
  const left = room.x + (room.width - below * px - (below - 1) * gap) / 2;
  const others = Array.from({ length: below }, (_, at) => {
    return { x: left + at * (px + gap), y: room.y + top + gap, width: px, height: px };
  });
  return { boxes: [first, ...others], height: top + gap + px };
}

/** Two cards, in portrait one to the left above one to the right, and what stands between them. */
function layoutVersus({ plan, room, gap, look, measure }: StyleTask): StyleParts {
  const isPortrait = orientationOf(plan) === 'portrait';
  const between = isPortrait ? -gap : 3 * gap;
  const px = isPortrait
    ? Math.min(room.width * 0.72, (room.height - between) / 2)
    : Math.min((room.width - between) / 2, room.height);
  const used = isPortrait ? { width: room.width, height: 2 * px + between } : { width: 2 * px + between, height: px };
  const left = room.x + (room.width - used.width) / 2;
  const cardAt = (item: number, x: number, y: number) => ({ item, box: { x, y, width: px, height: px }, stamp: null });
  const second = isPortrait
    ? cardAt(1, left + used.width - px, room.y + px + between)
    : cardAt(1, left + px + between, room.y);
  const platePx = px * 0.4;
  const [x, y] = [left + (used.width - platePx) / 2, room.y + (used.height - platePx) / 2];
  const box = { x, y, width: platePx, height: platePx };
  const versus = plate(VERSUS, box, null, look.thumbnail.verdict.letters, measure);
  return { ...NOTHING, cards: [cardAt(0, left, room.y), second], versus, height: used.height };
}

/** The letters of a long word on a stamp, against its height, and how wide the stamp becomes for it, against its card. */
const STAMP_LETTERS = 0.44;
const WIDEST_STAMP = 0.86;

/** The first three, each with the row that it is in. */
function layoutPodium(task: StyleTask): StyleParts {
  const { plan, room, look, measure } = task;
  // Stamps hang over the lower edge.
  const hang = 0.14;
  const tall = { ...room, height: room.height / (1 + hang) };
  const { boxes, height } = cardBoxes({ ...task, room: tall }, 1.22);
  const cards = boxes.map((box, item) => {
    const { row } = plan.items[item]!;
    if (row === null) return { item, box, stamp: null };
    const px = box.width * 0.36;
    const { label } = plan.rows[row]!;
    const { letters } = look.thumbnail.verdict;
    const wordPx = widestWord(inCase(cleanLine(label, LABEL_LENGTH), letters), measure) * px * STAMP_LETTERS;
    const width = Math.max(px, Math.min(box.width * WIDEST_STAMP, wordPx + px * 0.4));
    const at = { x: box.x + (box.width - width) / 2, y: box.y + box.height - px * 0.62, width, height: px };
    return { item, box, stamp: plate(label, at, row, letters, measure) };
  });
  return { ...NOTHING, cards, height: height * (1 + hang) };
}

const MAX_ROWS = 6;
/** In heights of it. */
const WIDEST_SLOT = 4;

/** The rows with a question mark for every item. */
function layoutBoardOfQuestions({ plan, room, look, measure }: StyleTask): StyleParts {
  const shown = plan.rows.slice(0, MAX_ROWS);
  const gap = room.height * 0.022;
  const height = (room.height - gap * (shown.length - 1)) / shown.length;
  const fullest = Math.max(1, ...shown.map(({ count }) => count));
  const rowPx = Math.min(height, Math.max(room.height / 4, room.width * 0.16));
  const rows = shown.map(({ label, count }, row): ThumbnailLane => {
    const box = { x: room.x, y: room.y + row * (rowPx + gap), width: room.width, height: rowPx };
    const labelBox = { ...box, width: Math.min(rowPx * 1.25, room.width * 0.24) };
    const pad = rowPx * 0.1;
    const px = rowPx - 2 * pad;
    const lane = box.width - labelBox.width - pad;
    const width = Math.max(px, Math.min(px * WIDEST_SLOT, lane / fullest - pad));
    const slots = Array.from({ length: Math.min(count, Math.floor(lane / (width + pad))) }, (_, slot) => {
      return { x: labelBox.x + labelBox.width + pad + slot * (width + pad), y: box.y + pad, width, height: px };
    });
    return { row, box, label: plate(label, labelBox, row, look.board.label.letters, measure), slots };
  });
  return { ...NOTHING, rows, height: rowPx * rows.length + gap * (rows.length - 1) };
}

/** A text in the middle of a plate, as large as it fits. */
function plate(text: string, box: Box, row: number | null, style: LetterStyle, measure: MeasureText): Lettering {
  const room = {
    widthPx: box.width * 0.82,
    heightPx: box.height * 0.86,
    maxPx: box.height * 0.68,
    minPx: Math.max(10, box.height * 0.14),
    maxLines: 3,
    mayCut: true,
    mayBreakWords: true,
  };
  const block = fitText(inCase(cleanLine(text, LABEL_LENGTH), style), 'display', room, measure);
  return { block, box, on: 'picture', row };
}

/** The text in its room: a question with its verdicts on plates where they fit, else lines. */
function layoutText(plan: ThumbnailPlan, room: Box, look: ThemeLook, measure: MeasureText): Lettering[] {
  const text = cleanText(plan.text, TEXT_LENGTH).trim();
  if (text === '') return [];
  return (plan.style === 'question' ? layoutVerdicts(text, plan, room, look, measure) : null) ?? lines();

  function lines(): Lettering[] {
    const longer = Math.max(plan.width, plan.height);
    const said = inCase(text, look.titles.card.letters);
    const usual = plan.height * SMALLEST;
    // A long word is rather smaller than on two lines.
    const unbroken = { widthPx: room.width, heightPx: Number.MAX_SAFE_INTEGER, maxLines: said.length };
    const sizes = { maxPx: usual, minPx: longer * SMALLEST_WORD, mayCut: false, mayBreakWords: false };
    const least = fitText(said, 'display', { ...unbroken, ...sizes }, measure)?.sizePx ?? sizes.minPx;
    const fitting = {
      widthPx: room.width,
      heightPx: room.height,
      maxPx: Math.max(usual, (longer === plan.width ? plan.height : longer) * LARGEST[orientationOf(plan)]),
      minPx: least,
      maxLines: 4,
      mayCut: true,
      mayBreakWords: true,
    };
    const block = fitText(said, 'display', fitting, measure);
    if (block === null) return [];
    return [{ block, box: { ...room, height: block.heightPx }, on: 'ground', row: null }];
  }
}

/** In ems. */
function widestWord(text: string, measure: MeasureText): number {
  const face = faceFor(text, 'display', measure.own);
  return Math.max(...text.split(/\s+/u).map((word) => measure(word, face)));
}

/** A word, and the punctuation at its end as another one. */
function withoutMark(word: string): string[] {
  let end = word.length;
  while (end > 0 && '?!.…'.includes(word[end - 1]!)) end -= 1;
  return end === 0 || end === word.length ? [word] : [word.slice(0, end), word.slice(end)];
}

/** The words of a question, those that name a row on its plate; null if there are none, or they do not fit a line. */
function layoutVerdicts(
  text: string,
  { rows, height }: ThumbnailPlan,
  room: Box,
  look: ThemeLook,
  measure: MeasureText,
): Lettering[] | null {
  const words = text.split(/\s+/u).flatMap(withoutMark);
  const rowOf = (word: string) => rows.findIndex(({ label }) => label === word);
  if (!words.some((word) => rowOf(word) >= 0)) return null;
  const least = height * SMALLEST;
  const largest = Math.min(room.height / PLATE.height, height * LARGEST_VERDICT);
  const steps = Math.max(0, Math.ceil(Math.log(least / largest) / Math.log(SHRINK_STEP)));
  for (let step = 0; step <= steps; step += 1) {
    const em = Math.max(least, largest * SHRINK_STEP ** step);
    const parts = words.map((word) => {
      const row = rowOf(word);
      const isLarge = row >= 0 || /^[?!.…]+$/u.test(word);
      const sizePx = isLarge ? em : Math.max(least, em * JOINING);
      const style = row >= 0 ? look.thumbnail.verdict.letters : look.titles.card.letters;
      const block = oneLine(inCase(word, style), sizePx, measure);
      const widthPx = block?.widthPx ?? 0;
      return { row, block, width: row < 0 ? widthPx : Math.max(PLATE.height * em, widthPx + 2 * PLATE.pad * em) };
    });
    const whole = parts.reduce((sum, { width }) => sum + width, (parts.length - 1) * PLATE.gap * em);
    if (whole > room.width) continue;
    let x = room.x + (look.thumbnail.align === 'left' ? 0 : (room.width - whole) / 2);
    return parts.map(({ row, block, width }) => {
      const box = { x, y: room.y, width, height: PLATE.height * em };
      x += width + PLATE.gap * em;
      return { block, box, on: row >= 0 ? 'plate' : 'ground', row: row < 0 ? null : row };
    });
  }
  return null;
}

function oneLine(text: string, sizePx: number, measure: MeasureText): TextBlock | null {
  const room = { widthPx: Number.MAX_SAFE_INTEGER, heightPx: Number.MAX_SAFE_INTEGER, maxPx: sizePx, minPx: sizePx };
  return fitText(text, 'display', { ...room, maxLines: 1, mayCut: false, mayBreakWords: false }, measure);
}

function movedDown({ cards, rows, versus }: StyleParts, down: number): Omit<ThumbnailLayout, 'text'> {
  const move = (box: Box) => ({ ...box, y: box.y + down });
  const letters = (part: Lettering | null) => part && lettersAt(part, 0, down);
  return {
    cards: cards.map(({ item, box, stamp }) => ({ item, box: move(box), stamp: letters(stamp) })),
    rows: rows.map(({ row, box, label, slots }) => {
      return { row, box: move(box), label: lettersAt(label, 0, down), slots: slots.map(move) };
    }),
    versus: letters(versus),
  };
}

function lettersAt(part: Lettering, right: number, down: number): Lettering {
  return { ...part, box: { ...part.box, x: part.box.x + right, y: part.box.y + down } };
}
