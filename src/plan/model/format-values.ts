import { type FrameRate, type Frames, type Micros, type Range, secondsOf } from '../../time.ts';
import type { Rect } from './canvas.ts';
import type { Entrance, EntranceKind } from './clip-layer.ts';

/** A heading and a line for each; empty if there are none. */
export function section<T>(name: string, things: readonly T[], line: (thing: T, index: number) => string): string[] {
  return things.length === 0 ? [] : [name, ...things.map((thing, i) => `  ${line(thing, i)}`)];
}

export function formatSpan({ start, end }: Range<Frames>, rate: FrameRate): string {
  return `[${start}, ${end}) ${formatSeconds(start, rate).slice(0, -2)}–${formatSeconds(end, rate)}`;
}

export function formatSeconds(count: Frames, rate: FrameRate): string {
  return `${round(secondsOf(count, rate))} s`;
}

export function formatMicros({ start, end }: Range<Micros>): string {
  return `${round(start / 1e6)}–${round(end / 1e6)} s`;
}

export function formatRate({ num, den }: FrameRate): string {
  return den === 1 ? String(num) : `${num}/${den}`;
}

export function formatRect({ x, y, width, height }: Rect): string {
  return `${width}×${height}+${x}+${y}`;
}

export function round(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}

/** Control characters cannot break the line. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

interface EnterExit {
  readonly enter: Entrance<EntranceKind> | null;
  readonly exit: Entrance<EntranceKind> | null;
}

export function formatEnterExit({ enter, exit }: EnterExit): string[] {
  return [
    ...(enter === null ? [] : [`enters by ${enter.kind} ${enter.frames}`]),
    ...(exit === null ? [] : [`leaves by ${exit.kind} ${exit.frames}`]),
  ];
}
