import { usedFields } from './media-commands.ts';
import type { Project } from './project.ts';

/** The fields of the request, as texts. */
export function requestFields(project: Project): Readonly<Record<string, string>> {
  const { tier_list, timeline_data, settings, studio } = project;
  const refs = [...usedFields(project)].flatMap((field) => {
    const entry = studio.media[field];
    return entry === undefined ? [] : [[field, entry.hash]];
  });
  return {
    tier_list: JSON.stringify(tier_list),
    timeline_data: JSON.stringify(timeline_data),
    settings: JSON.stringify(settings),
    media_refs: JSON.stringify(Object.fromEntries(refs)),
  };
}
