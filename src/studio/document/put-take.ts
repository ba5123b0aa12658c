import type { Draft } from 'immer';
import { SECONDS } from '../../plan/reveal/course.ts';
import { type FrameRate, type Frames, frameAt, frames, type Seconds, secondsOf } from '../../time.ts';
import { freeId } from '../../timeline/free-id.ts';
import { type Entry, frameSlot, type TimeRules, toMicros, written, writtenSlot } from './entries.ts';
import { type Act, type Performance, type SeenRow, seenRows } from './performance.ts';
import type { EntryOf, Project } from './project.ts';
import { trimEntry } from './trim-entry.ts';

type Tile = EntryOf<'tier_tiles'>;
type Clip = EntryOf<'videos'>;

/** A take to put on the timeline. Times are seconds from its start. */
interface Take {
  /** The frame at which it starts. */
  readonly at: Frames;
  readonly seconds: number;
  readonly performance: Performance;
  /** The recorded files and the pauses at which they are cut; null if nothing was recorded. */
  readonly clip: { readonly files: readonly RecordedFile[]; readonly cuts: readonly number[] } | null;
}

/** A recorded file and its start in the take. It overlaps the start of the next file by at least a second. */
interface RecordedFile {
  readonly field: string;
  readonly from: number;
}

/** From the verdict of a spotlight until its last movement. */
export const TAIL_SECONDS = SECONDS.spotlight.verdict + SECONDS.spotlight.flight + SECONDS.spotlight.settles;

/**
 * Puts a take on the timeline: clips, the board's block, the ranking and its reveals. From its start on it replaces the previous take:
 * recorded clips, captions and all actions on the board.
 */
export function putTake(draft: Draft<Project>, take: Take, rules: TimeRules): void {
  const before = draft as Project;
  const kept = take.at === 0 ? startingActs(take.performance) : actsBefore(before, secondsOf(take.at, rules.rate));
  if (take.clip !== null) {
    clearFrom(draft, take.at, rules);
    draft.timeline_data.videos.push(...(clipsOf(before.timeline_data.videos, take, rules) as Draft<Clip>[]));
  }
  const { acts } = take.performance;
  const { rows, indices } = arrangeActs(
    draft.tier_list.rows.map(({ id }) => id),
    [...kept, ...acts],
  );
  for (const row of draft.tier_list.rows) row.item_ids = [...rows.get(row.id)!];
  const taken = new Set<string>();
  const tiles: Tile[] = [];
  for (const [i, { tile }] of kept.entries()) {
    if (tile === null) continue;
    taken.add(tile.id);
    tiles.push(indices[i] === null ? withoutMove(tile) : { ...tile, index: indices[i]! });
  }
  const style = draft.settings.reveal ?? 'spotlight';
  const places = indices.slice(kept.length);
  for (const [i, act] of acts.entries()) {
    const id = freeId(`reveal-${act.item}`, taken);
    tiles.push({ id, tier_item_id: act.item, ...tileOf(act, places[i]!, style, take.at, rules) });
  }
  draft.timeline_data.tier_tiles = tiles;
  putBoard(draft, take, rules);
}

/** Adds a voice-over to the timeline; nothing else changes. */
export function putVoice(draft: Draft<Project>, take: Take, rules: TimeRules): void {
  const { soundtracks } = draft.timeline_data;
  for (const entry of clipsOf(soundtracks, take, rules)) {
    const { role } = draft.studio.media[entry.file_field!]!;
    soundtracks.push({ ...entry, ...(role && { role }) } as Draft<EntryOf<'soundtracks'>>);
  }
}

/** How far ahead the board is planned while a take runs. */
const AHEAD_SECONDS = 120;

/**
 * A take while it is running: the card that is up is held up without a verdict, and the pool is hidden. The first row only reserves
 * the place of a stamp.
 *
 * @param records whether a clip is being recorded, which replaces earlier ones.
 */
export function putRunningTake(
  draft: Draft<Project>,
  { at, seconds, performance }: Omit<Take, 'clip'>,
  records: boolean,
  rules: TimeRules,
): void {
  const { up, acts } = performance;
  const [row] = draft.tier_list.rows;
  const held = up !== null && row !== undefined && !isSeen(performance, up.item);
  const ahead = (Math.floor(seconds / AHEAD_SECONDS) + 2) * AHEAD_SECONDS;
  const shown = held ? [...acts, { item: up.item, row: row.id, index: 0, up: up.at, at: ahead }] : acts;
  if (records) clearFrom(draft, at, rules);
  putTake(draft, { at, seconds: ahead, performance: { ...performance, acts: shown }, clip: null }, rules);
  draft.settings.pool = 'never';
  draft.studio.running = { undecided: held ? up.item : null };
}

function isSeen(performance: Performance, item: string): boolean {
  return seenRows(performance).some(({ items }) => items.includes(item));
}

function withoutMove({ to_row: _, index: __, ...tile }: Tile): Tile {
  return tile;
}

/** A spotlight shows the card when it is picked up, and the verdict when it is dropped. Any other style reveals it at the drop. (C55) */
function tileOf(
  { up, at, row }: Act,
  index: number | null,
  style: string,
  start: Frames,
  { rate }: TimeRules,
): Omit<Tile, 'id' | 'tier_item_id'> {
  const moment = (seconds: number) => written(start + frameAt(seconds, rate), rate);
  if (index !== null) return { position: moment(at), to_row: row, index };
  if (style !== 'spotlight') return { position: moment(at) };
  return { position: moment(up), reveal: 'spotlight', stamp_at: moment(at) };
}

/** Removes recorded clips and captions from a frame on. */
function clearFrom({ timeline_data: data, studio }: Draft<Project>, at: Frames, rules: TimeRules): void {
  const isRecorded = ({ file_field: field }: { readonly file_field: string }) => studio.media[field]?.recorded === true;
  const slot = (entry: Entry) => frameSlot(entry, rules);
  const cut = data.videos.map((clip, index) => {
    const { start, end } = slot(clip as Entry);
    if (!isRecorded(clip) || end <= at || start >= at) return clip;
    const lane = { ...data, videos: data.videos } as unknown as Project['timeline_data'];
    return trimEntry(lane, { lane: 'videos', index }, { edge: 'end', to: at }, rules).videos[index]!;
  });
  data.videos = cut.filter((clip) => !isRecorded(clip) || slot(clip as Entry).start < at) as typeof data.videos;
  data.subtitles = data.subtitles.filter((text) => slot(text as Entry).start < at);
}

/** One clip for each part between pauses and for each file, back to back. A file starts at its first whole frame. */
function clipsOf(
  others: readonly { readonly id: string }[],
  { at, seconds, clip }: Take,
  { rate }: TimeRules,
): Entry[] {
  const { files, cuts } = clip!;
  const taken = new Set(others.map(({ id }) => id));
  const begins = files.map(({ from }) => firstFrameFrom(from, rate));
  const edges = [...new Set([...begins, ...[...cuts, seconds].map((edge) => frameAt(edge, rate))])].sort(
    (a, b) => a - b,
  );
  const last = frameAt(seconds, rate);
  return edges.slice(0, edges.indexOf(last)).map((start, i) => {
    const { field, from } = files[begins.findLastIndex((begin) => begin <= start)]!;
    const trim = toMicros(written(start, rate) - from);
    return {
      id: freeId(field, taken),
      file_field: field,
      ...writtenSlot({ start: at + start, end: at + edges[i + 1]! }, rate),
      ...(trim > 0 && { trim_start: trim }),
    };
  });
}

function firstFrameFrom(seconds: number, rate: FrameRate): Frames {
  const near = frameAt(seconds, rate);
  return frames(written(near, rate) < seconds ? near + 1 : near);
}

/** Shows the board from the start of the take to its end, and until the last card has landed. */
function putBoard({ timeline_data: data }: Draft<Project>, { at, seconds, performance }: Take, rules: TimeRules): void {
  const { rate } = rules;
  const last = performance.acts.reduce((end, act) => Math.max(end, act.at + TAIL_SECONDS), 0);
  const end = frames(at + Math.max(1, frameAt(Math.max(seconds, last), rate)));
  const { tier_blocks: blocks } = data;
  const [look] = blocks;
  const before = blocks.filter((block) => frameSlot(block as Entry, rules).start < at);
  const open = before.find((block) => frameSlot(block as Entry, rules).end >= at);
  if (open !== undefined) {
    const { start } = frameSlot(open as Entry, rules);
    Object.assign(open, writtenSlot({ start, end }, rate));
    data.tier_blocks = before;
    return;
  }
  const id = freeId(look?.id ?? 'board', new Set(before.map((block) => block.id)));
  data.tier_blocks = [...before, { ...look, id, ...writtenSlot({ start: at, end }, rate) }];
}

/** An action on a card before the take, with its tile; null if the card is visible from the start. */
interface KeptAct extends Arrival {
  readonly tile: Tile | null;
}

/** The cards that a take finds on the board. They are visible from its start. */
function startingActs({ start }: Performance): KeptAct[] {
  return start.flatMap(({ id: row, items }) => items.map((item, index) => ({ item, row, index, tile: null })));
}

/** The actions on the board before a time, in order. */
function actsBefore({ tier_list, timeline_data }: Project, now: Seconds): KeptAct[] {
  const items = new Set(tier_list.items.map(({ id }) => id));
  const placed = new Set<string>();
  // An item in two rows is in the first. (C22)
  const rows = tier_list.rows.map(({ id, item_ids: ids = [] }) => {
    const own = ids.filter((item) => items.has(item) && !placed.has(item) && placed.add(item));
    return { id, items: own };
  });
  const tiles = timeline_data.tier_tiles.toSorted((a, b) => a.position - b.position);
  const revealed = new Set(tiles.filter(isReveal).map((tile) => tile.tier_item_id));
  const seen = new Set<string>();
  const acts: KeptAct[] = [];
  const show = (item: string, tile: Tile | null) => {
    const row = rows.find((each) => each.items.includes(item));
    if (row === undefined) return;
    const index = row.items.filter((other) => other === item || seen.has(other)).indexOf(item);
    seen.add(item);
    acts.push({ item, row: row.id, index, tile });
  };
  for (const row of rows) for (const item of row.items) if (!revealed.has(item)) show(item, null);
  for (const tile of tiles) {
    if (tile.position >= now) break;
    const item = tile.tier_item_id;
    if (isReveal(tile)) {
      if (!seen.has(item)) show(item, tile);
      continue;
    }
    for (const row of rows) {
      row.items = row.items.filter((other) => other !== item);
      if (row.id === tile.to_row) row.items.splice(tile.index ?? row.items.length, 0, item);
    }
    // A move before the reveal is not visible.
    if (seen.has(item) || !revealed.has(item)) show(item, tile);
  }
  return acts;
}

function isReveal({ to_row: row }: Tile): boolean {
  return row === undefined;
}

/** The board that a take starts from. At frame 0 it is empty. */
export function boardBefore(project: Project, at: Frames, { rate }: TimeRules): readonly SeenRow[] {
  return boardAfter(project, at === 0 ? [] : actsBefore(project, secondsOf(at, rate)));
}

/** The board at the end, with every ranked card. */
export function rankedBoard(project: Project): readonly SeenRow[] {
  return boardAfter(project, actsBefore(project, Number.POSITIVE_INFINITY));
}

function boardAfter({ tier_list: { rows } }: Project, acts: readonly KeptAct[]): readonly SeenRow[] {
  const start = rows.map(({ id }) => ({ id, items: [] }));
  return seenRows({ start, acts: acts.map((act) => ({ ...act, up: 0, at: 0 })) });
}

/** A card arrives in a row, by a reveal or a move. */
interface Arrival {
  readonly item: string;
  readonly row: string;
  /** The index among the visible cards of the row, without this one. */
  readonly index: number;
}

/** The rows before any move, and the index of each move. (C44) */
interface Arrangement {
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** One for each arrival; null for a reveal. */
  readonly indices: readonly (number | null)[];
}

/** The time of an item in a row, from one arrival until another. */
interface Stay {
  readonly item: string;
  readonly from: number;
  readonly isReveal: boolean;
  until: number;
}

/**
 * Converts between two ways to count. Documents list all items in the rows before any move, hidden ones included, and the index of a
 * move counts hidden items. An arrival has an index among visible cards only. So each row collects all its stays, past and present, in
 * order. The reveals among them are the row before any move. The index of a move is the number of stays before it at that time.
 */
function arrangeActs(rowIds: readonly string[], arrivals: readonly Arrival[]): Arrangement {
  const rows = new Map(rowIds.map((id) => [id, [] as Stay[]]));
  const last = new Map<string, Stay>();
  const stays = arrivals.map(({ item, row, index }, from) => {
    const before = last.get(item);
    if (before !== undefined) before.until = from;
    const stay = { item, from, isReveal: before === undefined, until: Number.POSITIVE_INFINITY };
    last.set(item, stay);
    const list = rows.get(row)!;
    const seen = list.filter(({ until }) => until > from);
    const next = seen[index];
    list.splice(next === undefined ? list.length : list.indexOf(next), 0, stay);
    return stay;
  });
  const indices = stays.map((stay, i) => {
    if (stay.isReveal) return null;
    const list = rows.get(arrivals[i]!.row)!;
    const isThere = ({ isReveal, from, until }: Stay) => until > stay.from && (isReveal || from < stay.from);
    return list.slice(0, list.indexOf(stay)).filter(isThere).length;
  });
  const revealed = [...rows].map(
    ([id, list]) => [id, list.filter(({ isReveal }) => isReveal).map(({ item }) => item)] as const,
  );
  return { rows: new Map(revealed), indices };
}
