import type { RawSubtitle, RawSubtitleFile } from '../document-schemas.ts';
import type { CueHeight, MediaRef, SubtitleEntry } from '../export-request.ts';
import { shownText } from '../json/shown-value.ts';
import type { Cue, CuePlace } from '../subtitle-file/read-subtitle-file.ts';
import { readSubtitleFile } from '../subtitle-file/read-subtitle-file.ts';
import type { ParseContext } from './parse-context.ts';
import { parseEntries, type SentLane } from './parse-lane.ts';
import { subtitleBase, subtitleEntry } from './parse-painted.ts';

/** The result of parsing subtitle files. */
interface ParsedSubtitleFiles {
  readonly subtitles: readonly SubtitleEntry[];
  readonly files: readonly MediaRef[];
  /** Whether the text of every file was there. */
  readonly areRead: boolean;
}

/** Enough of one file's errors to understand the problem. */
const MAX_FAULTS = 20;

/** Each cue of each file becomes a subtitle; together with those of the documents there are as many as a lane may have. (C43) */
export function parseSubtitleFiles(lane: SentLane, written: number, context: ParseContext): ParsedSubtitleFiles {
  const { limits, media, subtitleTexts, issues } = context;
  const entries = parseEntries('subtitle_files', lane, context);
  const files: MediaRef[] = [];
  const subtitles: SubtitleEntry[] = [];
  let areRead = true;
  for (const { path, id, sent, value } of entries) {
    const file = media.refer(value.file_field, sent, path);
    files.push(file);
    const text = subtitleTexts.get(file.field);
    if (text === undefined) {
      areRead = false;
      continue;
    }
    const cues = checkedCues(text, file, value.offset ?? 0, context);
    const room = limits.maxEntriesPerLane - written - subtitles.length;
    if (cues.length > room) {
      const message = `The file ${shownText(file.field)} has ${cues.length} subtitles; together with the others there may be ${limits.maxEntriesPerLane}.`;
      issues.error(file.path, 'timeline.too_many_entries', message);
      continue;
    }
    const raised = linesBelow(cues);
    const common = subtitleBase(value, path, id, context);
    for (const [index, cue] of cues.entries()) {
      const entry = subtitleEntry(rawSubtitle(cue, value), { ...common, id: `${id}/${index}` });
      subtitles.push({ ...entry, cue: cueHeight(cue), raisedLines: raised[index]! });
    }
  }
  return { subtitles, files, areRead };
}

/** The cues of a file at their times on the timeline. The part before time 0 is cut off, and blank cues are dropped. */
function checkedCues(text: string, { field, path }: MediaRef, offset: number, context: ParseContext): Cue[] {
  const { limits, issues } = context;
  const { cues, faults } = readSubtitleFile(text);
  const fault = (line: number, code: string, message: string): void => {
    issues.error(path, code, `The file ${shownText(field)}, line ${line}: ${message}`);
  };
  for (const { line, code, message } of faults.slice(0, MAX_FAULTS)) fault(line, code, message);
  const kept: Cue[] = [];
  let early = 0;
  let momentary = 0;
  for (const cue of cues) {
    const [start, end] = [cue.start + offset, cue.end + offset];
    if (cue.text.length > limits.maxTextLength) {
      const message = `a subtitle has at most ${limits.maxTextLength} characters, not ${cue.text.length}.`;
      fault(cue.line, 'subtitle_file.text_length', message);
    } else if (end > limits.maxTimelineSeconds) {
      fault(
        cue.line,
        'timeline.too_long',
        `it ends at ${end} s; a timeline lasts at most ${limits.maxTimelineSeconds} s.`,
      );
      // All that follow would get the same error.
      break;
    } else if (cue.end === cue.start) momentary += 1;
    else if (end <= 0) early += 1;
    else if (cue.text.trim() !== '') kept.push({ ...cue, start: Math.max(0, start), end });
  }
  if (early > 0) {
    const message = `${early} subtitles of the file ${shownText(field)} end before the video starts, because of its offset, and are left out.`;
    issues.warn(path, 'subtitle_file.before_start', message);
  }
  if (momentary > 0) {
    const message = `${momentary} subtitles of the file ${shownText(field)} have no duration and are left out.`;
    issues.warn(path, 'subtitle_file.no_duration', message);
  }
  if (cues.length === 0 && faults.length === 0) {
    issues.warn(path, 'subtitle_file.empty', `The file ${shownText(field)} has no subtitles.`);
  }
  return kept;
}

/** The cue as an entry of the documents, in the style of its file; the cue's own position takes precedence. */
function rawSubtitle(
  cue: Cue,
  { file_field: _file, offset: _offset, id: _id, ...style }: RawSubtitleFile,
): RawSubtitle {
  return { ...style, ...rowOf(cue), text: cue.text, start: cue.start, duration: cue.end - cue.start };
}

type Row = Pick<RawSubtitle, 'align' | 'x_percent' | 'width_percent'>;

/** The alignment and the width of a cue. */
function rowOf({ place: { align, across, widthPercent } }: Cue): Row {
  return {
    ...(align !== undefined && { align }),
    ...(across !== undefined && acrossBox(across, widthPercent)),
    ...(across === undefined &&
      widthPercent !== undefined && { x_percent: (100 - widthPercent) / 2, width_percent: widthPercent }),
  };
}

function cueHeight({ text, place: { down } }: Cue): CueHeight | null {
  return down === undefined ? null : { ...down, lines: estimatedLines(text) };
}

/** As wide as possible from its anchor, unless the cue gives a size. */
function acrossBox({ percent, edge }: NonNullable<CuePlace['across']>, wanted: number | undefined): Row {
  const max = edge === 'left' ? 100 - percent : edge === 'right' ? percent : 2 * Math.min(percent, 100 - percent);
  const width = Math.max(1, Math.min(wanted ?? 100, max));
  const left = percent - (edge === 'left' ? 0 : edge === 'right' ? width : width / 2);
  return { x_percent: Math.min(Math.max(0, left), 100 - width), width_percent: width };
}

/** Longer lines are wrapped. Only the painter knows into how many; this is an estimate. */
const LINE_CHARACTERS = 40;

/** How many lines a text is likely to take. */
function estimatedLines(text: string): number {
  return text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / LINE_CHARACTERS)), 0);
}

/**
 * For each cue, how many lines of others are shown below it: cues that overlap in time and have no position of their
 * own would be drawn over one another. The one that begins first is lowest, as in players.
 */
function linesBelow(cues: readonly Cue[]): number[] {
  const below = cues.map(() => 0);
  const inOrder = [...cues.keys()]
    .filter((index) => cues[index]!.place.down === undefined)
    .sort((a, b) => cues[a]!.start - cues[b]!.start || a - b);
  let shown: { readonly end: number; readonly from: number; readonly to: number }[] = [];
  for (const index of inOrder) {
    const { start, end, text } = cues[index]!;
    shown = shown.filter((other) => other.end > start).sort((a, b) => a.from - b.from);
    const lines = estimatedLines(text);
    let from = 0;
    for (const other of shown) if (from + lines > other.from && from < other.to) from = other.to;
    shown.push({ end, from, to: from + lines });
    below[index] = from;
  }
  return below;
}
