import { microsAt, type Seconds, secondsOfMicros } from '../time.ts';
import { AUTO } from './auto-fields.ts';
import type { AUTO_ORDERS } from './choices.ts';
import type { RawAuto, RawBlock, RawSettings, RawTile } from './document-schemas.ts';
import type { Filled } from './fields.ts';
import { freeId } from './free-id.ts';
import type { LaneEntry } from './lanes.ts';
import { filled } from './read-fields.ts';

const INTRO_SECONDS = 2.5;
/** How long the opening is still shown over the board. */
const OVER_BOARD_SECONDS = 0.5;
/** From the start of the board to the first reveal. */
const LEAD_SECONDS = 1.5;
const OUTRO_SECONDS = 3;
/** Ids have at most 1000 characters, and a free one may need a few more. */
const LONGEST_ID_BASE = 990;

type AutoOrder = (typeof AUTO_ORDERS)[number];

/** The part of a tier list that its reveals depend on, by ids of items. Each item is in one row at most. */
interface RankedIds {
  /** All items, in the order of the list. */
  readonly items: readonly string[];
  /** From the best to the worst. */
  readonly rows: readonly (readonly string[])[];
}

type Basics = Filled<typeof AUTO>;

/** How a timeline is made of a tier list. (C64) */
interface AutoOptions extends Omit<Basics, 'intro'> {
  /** The text of the opening; null: there is none. */
  readonly intro: string | null;
  /** The style of each reveal; null: that of the settings. */
  readonly reveal: RawTile['reveal'] | null;
  /** The sound of each reveal; null: that of the settings. (R41) */
  readonly sound: 'theme' | null;
}

export const AUTO_DEFAULTS = { ...filled(AUTO, {}), intro: null, reveal: null, sound: null } satisfies AutoOptions;

/** The options of `auto`. Reveals are spotlights and heard, unless the settings, as they were sent, set another style or sound. */
export function autoOptions(
  auto: RawAuto,
  title: string,
  settings: Pick<RawSettings, 'reveal' | 'reveal_sound'>,
): AutoOptions {
  const basics = filled(AUTO, auto);
  return {
    ...basics,
    intro: basics.intro && title.trim() !== '' ? title : null,
    reveal: settings.reveal === undefined ? 'spotlight' : null,
    sound: settings.reveal_sound === undefined ? 'theme' : null,
  };
}

/** Entries that are there already. */
interface SentEntries {
  readonly tier_blocks: readonly Pick<RawBlock, 'start'>[];
  readonly tier_tiles: readonly Pick<RawTile, 'id' | 'tier_item_id' | 'position'>[];
  readonly titles: readonly Pick<LaneEntry<'titles'>, 'id'>[];
}

/** The entries added to a timeline, by lane. */
export interface AutoEntries {
  readonly tier_blocks: readonly WithId<RawBlock>[];
  readonly tier_tiles: readonly WithId<RawTile>[];
  readonly titles: readonly WithId<LaneEntry<'titles'>>[];
}

type WithId<T> = Omit<T, 'id'> & { readonly id: string };

const NOTHING = { tier_blocks: [], tier_tiles: [], titles: [] } as const;

/** The ranked items of a list as it was sent: ids that no item has are left out, and the first row counts. (C22) */
export function rankedIds({
  items,
  rows,
}: {
  readonly items: readonly { readonly id: string }[];
  readonly rows: readonly { readonly item_ids?: readonly string[] | undefined }[];
}): RankedIds {
  const waiting = new Set(items.map(({ id }) => id));
  return {
    items: [...waiting],
    rows: rows.map(({ item_ids: ids = [] }) => ids.filter((id) => waiting.delete(id))),
  };
}

/** The ids of ranked items in the order in which they are revealed. */
export function revealOrder({ items, rows }: RankedIds, order: AutoOrder, seed = 0): readonly string[] {
  const ranked = new Set(rows.flat());
  const listed = () => items.filter((id) => ranked.has(id));
  const orders: Readonly<Record<AutoOrder, () => readonly string[]>> = {
    worst_first: () => rows.toReversed().flat(),
    best_first: () => rows.flat(),
    listed,
    shuffled: () => shuffled(listed(), seed),
  };
  return orders[order]();
}

/**
 * The default timeline of a tier list: an opening, then a board with one reveal after the other. Items that have a tile
 * are left alone, and the others make room for them. If there is a board, neither opening nor board is added, and
 * reveals start with the first board. (C64)
 */
export function autoTimeline(
  list: RankedIds,
  { order, secondsPerItem, intro, outro, seed, reveal, sound }: AutoOptions,
  sent: SentEntries = NOTHING,
): AutoEntries {
  if (list.items.length === 0) return NOTHING;
  const opening = sent.tier_blocks.length > 0 || intro === null ? [] : [openingCard(intro, idsOf(sent.titles))];
  const start = sent.tier_blocks.length === 0 ? INTRO_SECONDS * opening.length : firstStart(sent.tier_blocks);
  const revealed = new Set(sent.tier_tiles.map((tile) => tile.tier_item_id));
  const tileIds = idsOf(sent.tier_tiles);
  const taken = sent.tier_tiles.map(({ position }) => position).sort((a, b) => a - b);
  let next = start + LEAD_SECONDS;
  const tiles = revealOrder(list, order, seed)
    .filter((id) => !revealed.has(id))
    .map((id): WithId<RawTile> => {
      const position = freeFrom(next, secondsPerItem, taken);
      next = tidy(position + secondsPerItem);
      const tileId = freeId(`reveal-${id}`.slice(0, LONGEST_ID_BASE), tileIds);
      const heard = { ...(reveal !== null && { reveal }), ...(sound !== null && { sound_field: sound }) };
      return { id: tileId, tier_item_id: id, position, ...heard };
    });
  const end = taken.reduce((latest, position) => Math.max(latest, position + secondsPerItem), next);
  const duration = tidy(end - start + (outro ? OUTRO_SECONDS : 0));
  return {
    tier_blocks: sent.tier_blocks.length === 0 ? [{ id: 'board', start, duration }] : [],
    tier_tiles: tiles,
    titles: opening,
  };
}

/** Where the last of the added entries ends. */
export function autoEnd({ tier_blocks: blocks, tier_tiles: tiles }: AutoEntries, secondsPerItem: Seconds): Seconds {
  const ends = [
    ...blocks.map(({ start, duration }) => start + duration),
    ...tiles.map(({ position }) => tidy(position + secondsPerItem)),
  ];
  return ends.reduce((latest, end) => Math.max(latest, end), 0);
}

function openingCard(text: string, taken: Set<string>): WithId<LaneEntry<'titles'>> {
  return { id: freeId('opening', taken), kind: 'card', text, start: 0, duration: INTRO_SECONDS + OVER_BOARD_SECONDS };
}

function firstStart(blocks: readonly Pick<RawBlock, 'start'>[]): Seconds {
  return blocks.reduce((first, { start }) => Math.min(first, start), Number.POSITIVE_INFINITY);
}

/**
 * The first second from `at` on that starts `length` seconds without another reveal.
 * @param taken in order.
 */
function freeFrom(at: Seconds, length: Seconds, taken: readonly Seconds[]): Seconds {
  return taken.reduce(
    (free, other) => (other < free + length && free < other + length ? tidy(other + length) : free),
    at,
  );
}

/** Sums of seconds as people write them: 2.9, not 2.9000000000000004. */
function tidy(at: Seconds): Seconds {
  return secondsOfMicros(microsAt(at));
}

function idsOf(entries: readonly { readonly id?: string | undefined }[]): Set<string> {
  return new Set(entries.flatMap(({ id }) => id ?? []));
}

/** The same order for the same seed, on every machine (Fisher and Yates, mulberry32). */
function shuffled(ids: readonly string[], seed: number): readonly string[] {
  const order = [...ids];
  let state = seed;
  for (let last = order.length - 1; last > 0; last -= 1) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const other = ((mixed ^ (mixed >>> 14)) >>> 0) % (last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
