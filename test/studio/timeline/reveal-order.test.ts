import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isAutomatic } from '../../../src/studio/document/automatic-reveals.ts';
import type { TimelineData } from '../../../src/studio/document/project.ts';
import {
  movedTo,
  namedOrder,
  type OrderTimes,
  reorderReveals,
  revealsByTime,
} from '../../../src/studio/document/reveals.ts';
import { ranked } from '../document/project-builder.ts';
import { timelineOf } from './timeline-of.ts';

const idsOf = (timeline: TimelineData) => revealsByTime(timeline).map((tile) => tile.tier_item_id);
const TIMES = fc.constantFrom<OrderTimes>('stay', 'move');
const TILES = fc.array(fc.record({ ms: fc.nat({ max: 60_000 }), verdict: fc.option(fc.nat({ max: 900 })) }), {
  minLength: 1,
  maxLength: 12,
});

/** A timeline with a reveal for each, a move and a board. */
function revealed(tiles: readonly { readonly ms: number; readonly verdict: number | null }[]): TimelineData {
  return timelineOf({
    tier_blocks: [{ id: 'board', start: 0, duration: 70 }],
    tier_tiles: [
      { id: 'move', tier_item_id: 'item_0', position: 65, to_row: 's' },
      ...tiles.map(({ ms, verdict }, i) => ({
        ...{ id: `reveal-${i}`, tier_item_id: `item_${i}`, position: ms / 1000, hold: i },
        ...(verdict !== null && { stamp_at: (ms + verdict) / 1000 }),
      })),
    ],
  });
}

test('reveals have the requested order, and their other fields stay', () => {
  fc.assert(
    fc.property(TILES, TIMES, fc.nat(), (tiles, times, seed) => {
      const before = revealed(tiles);
      const list = { items: tiles.map((_, i) => ({ id: `item_${i}` })), rows: [{ item_ids: idsOf(before) }] };
      const order = namedOrder(list, 'shuffled', seed);
      const after = reorderReveals(before, order, times);
      assert.deepEqual(idsOf(after), order);
      assert.deepEqual(after.tier_tiles[0], before.tier_tiles[0], 'a move is no reveal');
      assert.equal(after.tier_tiles.length, before.tier_tiles.length);
      const byId = new Map(before.tier_tiles.map((tile) => [tile.id, tile]));
      for (const tile of after.tier_tiles) {
        const was = byId.get(tile.id)!;
        assert.deepEqual({ ...tile, position: 0, stamp_at: 0 }, { ...was, position: 0, stamp_at: 0 });
        const verdict = ({ stamp_at: at, position }: typeof tile) =>
          at === undefined ? null : Math.round((at - position) * 1e6);
        assert.equal(verdict(tile), verdict(was), 'the verdict stays as far behind');
      }
      assert.equal(reorderReveals(after, order, times), after, 'what is in order is not changed');
    }),
  );
});

test('times stay where they are, or each item keeps its time', () => {
  fc.assert(
    fc.property(TILES, fc.nat(), fc.nat(), (tiles, which, place) => {
      const before = revealed(tiles);
      const order = movedTo(before, `item_${which % tiles.length}`, place % tiles.length);
      assert.equal(order.indexOf(`item_${which % tiles.length}`), place % tiles.length);
      const positions = (timeline: TimelineData) => revealsByTime(timeline).map((tile) => tile.position);
      assert.deepEqual(positions(reorderReveals(before, order, 'stay')), positions(before));
      const lengths = (timeline: TimelineData) => {
        const at = [...positions(timeline), 70];
        return new Map(idsOf(timeline).map((id, i) => [id, Math.round((at[i + 1]! - at[i]!) * 1e6)]));
      };
      const moved = reorderReveals(before, order, 'move');
      assert.equal(positions(moved)[0], positions(before)[0]);
      const was = lengths(before);
      for (const [id, length] of lengths(moved)) assert.ok(Math.abs(length - was.get(id)!) <= 1, id);
    }),
  );
});

test('worst first is the order of a board without manual times: after any other it is automatic again', () => {
  const project = ranked(9);
  const { tier_list, timeline_data } = project;
  for (const order of ['best_first', 'listed', 'shuffled'] as const) {
    const other = reorderReveals(timeline_data, namedOrder(tier_list, order, 7), 'stay');
    assert.ok(!isAutomatic({ tier_list, timeline_data: other }), order);
    const back = reorderReveals(other, namedOrder(tier_list, 'worst_first', 0), 'stay');
    assert.ok(isAutomatic({ tier_list, timeline_data: back }), order);
  }
});
