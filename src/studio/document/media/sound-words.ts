import { SPAN_LANES } from '../../../timeline/lanes.ts';
import * as texts from '../../texts/en/import.ts';
import type { Project } from '../project.ts';
import { lastEnd, tidySeconds } from '../seconds.ts';

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
