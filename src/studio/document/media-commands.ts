import type { Draft } from 'immer';
import { freeId } from '../../timeline/free-id.ts';
import { type LaneName, lanesWhere } from '../../timeline/lanes.ts';
import { type Entry, tidySeconds } from './entries.ts';
import { isLocked } from './lane-switches.ts';
import type { MediaEntry, Project } from './project.ts';

type ProjectDraft = Draft<Project>;

/** A drop on the timeline: the lane under it, if any, and the second. */
export interface Landing {
  readonly over: LaneName | null;
  readonly start: number;
}

/** Adds a whole file to the timeline; a file without a length gets a default. @returns the id of the entry. */
export function placeMedia(
  draft: ProjectDraft,
  field: string,
  entry: Pick<MediaEntry, 'duration' | 'role'>,
  { lane, start }: { readonly lane: LaneName; readonly start: number },
): string {
  const list = draft.timeline_data[lane] as { id: string }[];
  const id = freeId(field, new Set(list.map((each) => each.id)));
  const role = lane === 'soundtracks' && entry.role !== undefined ? { role: entry.role } : {};
  list.push(Object.assign({ id }, { file_field: field, start, duration: defaultLength(entry), ...role }));
  return id;
}

/** The length of a still picture on the timeline. */
const STILL_SECONDS = 5;

/** The default length of a file on the timeline. */
export function defaultLength({ duration }: Pick<MediaEntry, 'duration'>): number {
  return duration > 0 ? tidySeconds(duration) : STILL_SECONDS;
}

/** A file that was being made is finished; null: it failed. Ignored if the field has been removed meanwhile. */
export function fileCame(draft: ProjectDraft, field: string, entry: MediaEntry | null): void {
  const { coming, media } = draft.studio;
  if (coming?.[field] === undefined) return;
  delete coming[field];
  if (Object.keys(coming).length === 0) delete draft.studio.coming;
  if (entry !== null && field in draft.media) media[field] = entry;
}

/**
 * Removes a file and the entries and background made from it. Items stay, without a picture. Does nothing if a locked entry uses the
 * file.
 */
export function removeMedia(draft: ProjectDraft, field: string): void {
  if (isFileLocked(draft as Project, field)) return;
  delete draft.media[field];
  delete draft.studio.media[field];
  fileCame(draft, field, null);
  for (const item of draft.tier_list.items) if (item.file_field === field) delete item.file_field;
  for (const lane of lanesWhere(({ ofFile }) => ofFile)) {
    const entries = draft.timeline_data[lane] as { file_field: string }[];
    for (let i = entries.length - 1; i >= 0; i -= 1) if (entries[i]!.file_field === field) entries.splice(i, 1);
  }
  dropLooseBackground(draft);
}

/** Whether a locked entry uses a file, which therefore cannot be removed. */
export function isFileLocked({ timeline_data, studio }: Project, field: string): boolean {
  return lanesWhere(({ ofFile }) => ofFile).some((lane) =>
    (timeline_data[lane] as readonly Entry[]).some(
      (entry) => entry.file_field === field && isLocked(studio.lanes, lane, entry),
    ),
  );
}

/** Removes a background whose file or clip is gone, since a request with one is rejected. (C61) */
export function dropLooseBackground({ media, timeline_data, settings }: ProjectDraft): void {
  const { background } = settings;
  if (typeof background !== 'object') return;
  const { kind, file_field: field, of } = background;
  const isLoose =
    kind === 'image'
      ? field !== undefined && !(field in media)
      : kind === 'blur' && of !== undefined && !timeline_data.videos.some(({ id }) => id === of);
  if (isLoose) delete settings.background;
}

/** The file fields that are in use: what an export needs. */
export function usedFields({ tier_list, timeline_data, settings }: Project): Set<string> {
  const used = new Set([tier_list, timeline_data, settings].flatMap(fieldsIn));
  // The sound of reveals is a made sound or a file field. (C45)
  const { reveal_sound: sound } = settings as { readonly reveal_sound?: unknown };
  if (typeof sound === 'string') used.add(sound);
  return used;
}

const NONE: readonly string[] = [];
/** Cached by (immutable) part of a project: an edit changes one of thousands of entries. */
const fieldsOf = new WeakMap<object, readonly string[]>();

function fieldsIn(part: object): readonly string[] {
  let found = fieldsOf.get(part);
  if (found === undefined) {
    const fields = new Set<string>();
    for (const key in part) {
      const inner = (part as Readonly<Record<string, unknown>>)[key];
      if (typeof inner === 'string') {
        if (/(^|_)field$/.test(key)) fields.add(inner);
      } else if (typeof inner === 'object' && inner !== null) for (const field of fieldsIn(inner)) fields.add(field);
    }
    found = fields.size === 0 ? NONE : [...fields];
    fieldsOf.set(part, found);
  }
  return found;
}
