import type { Draft } from 'immer';
import type { PercentBox } from '../../timeline/default-looks.ts';
import { LANES } from '../../timeline/lanes.ts';
import { findPreset, type Preset, type Presets } from '../../timeline/presets.ts';
import { isOn, laneKey } from './lane-switches.ts';
import type { Project } from './project.ts';
import type { EntryRef } from './selection.ts';

type ProjectDraft = Draft<Project>;

/** A box as written in the documents, for one preset or for all. */
interface WrittenPlace {
  readonly x_percent?: number | undefined;
  readonly y_percent?: number | undefined;
  readonly width_percent?: number | undefined;
  readonly height_percent?: number | undefined;
}

interface BoxedEntry extends WrittenPlace {
  readonly id: string;
  readonly presets?: Readonly<Record<string, WrittenPlace>> | undefined;
}

/** The fields of a box, in display order. */
export const BOX_FIELDS = ['x_percent', 'y_percent', 'width_percent', 'height_percent'] as const;

/** What a box applies to: every preset without its own, or the shown preset only. (C42) */
export type Scope = 'all' | 'own';

export function hasBox({ lane }: EntryRef): boolean {
  return LANES[lane].hasBox;
}

/** The entry, if it has a box. */
export function boxedEntry({ timeline_data }: Project | ProjectDraft, ref: EntryRef): BoxedEntry | undefined {
  if (!hasBox(ref)) return undefined;
  return (timeline_data[ref.lane] as readonly BoxedEntry[]).find(({ id }) => id === ref.id);
}

/** The name or alias under which an entry has its own values for a preset; null if it has none. */
function ownKey({ presets = {} }: BoxedEntry, { name, aliases }: Preset): string | null {
  return Object.keys(presets).find((key) => key === name || aliases.includes(key)) ?? null;
}

/** Whether an entry has its own box in a preset. */
export function hasOwnPlace(entry: BoxedEntry, preset: Preset): boolean {
  const key = ownKey(entry, preset);
  return key !== null && BOX_FIELDS.some((field) => entry.presets![key]![field] !== undefined);
}

/**
 * The default scope of a change. In the selected preset it applies to all presets. In any other it applies to that preset only, since
 * what looks right there would be wrong in the selected one.
 */
export function scopeOf({ settings }: Project, entry: BoxedEntry, preset: Preset, presets: Presets): Scope {
  if (hasOwnPlace(entry, preset)) return 'own';
  const first = settings.preset === undefined ? presets[0] : findPreset(presets, settings.preset);
  return first === undefined || first.name === preset.name ? 'all' : 'own';
}

/** Sets all fields of the box, so that no default applies. */
export function setBox(draft: ProjectDraft, ref: EntryRef, box: PercentBox, preset: Preset, scope: Scope): void {
  const entry = boxedEntry(draft, ref) as Draft<BoxedEntry> | undefined;
  if (entry === undefined || isOn(draft.studio.lanes, laneKey(ref.lane), 'locked')) return;
  const { x, y, width, height } = box;
  const written = { x_percent: x, y_percent: y, width_percent: width, height_percent: height };
  if (scope === 'all') {
    Object.assign(entry, written);
    return;
  }
  const key = ownKey(entry, preset) ?? preset.aliases[0] ?? preset.name;
  entry.presets = { ...entry.presets, [key]: { ...entry.presets?.[key], ...written } };
}

/** Removes the box. In one preset the common box applies again, in all presets the default. */
export function clearBox(draft: ProjectDraft, ref: EntryRef, preset: Preset, scope: Scope): void {
  const entry = boxedEntry(draft, ref) as Draft<BoxedEntry> | undefined;
  if (entry === undefined || isOn(draft.studio.lanes, laneKey(ref.lane), 'locked')) return;
  if (scope === 'all') {
    for (const field of BOX_FIELDS) delete entry[field];
    return;
  }
  const key = ownKey(entry, preset);
  if (key === null) return;
  const own = entry.presets![key]!;
  for (const field of BOX_FIELDS) delete own[field];
  if (Object.keys(own).length === 0) delete entry.presets![key];
  if (Object.keys(entry.presets!).length === 0) delete entry.presets;
}
