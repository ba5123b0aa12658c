import { findPreset, type Presets } from '../../timeline/presets.ts';
import type { Entry } from './entries.ts';
import { heardTimeline } from './lane-switches.ts';
import { usedFields } from './media-commands.ts';
import { EMPTY_PROJECT, type Project } from './project.ts';
import type { EntryRef } from './selection.ts';
import { documentsOf } from './template.ts';

/** The export request of a project; its media must be uploaded first. */
export function videoRequest(project: Project) {
  const media = [...usedFields(project)].flatMap((field) => {
    const entry = project.studio.media[field];
    return entry === undefined ? [] : [[field, { media: entry.hash }] as const];
  });
  return { ...documentsOf(project), media: Object.fromEntries(media) };
}

/**
 * The request for some presets only. The service starts with the selected preset, and `width` and `height` apply to it (C13). If that
 * preset is not wanted, they are left out.
 */
export function requestOfFormats(
  request: ReturnType<typeof videoRequest>,
  formats: readonly string[],
  presets: Presets,
): ReturnType<typeof videoRequest> {
  const { width: _width, height: _height, ...settings } = request.settings;
  const main = findPreset(presets, settings.preset ?? presets[0].name)?.name;
  if (main === undefined || formats.includes(main)) return request;
  return { ...request, settings: { ...settings, preset: formats[0]! } };
}

/** The request as form fields, for use without our client. */
export function requestFields(project: Project): Readonly<Record<string, string>> {
  const { tier_list, timeline_data, settings, media } = videoRequest(project);
  const refs = Object.entries(media).map(([field, one]) => [field, one.media]);
  return {
    tier_list: JSON.stringify(tier_list),
    timeline_data: JSON.stringify(timeline_data),
    settings: JSON.stringify(settings),
    media_refs: JSON.stringify(Object.fromEntries(refs)),
  };
}

/** The lanes that can contain speech. */
const SPOKEN = ['videos', 'audios', 'soundtracks'] as const;

/** The request to transcribe the voice of a project or of one entry; null if there is no voice. (C77) */
export function voiceRequest(project: Project, only: EntryRef | null) {
  const { settings, studio } = project;
  const heard = heardTimeline(project);
  const media: Record<string, { readonly media: string }> = {};
  const lanes = SPOKEN.map((lane) => {
    const entries = (heard[lane] as readonly Entry[]).flatMap((entry) => {
      const isWanted =
        only === null ? lane !== 'soundtracks' || entry.role === 'voice' : only.lane === lane && only.id === entry.id;
      const file = entry.file_field === undefined ? undefined : studio.media[entry.file_field];
      if (!isWanted || file === undefined || !file.sound) return [];
      media[entry.file_field!] = { media: file.hash };
      // The clip on the other side of the transition may be absent.
      const { transition: _, ...alone } = entry;
      return [lane === 'soundtracks' ? { ...alone, role: 'voice' as const } : alone];
    });
    return [lane, entries] as const;
  });
  if (Object.keys(media).length === 0) return null;
  const { fps, trim_end_as, volume_unit } = settings;
  return {
    tier_list: { rows: [], items: [] },
    timeline_data: { ...EMPTY_PROJECT.timeline_data, ...Object.fromEntries(lanes) },
    settings: { fps, trim_end_as, volume_unit },
    media,
  };
}
