import type { Draft } from 'immer';
import type { SoundRole } from '../../timeline/export-request.ts';
import { freeId } from '../../timeline/free-id.ts';
import { SPAN_LANES } from '../../timeline/lanes.ts';
import type { MediaEntry, Project } from './project.ts';
import { lastEnd, tidySeconds } from './seconds.ts';

/** How music ends that is cut where the picture ends. */
const FADE_SECONDS = 1.5;
/** Less of it is not worth hearing. */
const LEAST_SECONDS = 1;

type Soundtrack = Project['timeline_data']['soundtracks'][number];

/**
 * A sound that nobody has put anywhere: voice and effects behind those that are there; music from the beginning on, as far as there is
 * something else to be seen or heard. Where music covers all of that already, the sound stays among the media. (C57)
 */
export function placeSound(
  draft: Draft<Project>,
  field: string,
  { duration, role }: Pick<MediaEntry, 'duration' | 'role'>,
): void {
  const list = draft.timeline_data.soundtracks;
  const placed = {
    id: freeId(field, new Set(list.map(({ id }) => id))),
    file_field: field,
    start: lastEnd(list.filter((entry) => entry.role === role)),
    duration: tidySeconds(duration),
    ...(role !== undefined && { role }),
  };
  const fitted = role === 'music' ? withinPicture(draft as Project, placed) : placed;
  if (fitted !== null) list.push(fitted);
}

/** A wrong guess put right. A sound that is as it was dropped is placed anew; of any other only the role changes. */
export function setRole(draft: Draft<Project>, id: string, role: SoundRole | null): void {
  const list = draft.timeline_data.soundtracks;
  const index = list.findIndex((entry) => entry.id === id);
  if (index === -1) return;
  const before = list[index]!;
  const { role: _, ...plain } = before;
  const turned: Soundtrack = role === null ? plain : { ...plain, role };
  const length = draft.studio.media[plain.file_field]?.duration;
  const isAsDropped = length !== undefined && isAsPlaced(draft as Project, before, tidySeconds(length));
  list[index] = turned;
  if (!isAsDropped) return;
  const { fade_out: __, ...whole } = { ...turned, duration: tidySeconds(length) };
  list[index] = (role === 'music' && withinPicture(draft as Project, { ...whole, start: 0 })) || whole;
}

/** Whether a sound has the times that its role gave it: nothing of it was moved, cut or faded by hand. */
function isAsPlaced(project: Project, entry: Soundtrack, length: number): boolean {
  const { start = 0, duration, fade_out, role } = entry;
  if (entry.trim_start || entry.trim_end || entry.loop) return false;
  const list = project.timeline_data.soundtracks;
  const earlier = list.slice(0, list.indexOf(entry)).filter((each) => each.role === role);
  // A role that was put right before has left it at the beginning.
  if (start !== 0 && start !== lastEnd(earlier)) return false;
  const { fade_out: _, ...whole } = { ...entry, duration: length };
  const made: Soundtrack | null = role === 'music' ? withinPicture(project, whole) : whole;
  return made !== null && made.duration === duration && made.fade_out === fade_out;
}

/** Music cut where all else ends; as it is where there is nothing else; null where nothing worth hearing is left of it. */
function withinPicture({ timeline_data }: Project, music: Soundtrack): Soundtrack | null {
  const others = SPAN_LANES.map((lane) =>
    lastEnd(lane === 'soundtracks' ? timeline_data[lane].filter(({ role }) => role !== 'music') : timeline_data[lane]),
  );
  const end = Math.max(...others);
  const { start = 0, duration = 0 } = music;
  if (end === 0 || start + duration <= end) return music;
  const room = end - start;
  if (room < LEAST_SECONDS) return null;
  return { ...music, duration: tidySeconds(room), fade_out: Math.min(FADE_SECONDS, tidySeconds(room / 2)) };
}
