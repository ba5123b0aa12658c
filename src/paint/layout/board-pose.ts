import type { BoardEvent } from '../../plan/model/board-scene.ts';
import {
  type Arrangement,
  afterEvents,
  type BoardState,
  type Flight,
  isReveal,
} from '../../plan/reveal/board-state.ts';
import { roomAt } from '../../plan/reveal/event-styles.ts';
import { around, type Box, between } from '../boxes.ts';
import type { BoardLayout } from './board-layout.ts';
import { laneHeight, linesTaken, slotAt } from './lane-lines.ts';

/** The part of a board's state that decides where cards are. */
type StatedBoard = Pick<BoardState, 'lanes' | 'shown' | 'inFlight'>;

/** Where everything is at one moment. */
export interface BoardPose {
  /** By lane, as in the layout. */
  readonly lanes: readonly Box[];
  /** By item; items in flight have the slot they are heading for. */
  readonly cards: ReadonlyMap<number, Box>;
  /** Items moving from the end of a line to the beginning of the next: smaller there, larger here. */
  readonly wrapping: ReadonlyMap<number, readonly Box[]>;
  /** By item: the lane it is in, or heading for. */
  readonly laneOf: ReadonlyMap<number, number>;
  /** By item: where it was before a move, unless the move carries it across the board. */
  readonly origins: ReadonlyMap<number, Box>;
}

interface Card extends Box {
  /** From the top of its lane, from 0. */
  readonly line: number;
}

interface StillPose extends BoardPose {
  readonly cards: ReadonlyMap<number, Card>;
}

/**
 * A board without motion: cards in the order of their row, lines filled from the left, lanes sharing the room. An empty
 * pool gets none, unless it is always shown. (C65)
 */
export function stillPose(layout: BoardLayout, arranged: Arrangement, isShown: (item: number) => boolean): StillPose {
  const { lanesBox, laneGapPx, cardPx, cardHeightPx, gapPx, rowsPerStack } = layout;
  const visible = layout.lanes.map((_, lane) => arranged[lane]!.filter(isShown));
  const natural = layout.lanes.map((lane, index) => {
    const cards = visible[index]!.length;
    return lane.kind === 'pool' && cards === 0 && !layout.keepsPool ? 0 : laneHeight(linesTaken(lane, cards), layout);
  });
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
      const stack = natural.slice(index, Math.min(rows, index + rowsPerStack));
      // A last stack with fewer rows leaves their places free: its rows are no taller than those beside them.
      const missing = Array<number>(index === 0 ? 0 : rowsPerStack - stack.length).fill(laneHeight(1, layout));
      sharePx = spare([...stack, ...missing], rowsPx, laneGapPx);
      top = lanesBox.y;
    }
    const bottom = top + natural[index]! + sharePx;
    // Edges are rounded, not heights, so that the rounding never adds up to more than the room.
    const y = snapped(top, cardPx);
    const box = { x: lane.x, y, width: lane.width, height: snapped(bottom, cardPx) - y };
    lanes.push(box);
    const firstY = snapped(y + (box.height - natural[index]!) / 2, cardPx) + gapPx;
    visible[index]!.forEach((item, place) => {
      const { line, column } = slotAt(lane, place);
      cards.set(item, {
        line,
        x: lane.cardsX + column * (cardPx + gapPx),
        y: firstY + line * (cardHeightPx + gapPx),
        width: cardPx,
        height: cardHeightPx,
      });
    });
    top = bottom + laneGapPx;
  });
  const laneOf = new Map(visible.flatMap((items, lane) => items.map((item) => [item, lane])));
  return { lanes, cards, wrapping: new Map(), laneOf, origins: new Map() };
}

/** The share of the free room that each lane of a stack gets. */
function spare(stack: readonly number[], roomPx: number, laneGapPx: number): number {
  const taken = stack.reduce((sum, height) => sum + height, 0) + laneGapPx * (stack.length - 1);
  return Math.max(0, roomPx - taken) / stack.length;
}

/**
 * The board in any state. Between the still board before the reveals and the one after them is a chain of still boards,
 * each with one more item; the progress of each room is their weight (the Lovász extension of a set function). So one
 * reveal glides straight from board to board, simultaneous reveals move together, and the end of any of them causes no
 * jump: the pose is a continuous function of every progress. (R13)
 */
export function poseAt(layout: BoardLayout, state: StatedBoard): BoardPose {
  const opening = state.inFlight
    .map(({ event, clock }) => ({ event, room: roomAt(event.style, clock) }))
    .sort((a, b) => b.room - a.room);
  const chain: Link<{ readonly pose: StillPose; readonly done: ReadonlySet<BoardEvent> }>[] = [];
  for (let opened = 0; opened <= opening.length; opened += 1) {
    const weight = (opening[opened - 1]?.room ?? 1) - (opening[opened]?.room ?? 0);
    // The last board counts even with a weight of 0: only it has every slot.
    if (weight <= 0 && opened < opening.length) continue;
    const done = new Set(opening.slice(0, opened).map(({ event }) => event));
    // In the order of time, not of weight, so that all paths lead to the same board.
    const events = state.inFlight.map(({ event }) => event).filter((event) => done.has(event));
    // A move never reveals a hidden item: such an item changes places unseen.
    const present = new Set([...state.shown, ...events.filter(isReveal).map(({ item }) => item)]);
    const pose = stillPose(layout, afterEvents(state.lanes, events), (item) => present.has(item));
    chain.push([weight, { pose, done }]);
  }
  const finished = chain.at(-1)![1].pose;
  if (chain.length === 1) return finished;
  const lanes = finished.lanes.map((_, lane) => mean(chain.map(([weight, { pose }]) => [weight, pose.lanes[lane]!])));
  const cards = new Map<number, Box>();
  const wrapping = new Map<number, readonly Box[]>();
  const origins = new Map<number, Box>();
  const last = new Map(state.inFlight.map(({ event }) => [event.item, event]));
  for (const item of finished.cards.keys()) {
    const placesIn = (links: typeof chain) =>
      links.flatMap(([weight, { pose }]): Link<Card>[] => {
        const card = pose.cards.get(item);
        return card === undefined ? [] : [[weight, card]];
      });
    const event = last.get(item);
    if (event !== undefined && event.to !== null && event.style !== 'move') {
      const [there, here] = [true, false].map((isDone) => chain.filter(([, { done }]) => done.has(event) === isDone));
      cards.set(item, mean(placesIn(there!)));
      // From a pool that is never shown, it has no start. (C65)
      const before = placesIn(here!);
      if (before.length > 0) origins.set(item, mean(before));
      continue;
    }
    const places = placesIn(chain);
    cards.set(item, mean(places));
    if (state.shown.has(item) && event === undefined && places[0]![1].line !== places.at(-1)![1].line) {
      wrapping.set(item, partsOf(places, layout.cardHeightPx + layout.gapPx));
    }
  }
  return { lanes, cards, wrapping, laneOf: finished.laneOf, origins };
}

/**
 * A card that changes lines is not drawn across the others: it shrinks into the lower right corner at the end of its
 * line, and grows from the upper left one at the beginning of the next, as fast as room opens there. The size of each
 * part is the weight of the boards that have the card on that line, so the sizes add up to one card.
 */
function partsOf(places: readonly Link<Card>[], linePitchPx: number): Box[] {
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
 * The lanes that differ from the still board before the current events, as one box across the panel; null if none does,
 * as when a card will be the last of its row. `isAloft`: whether a card is in front of the board rather than in its
 * lane.
 */
export function movingPart(layout: BoardLayout, state: StatedBoard, isAloft: (flight: Flight) => boolean): Box | null {
  const still = stillPose(layout, state.lanes, (item) => state.shown.has(item));
  const now = poseAt(layout, state);
  const flights = new Map(state.inFlight.map((flight) => [flight.event.item, flight]));
  const stirs = (item: number) => {
    const [before, after] = [still.cards.get(item), now.cards.get(item)];
    const flight = flights.get(item);
    if (flight !== undefined) return before !== undefined || (after !== undefined && !isAloft(flight));
    return before !== undefined && (before.x !== after!.x || before.y !== after!.y || now.wrapping.has(item));
  };
  const finished = afterEvents(
    state.lanes,
    state.inFlight.map(({ event }) => event),
  );
  const moving = layout.lanes.flatMap((_, lane) => {
    const [before, after] = [still.lanes[lane]!, now.lanes[lane]!];
    const rests = before.y === after.y && before.height === after.height;
    return rests && ![...state.lanes[lane]!, ...finished[lane]!].some(stirs) ? [] : [before, after];
  });
  if (moving.length === 0) return null;
  const { y, height } = around(moving);
  return { ...layout.panel, y, height };
}

/** A value and its weight. */
type Link<T> = readonly [weight: number, value: T];

/** The weighted mean; the last box if all weights are 0. */
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

/** Still boards are on whole pixels, unless their cards are smaller than a few of them. */
function snapped(px: number, cardPx: number): number {
  return cardPx < 16 ? px : Math.round(px);
}
