import { THEMES } from '../../timeline/choices.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { LANE_NAMES, LANES, lanesWhere } from '../../timeline/lanes.ts';
import * as texts from '../texts/en/series.ts';
import type { MediaEntry, Project } from './project.ts';
import { NOTHING, type Selection } from './selection.ts';
import { findPlace } from './template.ts';
import type { NewField } from './template-commands.ts';

/** Something in a project that may become a field. */
export interface Candidate extends NewField {
  readonly label: string;
  /** What stands there now. */
  readonly shown: string;
}

/** A JSON Pointer with ids in place of the indices of entries, rows and items. */
export function placeOfPath(project: Project, path: string): string {
  let at: unknown = project;
  let place = '';
  for (const key of path.split('/').slice(1)) {
    const inner = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
    const id = Array.isArray(at) && typeof inner === 'object' ? (inner as { id?: string } | null)?.id : undefined;
    place = id === undefined ? `${place}/${key}` : pointer(place, id);
    at = inner;
  }
  return place;
}

const OPEN = '{{';
/** One number in a text, such as that of an episode. */
const NUMBER = /\d+(?:\.\d+)?/g;

/** What a text may become: a field, or a field for the number in it. */
export function textCandidates(place: string, label: string, text: unknown): readonly Candidate[] {
  if (typeof text !== 'string' || text.trim() === '' || text.includes(OPEN)) return [];
  const whole: Candidate = { type: 'text', label, place, shown: text };
  const numbers = text.match(NUMBER) ?? [];
  const [number] = numbers;
  if (numbers.length !== 1 || number === undefined || number === text) return [whole];
  const before = text
    .slice(0, text.indexOf(number))
    .match(/\p{L}+/gu)
    ?.at(-1);
  return [{ type: 'number', label: before ?? texts.numberLabel, place, part: number, shown: number }, whole];
}

/** All that may become a field: the most useful first. */
export function candidatesIn(project: Project): readonly Candidate[] {
  const { tier_list, timeline_data, settings, template } = project;
  const isItems = template?.fields.some(({ type }) => type === 'items') ?? false;
  const theme = typeof settings.theme === 'object' ? '/settings/theme/base' : '/settings/theme';
  const found: Candidate[] = [...textCandidates('/tier_list/title', texts.titleLabel, tier_list.title)];
  if (!isItems) {
    const shown = texts.manyItems(tier_list.items.length);
    found.push({ type: 'items', label: texts.itemsLabel, place: '/tier_list/items', shown });
  }
  for (const lane of ['titles'] as const) {
    for (const { id, text, subtext } of timeline_data[lane]) {
      const place = pointer('/timeline_data', lane);
      found.push(...textCandidates(`${pointer(place, id)}/text`, texts.textLabel, text));
      found.push(...textCandidates(`${pointer(place, id)}/subtext`, texts.secondLine, subtext));
    }
  }
  found.push(...filesIn(project));
  const look = findPlace(project, theme);
  const shown = String(look?.holder[look.key] ?? THEMES[0]);
  found.push({ type: 'choice', label: texts.lookLabel, place: theme, options: THEMES, value: shown, shown });
  for (const { id, label = id, color } of tier_list.rows) {
    const place = pointer('/tier_list/rows', id);
    found.push(...textCandidates(`${place}/label`, texts.rowName(label), label));
    if (color !== undefined) {
      found.push({ type: 'color', label: texts.rowColour(label), place: `${place}/color`, shown: color });
    }
  }
  return found.filter(({ place }) => template?.bound[place] === undefined);
}

/** The files that entries and the background show or play. */
function filesIn({ timeline_data, settings, studio, media, template }: Project): readonly Candidate[] {
  const isField = (name: string) => template?.fields.some((field) => field.name === name) ?? false;
  const { background } = settings;
  const ofLanes = lanesWhere(({ ofFile }) => ofFile).flatMap((lane) =>
    (timeline_data[lane] as readonly { readonly file_field: string }[]).map((entry) => entry.file_field),
  );
  const ofBackground = typeof background === 'object' && background.file_field !== undefined;
  const names = new Set([...ofLanes, ...(ofBackground ? [background.file_field!] : [])]);
  return [...names].flatMap((name) => {
    const entry = studio.media[name];
    return entry === undefined || media[name] === undefined || isField(name) ? [] : [fileCandidate(name, entry)];
  });
}

export function fileCandidate(name: string, entry: MediaEntry): Candidate {
  const kind = kindOf(entry);
  const label = { sound: texts.soundLabel, video: texts.clipLabel, picture: texts.pictureLabel }[kind ?? 'picture'];
  return { type: 'media', label, kind, place: name, shown: entry.name };
}

/** The kind of file that a field for it asks for; null: any. */
export function kindOf({ kind }: Pick<MediaEntry, 'kind'>): 'picture' | 'video' | 'sound' | null {
  if (kind === 'audio') return 'sound';
  if (kind === 'video') return 'video';
  return kind === 'unreadable' ? null : 'picture';
}

/** Where a field is used, in words, and what to select to see it. @param place with indices or ids. */
export function usedAt(project: Project, place: string): { readonly words: string; readonly selection: Selection } {
  const { tier_list, timeline_data } = project;
  const [, document, list = '', one = ''] = place
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (document === 'settings') {
    const words = list === 'file_name' ? texts.placeFileName : texts.placeSettings;
    return { words, selection: { kind: 'settings' } };
  }
  const find = <T extends { readonly id: string }>(all: readonly T[]) =>
    all.find(({ id }) => id === one) ?? all[Number(one)];
  if (document === 'timeline_data') {
    const lane = LANE_NAMES.find((name) => name === list);
    const entry = lane && find(timeline_data[lane] as readonly { readonly id: string }[]);
    if (lane === undefined || entry === undefined) return { words: texts.placeSettings, selection: NOTHING };
    const { text, file_field: file = '' } = entry as { readonly text?: string; readonly file_field?: string };
    const words = texts.placeEntry(text ?? project.studio.media[file]?.name ?? LANES[lane].word);
    return { words, selection: { kind: 'entries', refs: [{ lane, id: entry.id }] } };
  }
  const row = list === 'rows' ? find(tier_list.rows) : undefined;
  if (row !== undefined) return { words: texts.placeRow(row.label ?? row.id), selection: { kind: 'row', id: row.id } };
  const item = list === 'items' && one !== '' ? find(tier_list.items) : undefined;
  if (item !== undefined) {
    return { words: texts.placeItem(item.name ?? item.id), selection: { kind: 'items', ids: [item.id] } };
  }
  return { words: list === 'title' ? texts.placeTitle : texts.placeItems, selection: NOTHING };
}
