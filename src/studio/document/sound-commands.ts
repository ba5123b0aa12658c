import type { Draft } from 'immer';
import type { SoundRole } from '../../timeline/choices.ts';
import { freeId } from '../../timeline/free-id.ts';
import { SPAN_LANES } from '../../timeline/lanes.ts';
import * as texts from '../texts/en/import.ts';
import { lastEnd, tidySeconds } from './entries.ts';
import type { MediaEntry, Project } from './project.ts';

/** The fade of music that is cut at the end of the picture. */
const FADE_SECONDS = 1.5;
/** Shorter music is not placed. */
const MIN_SECONDS = 1;

type Soundtrack = Project['timeline_data']['soundtracks'][number];

/**
 * Places an imported sound. Voice and effects follow the sounds of their role. Music follows other music, up to the end of everything
 * else. If music already covers all of it, the sound stays in the media only. (C57)
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

/** Corrects the guessed role. A sound that the user has not changed is placed again; for any other, only the role changes. */
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

/** Whether a sound still has the times that its role gave it, without a move, trim or fade by the user. */
function isAsPlaced(project: Project, entry: Soundtrack, length: number): boolean {
  const { start = 0, duration, fade_out, role } = entry;
  if (entry.trim_start || entry.trim_end || entry.loop) return false;
  const list = project.timeline_data.soundtracks;
  const earlier = list.slice(0, list.indexOf(entry)).filter((each) => each.role === role);
  // An earlier correction of the role may have left it at the start.
  if (start !== 0 && start !== lastEnd(earlier)) return false;
  const { fade_out: _, ...whole } = { ...entry, duration: length };
  const made: Soundtrack | null = role === 'music' ? withinPicture(project, whole) : whole;
  return made !== null && made.duration === duration && made.fade_out === fade_out;
}

/** Cuts music at the end of everything else. Unchanged if there is nothing else; null if less than `MIN_SECONDS` is left. */
function withinPicture({ timeline_data }: Project, music: Soundtrack): Soundtrack | null {
  const others = SPAN_LANES.map((lane) =>
    lastEnd(lane === 'soundtracks' ? timeline_data[lane].filter(({ role }) => role !== 'music') : timeline_data[lane]),
  );
  const end = Math.max(...others);
  const { start = 0, duration = 0 } = music;
  if (end === 0 || start + duration <= end) return music;
  const room = end - start;
  if (room < MIN_SECONDS) return null;
  return { ...music, duration: tidySeconds(room), fade_out: Math.min(FADE_SECONDS, tidySeconds(room / 2)) };
}

interface WaitingMusic {
  readonly field: string;
  readonly name: string;
  readonly duration: number;
}

/** A sound in the media that is not on the timeline, music first; null if there is none. Recordings are not offered. */
export function waitingMusic({ studio, timeline_data }: Project): WaitingMusic | null {
  const used = new Set(timeline_data.soundtracks.map((entry) => entry.file_field));
  const sounds = Object.entries(studio.media).filter(
    ([field, { kind, recorded }]) => kind === 'audio' && recorded !== true && !used.has(field),
  );
  const [found] = [...sounds.filter(([, { role }]) => role === 'music'), ...sounds];
  if (found === undefined) return null;
  const [field, { name, duration }] = found;
  return { field, name, duration };
}

/** Reports side effects of imported sounds: music that was not placed, or a longer video; null if there are none. */
export function soundWords(before: Project, after: Project): string | null {
  const fresh = Object.keys(after.studio.media).filter((field) => before.studio.media[field] === undefined);
  const sounds = fresh.filter((field) => after.studio.media[field]!.kind === 'audio');
  const placed = new Set(after.timeline_data.soundtracks.map((entry) => entry.file_field));
  const name = (field: string) => after.studio.media[field]!.name;
  const left = sounds.filter((field) => !placed.has(field) && after.studio.media[field]!.role === 'music');
  if (left.length > 0) {
    return left.length === 1 ? texts.musicLeft(name(left[0]!)) : texts.musicsLeft(left.length);
  }
  const length = ({ timeline_data }: Project) => Math.max(...SPAN_LANES.map((lane) => lastEnd(timeline_data[lane])));
  const [was, is] = [length(before), length(after)];
  const isLonger = sounds.some((field) =>
    after.timeline_data.soundtracks.some(
      ({ file_field, start = 0, duration = 0 }) => file_field === field && tidySeconds(start + duration) === is,
    ),
  );
  if (was === 0 || is <= was || !isLonger) return null;
  return texts.videoLonger(clock(is), clock(was));
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`;
}
