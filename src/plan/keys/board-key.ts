import type { Frames } from '../../time.ts';
import type { BoardScene } from '../board-scene.ts';
import { restAfter } from '../board-state.ts';
import { fullestMoments, type LaneCounts } from '../lane-counts.ts';
import type { PlanSource } from '../render-plan.ts';
import type { Course } from '../reveal/course.ts';
import type { Digest } from './digest.ts';

/** The frames of an event that decide what it looks like. */
const COURSE = ['at', 'verdict', 'takeOff', 'lightens', 'lands', 'end'] as const satisfies (keyof Course)[];

/**
 * What the board adds to a chunk's key: what can be seen of it, and of hidden items only the room they will need. So the
 * picture of an item may change without touching what is rendered before its reveal.
 */
export class BoardKeys {
  /** Whether its windows are of very many sizes. */
  readonly manySizes: boolean;
  readonly #scene: BoardScene;
  readonly #digest: Digest;
  readonly #items: readonly string[];
  /** What the sizes of lanes and cards follow from. */
  readonly #room: readonly LaneCounts[];
  /** By the items of a lane: its key. Most events leave most lanes alone. */
  readonly #lanes = new Map<string, string>();
  readonly #boards = new Map<number, string>();

  constructor(scene: BoardScene, sources: readonly PlanSource[], manySizes: boolean, digest: Digest) {
    this.#scene = scene;
    this.manySizes = manySizes;
    this.#digest = digest;
    this.#items = scene.items.map(({ name, image, fit }) =>
      digest([name, image === null ? null : [sources[image]!.hash, fit]]).slice(0, 24),
    );
    this.#room = fullestMoments(scene);
  }

  /** The board with everything in place whose event is over. */
  settled(settled: number): string {
    let key = this.#boards.get(settled);
    if (key === undefined) {
      const { title, card, rows, counter, layout, poolShown } = this.#scene;
      const { lanes, shown } = restAfter(this.#scene, settled);
      const keys = lanes.map((items) => this.#lane(items, shown));
      const labels = rows.map(({ label, color }) => [label, color]);
      key = this.#digest([[title, card.shape, card.names, counter, layout, poolShown], labels, keys, this.#room]);
      this.#boards.set(settled, key);
    }
    return key;
  }

  /** The items on their way, and how far they have come at `from`. */
  moving(settled: number, started: number, from: Frames): unknown {
    if (started === settled) return null;
    const { events, items } = this.#scene;
    const { lanes } = restAfter(this.#scene, settled);
    return events.slice(settled, started).map((event) => {
      const { item, style, to, ...course } = event;
      const lane = lanes.findIndex((placed) => placed.includes(item));
      const place = [lane, lanes[lane]?.indexOf(item)];
      const { score, note } = items[item]!;
      const what = [to && [to.row, to.index], this.#items[item], score, note];
      return [style, place, what, COURSE.map((frame) => course[frame] - from)];
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
