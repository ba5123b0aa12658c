import type { Project } from '../project.ts';

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
