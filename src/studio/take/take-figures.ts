import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { type FoundPause, pausesOnTimeline, verdictFrames } from '../document/found-pauses.ts';
import { mediaOf } from '../document/project.ts';
import type { EntryRef } from '../document/selection.ts';
import { findPauses, type PausesOfFile, USUAL_PAUSES } from '../media/pauses-of-file.ts';
import { timeRules } from '../session/edit-timeline.ts';
import { planned, project, timelineData } from '../session/session.ts';

/** The pauses of a take. Null until they are found; `unknown` if this browser cannot find them. */
export type TakePauses = readonly FoundPause[] | 'unknown' | null;

/** Looks for the pauses of clips that can be cut. Nobody has asked for it, so nothing is sent. @returns them, and how to end the search. */
export function pausesOfClips(clips: readonly EntryRef[]): {
  readonly pauses: ReadonlySignal<TakePauses>;
  readonly end: () => void;
} {
  const pauses = signal<TakePauses>(null);
  const found = signal<ReadonlyMap<string, PausesOfFile> | null>(null);
  const ended = new AbortController();
  void find(clips, ended.signal).then((files) => {
    found.value = files;
  });
  const stop = effect(() => {
    const files = found.value;
    if (files === null) return;
    if ([...files.values()].some(({ isUnknown }) => isUnknown)) {
      pauses.value = 'unknown';
      return;
    }
    const pausesIn = (field: string) => files.get(field)?.pauses ?? [];
    const verdicts = verdictFrames(timelineData.value, planned.value.reveals, timeRules.value);
    const all = pausesOnTimeline(timelineData.value, clips, pausesIn, verdicts, timeRules.value);
    pauses.value = all.filter(({ isBeforeVerdict }) => !isBeforeVerdict);
  });
  return {
    pauses,
    end: () => {
      ended.abort();
      stop();
    },
  };
}

/** Null if the page leaves it. */
async function find(
  clips: readonly EntryRef[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PausesOfFile> | null> {
  const fields = clips.flatMap(({ lane, id }) => {
    const entry = (timelineData.peek()[lane] as readonly { id: string; file_field?: string }[]).find(
      (each) => each.id === id,
    );
    return entry?.file_field ?? [];
  });
  const files = new Map<string, PausesOfFile>();
  try {
    for (const field of new Set(fields)) {
      const media = mediaOf(project.peek(), field);
      if (media !== undefined) files.set(field, await findPauses(media, USUAL_PAUSES, { may: 'here', signal }));
    }
    return files;
  } catch {
    return null;
  }
}
