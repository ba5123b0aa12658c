import { firstIndex } from '../collections/first-index.ts';
import type { Frames } from '../time.ts';
import type { BoardEvent, BoardScene } from './board-scene.ts';
import { clockAt, type EventClock } from './reveal/course.ts';

/** The items of every lane in their order, those not yet seen included: the rows, then the pool. */
export type Arrangement = readonly (readonly number[])[];

/** An event that is under way, and how far it is. (R13) */
export interface Flight {
  readonly event: BoardEvent;
  readonly clock: EventClock;
}

/** The board at one frame: who is there, and who is on the way. */
export interface BoardState {
  /** Everybody's place before anything that is under way. */
  readonly lanes: Arrangement;
  /** Items in their place, by index; one that is being moved is among them. */
  readonly shown: ReadonlySet<number>;
  /** Earliest first. Some may be over already, where an earlier one is not. */
  readonly inFlight: readonly Flight[];
}

/** How many of the scene's events have begun at `frame`, and how many of the first ones are over. */
interface EventCounts {
  readonly started: number;
  readonly settled: number;
}

/** Events are over in any order; what counts is the unbroken run of them from the first on. */
export function eventCountsAt({ events }: Pick<BoardScene, 'events'>, frame: Frames): EventCounts {
  const started = firstIndex(events.length, (i) => events[i]!.at > frame);
  let settled = firstIndex(started, (i) => events[i]!.at + longest(events) > frame);
  while (settled < started && events[settled]!.end <= frame) settled += 1;
  return { started, settled };
}

/** The board at `frame`. Outside animations it depends on the counts alone, so one painting serves the whole span. */
export function boardStateAt(scene: BoardScene, frame: Frames): BoardState {
  const { started, settled } = eventCountsAt(scene, frame);
  const inFlight = scene.events
    .slice(settled, started)
    .map((event): Flight => ({ event, clock: clockAt(event, frame, scene.rate) }));
  return { ...restAfter(scene, settled), inFlight };
}

/** The board at rest after its first `settled` events. */
export function restAfter(
  scene: Pick<BoardScene, 'rows' | 'pool' | 'items' | 'events'>,
  settled: number,
): Pick<BoardState, 'lanes' | 'shown'> {
  const waiting = new Set<number>();
  for (const event of scene.events.slice(settled)) if (isReveal(event)) waiting.add(event.item);
  const shown = new Set(scene.items.keys().filter((item) => !waiting.has(item)));
  return { lanes: arrangementAfter(scene, scene.events.slice(0, settled)), shown };
}

/** Everybody's place after those events, in their order. */
export function arrangementAfter(scene: Pick<BoardScene, 'rows' | 'pool'>, events: readonly BoardEvent[]): Arrangement {
  return moved([...scene.rows.map(({ items }) => items), scene.pool], events);
}

/** The arrangement after some more events. */
export function moved(lanes: Arrangement, events: readonly BoardEvent[]): Arrangement {
  let result = lanes;
  for (const event of events) {
    if (event.to === null) continue;
    const { item } = event;
    const { row, index } = event.to;
    result = result.map((items, lane) => {
      const others = items.includes(item) ? items.filter((other) => other !== item) : items;
      return lane === row ? others.toSpliced(index ?? others.length, 0, item) : others;
    });
  }
  return result;
}

/** Whether an event shows an item that was hidden until then. */
export function isReveal({ to }: BoardEvent): boolean {
  return to === null;
}

/** How many items stand in a row, with those events over of all that are under way. (C56) */
export function inRows({ lanes, shown }: Pick<BoardState, 'lanes' | 'shown'>, landed: readonly BoardEvent[]): number {
  const seen = new Set([...shown, ...landed.filter(isReveal).map(({ item }) => item)]);
  return moved(lanes, landed)
    .slice(0, -1)
    .reduce((sum, items) => sum + items.filter((item) => seen.has(item)).length, 0);
}

const lengths = new WeakMap<readonly BoardEvent[], number>();

/** The length of the longest event. */
function longest(events: readonly BoardEvent[]): number {
  let most = lengths.get(events);
  if (most === undefined) {
    most = events.reduce((length, { at, end }) => Math.max(length, end - at), 0);
    lengths.set(events, most);
  }
  return most;
}
