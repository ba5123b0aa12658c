import type { Frames, Range, Seconds } from '../../time.ts';
import { type EntryIndex, entryAt, type TimeRules } from './entries.ts';
import type { TimelineData } from './project.ts';
import { framesOfSource, joinedCuts } from './remove-pauses.ts';
import { currentCourse, type RevealCourses } from './reveal-course.ts';
import type { EntryRef } from './selection.ts';

/** A pause on the timeline. */
export interface FoundPause {
  readonly ref: EntryIndex;
  /** It names the pause as long as its entry is there. */
  readonly key: string;
  readonly frames: Range<Frames>;
  /** Whether a verdict follows at once: such a pause is for the tension, and stays unless it is cut by hand. */
  readonly isBeforeVerdict: boolean;
}

/** A verdict belongs to the pause before it for this long: the word is said, then the card lands. */
const SOON: Seconds = 1;

/** The pauses of entries, in the order of time. */
export function pausesOnTimeline(
  timeline: TimelineData,
  refs: readonly EntryRef[],
  pausesOfFile: (field: string) => readonly Range<Seconds>[],
  verdicts: readonly Frames[],
  rules: TimeRules,
): FoundPause[] {
  const soon = (SOON * rules.rate.num) / rules.rate.den;
  return refs
    .flatMap(({ lane, id }) => {
      const ref = { lane, index: timeline[lane].findIndex((entry) => entry.id === id) } as EntryIndex;
      const entry = entryAt(timeline, ref);
      if (entry?.file_field === undefined) return [];
      return pausesOfFile(entry.file_field).flatMap((pause): FoundPause[] => {
        const [frames] = framesOfSource(entry, [pause], rules);
        if (frames === undefined) return [];
        const isBeforeVerdict = verdicts.some((at) => at >= frames.start && at <= frames.end + soon);
        return [{ ref, key: `${id} ${pause.start}`, frames, isBeforeVerdict }];
      });
    })
    .toSorted((a, b) => a.frames.start - b.frames.start);
}

/** When each reveal shows its verdict. */
export function verdictFrames({ tier_tiles }: TimelineData, { byTile }: RevealCourses, rules: TimeRules): Frames[] {
  const framesASecond = rules.rate.num / rules.rate.den;
  return tier_tiles.map((tile) => {
    const course = byTile.get(tile.id);
    if (course === undefined) return Math.round((tile.stamp_at ?? tile.position) * framesASecond) as Frames;
    return (Math.round(tile.position * framesASecond) + currentCourse(course, tile, rules).verdict) as Frames;
  });
}

/** The frames that the removal of pauses takes away. A pause can continue in the next clip. */
export function cutsOf(pauses: readonly Pick<FoundPause, 'frames'>[]): Range<Frames>[] {
  return joinedCuts(pauses.map(({ frames }) => frames));
}

export function framesIn(cuts: readonly Range<Frames>[]): Frames {
  return cuts.reduce((sum, { start, end }) => sum + end - start, 0) as Frames;
}
