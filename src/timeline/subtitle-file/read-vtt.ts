import type { Cue, CueFault, CuePlace, CueReading } from './cue.ts';
import { cueText } from './cue-text.ts';
import { isTimesLine, readCueTimes } from './cue-times.ts';

/** The height of a line as WebVTT counts them, in percent of the picture. */
const LINE_PERCENT = 5.33;

const ALIGN = {
  start: 'left',
  left: 'left',
  center: 'center',
  middle: 'center',
  end: 'right',
  right: 'right',
} as const;
const EDGES = { start: 'top', center: 'center', end: 'bottom' } as const;
const ACROSS = {
  'line-left': 'left',
  start: 'left',
  center: 'center',
  middle: 'center',
  'line-right': 'right',
  end: 'right',
} as const;

/** Whether a file declares itself as WebVTT. */
export function isVtt(firstLine: string): boolean {
  return /^WEBVTT(?:[ \t]|$)/.test(firstLine);
}

/** Reads WebVTT: blocks between blank lines. Notes, styles and regions are ignored. */
export function readVtt(lines: readonly string[]): CueReading {
  const cues: Cue[] = [];
  const faults: CueFault[] = [];
  let at = blockEnd(lines, 0);
  while (at < lines.length) {
    if (lines[at]!.trim() === '') {
      at += 1;
      continue;
    }
    const end = blockEnd(lines, at);
    // A cue may have a name above its times.
    const first = [at, at + 1].find((line) => line < end && isTimesLine(lines[line]!));
    if (first !== undefined) {
      const times = readCueTimes(lines[first]!, first + 1);
      if ('code' in times) faults.push(times);
      else {
        const { start, end: until, rest } = times;
        const text = cueText(lines.slice(first + 1, end));
        cues.push({ line: first + 1, start, end: until, text, place: placeOf(rest) });
      }
    }
    at = end;
  }
  return { cues, faults };
}

function blockEnd(lines: readonly string[], from: number): number {
  let end = from;
  while (end < lines.length && lines[end]!.trim() !== '') end += 1;
  return end;
}

/** The place from a cue's settings; unknown settings are ignored, by the WebVTT standard. */
function placeOf(settings: string): CuePlace {
  const given = new Map(
    settings.split(/\s+/).flatMap((setting) => {
      const at = setting.indexOf(':');
      return at <= 0 ? [] : [[setting.slice(0, at), setting.slice(at + 1)] as const];
    }),
  );
  // Text from top to bottom is not set here; its numbers would mean something else.
  if (given.has('vertical')) return {};
  const align = own(ALIGN, given.get('align'));
  const width = percentOf(given.get('size'));
  const down = downOf(given.get('line'));
  const across = acrossOf(given.get('position'), align ?? 'center');
  return {
    ...(align !== undefined && { align }),
    ...(width !== null && width > 0 && { widthPercent: width }),
    ...(down !== null && { down }),
    ...(across !== null && { across }),
  };
}

function downOf(setting: string | undefined): NonNullable<CuePlace['down']> | null {
  const [where, side] = (setting ?? '').split(',') as [string, string | undefined];
  const edge = own(EDGES, side) ?? 'top';
  const percent = percentOf(where);
  if (percent !== null) return { percent, edge };
  if (!/^-?\d{1,4}$/.test(where)) return null;
  const line = Number(where);
  // Counted from below, the last line is the default.
  if (line === -1) return null;
  return line >= 0
    ? { percent: line * LINE_PERCENT, edge: 'top' }
    : { percent: 100 + (line + 1) * LINE_PERCENT, edge: 'bottom' };
}

function acrossOf(
  setting: string | undefined,
  align: 'left' | 'center' | 'right',
): NonNullable<CuePlace['across']> | null {
  const [where, side] = (setting ?? '').split(',') as [string, string | undefined];
  const percent = percentOf(where);
  return percent === null ? null : { percent, edge: own(ACROSS, side) ?? align };
}

function percentOf(text: string | undefined): number | null {
  const [, number] = /^(\d{1,3}(?:\.\d{1,9})?)%$/.exec(text ?? '') ?? [];
  return number !== undefined && Number(number) <= 100 ? Number(number) : null;
}

function own<T extends object>(table: T, key: string | undefined): T[keyof T] | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key as keyof T] : undefined;
}
