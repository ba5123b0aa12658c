import type { Presets } from '../../timeline/presets.ts';
import { findPreset } from '../../timeline/presets.ts';
import { hashesOfRow, storedPlace } from './episode-table.ts';
import { heardTimeline } from './lane-switches.ts';
import { usedFields } from './media-commands.ts';
import type { EpisodeRow, MediaEntry, Project } from './project.ts';
import { known } from './table-faults.ts';
import { writtenProject } from './written-project.ts';

/** The template as a batch takes it: its files are named by their content, and its preset is among those that are made. (C82, C86) */
export function templateToSend(
  project: Project,
  formats: readonly string[],
  presets: Presets,
): Readonly<Record<string, unknown>> {
  const { studio: _, ...written } = writtenProject({ ...project, timeline_data: heardTimeline(project) });
  const media = [...usedFields(project)].flatMap((field) => {
    const entry = project.studio.media[field];
    return entry === undefined ? [] : [[field, storedPlace(entry.hash)] as const];
  });
  const settings = settingsFor(written.settings as Project['settings'], project, formats, presets);
  return { ...written, settings, media: Object.fromEntries(media) };
}

/** A size is that of the selected preset: another has its own. */
function settingsFor(
  written: Project['settings'],
  { settings }: Project,
  formats: readonly string[],
  presets: Presets,
): object {
  const main = findPreset(presets, settings.preset ?? presets[0].name)?.name;
  if (main === undefined || formats.includes(main)) return written;
  const { width: _width, height: _height, ...others } = written;
  return { ...others, preset: formats[0]! };
}

/** The rows of a batch, with their names of `videoNames`. (C85) */
export function rowsToSend(
  template: Readonly<Record<string, unknown>>,
  rows: readonly EpisodeRow[],
  names: ReadonlyMap<number, string>,
): readonly Readonly<Record<string, unknown>>[] {
  const fields = new Set(Object.keys((template.fields as object | undefined) ?? {}));
  return rows.map((row) => ({ video: names.get(row.id)!, ...known(row.values, fields) }));
}

/** All files that a batch needs, each once. A file whose facts are not known is not in this browser. */
export function filesToSend(project: Project, rows: readonly EpisodeRow[]): readonly MediaEntry[] {
  const { media, table } = project.studio;
  const own = [...usedFields(project)].flatMap((field) => media[field] ?? []);
  const ofRows = rows.flatMap((row) => hashesOfRow(row).flatMap((hash) => table?.files[hash] ?? []));
  return [...new Map([...own, ...ofRows].map((entry) => [entry.hash, entry])).values()];
}
