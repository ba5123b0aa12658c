import type { Entry } from './entries.ts';
import { toMicros } from './slot.ts';

/** Silence counts as −60 dB. (C80) */
const SILENT = 0.001;

/** An entry's volume points after its start has moved by so many seconds: each stays where it is on the timeline. */
export function withMovedStart(entry: Entry, by: number): Entry {
  const { volume_points: points } = entry;
  if (points === undefined || points.length === 0) return entry;
  const moved = points.map(({ at, volume }) => ({ at: toMicros(at - by), volume }));
  const kept = moved.filter(({ at }) => at > 0);
  const before = moved.filter(({ at }) => at <= 0);
  const first = { at: 0, volume: volumeAt(points, by) };
  return { ...entry, volume_points: before.length === 0 ? kept : [first, ...kept] };
}

/** The volume that points make at one second of their entry. */
function volumeAt(points: readonly { readonly at: number; readonly volume: number }[], at: number): number {
  const next = points.find((point) => point.at > at);
  const last = points.findLast((point) => point.at <= at);
  if (next === undefined || last === undefined) return (last ?? next)!.volume;
  const share = (at - last.at) / (next.at - last.at);
  const [from, to] = [Math.max(SILENT, last.volume), Math.max(SILENT, next.volume)];
  return Math.round(from * (to / from) ** share * 1e6) / 1e6;
}
