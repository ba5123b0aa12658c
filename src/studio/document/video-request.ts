import { heardTimeline } from './lane-switches.ts';
import { usedFields } from './media-commands.ts';
import type { Project } from './project.ts';

/** What the service makes the video of a project of; its media have to be there. */
export function videoRequest(project: Project) {
  const { tier_list, settings, studio } = project;
  const media = [...usedFields(project)].flatMap((field) => {
    const entry = studio.media[field];
    return entry === undefined ? [] : [[field, { media: entry.hash }] as const];
  });
  return { tier_list, timeline_data: heardTimeline(project), settings, media: Object.fromEntries(media) };
}

/** The same as fields of a form, for who sends it without our client. */
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
