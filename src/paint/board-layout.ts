import type { BoardScene } from '../plan/render-plan.ts';
import type { Box } from './box.ts';
import { cleanLine } from './clean-text.ts';
import { fitText, type TextBlock } from './text-block.ts';
import type { MeasureText } from './text-measure.ts';
import { faceFor } from './typeface.ts';

/** All about a board that stays put from its first frame to its last. Where cards and lanes are is the pose's business. */
export interface BoardLayout {
  /** The panel everything lies on, inside the window. */
  readonly panel: Box;
  readonly title: { readonly block: TextBlock; readonly box: Box } | null;
  /** The room all lanes share, top to bottom. */
  readonly lanesBox: Box;
  /** The rows in order, then the pool if anything is in it. */
  readonly lanes: readonly Lane[];
  /** The side of every card. */
  readonly cardPx: number;
  /** Between two cards, and between a lane's edge and its cards. */
  readonly gapPx: number;
  readonly laneGapPx: number;
  readonly labelPx: number;
  readonly radiusPx: { readonly panel: number; readonly lane: number; readonly card: number };
  /** By row; null where there is nothing to say or no room to say it. */
  readonly labels: readonly (TextBlock | null)[];
  /** Below this size text is dropped. */
  readonly minTextPx: number;
}

/** A row or the pool. */
export interface Lane {
  readonly kind: 'row' | 'pool';
  readonly items: readonly number[];
  /** Where the first card of a line begins. */
  readonly cardsX: number;
  /** Cards to a line. */
  readonly columns: number;
}

/** The window's own size; `minTextPx` follows from the canvas it is seen on. */
export interface BoardRoom {
  readonly width: number;
  readonly height: number;
  readonly minTextPx: number;
}

const TITLE_LENGTH = 300;
const LABEL_LENGTH = 200;
/** A lane taller than this, in its own natural heights, looks empty: the panel draws in instead. */
const MOST_STRETCH = 1.5;
const MOST_LABEL_CONTRAST = 1.8;

/** The smallest text on a canvas: 12 px where its shorter side is 1080, and never so few pixels that no letter holds. */
export function minTextPx(canvas: { readonly width: number; readonly height: number }): number {
  return Math.max(8, (Math.min(canvas.width, canvas.height) * 12) / 1080);
}

/**
 * Lays a board out for its window. The card size is the largest at which every item of the finished board has its
 * place, so nothing changes size as items come in. (R11)
 */
export function layoutBoard(scene: BoardScene, room: BoardRoom, measure: MeasureText): BoardLayout {
  const { width, height } = room;
  const scale = Math.sqrt(width * height);
  const padding = whole(Math.min(0.018 * scale, 0.04 * Math.min(width, height)));
  const titleX = padding * 1.15;
  const title = titleBlock(scene.title, room, width - 2 * titleX, scale, measure);
  const titlePx = title === null ? 0 : whole(title.heightPx + 0.3 * title.sizePx);
  const inner = { width: width - 2 * padding, height: height - 2 * padding - titlePx };

  const labels = scene.rows.map((row) => cleanLine(row.label, LABEL_LENGTH));
  const widestWordEm = Math.max(0, ...labels.flatMap((label) => longestWordEm(label, measure)));
  const count = scene.rows.length + (scene.pool.length > 0 ? 1 : 0);
  const sized = largestSizes(scene, inner, padding, 0.36 * scale, labels, widestWordEm);
  const { cardPx, gapPx, laneGapPx, labelPx } = sized;

  const lanes: Lane[] = scene.rows.map(({ items }) => ({
    kind: 'row',
    items,
    cardsX: padding + labelPx + gapPx,
    columns: columnsIn(inner.width - labelPx, cardPx, gapPx),
  }));
  if (scene.pool.length > 0) {
    const columns = columnsIn(inner.width, cardPx, gapPx);
    lanes.push({ kind: 'pool', items: scene.pool, cardsX: padding + gapPx, columns });
  }
  const natural = lanes.reduce((sum, lane) => sum + laneHeight(lane, lane.items.length, cardPx, gapPx), 0);
  const lanesHeight = Math.min(inner.height, whole(natural * MOST_STRETCH) + laneGapPx * Math.max(0, count - 1));
  const panelHeight = Math.min(height, lanesHeight + titlePx + 2 * padding);
  const panel = { x: 0, y: whole((height - panelHeight) / 2), width, height: panelHeight };
  return {
    panel,
    title: title && {
      block: title,
      box: { x: titleX, y: panel.y + padding, width: width - 2 * titleX, height: title.heightPx },
    },
    lanesBox: { x: padding, y: panel.y + padding + titlePx, width: inner.width, height: lanesHeight },
    lanes,
    ...sized,
    radiusPx: { panel: padding * 0.9, lane: Math.min(padding * 0.5, cardPx * 0.14), card: cardPx * 0.09 },
    labels: labelBlocks(labels, labelPx, cardPx + 2 * gapPx, room.minTextPx, measure),
    minTextPx: room.minTextPx,
  };
}

/** How tall a lane wants to be with `shown` of its cards: whole lines, and one line where it is empty. */
export function laneHeight(lane: Lane, shown: number, cardPx: number, gapPx: number): number {
  const lines = Math.max(1, Math.ceil(shown / lane.columns));
  return lines * (cardPx + gapPx) + gapPx;
}

interface Sizes {
  readonly cardPx: number;
  readonly gapPx: number;
  readonly laneGapPx: number;
  readonly labelPx: number;
}

/** Tries sizes downward; small enough always fits, since gaps and labels shrink along. */
function largestSizes(
  scene: BoardScene,
  inner: { width: number; height: number },
  padding: number,
  mostPx: number,
  labels: readonly string[],
  widestWordEm: number,
): Sizes {
  const laneCount = scene.rows.length + (scene.pool.length > 0 ? 1 : 0);
  let cardPx = Math.max(1, Math.floor(mostPx));
  for (;;) {
    const gapPx = cardPx * 0.055 < 1 ? cardPx * 0.055 : Math.round(cardPx * 0.055);
    const laneGapPx = whole(Math.min(padding * 0.35, cardPx * 0.08));
    const labelPx = labelWidth(cardPx, inner.width, scene.rows.length, labels, widestWordEm);
    const rowColumns = columnsIn(inner.width - labelPx, cardPx, gapPx);
    const poolColumns = columnsIn(inner.width, cardPx, gapPx);
    let total = laneGapPx * Math.max(0, laneCount - 1);
    const add = (items: number, columns: number) => {
      total += Math.max(1, Math.ceil(items / columns)) * (cardPx + gapPx) + gapPx;
    };
    for (const row of scene.rows) add(row.items.length, rowColumns);
    if (scene.pool.length > 0) add(scene.pool.length, poolColumns);
    const fits = (scene.rows.length === 0 || rowColumns > 0) && poolColumns > 0 && total <= inner.height;
    if (fits || cardPx < 0.01) return { cardPx, gapPx, laneGapPx, labelPx };
    cardPx = cardPx > 12 ? cardPx - 1 : cardPx * 0.97;
  }
}

/** About as wide as a card, wider for long words, within what the board can spare; a mere stripe where no row has a name. */
function labelWidth(
  cardPx: number,
  width: number,
  rows: number,
  labels: readonly string[],
  widestWordEm: number,
): number {
  if (rows === 0) return 0;
  if (labels.every((label) => label === '')) return whole(Math.min(cardPx * 0.2, width * 0.03));
  const wanted = widestWordEm * Math.min(cardPx * 0.24, width * 0.022) * 1.2;
  return whole(Math.min(Math.max(Math.min(cardPx * 1.08, width * 0.115), width * 0.06, wanted), width * 0.18));
}

/** Every label at its largest, but none more than so much larger than the smallest: one column, one voice. */
function labelBlocks(
  labels: readonly string[],
  labelPx: number,
  heightPx: number,
  minPx: number,
  measure: MeasureText,
): (TextBlock | null)[] {
  const room = { widthPx: labelPx * 0.86, heightPx, minPx, maxLines: 6, mayCut: true, mayBreakWords: true };
  const fit = (maxPx: number) => labels.map((label) => fitText(label, 'display', { ...room, maxPx }, measure));
  const mostPx = Math.max(minPx, Math.min(heightPx * 0.42, labelPx * 0.46));
  const blocks = fit(mostPx);
  const smallestPx = Math.min(mostPx, ...blocks.flatMap((block) => (block === null ? [] : [block.sizePx])));
  return smallestPx * MOST_LABEL_CONTRAST < mostPx ? fit(smallestPx * MOST_LABEL_CONTRAST) : blocks;
}

function titleBlock(text: string, room: BoardRoom, widthPx: number, scale: number, measure: MeasureText) {
  const maxPx = Math.min(0.042 * scale, 0.13 * room.height);
  return fitText(
    cleanLine(text, TITLE_LENGTH),
    'display',
    {
      widthPx,
      heightPx: 0.17 * room.height,
      maxPx,
      minPx: Math.max(room.minTextPx, maxPx * 0.5),
      maxLines: 2,
      mayCut: true,
      mayBreakWords: true,
    },
    measure,
  );
}

function longestWordEm(label: string, measure: MeasureText): number[] {
  const face = faceFor(label, 'display');
  return label.split(' ').map((word) => measure(word, face));
}

function columnsIn(width: number, cardPx: number, gapPx: number): number {
  return Math.floor((width - gapPx) / (cardPx + gapPx) + 1e-9);
}

/** Whole pixels keep edges sharp; what is smaller than `from` has no edge to lose and stays exact. */
function whole(px: number, from = 1): number {
  return px < from ? px : Math.floor(px);
}
