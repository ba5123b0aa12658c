import { signal } from '@preact/signals';
import { type Frames, secondsOf } from '../../time.ts';
import { MAX_VOLUME_POINTS } from '../../timeline/limits.ts';
import { type EntryIndex, entryAt, slotOf, toMicros, withEntry } from '../document/entries.ts';
import { mediaOf } from '../document/project.ts';
import {
  decibelsOf,
  gainAt,
  gainOf,
  type Level,
  levelsOf,
  withMovedPoint,
  withoutPoint,
  withPoint,
} from '../document/volume-points.ts';
import { say } from '../kit/messages.ts';
import * as texts from '../texts/en/page.ts';
import { editTimeline, type TimelineChange, timeRules } from './edit-timeline.ts';
import { project, timelineData } from './session.ts';

/** The index of the point to focus: a new point, or the neighbour of a removed one. */
export const wantedPoint = signal<number | null>(null);

/** Why an entry cannot have volume points; null if it can. */
function whyNoPoints(ref: EntryIndex): string | null {
  const { file_field: field, volume_points: points = [] } = entryAt(timelineData.value, ref)!;
  const media = field === undefined ? undefined : mediaOf(project.value, field);
  if (media !== undefined && !media.sound) return texts.noSound(media.name);
  return points.length < MAX_VOLUME_POINTS ? null : texts.maxVolumePoints(MAX_VOLUME_POINTS);
}

/** Adds a point at the frame nearest to a second of the entry. @param gain null keeps the current level. */
export function addPoint(ref: EntryIndex, seconds: number, gain: number | null): boolean {
  const why = whyNoPoints(ref);
  if (why !== null) {
    say(why);
    return false;
  }
  const entry = entryAt(timelineData.value, ref)!;
  const { volumeAs } = timeRules.value;
  const at = onFrame(ref, seconds);
  const made = withPoint(entry, { at, gain: gain ?? gainAt(levelsOf(entry, volumeAs), at) }, volumeAs);
  if (made === null) return false;
  editTimeline(texts.addVolumePoint, (data) => withEntry(data, ref, made.entry));
  wantedPoint.value = made.index;
  return true;
}

/** A change that moves a point. Its time snaps to a frame, its level does not snap. */
export function movedPoint(ref: EntryIndex, index: number, to: Level): TimelineChange {
  return (data, { rate, volumeAs: unit }) => {
    const apart = secondsOf(1 as Frames, rate);
    const limits = { length: lengthOf(ref), apart, unit };
    return withEntry(data, ref, withMovedPoint(entryAt(data, ref)!, index, { ...to, at: onFrame(ref, to.at) }, limits));
  };
}

export function removePoint(ref: EntryIndex, index: number): void {
  const { volume_points: points = [] } = entryAt(timelineData.value, ref)!;
  editTimeline(texts.removeVolumePoint, (data) => withEntry(data, ref, withoutPoint(entryAt(data, ref)!, index)));
  wantedPoint.value = points.length > 1 ? Math.min(index, points.length - 2) : null;
}

/** "−6 dB at 3.2 s". */
export function pointWords(ref: EntryIndex, index: number): string {
  const { volume, at } = entryAt(timelineData.value, ref)!.volume_points![index]!;
  const gain = gainOf(volume, timeRules.value.volumeAs);
  const db = Math.round(decibelsOf(gain) * 10) / 10;
  const level = gain === 0 ? texts.silent : texts.decibels(`${db < 0 ? '−' : ''}${Math.abs(db)}`);
  return texts.volumePoint(level, Math.round(at * 100) / 100);
}

/** The length of an entry in seconds. */
function lengthOf(ref: EntryIndex): number {
  const { start, end } = slotOf(timelineData.value, ref, timeRules.value);
  return secondsOf((end - start) as Frames, timeRules.value.rate);
}

/** The nearest frame of an entry, in seconds from its start. */
function onFrame(ref: EntryIndex, seconds: number): number {
  const { num, den } = timeRules.value.rate;
  const held = Math.min(lengthOf(ref), Math.max(0, seconds));
  return toMicros((Math.round((held * num) / den) * den) / num);
}
