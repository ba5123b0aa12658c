import { type Frames, frames, framesToPass, type Range } from '../../time.ts';
import type { BoardEvent, BoardScene, Course } from '../model/board-scene.ts';
import type { PlanSource } from '../model/render-plan.ts';
import { type EventsAt, eventsAt, fullestMoments, type LaneCounts, restAt } from '../reveal/board-state.ts';
import { LONGEST_MOTION } from '../reveal/course.ts';
import type { Digest } from './digest.ts';

/** The frames of an event that decide its look. */
const COURSE = ['at', 'verdict', 'takeOff', 'lightens', 'lands', 'end'] as const satisfies (keyof Course)[];

/**
 * What the board adds to a chunk's key: its visible parts, and of hidden items only the room they will need. So the
 * picture of an item may change without affecting chunks before its reveal.
 */
export class BoardKeys {
  /** Whether its windows are of very many sizes. */
  readonly manySizes: boolean;
  readonly #scene: BoardScene;
  readonly #digest: Digest;
  readonly #items: readonly string[];
  /** What the sizes of lanes and cards depend on. */
  readonly #room: readonly LaneCounts[];
  /** By the items of a lane: its key. Most events leave most lanes alone. */
  readonly #lanes = new Map<string, string>();
  readonly #boards = new Map<number, string>();
  /** By the event that throws confetti: a burst is part of many chunks. */
  readonly #landings = new Map<BoardEvent, readonly unknown[]>();

  constructor(scene: BoardScene, sources: readonly PlanSource[], manySizes: boolean, digest: Digest) {
    this.#scene = scene;
    this.manySizes = manySizes;
    this.#digest = digest;
    this.#items = scene.items.map(({ name, image, fit, view }) =>
      digest([name, image === null ? null : [sources[image]!.hash, fit, ...(view ? [view] : [])]]).slice(0, 24),
    );
    this.#room = fullestMoments(scene);
  }

  /** The still board in a part of a span, and the items on their way there. */
  at(range: Range<Frames>): readonly [still: string, moving: unknown, ...confetti: unknown[]] {
    const now = eventsAt(this.#scene, range.start);
    return [this.#still(now), this.#moving(now, range), ...this.#confetti(now, range)];
  }

  /** The confetti in the air. */
  #confetti({ confetti }: EventsAt, range: Range<Frames>): unknown[] {
    return confetti.map(({ event, seed }) => [seed, event.lands - range.start, ...this.#landing(event)]);
  }

  /** Confetti comes from where its card was when it landed. */
  #landing(event: BoardEvent): readonly unknown[] {
    let key = this.#landings.get(event);
    if (key === undefined) {
      const then = eventsAt(this.#scene, event.lands);
      const lane = restAt(this.#scene, then).lanes.map((items) => items.indexOf(event.item));
      const landing = { start: event.lands, end: frames(event.lands + 1) };
      key = [lane, this.#still(then), this.#moving(then, landing)];
      this.#landings.set(event, key);
    }
    return key;
  }

  #still(now: EventsAt): string {
    let key = this.#boards.get(now.settled);
    if (key === undefined) {
      const { title, card, rows, counter, layout, poolShown } = this.#scene;
      const { lanes, shown } = restAt(this.#scene, now);
      const keys = lanes.map((items) => this.#lane(items, shown));
      const labels = rows.map(({ label, color }) => [label, color]);
      key = this.#digest([[title, card.shape, card.names, counter, layout, poolShown], labels, keys, this.#room]);
      this.#boards.set(now.settled, key);
    }
    return key;
  }

  #moving(now: EventsAt, range: Range<Frames>): unknown {
    const { underWay } = now;
    if (underWay.length === 0) return null;
    const { items, rate } = this.#scene;
    const { lanes } = restAt(this.#scene, now);
    const longAgo = -framesToPass(LONGEST_MOTION, rate);
    const length = range.end - range.start;
    const starts = [...new Set(underWay.map(({ at }) => at))];
    return underWay.map((event) => {
      const { item, style, to, isUndecided, weight, confetti: _, ...course } = event;
      const lane = lanes.findIndex((placed) => placed.includes(item));
      const place = [lane, lanes[lane]?.indexOf(item)];
      const { score, note } = items[item]!;
      const what = [
        to && [to.row, to.index],
        this.#items[item],
        score,
        note,
        ...(isUndecided ? [isUndecided] : []),
        ...(weight ? [weight] : []),
      ];
      // Future events look the same at any distance, and so do those that are long over.
      const times = COURSE.map((frame) => Math.max(longAgo, Math.min(course[frame] - range.start, length)));
      return [style, place, what, times, starts.indexOf(event.at)];
    });
  }

  #lane(items: readonly number[], shown: ReadonlySet<number>): string {
    const known = items.map((item) => (shown.has(item) ? item : '')).join();
    let key = this.#lanes.get(known);
    if (key === undefined) {
      key = this.#digest(items.map((item) => (shown.has(item) ? this.#items[item] : '')).join());
      this.#lanes.set(known, key);
    }
    return key;
  }
}
