import type { Seconds } from '../../time.ts';
import { shownText } from '../json/shown-value.ts';

/** One subtitle of a file. */
export interface Cue {
  /** Line number of its times in the file, from 1. */
  readonly line: number;
  readonly start: Seconds;
  readonly end: Seconds;
  /** Plain text: without tags, entities resolved. */
  readonly text: string;
  readonly place: CuePlace;
}

/** The position that a cue asks for; absent fields are not given. */
export interface CuePlace {
  readonly align?: 'left' | 'center' | 'right';
  /** Percent of the canvas, and which edge of the text lies there. */
  readonly across?: { readonly percent: number; readonly edge: 'left' | 'center' | 'right' };
  readonly down?: { readonly percent: number; readonly edge: 'top' | 'center' | 'bottom' };
  readonly widthPercent?: number;
}

/** An error that makes a file unusable, and its line. */
interface CueFault {
  readonly line: number;
  readonly code: 'subtitle_file.kind' | 'subtitle_file.times';
  readonly message: string;
}

/** The cues of a file in order, or all of its errors. */
interface CueReading {
  readonly cues: readonly Cue[];
  readonly faults: readonly CueFault[];
}

/** Reads the text of a subtitle file: SRT or WebVTT, by its content. (C43) */
export function readSubtitleFile(text: string): CueReading {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  return isVtt(lines[0]!) ? readVtt(lines) : readSrt(lines);
}

/**
 * Decodes the bytes of a subtitle file: UTF-8, or UTF-16 by its byte order mark; null if they are neither. UTF-16
 * without a mark is recognised by its zeros: every subtitle file begins with ASCII, in any language.
 */
export function decodeSubtitleFile(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
}

const NUMBER = /^\s*\d{1,9}\s*$/;

/**
 * Reads SubRip. There is no specification: a cue goes from its line of times to the next one, across any blank lines,
 * and a number right above a line of times belongs to the next cue.
 */
function readSrt(lines: readonly string[]): CueReading {
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
    cues.push({ line: at + 1, start, end: until, text: cueText(body), place: padPlace(body) });
  }
  return { cues, faults };
}

/** `{\an8}`: the places of a number pad. The bottom is the default. */
function padPlace(body: readonly string[]): CuePlace {
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
function isVtt(firstLine: string): boolean {
  return /^WEBVTT(?:[ \t]|$)/.test(firstLine);
}

/** Reads WebVTT: blocks between blank lines. Notes, styles and regions are ignored. */
function readVtt(lines: readonly string[]): CueReading {
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
        cues.push({ line: first + 1, start, end: until, text, place: settingsPlace(rest) });
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
function settingsPlace(settings: string): CuePlace {
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
function isTimesLine(text: string): boolean {
  return text.includes('-->');
}

/** Reads a line of times in either format: hours are optional, and both separators of thousandths are accepted. */
function readCueTimes(text: string, line: number): CueTimes | CueFault {
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

/** The tags that both formats know. Anything else in angle brackets is text. */
const TAG =
  /<\/?(?:b|i|u|s|c|v|lang|ruby|rt|font|span|em|strong)(?:[.\s][^<>]*)?>|<(?:\d{1,4}:)?\d{1,2}:\d{2}\.\d{3}>/gi;
/** Ruby text repeats the pronunciation of a word and is not part of the sentence. */
const RUBY_TEXT = /<rt(?:[.\s][^<>]*)?>.*?(?:<\/rt>|(?=<\/ruby>)|$)/gis;
/** Commands of another format that SRT files carry along: `{\an8}`, `{\pos(…)}`, `{\i1}`. */
const OVERRIDE = /\{\\[^{}]*\}/g;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi;

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
};

/**
 * The plain text of a cue: no tags, no commands, entities resolved. Letters have one weight, so style tags have no
 * effect.
 */
function cueText(lines: readonly string[]): string {
  const plain = lines.join('\n').replace(RUBY_TEXT, '').replace(OVERRIDE, '').replace(TAG, '');
  return plain
    .replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      return character(decimal !== undefined ? Number(decimal) : Number.parseInt(hex!, 16)) ?? whole;
    })
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}

/** Null for a code that is not a character, or for an invisible, harmful one. */
function character(code: number): string | null {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code < 0x20 || code > 0x10ffff || isSurrogate ? null : String.fromCodePoint(code);
}
