import type { Frames } from '../../time.ts';
import type { BoardScene, PlanSource } from '../render-plan.ts';
import type { Digest } from './digest.ts';

/** Where an item belongs: its row, or −1 for the pool, and its place there. */
type ItemPlace = readonly [lane: number, index: number];

/**
 * What the board adds to a chunk's key: what can be seen of it, and of hidden items only the room they will need. So the
 * picture of an item may change without touching what is rendered before its reveal.
 */
export class BoardKeys {
  readonly #scene: BoardScene;
  readonly #digest: Digest;
  readonly #items: readonly string[];
  readonly #places: readonly ItemPlace[];
  /** When each item is in place, as a count of reveals that are over; 0 for those that are there from the start. */
  readonly #settledBy: readonly number[];
  /** By lane: its text for the counts at which it changes. Most reveals leave most lanes alone. */
  readonly #lanes = new Map<string, string>();
  readonly #boards = new Map<number, string>();

  constructor(scene: BoardScene, sources: readonly PlanSource[], digest: Digest) {
    this.#scene = scene;
    this.#digest = digest;
    this.#items = scene.items.map(({ name, image, fit }) =>
      digest([name, image === null ? null : [sources[image]!.hash, fit]]).slice(0, 24),
    );
    const places: ItemPlace[] = [];
    for (const [lane, { items }] of scene.rows.entries())
      for (const [i, item] of items.entries()) places[item] = [lane, i];
    for (const [i, item] of scene.pool.entries()) places[item] = [-1, i];
    this.#places = places;
    const settledBy = scene.items.map(() => 0);
    for (const [i, { item }] of scene.reveals.entries()) settledBy[item] = i + 1;
    this.#settledBy = settledBy;
  }

  /** The board with everything in place whose reveal is over. */
  settled(settled: number): string {
    let key = this.#boards.get(settled);
    if (key === undefined) {
      const { title, card, rows, pool } = this.#scene;
      const lanes = rows.map(({ label, color, items }, lane) => [label, color, this.#lane(lane, items, settled)]);
      key = this.#digest([title, [card.shape, card.names], lanes, this.#lane(-1, pool, settled)]);
      this.#boards.set(settled, key);
    }
    return key;
  }

  /** The items on their way in, and how far they have come at `from`. */
  moving(settled: number, started: number, from: Frames): unknown {
    if (started === settled) return null;
    const { reveal, reveals } = this.#scene;
    const items = reveals.slice(settled, started).map(({ item, at, end }) => {
      return [this.#places[item], this.#items[item], at - from, end - from];
    });
    return [reveal, items];
  }

  #lane(lane: number, items: readonly number[], settled: number): string {
    const shown = items.filter((item) => this.#settledBy[item]! <= settled).length;
    const known = `${lane} ${shown}`;
    let key = this.#lanes.get(known);
    if (key === undefined) {
      key = this.#digest(items.map((item) => (this.#settledBy[item]! <= settled ? this.#items[item] : '')).join());
      this.#lanes.set(known, key);
    }
    return key;
  }
}
