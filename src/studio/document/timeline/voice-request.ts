import { heardTimeline } from '../lane-switches.ts';
import { EMPTY_PROJECT, type Project } from '../project.ts';
import type { EntryRef } from '../selection.ts';
import type { Entry } from './entries.ts';

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
