import { computed, effect, signal } from '@preact/signals';
import { type Frames, type Range, secondsOf } from '../../../time.ts';
import { entryAt } from '../../document/entries.ts';
import { cutsOf, type FoundPause, framesIn, pausesOnTimeline, verdictFrames } from '../../document/found-pauses.ts';
import { keepLocked } from '../../document/lane-switches.ts';
import { type MediaEntry, mediaOf } from '../../document/project.ts';
import { cutTime } from '../../document/remove-pauses.ts';
import { onKey } from '../../keys/keys.ts';
import { focusSoon } from '../../keys/move-focus.ts';
import { announce, say } from '../../kit/messages.ts';
import { clock } from '../../kit/shown-values.ts';
import { findPauses, type PausesOfFile, USUAL_PAUSES } from '../../media/pauses-of-file.ts';
import { editTimeline, timeRules } from '../../session/edit-timeline.ts';
import { maySend } from '../../session/may-send.ts';
import { hasService } from '../../session/service-state.ts';
import { mediaShelf, pausesOf, planned, playhead, playing, project, timelineData } from '../../session/session.ts';
import { pause, play, seek } from '../../session/transport.ts';
import * as page from '../../texts/en/page.ts';
import * as texts from '../../texts/en/pauses.ts';

/** The review of pauses: the list beside the preview and the marks on the bars show the same. */

export const minPause = signal(USUAL_PAUSES.minPause);
export const padding = signal(USUAL_PAUSES.padding);
/** By the hash of the file; null until they are found. */
export const heard = signal<ReadonlyMap<string, PausesOfFile> | null>(null);
/** Whether the user has said in this review that the service may get what this browser cannot hear. */
const isSent = signal(false);
/** Whether the service could find pauses that this browser cannot, and was not asked. */
export const canAskService = computed(
  () => hasService && [...(heard.value?.values() ?? [])].some(({ isUnknown }) => isUnknown),
);
/** The pauses whose decision was turned by hand, by their keys. */
const turned = signal<ReadonlySet<string>>(new Set());
/** The pause that was played or selected last. */
export const currentPause = signal<string | null>(null);

/** A pause, and whether it is cut. */
export interface ReviewedPause extends FoundPause {
  readonly isCut: boolean;
}

/** The files of the reviewed entries that still exist. */
export const reviewedFiles = computed((): readonly MediaEntry[] => {
  const files = (pausesOf.value ?? []).flatMap(({ lane, id }) => {
    const index = timelineData.value[lane].findIndex((entry) => entry.id === id);
    const field =
      index === -1 ? undefined : entryAt(timelineData.value, { lane, index } as FoundPause['ref'])?.file_field;
    return field === undefined ? [] : (mediaOf(project.value, field) ?? []);
  });
  return [...new Map(files.map((file) => [file.hash, file])).values()];
});

export const reviewed = computed((): readonly ReviewedPause[] => {
  const found = heard.value;
  if (pausesOf.value === null || found === null) return [];
  const pausesIn = (field: string) => found.get(mediaOf(project.value, field)?.hash ?? '')?.pauses ?? [];
  const verdicts = verdictFrames(timelineData.value, planned.value.reveals, timeRules.value);
  return pausesOnTimeline(timelineData.value, pausesOf.value, pausesIn, verdicts, timeRules.value).map((each) => ({
    ...each,
    isCut: turned.value.has(each.key) === each.isBeforeVerdict,
  }));
});

/** The time that is cut. */
export const cuts = computed(() => cutsOf(reviewed.value.filter(({ isCut }) => isCut)));

/** Looks for pauses as long as the review is open. @returns how to end it. */
export function startReview(): () => void {
  let running = new AbortController();
  turned.value = new Set();
  currentPause.value = null;
  isSent.value = false;
  const hashes = computed(() => reviewedFiles.value.map(({ hash }) => hash).join());
  const stopFinding = effect(() => {
    const wanted = { minPause: minPause.value, padding: padding.value };
    const may = hasService && (isSent.value || maySend.value === true) ? 'send' : 'here';
    if (hashes.value === '') return;
    running.abort();
    running = new AbortController();
    void findAll(reviewedFiles.peek(), wanted, { may, signal: running.signal });
  });
  // Entries may be removed, or the project closed, meanwhile.
  const stopWatching = effect(() => {
    if (hashes.value === '') pausesOf.value = null;
  });
  const unbind = [
    onKey('x', texts.keepOrRemove, turnCurrent, 'timeline'),
    onKey('space', texts.playOverCuts, playOverCut, 'timeline'),
  ];
  return () => {
    for (const stop of unbind) stop();
    running.abort();
    stopFinding();
    stopWatching();
    stopListening();
    heard.value = null;
  };
}

async function findAll(
  files: readonly MediaEntry[],
  wanted: { readonly minPause: number; readonly padding: number },
  search: Parameters<typeof findPauses>[2],
): Promise<void> {
  const found = new Map<string, PausesOfFile>();
  try {
    // One after the other: each reads a whole file.
    for (const file of files) found.set(file.hash, await findPauses(file, wanted, search));
    heard.value = found;
  } catch (error) {
    if (!search.signal.aborted) throw error;
  }
}

/** Sends the files whose speech this browser does not hear, and looks again. */
export function askService(): void {
  heard.value = null;
  isSent.value = true;
}

/** Keeps or removes the current pause: the one that was played or selected last, or else the next one. */
export function turnCurrent(): void {
  const all = reviewed.value;
  const current =
    all.find(({ key }) => key === currentPause.value) ??
    all.find(({ frames }) => frames.end > playhead.value) ??
    all.at(-1);
  if (current === undefined) return;
  currentPause.value = current.key;
  turn(current);
}

/** Plays from shortly before the current pause without what is cut, or stops. */
export function playOverCut(): void {
  if (playing.value) stopListening();
  else listen(reviewed.value.find(({ key }) => key === currentPause.value) ?? null);
}

export function turn({ key }: ReviewedPause): void {
  turned.value = turned.value.symmetricDifference(new Set([key]));
}

/** Cuts all pauses, or keeps all. */
export function turnAll(isCut: boolean): void {
  turned.value = new Set(
    reviewed.value.filter(({ isBeforeVerdict }) => isBeforeVerdict === isCut).map(({ key }) => key),
  );
}

/** How much is heard before a pause. */
const LEAD_SECONDS = 1.5;

let leaps: (() => void) | null = null;

/** Plays without the pauses that are cut, from here or from shortly before a pause. */
export function listen(from: ReviewedPause | null = null): void {
  stopListening();
  const { num, den } = timeRules.value.rate;
  if (from !== null) {
    currentPause.value = from.key;
    seek(Math.max(0, from.frames.start - Math.round((LEAD_SECONDS * num) / den)));
  }
  play(1);
  leaps = effect(() => {
    const now = playhead.value;
    if (!playing.value) return;
    const cut = cuts.peek().find(({ start, end }) => now >= start && now < end);
    if (cut !== undefined) queueMicrotask(() => playing.peek() && seek(cut.end));
  });
}

export function stopListening(): void {
  leaps?.();
  leaps = null;
  if (playing.peek()) pause();
}

export function closeReview(): void {
  pausesOf.value = null;
  focusSoon('.tl-list');
}

/** `38 s`, `1:02`: the time that cuts take away. */
export function cutLength(gone: readonly Range<Frames>[]): string {
  const seconds = secondsOf(framesIn(gone), timeRules.value.rate);
  return seconds < 60 ? page.seconds(seconds.toFixed(1)) : clock(Math.round(seconds));
}

/** One undo step, all or nothing: a lane that is not cut would be out of sync. */
export function cutOut(gone: readonly Range<Frames>[], count: number): void {
  const before = timelineData.value;
  const after = cutTime(before, gone, timeRules.value);
  if (keepLocked(before, after, mediaShelf.value.lanes) !== after) {
    say(texts.lockedLane, 'bad');
    return;
  }
  stopListening();
  editTimeline(texts.removePausesStep(count), () => after);
  announce(texts.pausesRemoved(count, cutLength(gone)));
  closeReview();
}
