import type { BoardScene } from './board-scene.ts';
import { afterEvents, arrangementAfter, isReveal } from './board-state.ts';

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
