import type { Draft } from 'immer';
import type { Frames } from '../../time.ts';
import { REVEAL_SOUNDS } from '../../timeline/choices.ts';
import type { RawItem } from '../../timeline/document-schemas.ts';
import { freeId } from '../../timeline/free-id.ts';
import { LANES, type LaneName } from '../../timeline/lanes.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import { freeField } from './add-files.ts';
import { type Place, placeItems } from './board-commands.ts';
import { type Entry, frameSlot, type TimeRules } from './entries.ts';
import { DRAWN_LANES, LANE_LOOKS } from './lane-looks.ts';
import { isLocked } from './lane-switches.ts';
import { usedFields } from './media-commands.ts';
import { startingAt } from './move-entries.ts';
import { EMPTY_PROJECT, type Project, type TimelineData } from './project.ts';
import type { EntryRef, Selection } from './selection.ts';

/**
 * What is copied, as a small project: entries of the timeline or items of the board, and the facts of their files. So the reader of
 * project files also reads clipboard text, whichever program wrote it.
 */
export type Copied = Project;

/** The start of a clipboard text of ours. */
const MARK = '{"tiercut_copied":1,';

/** The selection without the rest of the project; null if nothing in it can be copied. */
export function copyOf(project: Project, selection: Selection): Copied | null {
  const items = selection.kind === 'items' ? itemsInOrder(project, selection.ids) : [];
  const refs = selection.kind === 'entries' ? selection.refs : [];
  const lanes = DRAWN_LANES.map((lane) => {
    const ids = new Set(refs.filter((ref) => ref.lane === lane).map(({ id }) => id));
    return [lane, (project.timeline_data[lane] as readonly { readonly id: string }[]).filter(({ id }) => ids.has(id))];
  });
  const timeline_data: TimelineData = { ...EMPTY_PROJECT.timeline_data, ...Object.fromEntries(lanes) };
  if (items.length === 0 && DRAWN_LANES.every((lane) => timeline_data[lane].length === 0)) return null;
  const copied = { ...EMPTY_PROJECT, tier_list: { rows: [], items }, timeline_data, settings: {} };
  const used = [...usedFields(copied)];
  const of = <T>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(used.flatMap((field) => (all[field] === undefined ? [] : [[field, all[field]]])));
  return { ...copied, media: of(project.media), studio: { media: of(project.studio.media) } };
}

/** In board order: row by row, then the pool. */
function itemsInOrder({ tier_list: { rows, items } }: Project, ids: readonly string[]): readonly RawItem[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const order = new Set([...rows.flatMap(({ item_ids = [] }) => item_ids), ...byId.keys()]);
  return [...order].filter((id) => ids.includes(id)).flatMap((id) => byId.get(id) ?? []);
}

/** The clipboard text: a project file with a mark. */
export function copiedText({ tier_list, timeline_data, media, studio }: Copied): string {
  return `${MARK}${JSON.stringify({ tier_list, timeline_data, media, studio }).slice(1)}`;
}

export function isCopiedText(text: string): boolean {
  return text.startsWith(MARK);
}

/** Why something was not pasted. */
type LeftOut = 'revealed' | 'no_item' | 'board_there' | 'locked' | 'no_file' | 'too_many' | 'too_late';

export interface Pasted {
  readonly entries: readonly EntryRef[];
  readonly items: readonly string[];
  readonly left: readonly LeftOut[];
  /** Names of files that this browser does not have. */
  readonly missing: readonly string[];
}

interface PasteAt {
  /** The frame at which the earliest entry starts. */
  readonly frame: Frames;
  readonly place: Place;
}

interface PasteRules {
  readonly times: TimeRules;
  readonly limits: TimelineLimits;
  /** Whether the bytes of a file are in this browser. */
  readonly isHere: (hash: string) => boolean;
}

/**
 * Pastes into a project, the same or another. Entries go to their lanes and keep their distances in frames. Anything that would break a
 * rule of its lane is left out: a second reveal of an item, a board over another, an entry of a locked lane.
 */
export function paste(draft: Draft<Project>, copied: Copied, at: PasteAt, rules: PasteRules): Pasted {
  const { fields, missing } = pasteMedia(draft, copied, rules);
  const left: LeftOut[] = [];
  const items = pasteItems(draft, copied, fields, at.place, rules.limits, left);
  const entries = pasteEntries(draft, copied, fields, at.frame, rules, left);
  return { entries, items, left, missing };
}

/** Finds each file by its hash, and adds those that the project does not have. */
function pasteMedia(draft: Draft<Project>, { media, studio }: Copied, { isHere }: PasteRules) {
  const known = new Map(Object.entries(draft.studio.media).map(([field, { hash }]) => [hash, field]));
  const fields = new Map<string, string>();
  const missing: string[] = [];
  for (const field of Object.keys(media)) {
    const entry = studio.media[field];
    const there = entry === undefined ? (field in draft.media ? field : undefined) : known.get(entry.hash);
    if (there !== undefined) {
      fields.set(field, there);
      continue;
    }
    const name = entry?.name ?? media[field]!.split('/').at(-1)!;
    const fresh = freeField(draft, field, name);
    fields.set(field, fresh);
    if (entry !== undefined && isHere(entry.hash)) draft.studio.media[fresh] = entry;
    else missing.push(name);
  }
  return { fields, missing };
}

function pasteItems(
  draft: Draft<Project>,
  { tier_list }: Copied,
  fields: ReadonlyMap<string, string>,
  place: Place,
  { maxItems }: TimelineLimits,
  left: LeftOut[],
): readonly string[] {
  const { items } = draft.tier_list;
  const taken = new Set(items.map(({ id }) => id));
  const room = Math.max(0, maxItems - items.length);
  left.push(...tier_list.items.slice(room).map(() => 'too_many' as const));
  const fresh = tier_list.items
    .slice(0, room)
    .map((item) => ({ ...withFields(item, fields), id: freeId(item.id, taken) }));
  if (fresh.length === 0) return [];
  items.push(...(fresh as typeof items));
  const ids = fresh.map(({ id }) => id);
  placeItems(draft, ids, place);
  return ids;
}

function pasteEntries(
  draft: Draft<Project>,
  { timeline_data }: Copied,
  fields: ReadonlyMap<string, string>,
  frame: Frames,
  { times, limits }: PasteRules,
  left: LeftOut[],
): readonly EntryRef[] {
  const refs: EntryRef[] = [];
  const starts = DRAWN_LANES.flatMap((lane) =>
    (timeline_data[lane] as readonly Entry[]).map((entry) => frameSlot(entry, times).start),
  );
  const by = frame - Math.min(...starts);
  for (const lane of DRAWN_LANES) {
    const entries = draft.timeline_data[lane] as Entry[];
    const taken = new Set(entries.map(({ id }) => id!));
    for (const entry of timeline_data[lane] as readonly Entry[]) {
      const moved = startingAt(withFields(entry, fields), frameSlot(entry, times).start + by, times);
      const why = whyLeftOut(draft as Project, lane, moved, times, limits);
      if (why !== null) {
        left.push(why);
        continue;
      }
      const id = freeId(entry.id ?? lane, taken);
      entries.push({ ...moved, id });
      refs.push({ lane, id });
    }
  }
  return refs;
}

function whyLeftOut(
  { tier_list, timeline_data, studio, media }: Project,
  lane: LaneName,
  entry: Entry,
  times: TimeRules,
  { maxEntriesPerLane, maxTimelineSeconds }: TimelineLimits,
): LeftOut | null {
  const there = timeline_data[lane] as readonly Entry[];
  if (isLocked(studio.lanes, lane, entry)) return 'locked';
  if (there.length >= maxEntriesPerLane) return 'too_many';
  const slot = frameSlot(entry, times);
  if ((slot.end * times.rate.den) / times.rate.num > maxTimelineSeconds) return 'too_late';
  if (LANES[lane].ofFile && !((entry.file_field ?? '') in media)) return 'no_file';
  if (lane === 'tier_tiles') {
    const isKnown = tier_list.items.some(({ id }) => id === entry.tier_item_id);
    const isRow = entry.to_row === undefined || tier_list.rows.some(({ id }) => id === entry.to_row);
    if (!isKnown || !isRow) return 'no_item';
    const isRevealed = ({ tier_item_id: id, to_row: row }: Entry) => id === entry.tier_item_id && row === undefined;
    if (entry.to_row === undefined && there.some(isRevealed)) return 'revealed';
  }
  const isOver = (other: Entry) => {
    const { start, end } = frameSlot(other, times);
    return start < slot.end && slot.start < end;
  };
  return LANE_LOOKS[lane].adds?.alone === true && there.some(isOver) ? 'board_there' : null;
}

/** The same with mapped file fields; an unknown file is removed. Made sounds stay. */
function withFields<T extends object>(part: T, fields: ReadonlyMap<string, string>): T {
  const changed = Object.entries(part).flatMap(([key, value]): [string, unknown][] => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return [[key, withFields(value, fields)]];
    if (typeof value !== 'string' || !/(^|_)field$/.test(key)) return [[key, value]];
    const field = fields.get(value) ?? (OWN_SOUNDS.has(value) ? value : undefined);
    return field === undefined ? [] : [[key, field]];
  });
  return Object.fromEntries(changed) as T;
}

const OWN_SOUNDS: ReadonlySet<string> = new Set(['none', ...REVEAL_SOUNDS]);
