import { type Draft, original } from 'immer';
import { freeId } from '../../timeline/free-id.ts';
import type { Presets } from '../../timeline/presets.ts';
import * as page from '../texts/en/page.ts';
import { followBoard } from './automatic-reveals.ts';
import { lastEnd } from './entries.ts';
import { laneFor } from './lane-looks.ts';
import { layOutFirst } from './layout-commands.ts';
import { defaultLength, type Landing, placeMedia } from './media-commands.ts';
import type { MediaEntry, Project } from './project.ts';
import { placeSound } from './sound-commands.ts';

type ProjectDraft = Draft<Project>;

/** Form fields with another meaning, which cannot name a file. (C2, C25, C37, C38, C40) */
const TAKEN_NAMES = [
  ...['tier_list', 'timeline_data', 'settings', 'timeline_json', 'media_manifest', 'media_refs'],
  ...['callback_url', 'external_id', 'presets', 'metadata', 'at', 'frame', 'preset'],
];

/**
 * Adds files in the given order. A picture becomes an item in the pool, a clip goes to the end of the clips, a sound to the sounds of
 * its role, and music is placed after everything else. Content that the project already has is not added again. A file that the project
 * names but lacks is assigned to its field.
 *
 * @param absent fields whose files are missing, as `namedFields` finds them.
 * @param landing where on the timeline the files were dropped, one after the other. A file that the project already has is added there
 * once more.
 * @param presets formats in which to lay out a first facecam; null leaves it where it is.
 * @returns the fields of the files, in order.
 */
export function addFiles(
  draft: ProjectDraft,
  entries: readonly MediaEntry[],
  absent: ReadonlySet<string> = new Set(),
  landing: Landing | null = null,
  presets: Presets | null = null,
): string[] {
  const wanted = new Set(absent);
  // Existing parts are read from the original, which avoids a draft for each of hundreds of items.
  const before = (original(draft) ?? draft) as Project;
  const fieldsNamed = namedFields(before);
  const itemIds = new Set(before.tier_list.items.map(({ id }) => id));
  const taken = new Set([...TAKEN_NAMES, ...Object.keys(before.media)]);
  const known = new Map(Object.entries(before.studio.media).map(([field, { hash }]) => [hash, field]));
  const fields: string[] = [];
  // Files dropped together follow each other; sounds of different roles run in parallel.
  const ends = new Map<string | undefined, number>();
  const land = (field: string, entry: MediaEntry): boolean => {
    const lane = landing === null ? null : laneFor(entry.kind, landing.over);
    if (lane === null) return false;
    const start = ends.get(entry.role) ?? landing!.start;
    placeMedia(draft, field, entry, { lane, start });
    ends.set(entry.role, tidyMicros(start + defaultLength(entry)));
    return true;
  };
  const music: [string, MediaEntry][] = [];
  followBoard(draft, () => {
    for (const entry of entries) {
      const found = fieldsNamed(entry.name).filter((field) => wanted.has(field));
      // If two folders have a file of the same name, each file is assigned to one of them.
      const named = found.filter((field) => before.media[field] === before.media[found[0]!]);
      for (const field of named) {
        wanted.delete(field);
        draft.studio.media[field] = entry;
      }
      if (named.length > 0) {
        known.set(entry.hash, named[0]!);
        fields.push(named[0]!);
        continue;
      }
      const there = known.get(entry.hash);
      const field = there ?? addMedia(draft, entry, taken);
      fields.push(field);
      if (there !== undefined) {
        land(field, entry);
        continue;
      }
      known.set(entry.hash, field);
      if (land(field, entry)) continue;
      if (entry.role === 'music') music.push([field, entry]);
      else putToUse(draft, field, entry, itemIds);
    }
  });
  // The length of the picture is known only now.
  for (const [field, entry] of music) placeSound(draft, field, entry);
  const wasBare = before.timeline_data.videos.length === 0 || before.timeline_data.tier_blocks.length === 0;
  if (presets !== null && wasBare) layOutFirst(draft, presets);
  return fields;
}

/** Adds a file to the media without using it. @returns its field. */
export function addMedia(
  draft: ProjectDraft,
  entry: MediaEntry,
  taken = new Set([...TAKEN_NAMES, ...Object.keys(draft.media)]),
): string {
  const field = freeId(fieldName(entry.name), taken);
  draft.media[field] = `media/${field}${ending(entry.name)}`;
  draft.studio.media[field] = entry;
  return field;
}

/** Finds the fields for which the project names a file of this name, in any folder. */
export function namedFields({ media, studio }: Pick<Project, 'media' | 'studio'>): (fileName: string) => string[] {
  const plain = (name: string) => name.split(/[/\\]/).at(-1)!.normalize('NFC').toLowerCase();
  const byName = new Map<string, string[]>();
  for (const field of Object.keys(media)) {
    for (const name of new Set([plain(media[field]!), plain(studio.media[field]?.name ?? '')])) {
      byName.set(name, [...(byName.get(name) ?? []), field]);
    }
  }
  return (fileName) => byName.get(plain(fileName)) ?? [];
}

function putToUse(draft: ProjectDraft, field: string, entry: MediaEntry, itemIds: Set<string>): void {
  const isPicture = entry.kind === 'still' || entry.kind === 'drawing' || entry.kind === 'animation';
  if (isPicture) addItem(draft, field, entry, itemIds);
  const lane = laneFor(entry.kind, null);
  if (lane === 'soundtracks') placeSound(draft, field, entry);
  else if (lane !== null)
    placeMedia(draft, field, entry, {
      lane,
      start: lastEnd(draft.timeline_data[lane] as Parameters<typeof lastEnd>[0]),
    });
}

function tidyMicros(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

/** Adds an item for a picture, named after its file. @param taken the ids of all items. */
export function addItem(
  draft: ProjectDraft,
  field: string,
  { name }: Pick<MediaEntry, 'name'>,
  taken = new Set(draft.tier_list.items.map(({ id }) => id)),
): void {
  const { items } = draft.tier_list;
  const id = freeId(field, taken);
  items.push({ id, name: itemName(name), file_field: field });
}

/** `Blue_planet-2.final (1).PNG` → `Blue planet 2.final`: readable for people, without the number of a copy. */
function itemName(fileName: string): string {
  const base = fileName
    .replace(/\.[^.]{1,8}$/, '')
    .replace(/(?<=\S) ?\(\d{1,2}\)$/, '')
    .replace(/[\p{C}_]+|(?<=\p{L})-(?=[\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const name = base === '' ? page.untitled : base.slice(0, 200);
  return name[0]!.toUpperCase() + name.slice(1);
}

/** Reserves a free field for a file, `base` if possible. @returns the field. */
export function freeField({ media }: ProjectDraft, base: string, fileName: string): string {
  const field = freeId(base, new Set([...TAKEN_NAMES, ...Object.keys(media)]));
  media[field] = `media/${field}${ending(fileName)}`;
  return field;
}

/** A field name from characters that need no escaping anywhere. */
function fieldName(fileName: string): string {
  const base = fileName
    .replace(/\.[^.]{1,8}$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60);
  return base === '' ? 'file' : base;
}

/** `.png`, in lower case, safe for a path. */
function ending(fileName: string): string {
  return /\.[A-Za-z0-9]{1,8}$/.exec(fileName)?.[0].toLowerCase() ?? '';
}
