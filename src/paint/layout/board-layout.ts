import { type BoardScene, CARD_ASPECT } from '../../plan/model/board-scene.ts';
import { REFERENCE_SIDE, referenceScale } from '../../plan/model/canvas.ts';
import { inCase } from '../../plan/model/capitals.ts';
import type { Theme } from '../../plan/model/theme.ts';
import { fullestMoments } from '../../plan/reveal/board-state.ts';
import type { BoardLook } from '../../plan/theme/theme-look.ts';
import { lookOf } from '../../plan/theme/theme-looks.ts';
import type { Box } from '../boxes.ts';
import { type BoardSizes, boardSizes, type LaneLoad, laneLines, tallestStack, wholePx } from './board-sizes.ts';
import type { LaneLines } from './lane-lines.ts';
import { type StampSize, stampSize } from './spotlight-place.ts';
import { cleanLine, fitText, type TextBlock } from './text/text-block.ts';
import type { MeasureText } from './text/text-measure.ts';
import { type Face, faceFor } from './text/typeface.ts';

/** The constant part of a board's layout. The pose has the places of cards and lanes. */
export interface BoardLayout extends BoardSizes {
  /** The unit of a theme's lengths: a 48th of the root of the window's area. */
  readonly em: number;
  /** The panel that everything is on, inside the window. */
  readonly panel: Box;
  readonly title: { readonly block: TextBlock; readonly box: Box } | null;
  /** The counter of landed items, right-aligned; null: there is none. */
  readonly counter: { readonly box: Box; readonly face: Face; readonly sizePx: number } | null;
  /** The room all lanes share, top to bottom. */
  readonly lanesBox: Box;
  /** The rows in order, then the pool if it ever has an item, or if it is always shown. */
  readonly lanes: readonly Lane[];
  /** Whether the pool has its room even while it is empty. (C65) */
  readonly keepsPool: boolean;
  readonly radiusPx: { readonly panel: number; readonly lane: number; readonly card: number };
  /** By row; null if the label is empty or has no room. */
  readonly labels: readonly (TextBlock | null)[];
  /** The one size of all stamps. */
  readonly stamp: StampSize;
  /** Below this size text is dropped. */
  readonly minTextPx: number;
  /** Below this size a name is dropped; one beside its picture is cut. (R43) */
  readonly minNamePx: number;
  readonly minBesidePx: number;
}

/** A row or the pool. */
interface Lane extends LaneLines {
  readonly kind: 'row' | 'pool';
  readonly x: number;
  readonly width: number;
  /** Where the first card of a line begins. */
  readonly cardsX: number;
}

/** The window's own size, and values that follow from its canvas. */
interface BoardRoom {
  readonly width: number;
  readonly height: number;
  readonly minTextPx: number;
  readonly minNamePx: number;
  readonly minBesidePx: number;
  readonly usualBesidePx: number;
  readonly minCardPx: number;
  /** How round corners are, from 0 to 1; half, if absent. */
  readonly corner?: number;
  readonly look?: BoardLook;
}

/** The room of a window of that size on that canvas. */
export function boardRoom({ width, height }: Size, canvas: Size, theme: Pick<Theme, 'corner' | 'name'>): BoardRoom {
  const { corner } = theme;
  const look = lookOf(theme).board;
  const smallest = minTextPx(canvas);
  const minNamePx = Math.max(smallest, canvas.height * MIN_NAME);
  const minBesidePx = Math.max(minNamePx, Math.min(canvas.width, canvas.height) * BESIDE_NAME.min);
  return {
    width,
    height,
    minTextPx: smallest,
    minNamePx,
    minBesidePx,
    usualBesidePx: Math.max(minBesidePx, canvas.height * BESIDE_NAME.usual),
    minCardPx: MIN_CARD_PX * referenceScale(canvas),
    corner,
    look,
  };
}

/** The smallest name, as a share of the canvas's height. (R43) */
const MIN_NAME = 1 / 54;
/** A name beside its picture: at the least, as a share of the canvas's shorter side, and usually, of its height. (R43) */
const BESIDE_NAME = { min: 1 / 40, usual: 1 / 24 };

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * If the shorter side of a ladder's cards would be less, rows are placed side by side; on a canvas of the reference
 * size. (C53)
 */
const MIN_CARD_PX = 40;
/** A card never takes up more of a window than this; more would look like a poster. Of the root of the window's area. */
const MAX_CARD_SHARE = 0.36;
const TITLE_LENGTH = 300;
const LABEL_LENGTH = 200;
/**
 * A lane taller than this, in its own natural heights, looks empty: the panel shrinks instead. A tall window is to be
 * filled. (R32)
 */
const MAX_STRETCH = { wide: 1.5, tall: 2.5 };
/** Labels are never smaller than this, in heights of the smallest text: they are read from afar. */
const MIN_LABEL = 1.25;
/** A title on one line is never smaller than this share of its size. */
const ONE_LINE_TITLE = 0.75;

/**
 * Lays a board out for its window. The card size is the largest at which the fullest board has a place for every card,
 * so nothing changes size as items come and go. (R11, C65)
 */
export function layoutBoard(scene: BoardScene, room: BoardRoom, measure: MeasureText): BoardLayout {
  const { width, height } = room;
  const scale = Math.sqrt(width * height);
  const padding = wholePx(Math.min(0.018 * scale, 0.04 * Math.min(width, height)));
  const em = scale / 48;
  const titleX = padding * 1.15 + (room.look?.head?.inset ?? 0) * em;
  const counter = counterSize(scene, room, scale, measure);
  const titleWidth = width - 2 * titleX - (counter === null ? 0 : counter.widthPx + titleX);
  const title = titleBlock(scene.title, room, titleWidth, scale, measure);
  const headPx = Math.max(title?.heightPx ?? 0, counter?.heightPx ?? 0);
  const titlePx = headPx === 0 ? 0 : wholePx(headPx + 0.3 * (title?.sizePx ?? counter!.sizePx));
  const inner = { width: width - 2 * padding, height: height - 2 * padding - titlePx };
  const labels = scene.rows.map((row) => cleanLine(row.label, LABEL_LENGTH));
  const keepsPool = scene.poolShown === 'always';
  const load = loadOf(scene);
  const sizes = boardSizes(load, {
    ...inner,
    padding,
    aspect: CARD_ASPECT[scene.card.shape],
    isText: scene.card.shape === 'text',
    names: scene.card.names,
    minTextPx: room.minTextPx,
    minNamePx: room.minNamePx,
    minBesidePx: room.minBesidePx,
    usualBesidePx: room.usualBesidePx,
    maxCardPx: MAX_CARD_SHARE * scale,
    layout: scene.layout,
    minCardPx: room.minCardPx,
    keepsPool,
    labelled: labels.some((label) => label !== ''),
    widestWordEm: Math.max(0, ...labels.flatMap((label) => wordsEm(label, measure))),
  });
  const { cardPx, cardHeightPx, gapPx, labelPx } = sizes;
  const sidePx = Math.min(cardPx, cardHeightPx);
  const round = 2 * (room.corner ?? 0.5);
  const lines = laneLines(load.max, inner.width, sizes)!;
  const lanes = lanesOf(lines, sizes, padding, inner.width).slice(
    0,
    keepsPool || load.max.at(-1)! > 0 ? undefined : -1,
  );
  const lanesHeight = Math.min(
    inner.height,
    stretchedHeight(load, lines, sizes, keepsPool, MAX_STRETCH[height > width ? 'tall' : 'wide']),
  );
  const panelHeight = Math.min(height, lanesHeight + titlePx + 2 * padding);
  const panel = { x: 0, y: wholePx((height - panelHeight) / 2), width, height: panelHeight };
  return {
    ...sizes,
    em,
    panel,
    title: title && {
      block: title,
      box: { x: titleX, y: panel.y + padding, width: titleWidth, height: title.heightPx },
    },
    counter: counter && {
      face: counter.face,
      sizePx: counter.sizePx,
      box: { x: width - titleX - counter.widthPx, y: panel.y + padding, width: counter.widthPx, height: headPx },
    },
    lanesBox: { x: padding, y: panel.y + padding + titlePx, width: inner.width, height: lanesHeight },
    lanes,
    keepsPool,
    radiusPx: {
      panel: padding * 0.9 * round,
      lane: Math.min(padding * 0.5, sidePx * 0.14) * round,
      card: sidePx * 0.09 * round,
    },
    labels: labelBlocks(labels, labelPx, cardHeightPx + 2 * gapPx, room.minTextPx, measure),
    stamp: stampSize(labels, measure),
    minTextPx: room.minTextPx,
    minNamePx: room.minNamePx,
    minBesidePx: room.minBesidePx,
  };
}

function loadOf(scene: BoardScene): LaneLoad {
  const moments = fullestMoments(scene);
  return { moments, max: moments[0]!.map((_, lane) => Math.max(...moments.map((counts) => counts[lane]!))) };
}

function lanesOf(lines: readonly LaneLines[], sizes: BoardSizes, left: number, width: number): Lane[] {
  const { gapPx, laneGapPx, labelPx, rowsPerStack, stackPx } = sizes;
  return lines.map((own, lane) => {
    if (lane === lines.length - 1) return { kind: 'pool', x: left, width, cardsX: left + gapPx, ...own };
    const x = left + Math.floor(lane / rowsPerStack) * (stackPx + laneGapPx);
    return { kind: 'row', x, width: stackPx, cardsX: x + labelPx + gapPx, ...own };
  });
}

/** The lanes of the board at its fullest, as tall as they may become before they look empty. */
function stretchedHeight(
  { moments }: LaneLoad,
  lines: readonly LaneLines[],
  sizes: BoardSizes,
  keepsPool: boolean,
  stretch: number,
): number {
  const heights = moments.map((counts) => {
    const { lanesPx, gapsPx } = tallestStack(counts, lines, sizes, keepsPool);
    return wholePx(lanesPx * stretch) + gapsPx;
  });
  return Math.max(...heights);
}

/** All labels in one size: they wrap, then shrink together to the smallest that is legible at a glance, then the long ones are cut. (R31) */
function labelBlocks(
  labels: readonly string[],
  labelPx: number,
  heightPx: number,
  minTextPx: number,
  measure: MeasureText,
): (TextBlock | null)[] {
  const maxPx = Math.max(minTextPx, Math.min(heightPx * 0.7, labelPx * 0.58));
  const minPx = Math.min(maxPx, minTextPx * MIN_LABEL);
  const room = { widthPx: labelPx * 0.86, heightPx, minPx, maxPx, maxLines: 6 };
  const whole = labels.map((label) =>
    fitText(label, 'display', { ...room, mayCut: false, mayBreakWords: false }, measure),
  );
  const sizePx = whole.reduce((min, block, row) => {
    return labels[row] === '' ? min : Math.min(min, block?.sizePx ?? minPx);
  }, maxPx);
  const one = { ...room, minPx: sizePx, maxPx: sizePx, mayCut: true, mayBreakWords: true };
  return labels.map((label) => fitText(label, 'display', one, measure));
}

/** A title shrinks so far before it takes a second line, and to half of its size before it is cut. (R31) */
function titleBlock(title: string, room: BoardRoom, widthPx: number, scale: number, measure: MeasureText) {
  const text = inCase(cleanLine(title, TITLE_LENGTH), room.look?.title);
  const maxPx = Math.min(0.042 * scale, 0.13 * room.height);
  const minPx = Math.max(room.minTextPx, maxPx * 0.5);
  const smallPx = Math.max(minPx, maxPx * ONE_LINE_TITLE);
  const size = { widthPx, heightPx: 0.17 * room.height };
  const inOne = { ...size, maxPx, minPx: smallPx, maxLines: 1, mayCut: false, mayBreakWords: false };
  const inTwo = { ...size, maxPx: smallPx, minPx, maxLines: 2, mayCut: true, mayBreakWords: true };
  return fitText(text, 'display', inOne, measure) ?? fitText(text, 'display', inTwo, measure);
}

/** Large enough for the widest text it will show. */
function counterSize({ counter }: BoardScene, room: BoardRoom, scale: number, measure: MeasureText) {
  if (counter === null) return null;
  const text = `${counter}/${counter}`;
  const face = faceFor(text, 'display', measure.own);
  const sizePx = Math.max(room.minTextPx, Math.min(0.034 * scale, 0.1 * room.height));
  return { face, sizePx, widthPx: measure(text, face) * sizePx, heightPx: sizePx * 1.2 };
}

function wordsEm(label: string, measure: MeasureText): number[] {
  const face = faceFor(label, 'display', measure.own);
  return label.split(' ').map((word) => measure(word, face));
}

/** The smallest text on a canvas: 12 px on one of the reference size, and never so few pixels that letters are illegible. */
function minTextPx(canvas: { readonly width: number; readonly height: number }): number {
  return Math.max(8, (Math.min(canvas.width, canvas.height) * 12) / REFERENCE_SIDE);
}
