import type { Seconds } from '../../time.ts';
import { shownText } from '../json/shown-value.ts';
import type { CueFault } from './cue.ts';

/** Start, arrow, end, settings. */
const TIMES =
  /^\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?\s*-->\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?(?:\s(.*))?$/;

/** The line that begins a cue: its times and its settings. */
interface CueTimes {
  readonly start: Seconds;
  readonly end: Seconds;
  readonly rest: string;
}

/** Whether a line looks like a line of times. */
export function isTimesLine(text: string): boolean {
  return text.includes('-->');
}

/** Reads a line of times in either format: hours are optional, and both separators of thousandths are accepted. */
export function readCueTimes(text: string, line: number): CueTimes | CueFault {
  const found = TIMES.exec(text);
  if (found === null) {
    return fault(line, `"00:00:01.000 --> 00:00:02.500" is the form of times, not ${shownText(text.trim())}.`);
  }
  const [, ...parts] = found;
  const start = secondsOf(parts.slice(0, 4));
  const end = secondsOf(parts.slice(4, 8));
  if (start === null || end === null) {
    return fault(line, `minutes and seconds must be from 0 to 59, not ${shownText(text.trim())}.`);
  }
  if (end < start) return fault(line, `a subtitle must not end before it starts: ${shownText(text.trim())}.`);
  return { start, end, rest: parts[8]?.trimStart() ?? '' };
}

/** Computed from whole thousandths, so that 1.1 is exactly 1.1. */
function secondsOf(parts: readonly (string | undefined)[]): Seconds | null {
  const [hours, minutes, seconds] = parts.slice(0, 3).map((part) => Number(part ?? 0)) as [number, number, number];
  if (minutes > 59 || seconds > 59) return null;
  const thousandths = Number((parts[3] ?? '').padEnd(3, '0'));
  return ((hours * 60 + minutes) * 60_000 + seconds * 1000 + thousandths) / 1000;
}

function fault(line: number, message: string): CueFault {
  return { line, code: 'subtitle_file.times', message };
}
