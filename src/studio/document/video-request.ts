import { findPreset, type Presets } from '../../timeline/presets.ts';
import { heardTimeline } from './lane-switches.ts';
import { usedFields } from './media-commands.ts';
import type { Project } from './project.ts';

/** The export request of a project; its media must be uploaded first. */
export function videoRequest(project: Project) {
  const { tier_list, settings, studio } = project;
  const media = [...usedFields(project)].flatMap((field) => {
    const entry = studio.media[field];
    return entry === undefined ? [] : [[field, { media: entry.hash }] as const];
  });
  return { tier_list, timeline_data: heardTimeline(project), settings, media: Object.fromEntries(media) };
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
