import { type FrameRate, type Micros, microsAt, type Range, type Seconds } from '../../time.ts';
import type { Settings, SourceEntry } from '../../timeline/export-request.ts';
import type { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import type { MediaFacts } from '../model/media-facts.ts';

/** The part of its source that a clip plays, and its end on the timeline. */
export interface PlayedTrim {
  readonly trim: Range<Micros>;
  /** Seconds on the timeline. */
  readonly end: Seconds;
}

/** What the trim of a source depends on besides the entry itself. */
interface TrimContext {
  readonly settings: Settings;
  readonly issues: IssueList;
  /** Trim and slot need not match: stills have no length, loops start over. */
  readonly endless: boolean;
}

/** A still is one frame that lasts; any range works that contains its only timestamp, 0. */
const STILL_TRIM: Range<Micros> = { start: 0 as Micros, end: 1 as Micros };

/**
 * Applies the trims to the source. Reports entries that cannot be played, and warns if the slot is longer. (C15, C16)
 */
export function playedTrim(entry: SourceEntry, facts: MediaFacts, context: TrimContext): PlayedTrim | undefined {
  const { settings, issues, endless } = context;
  if (facts.kind === 'still') return stillTrim(entry, issues);
  const cut = settings.trimEndAs === 'cut';
  const wanted = entry.trimEnd === null ? facts.duration : cut ? facts.duration - entry.trimEnd : entry.trimEnd;
  const out = Math.min(wanted, facts.duration);
  if (entry.trimStart >= facts.duration) {
    const message = `trim_start must lie before the end of the file, which is ${seconds(facts.duration)} long, not at ${entry.trimStart}.`;
    issues.error(
      entry.trimStart === 0 ? entry.media.path : pointer(entry.path, 'trim_start'),
      'trim.beyond_source',
      message,
    );
    return undefined;
  }
  if (out <= entry.trimStart) {
    const message = `Cutting ${entry.trimEnd} s off the end of ${seconds(facts.duration)} leaves nothing after trim_start ${entry.trimStart}.`;
    issues.error(pointer(entry.path, 'trim_end'), 'trim.empty', message);
    return undefined;
  }
  const left = out - entry.trimStart;
  const duration = entry.duration ?? left / entry.speed;
  if (!endless) warnShort(entry, { left, need: duration * entry.speed, facts }, settings, issues);
  return { trim: { start: microsAt(entry.trimStart), end: microsAt(out) }, end: entry.start + duration };
}

function stillTrim(entry: SourceEntry, issues: IssueList): PlayedTrim | undefined {
  if (entry.duration !== null) return { trim: STILL_TRIM, end: entry.start + entry.duration };
  const message = '"duration" is missing: a still image needs a duration above 0.';
  issues.error(entry.path, 'field.required', message);
  return undefined;
}

/** Warns if at least a frame will be missing, and names the other meaning of trim_end if that one fits. */
function warnShort(
  entry: SourceEntry,
  { left, need, facts }: { left: Seconds; need: Seconds; facts: MediaFacts },
  { rate, trimEndAs }: { rate: FrameRate; trimEndAs: Settings['trimEndAs'] },
  issues: IssueList,
): void {
  if (need - left < (entry.speed * rate.den) / rate.num) return;
  const held = `The slot needs ${seconds(need)} of the source and the trim leaves ${seconds(left)}: the last frame holds, the sound is silent.`;
  issues.warn(entry.path, 'clip.source_too_short', held);
  if (trimEndAs !== 'out_point' || entry.trimEnd === null) return;
  const otherwise = facts.duration - entry.trimEnd - entry.trimStart;
  if (otherwise < need - 1e-6) return;
  const message = `If trim_end ${entry.trimEnd} means seconds cut off the end, the slot would be filled: set "trim_end_as": "cut" in settings.`;
  issues.warn(pointer(entry.path, 'trim_end'), 'trim.maybe_cut', message);
}

function seconds(value: Seconds): string {
  return `${Math.round(value * 1000) / 1000} s`;
}
