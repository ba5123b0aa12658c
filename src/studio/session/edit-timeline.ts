import { computed } from '@preact/signals';
import { lastFrameOf, type TimeRules } from '../document/entries.ts';
import { keepLocked, putLanes } from '../document/lane-switches.ts';
import { dropLooseBackground } from '../document/media-commands.ts';
import type { TimelineData } from '../document/project.ts';
import type { PlannedReveals } from '../document/reveal-course.ts';
import { say } from '../kit/messages.ts';
import * as texts from '../texts/en/page.ts';
import { edit, mediaFacts, mediaShelf, planned, type Recipe, rate, settings, timelineData } from './session.ts';

let lastLengths: ReadonlyMap<string, number> = new Map();
/** The lengths of clips and sounds. The value changes only if one of them does; pictures have no length. */
const lengths = computed(() => {
  const next = new Map<string, number>();
  for (const [field, { kind, duration }] of mediaFacts.value) {
    if (kind === 'video' || kind === 'audio') next.set(field, duration);
  }
  const isSame = next.size === lastLengths.size && [...next].every(([field, s]) => lastLengths.get(field) === s);
  if (!isSame) lastLengths = next;
  return lastLengths;
});

/** How times are read, by the settings and the media facts. A change lays out the whole timeline again. */
export const timeRules = computed<TimeRules>(() => ({
  rate: rate.value,
  trimEndAs: settings.value.trim_end_as ?? 'out_point',
  volumeAs: settings.value.volume_unit ?? 'gain',
  sourceLength: fromLengths(lengths.value),
  // Read without a subscription, since no time depends on it.
  sourceHash: (field) => mediaFacts.peek().get(field)?.hash ?? null,
}));

function fromLengths(known: ReadonlyMap<string, number>): TimeRules['sourceLength'] {
  return (field) => known.get(field) ?? null;
}

const courses = computed(() => planned.value.reveals);
const usualHold = computed(() => settings.value.reveal_hold);
export const reveals = computed<PlannedReveals>(() => ({ courses: courses.value, usualHold: usualHold.value }));

export const lastFrame = computed(() => lastFrameOf(timelineData.value, timeRules.value));

/** A change of the timeline as a pure function. Unchanged lanes keep their identity. */
export type TimelineChange = (data: TimelineData, rules: TimeRules) => TimelineData;

/** Makes one undo step. */
export function editTimeline(label: string, change: TimelineChange): void {
  const before = timelineData.value;
  const wanted = change(before, timeRules.value);
  const after = keepLocked(before, wanted, mediaShelf.value.lanes);
  if (after !== wanted) say(texts.lockedEntries);
  if (after === before) return;
  edit(label, (draft) => {
    putLanes(draft.timeline_data as never, before, after);
    if (after.videos.length < before.videos.length) dropLooseBackground(draft);
  });
}

/** Writes a changed timeline into a draft, except for locked lanes. */
export function putTimeline(draft: Parameters<Recipe>[0], before: TimelineData, after: TimelineData): void {
  putLanes(draft.timeline_data as never, before, keepLocked(before, after, mediaShelf.value.lanes));
}
