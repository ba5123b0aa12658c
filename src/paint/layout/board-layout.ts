import type { BoardScene } from '../../plan/board-scene.ts';
import { mostInLanes } from '../../plan/board-state.ts';
import { CARD_ASPECT } from '../../plan/place/card-look.ts';
import type { Theme } from '../../plan/render-plan.ts';
import { type BoardSizes, boardSizes, wholePx } from './board-sizes.ts';
import type { Box } from './box.ts';
import { cleanLine } from './clean-text.ts';
import { cardsInLine, evenLines, type LaneLines, laneHeight, lineCount } from './lane-lines.ts';
import { minTextPx } from './min-text.ts';
import { fitText, type TextBlock } from './text-block.ts';
import type { MeasureText } from './text-measure.ts';
import { type Face, faceFor } from './typeface.ts';

/** All about a board that stays put from its first frame to its last. Where cards and lanes are is the pose's business. */
export interface BoardLayout extends BoardSizes {
  /** The panel everything lies on, inside the window. */
  readonly panel: Box;
  readonly title: { readonly block: TextBlock; readonly box: Box } | null;
  /** Where it says how many items are in place, right-aligned; null: nowhere. */
  readonly counter: { readonly box: Box; readonly face: Face; readonly sizePx: number } | null;
  /** The room all lanes share, top to bottom. */
  readonly lanesBox: Box;
  /** The rows in order, then the pool if anything is in it. */
  readonly lanes: readonly Lane[];
  readonly radiusPx: { readonly panel: number; readonly lane: number; readonly card: number };
  /** By row; null where there is nothing to say or no room to say it. */
  readonly labels: readonly (TextBlock | null)[];
  /** Below this size text is dropped. */
  readonly minTextPx: number;
}

/** A row or the pool. */
interface Lane extends LaneLines {
  readonly kind: 'row' | 'pool';
  /** The most items it ever holds. */
  readonly most: number;
  readonly x: number;
  readonly width: number;
  /** Where the first card of a line begins. */
  readonly cardsX: number;
}

/** The window's own size; `minTextPx` follows from the canvas it is seen on. */
interface BoardRoom {
  readonly width: number;
  readonly height: number;
  readonly minTextPx: number;
  /** How round corners are, from 0 to 1; half, if absent. */
  readonly corner?: number;
}

/** The room of a window of that size on that canvas. */
export function boardRoom({ width, height }: Size, canvas: Size, { corner }: Pick<Theme, 'corner'>): BoardRoom {
  return { width, height, minTextPx: minTextPx(canvas), corner };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A card never takes up more of a window than this; more would look like a poster. Of the root of the window's area. */
const MOST_CARD_SHARE = 0.36;
const TITLE_LENGTH = 300;
const LABEL_LENGTH = 200;
/** A lane taller than this, in its own natural heights, looks empty: the panel draws in instead. */
const MOST_STRETCH = 1.5;
const MOST_LABEL_CONTRAST = 1.8;

/**
 * Lays a board out for its window. The card size is the largest at which every item of the finished board has its
 * place, so nothing changes size as items come in. (R11)
 */
export function layoutBoard(scene: BoardScene, room: BoardRoom, measure: MeasureText): BoardLayout {
  const { width, height } = room;
  const scale = Math.sqrt(width * height);
  const padding = wholePx(Math.min(0.018 * scale, 0.04 * Math.min(width, height)));
  const titleX = padding * 1.15;
  const counter = counterSize(scene, room, scale, measure);
  const titleWidth = width - 2 * titleX - (counter === null ? 0 : counter.widthPx + titleX);
  const title = titleBlock(scene.title, room, titleWidth, scale, measure);
  const headPx = Math.max(title?.heightPx ?? 0, counter?.heightPx ?? 0);
  const titlePx = headPx === 0 ? 0 : wholePx(headPx + 0.3 * (title?.sizePx ?? counter!.sizePx));
  const inner = { width: width - 2 * padding, height: height - 2 * padding - titlePx };
  const labels = scene.rows.map((row) => cleanLine(row.label, LABEL_LENGTH));
  const most = mostInLanes(scene);
  const sizes = boardSizes(most, {
    ...inner,
    padding,
    aspect: CARD_ASPECT[scene.card.shape],
    names: scene.card.names,
    minTextPx: room.minTextPx,
    mostCardPx: MOST_CARD_SHARE * scale,
    poorCardPx: 4 * room.minTextPx,
    labelled: labels.some((label) => label !== ''),
    widestWordEm: Math.max(0, ...labels.flatMap((label) => wordsEm(label, measure))),
  });
  const { cardPx, cardHeightPx, gapPx, labelPx } = sizes;
  const sidePx = Math.min(cardPx, cardHeightPx);
  const round = 2 * (room.corner ?? 0.5);
  const lanes = lanesOf(most, sizes, padding, inner.width);
  const lanesHeight = Math.min(inner.height, stretchedHeight(lanes, sizes));
  const panelHeight = Math.min(height, lanesHeight + titlePx + 2 * padding);
  const panel = { x: 0, y: wholePx((height - panelHeight) / 2), width, height: panelHeight };
  return {
    ...sizes,
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
    radiusPx: {
      panel: padding * 0.9 * round,
      lane: Math.min(padding * 0.5, sidePx * 0.14) * round,
      card: sidePx * 0.09 * round,
    },
    labels: labelBlocks(labels, labelPx, cardHeightPx + 2 * gapPx, room.minTextPx, measure),
    minTextPx: room.minTextPx,
  };
}

function lanesOf(mostItems: readonly number[], sizes: BoardSizes, left: number, width: number): Lane[] {
  const { gapPx, laneGapPx, labelPx, rowsPerStack, stackPx } = sizes;
  const lanes: Lane[] = mostItems.slice(0, -1).map((most, row) => {
    const x = left + Math.floor(row / rowsPerStack) * (stackPx + laneGapPx);
    const lines = evenLines(most, cardsInLine(stackPx - labelPx, sizes));
    return { kind: 'row', most, x, width: stackPx, cardsX: x + labelPx + gapPx, ...lines };
  });
  const inPool = mostItems.at(-1)!;
  if (inPool === 0) return lanes;
  const lines = evenLines(inPool, cardsInLine(width, sizes));
  return [...lanes, { kind: 'pool', most: inPool, x: left, width, cardsX: left + gapPx, ...lines }];
}

/** The finished board's lanes, as tall as they may become before they look empty. */
function stretchedHeight(lanes: readonly Lane[], sizes: BoardSizes): number {
  const natural = lanes.map(({ most, columns }) => laneHeight(lineCount(most, columns), sizes));
  const rows = lanes.filter(({ kind }) => kind === 'row').length;
  const pool = natural.slice(rows).reduce((sum, height) => sum + height, 0);
  let tallest = 0;
  for (let first = 0; first < rows; first += sizes.rowsPerStack) {
    const stack = natural.slice(first, Math.min(rows, first + sizes.rowsPerStack));
    tallest = Math.max(
      tallest,
      stack.reduce((sum, height) => sum + height, 0),
    );
  }
  const gaps = Math.max(0, Math.min(rows, sizes.rowsPerStack) + lanes.length - rows - 1) * sizes.laneGapPx;
  return wholePx((tallest + pool) * MOST_STRETCH) + gaps;
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
  const mostPx = Math.max(minPx, Math.min(heightPx * 0.7, labelPx * 0.58));
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

/** As large as the largest of what it will say. */
function counterSize({ counter, items }: BoardScene, room: BoardRoom, scale: number, measure: MeasureText) {
  if (!counter) return null;
  const text = `${items.length}/${items.length}`;
  const face = faceFor(text, 'display', measure.ownFamily);
  const sizePx = Math.max(room.minTextPx, Math.min(0.034 * scale, 0.1 * room.height));
  return { face, sizePx, widthPx: measure(text, face) * sizePx, heightPx: sizePx * 1.2 };
}

function wordsEm(label: string, measure: MeasureText): number[] {
  const face = faceFor(label, 'display', measure.ownFamily);
  return label.split(' ').map((word) => measure(word, face));
}
