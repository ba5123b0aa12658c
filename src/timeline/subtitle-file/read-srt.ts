import { shownText } from '../json/shown-value.ts';
import type { Cue, CueFault, CuePlace, CueReading } from './cue.ts';
import { cueText } from './cue-text.ts';
import { isTimesLine, readCueTimes } from './cue-times.ts';

const NUMBER = /^\s*\d{1,9}\s*$/;

/**
 * Reads SubRip. There is no specification: a cue goes from its line of times to the next one, across any blank lines,
 * and a number right above a line of times belongs to the next cue.
 */
export function readSrt(lines: readonly string[]): CueReading {
  const cues: Cue[] = [];
  const faults: CueFault[] = [];
  const starts = [...lines.keys()].filter((at) => isTimesLine(lines[at]!));
  const before = lines.slice(0, starts[0] ?? lines.length);
  const stray = before.findIndex((line) => line.trim() !== '' && !NUMBER.test(line));
  if (stray !== -1 || starts.length === 0) {
    const line = Math.max(0, stray);
    return { cues, faults: [unknownKind(line + 1, lines[line] ?? '')] };
  }
  for (const [nth, at] of starts.entries()) {
    const times = readCueTimes(lines[at]!, at + 1);
    if ('code' in times) {
      faults.push(times);
      continue;
    }
    const next = starts[nth + 1];
    const end = next === undefined ? lines.length : NUMBER.test(lines[next - 1]!) && next - 1 > at ? next - 1 : next;
    const body = lines.slice(at + 1, end);
    const { start, end: until } = times;
    cues.push({ line: at + 1, start, end: until, text: cueText(body), place: placeOf(body) });
  }
  return { cues, faults };
}

/** `{\an8}`: the places of a number pad. The bottom is the default. */
function placeOf(body: readonly string[]): CuePlace {
  const [, key] = /\{[^{}]*\\an([1-9])[^{}]*\}/.exec(body.join('\n')) ?? [];
  if (key === undefined) return {};
  const place = Number(key) - 1;
  const align = (['left', 'center', 'right'] as const)[place % 3]!;
  if (place < 3) return { align };
  return { align, down: place < 6 ? { percent: 50, edge: 'center' } : { percent: 5, edge: 'top' } };
}

function unknownKind(line: number, found: string): CueFault {
  const message = `a subtitle file is WebVTT (its first line is WEBVTT) or SRT (a number, times, text); this one has ${shownText(found)}.`;
  return { line, code: 'subtitle_file.kind', message };
}
