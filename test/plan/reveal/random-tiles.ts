import fc from 'fast-check';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { plan } from '../../request-builder.ts';

const IDS = [...'abcdefghij'];
const TIER_LIST = {
  rows: [
    // So that no item is in the first row, where a card is held longer. (R41)
    { id: 'first', label: 'X', item_ids: [] },
    { id: 's', label: 'S', item_ids: ['a', 'd', 'g', 'j'] },
    { id: 'm', label: 'M', item_ids: ['b', 'e', 'h'] },
    { id: 'f', label: 'F', item_ids: ['c', 'f', 'i'] },
  ],
  items: IDS.map((id) => ({ id, name: id })),
};

export type Tile = { readonly item: number; readonly position: number } & Readonly<Record<string, unknown>>;

/** Spotlights unless a tile says otherwise, on a board of a minute. */
export function plannedTiles(
  tiles: readonly Tile[],
  { seconds = 60, fps = 30, ...settings }: { seconds?: number; fps?: number; [setting: string]: unknown } = {},
  preset?: string,
): RenderPlan {
  const tier_tiles = tiles.map(({ item, ...tile }) => ({ tier_item_id: IDS[item], ...tile }));
  const timeline_data = { tier_blocks: [{ start: 0, duration: seconds }], tier_tiles };
  const documents = { tier_list: TIER_LIST, timeline_data, settings: { reveal: 'spotlight', fps, ...settings } };
  return plan(documents, {}, preset);
}

const tile = fc.record({
  item: fc.nat(9),
  position: fc.oneof(
    fc.integer({ min: 0, max: 120 }).map((n) => n / 10),
    fc.double({ min: 0, max: 12, noNaN: true }),
  ),
  reveal: fc.constantFrom('spotlight', 'spotlight', 'spotlight', 'slam', 'pop', 'none', undefined),
  to_row: fc.constantFrom(undefined, undefined, 's', 'f'),
  hold: fc.option(fc.double({ min: 0, max: 5, noNaN: true }), { nil: undefined, freq: 3 }),
  after: fc.option(fc.double({ min: 0, max: 5, noNaN: true }), { nil: undefined, freq: 3 }),
});

/** Tiles of all styles within twelve seconds, moves among them, some with a hold or a verdict of their own. */
export const randomTiles: fc.Arbitrary<Tile[]> = fc.array(tile, { minLength: 1, maxLength: 12 }).map((list) =>
  list.map(({ after, ...made }) => {
    // Fields that are absent are not sent.
    const sent = { ...made, ...(after !== undefined && { stamp_at: made.position + after }) };
    return JSON.parse(JSON.stringify(sent)) as Tile;
  }),
);
