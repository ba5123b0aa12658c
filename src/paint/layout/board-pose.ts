import type { BoardState } from '../../plan/board-state.ts';
import type { RevealStyle } from '../../plan/render-plan.ts';
import type { BoardLayout } from './board-layout.ts';
import { laneHeight } from './board-sizes.ts';
import { around, type Box, between } from './box.ts';
import { roomAt } from './reveal-motion.ts';

/** Where everything is at one moment. */
export interface BoardPose {
  /** By lane, as in the layout. */
  readonly lanes: readonly Box[];
  /** By item; items in flight have the slot they are heading for. */
  readonly cards: ReadonlyMap<number, Box>;
  /** Items on their way from the end of a line to the beginning of the next: smaller there, larger here. */
  readonly wrapping: ReadonlyMap<number, readonly Box[]>;
}

interface Card extends Box {
  /** From the top of its lane, from 0. */
  readonly line: number;
}

interface StillPose extends BoardPose {
  readonly cards: ReadonlyMap<number, Card>;
}

/** A board on which nothing moves: cards in the order of their row, lines filled from the left, lanes sharing the room. */
export function stillPose(layout: BoardLayout, isShown: (item: number) => boolean): StillPose {
  const { lanesBox, laneGapPx, cardPx, cardHeightPx, gapPx, rowsPerStack } = layout;
  const visible = layout.lanes.map((lane) => lane.items.filter(isShown));
  const natural = layout.lanes.map(({ columns }, index) => laneHeight(visible[index]!.length, columns, layout));
  const rows = layout.lanes.filter(({ kind }) => kind === 'row').length;
  const pool = natural[rows] ?? 0;
  const rowsPx = lanesBox.height - (pool > 0 ? pool + laneGapPx : 0);

  const lanes: Box[] = [];
  const cards = new Map<number, Card>();
  let top = lanesBox.y;
  let sharePx = 0;
  layout.lanes.forEach((lane, index) => {
    if (lane.kind === 'pool') {
      sharePx = rows === 0 ? lanesBox.height - pool : 0;
      top = lanesBox.y + lanesBox.height - pool - sharePx;
    } else if (index % rowsPerStack === 0) {
      sharePx = spare(natural.slice(index, Math.min(rows, index + rowsPerStack)), rowsPx, laneGapPx);
      top = lanesBox.y;
    }
    const bottom = top + natural[index]! + sharePx;
    // Edges are rounded, not heights, so that the rounding never adds up to more than the room.
    const y = snapped(top, cardPx);
    const box = { x: lane.x, y, width: lane.width, height: snapped(bottom, cardPx) - y };
    lanes.push(box);
    const firstY = snapped(y + (box.height - natural[index]!) / 2, cardPx) + gapPx;
    visible[index]!.forEach((item, place) => {
      const line = Math.floor(place / lane.columns);
      cards.set(item, {
        line,
        x: lane.cardsX + (place % lane.columns) * (cardPx + gapPx),
        y: firstY + line * (cardHeightPx + gapPx),
        width: cardPx,
        height: cardHeightPx,
      });
    });
    top = bottom + laneGapPx;
  });
  return { lanes, cards, wrapping: new Map() };
}

/** What each of the lanes that stand one under the other gets of the room they leave free. */
function spare(stack: readonly number[], roomPx: number, laneGapPx: number): number {
  const taken = stack.reduce((sum, height) => sum + height, 0) + laneGapPx * (stack.length - 1);
  return Math.max(0, roomPx - taken) / stack.length;
}

/**
 * The board in any state. Between the still board before the reveals and the one after them lies a chain of still
 * boards, each with one more item; how far each room has opened weighs them (the Lovász extension of a set function).
 * So one reveal glides straight from board to board, any number at once move together, and the end of any of them is
 * no corner: the pose is a continuous function of every progress. (R13)
 */
export function poseAt(layout: BoardLayout, state: BoardState, style: RevealStyle): BoardPose {
  const opening = state.inFlight
    .map(({ item, progress }) => ({ item, room: roomAt(style, progress) }))
    .sort((a, b) => b.room - a.room);
  const present = new Set(state.shown);
  const chain: Link<StillPose>[] = [];
  for (let opened = 0; opened <= opening.length; opened += 1) {
    if (opened > 0) present.add(opening[opened - 1]!.item);
    const weight = (opening[opened - 1]?.room ?? 1) - (opening[opened]?.room ?? 0);
    // The last board counts even if it weighs nothing yet: it alone knows every slot.
    if (weight > 0 || opened === opening.length) chain.push([weight, stillPose(layout, (item) => present.has(item))]);
  }
  const finished = chain.at(-1)![1];
  if (chain.length === 1) return finished;
  const lanes = finished.lanes.map((_, lane) => mean(chain.map(([weight, pose]) => [weight, pose.lanes[lane]!])));
  const cards = new Map<number, Box>();
  const wrapping = new Map<number, readonly Box[]>();
  for (const item of finished.cards.keys()) {
    const places = chain.flatMap(([weight, pose]): Link<Card>[] => {
      const card = pose.cards.get(item);
      return card === undefined ? [] : [[weight, card]];
    });
    cards.set(item, mean(places));
    if (state.shown.has(item) && places[0]![1].line !== places.at(-1)![1].line) {
      wrapping.set(item, piecesOf(places, layout.cardHeightPx + layout.gapPx));
    }
  }
  return { lanes, cards, wrapping };
}

/**
 * A card that changes lines is not drawn across the others: it is squeezed into the lower right corner at the end of its
 * line, and grows from the upper left one at the beginning of the next, as fast as room opens there. A piece's size is
 * the weight of the boards that have the card on that line, so the pieces' sizes make up one card.
 */
function piecesOf(places: readonly Link<Card>[], linePitchPx: number): Box[] {
  const firstLine = mean(places.map(([weight, card]) => [weight, { ...card, y: card.y - card.line * linePitchPx }]));
  const lines = [...new Set(places.map(([, { line }]) => line))];
  return lines.map((line, index) => {
    const here = places.filter(([, card]) => card.line === line);
    const size = here.reduce((sum, [weight]) => sum + weight, 0);
    const { x, width, height } = mean(here);
    const free = index === 0 ? 1 : index === lines.length - 1 ? 0 : 0.5;
    return {
      x: x + (1 - size) * width * free,
      y: firstLine.y + line * linePitchPx + (1 - size) * height * free,
      width: width * size,
      height: height * size,
    };
  });
}

/**
 * The lanes in which anything differs from the still board without the items in flight, as one box across the panel; null
 * where nothing does, as when a card will be the last of its row. A spotlit card is in no lane until it rests there.
 */
export function movingPart(layout: BoardLayout, state: BoardState, style: RevealStyle): Box | null {
  const still = stillPose(layout, (item) => state.shown.has(item));
  const now = poseAt(layout, state, style);
  const inFlight = new Set(state.inFlight.map(({ item }) => item));
  const rests = (item: number) => {
    if (inFlight.has(item)) return style === 'spotlight';
    const [before, after] = [still.cards.get(item), now.cards.get(item)];
    return before === undefined || (before.x === after!.x && before.y === after!.y && !now.wrapping.has(item));
  };
  const moving = layout.lanes.flatMap(({ items }, lane) => {
    const [before, after] = [still.lanes[lane]!, now.lanes[lane]!];
    return before.y === after.y && before.height === after.height && items.every(rests) ? [] : [before, after];
  });
  if (moving.length === 0) return null;
  const { y, height } = around(moving);
  return { ...layout.panel, y, height };
}

/** One of several things, and how much it counts. */
type Link<T> = readonly [weight: number, value: T];

/** The weighed mean; the last box where nothing weighs anything. */
function mean(boxes: readonly Link<Box>[]): Box {
  let sum = 0;
  let result = boxes.at(-1)![1];
  for (const [weight, box] of boxes) {
    if (weight <= 0) continue;
    result = sum === 0 ? box : between(result, box, weight / (sum + weight));
    sum += weight;
  }
  return result;
}

/** Still boards lie on whole pixels, unless their cards are smaller than a few of them. */
function snapped(px: number, cardPx: number): number {
  return cardPx < 16 ? px : Math.round(px);
}
