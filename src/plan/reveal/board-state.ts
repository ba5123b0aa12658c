import { firstIndex } from '../../collections.ts';
import type { Frames } from '../../time.ts';
import type { BoardEvent, BoardScene } from '../model/board-scene.ts';
import type { ThemeMotion } from '../theme/theme-motion.ts';
import { type Burst, burstsAt, confettiEnd, confettiOf } from './confetti.ts';
import { clockAt, type EventClock, inSteps } from './course.ts';

/** The items of every lane in their order, those not yet seen included: the rows, then the pool. */
export type Arrangement = readonly (readonly number[])[];

/** A current event, and its progress. (R13) */
export interface Flight {
  readonly event: BoardEvent;
  readonly clock: EventClock;
}

/** The board at one frame: which items are shown, and which are moving. */
export interface BoardState {
  /** Every item's place before the current events. */
  readonly lanes: Arrangement;
  /** Items in their place, by index; one that is being moved is among them. */
  readonly shown: ReadonlySet<number>;
  /** Earliest first. An event that is over stays here until all earlier moves are over. */
  readonly inFlight: readonly Flight[];
  /** Confetti in the air; the events that threw it may be over. */
  readonly confetti: readonly Burst[];
}

/** The events that have begun at a frame: those that are part of the still board, and the others. */
export interface EventsAt {
  /** How many events have begun. */
  readonly started: number;
  /** How many of them are part of the still board. It never decreases, so equal numbers are equal boards. */
  readonly settled: number;
  /** The others, earliest first. */
  readonly underWay: readonly BoardEvent[];
  readonly confetti: readonly Burst[];
}

/** The frames at which something happens on the board. */
export function* boardEdges({ events, rate }: Pick<BoardScene, 'events' | 'rate'>): Iterable<Frames> {
  for (const { at, end } of events) yield* [at, end];
  for (const event of confettiOf(events)) yield* [event.lands, confettiEnd(event, rate)];
}

/**
 * Events end in any order. One that is over is part of the still board, unless a move that began before it is still in
 * progress: the target place in a row is counted after all earlier moves.
 */
export function eventsAt(scene: Pick<BoardScene, 'events' | 'rate'>, frame: Frames): EventsAt {
  const { events } = scene;
  const started = firstIndex(events.length, (i) => events[i]!.at > frame);
  const underWay: BoardEvent[] = [];
  let isMoving = false;
  for (let i = firstIndex(started, (at) => events[at]!.at + longest(events) > frame); i < started; i += 1) {
    const event = events[i]!;
    if (event.end <= frame && !isMoving) continue;
    underWay.push(event);
    isMoving ||= !isReveal(event);
  }
  return { started, settled: started - underWay.length, underWay, confetti: burstsAt(scene, frame) };
}

/**
 * The board at `frame`. Outside animations it depends only on the settled events, so one painting serves the whole
 * span.
 */
export function boardStateAt(scene: BoardScene, frame: Frames, motion: ThemeMotion): BoardState {
  const now = eventsAt(scene, frame);
  const inFlight = now.underWay.map((event): Flight => ({ event, clock: clockAt(event, frame, scene.rate, motion) }));
  const confetti = now.confetti.map((burst) => ({ ...burst, seconds: inSteps(burst.seconds, motion) }));
  return { ...restAt(scene, now), inFlight, confetti };
}

/** The board without the current events. */
export function restAt(scene: BoardScene, now: EventsAt): Pick<BoardState, 'lanes' | 'shown'> {
  const later = [...now.underWay, ...scene.events.slice(now.started)];
  return { lanes: settledLanes(scene, now), shown: shownBefore(scene, later) };
}

/** The board at rest after its first `settled` events. */
export function restAfter(
  scene: Pick<BoardScene, 'rows' | 'pool' | 'items' | 'events'>,
  settled: number,
): Pick<BoardState, 'lanes' | 'shown'> {
  const lanes = arrangementAfter(scene, scene.events.slice(0, settled));
  return { lanes, shown: shownBefore(scene, scene.events.slice(settled)) };
}

function shownBefore({ items }: Pick<BoardScene, 'items'>, later: readonly BoardEvent[]): Set<number> {
  const waiting = new Set(later.filter(isReveal).map(({ item }) => item));
  return new Set(items.keys().filter((item) => !waiting.has(item)));
}

/** For each scene: the lanes of the last call. */
const lastLanes = new WeakMap<BoardScene, EventsAt & { readonly lanes: Arrangement }>();

/** Every item's place after the settled events, starting from the last result: thousands of moves may have settled. */
function settledLanes(scene: BoardScene, now: EventsAt): Arrangement {
  const first = { started: 0, settled: 0, underWay: [], confetti: [], lanes: arrangementAfter(scene, []) };
  const last = lastLanes.get(scene) ?? first;
  const { started, underWay, lanes } = last.settled <= now.settled ? last : first;
  const since = [...underWay, ...scene.events.slice(started, now.started)];
  const result = afterEvents(
    lanes,
    since.filter((event) => !now.underWay.includes(event)),
  );
  lastLanes.set(scene, { ...now, lanes: result });
  return result;
}

/** Every item's place after those events, in their order. */
export function arrangementAfter(scene: Pick<BoardScene, 'rows' | 'pool'>, events: readonly BoardEvent[]): Arrangement {
  return afterEvents([...scene.rows.map(({ items }) => items), scene.pool], events);
}

/** The arrangement after some more events. */
export function afterEvents(lanes: Arrangement, events: readonly Pick<BoardEvent, 'item' | 'to'>[]): Arrangement {
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

/** How many items are in rows, counting the given events as finished. (C56) */
export function inRows({ lanes, shown }: Pick<BoardState, 'lanes' | 'shown'>, landed: readonly BoardEvent[]): number {
  const seen = new Set([...shown, ...landed.filter(isReveal).map(({ item }) => item)]);
  return afterEvents(lanes, landed)
    .slice(0, -1)
    .reduce((sum, items) => sum + items.filter((item) => seen.has(item)).length, 0);
}

const lengths = new WeakMap<readonly BoardEvent[], number>();

/** The length of the longest event. */
function longest(events: readonly BoardEvent[]): number {
  let max = lengths.get(events);
  if (max === undefined) {
    max = events.reduce((length, { at, end }) => Math.max(length, end - at), 0);
    lengths.set(events, max);
  }
  return max;
}

/** How many cards are seen in each lane at a moment: in the rows, then in the pool. */
export type LaneCounts = readonly number[];

/**
 * The moments at which a board is fullest, in order: at every other moment each lane holds no more than at one of
 * these. Items that are not revealed yet take up no room. (C65)
 */
export function fullestMoments(scene: Pick<BoardScene, 'rows' | 'pool' | 'events'>): LaneCounts[] {
  // A card that is moved keeps its place until it takes off.
  const events = scene.events.toSorted((a, b) => a.takeOff - b.takeOff);
  const hidden = new Set(events.filter(isReveal).map(({ item }) => item));
  let lanes = arrangementAfter(scene, []);
  const count = () => lanes.map((items) => items.reduce((seen, item) => seen + (hidden.has(item) ? 0 : 1), 0));
  const fullest: LaneCounts[] = [count()];
  const known = new Set<string>();
  for (const event of events) {
    lanes = afterEvents(lanes, [event]);
    if (isReveal(event)) hidden.delete(event.item);
    const counts = count();
    const last = fullest.at(-1)!;
    if (holdsMore(last, counts) || known.has(counts.join())) continue;
    if (holdsMore(counts, last)) fullest.pop();
    fullest.push(counts);
    known.add(counts.join());
  }
  return fullest;
}

/** Whether every lane holds at least as much. */
function holdsMore(a: LaneCounts, b: LaneCounts): boolean {
  return a.every((cards, lane) => cards >= b[lane]!);
}
