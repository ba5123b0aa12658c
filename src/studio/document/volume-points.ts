import type { Seconds } from '../../time.ts';
import type { VolumeUnit } from '../../timeline/choices.ts';
import { MAX_VOLUME_POINTS } from '../../timeline/limits.ts';
import { type Entry, toMicros } from './entries.ts';

/** Silence counts as −60 dB. (C80) */
const SILENT_DB = -60;
const SILENT = 10 ** (SILENT_DB / 20);
/** The maximum volume, as a gain. (C17) */
const MAX_GAIN = 4;

/** A volume point as a gain, in seconds from the start of its entry. */
export interface Level {
  readonly at: Seconds;
  readonly gain: number;
}

/** Converts a volume to a gain. (C17) */
export function gainOf(volume: number | undefined, unit: VolumeUnit = 'gain'): number {
  return unit === 'percent' ? (volume ?? 100) / 100 : (volume ?? 1);
}

/** Converts a gain to a volume. */
export function volumeOf(gain: number, unit: VolumeUnit = 'gain'): number {
  const held = Math.min(MAX_GAIN, Math.max(0, gain));
  return Math.round(held * 1e6) / (unit === 'percent' ? 1e4 : 1e6);
}

/** The volume points of an entry, in order. */
export function levelsOf({ volume_points: points = [] }: Entry, unit?: VolumeUnit): readonly Level[] {
  return points.map(({ at, volume }) => ({ at, gain: gainOf(volume, unit) }));
}

/** The gain of the points at a second of their entry; 1 if there are none. */
export function gainAt(levels: readonly Level[], at: Seconds): number {
  const next = levels.find((level) => level.at > at);
  const last = levels.findLast((level) => level.at <= at);
  if (next === undefined || last === undefined) return (last ?? next)?.gain ?? 1;
  const share = (at - last.at) / (next.at - last.at);
  const [from, to] = [Math.max(SILENT, last.gain), Math.max(SILENT, next.gain)];
  return share === 0 ? last.gain : from * (to / from) ** share;
}

/** The gain raised by decibels; below the quietest level it is silence. */
export function louder(gain: number, byDb: number): number {
  const db = decibelsOf(gain) + byDb;
  return db <= SILENT_DB ? 0 : Math.min(MAX_GAIN, 10 ** (db / 20));
}

export function decibelsOf(gain: number): number {
  return 20 * Math.log10(Math.max(SILENT, gain));
}

/** Sets the level at a second: adds a point, or changes the one that is there. Null if no more points fit. */
export function withPoint(entry: Entry, level: Level, unit?: VolumeUnit): { entry: Entry; index: number } | null {
  const points = entry.volume_points ?? [];
  const at = toMicros(Math.max(0, level.at));
  const fresh = { at, volume: volumeOf(level.gain, unit) };
  const index = points.findIndex((point) => point.at >= at);
  if (index !== -1 && points[index]!.at === at) return { entry: withPoints(entry, points.with(index, fresh)), index };
  if (points.length >= MAX_VOLUME_POINTS) return null;
  const place = index === -1 ? points.length : index;
  return { entry: withPoints(entry, points.toSpliced(place, 0, fresh)), index: place };
}

/** Moves a point, between its neighbours and within the entry. */
export function withMovedPoint(
  entry: Entry,
  index: number,
  to: Level,
  {
    length,
    apart,
    unit,
  }: { readonly length: Seconds; readonly apart: Seconds; readonly unit?: VolumeUnit | undefined },
): Entry {
  const points = entry.volume_points ?? [];
  const [before, after] = [points[index - 1], points[index + 1]];
  const min = before === undefined ? 0 : before.at + apart;
  const max = after === undefined ? length : after.at - apart;
  // Existing points may be closer than the minimum distance.
  const at = min > max ? points[index]!.at : toMicros(Math.min(max, Math.max(min, to.at)));
  return withPoints(entry, points.with(index, { at, volume: volumeOf(to.gain, unit) }));
}

export function withoutPoint(entry: Entry, index: number): Entry {
  return withPoints(entry, (entry.volume_points ?? []).toSpliced(index, 1));
}

function withPoints(entry: Entry, points: NonNullable<Entry['volume_points']>): Entry {
  const { volume_points: _, ...rest } = entry;
  return points.length === 0 ? rest : { ...rest, volume_points: points };
}

/** The volume points after the start has moved: each keeps its time on the timeline. */
export function withMovedStart(entry: Entry, by: Seconds, unit?: VolumeUnit): Entry {
  const { volume_points: points } = entry;
  if (points === undefined || points.length === 0) return entry;
  const moved = points.map(({ at, volume }) => ({ at: toMicros(at - by), volume }));
  const kept = moved.filter(({ at }) => at > 0);
  const before = moved.filter(({ at }) => at <= 0);
  const first = { at: 0, volume: volumeOf(gainAt(levelsOf(entry, unit), by), unit) };
  return { ...entry, volume_points: before.length === 0 ? kept : [first, ...kept] };
}

/** The volume points cut to a length in seconds: the level up to there stays. */
export function withCutEnd(entry: Entry, length: Seconds, unit?: VolumeUnit): Entry {
  const { volume_points: points = [] } = entry;
  const kept = points.filter(({ at }) => at < length);
  if (kept.length === points.length) return entry;
  const last = { at: toMicros(length), volume: volumeOf(gainAt(levelsOf(entry, unit), length), unit) };
  return { ...entry, volume_points: [...kept, last] };
}
