import type { RawAudio, RawSoundtrack, RawVideo } from '../document-schemas.ts';
import type {
  AudioEntry,
  ClipLookEntry,
  Crop,
  SoundtrackEntry,
  SourceEntry,
  VideoEntry,
  VolumePoint,
} from '../export-request.ts';
import { pointer } from '../json/json-pointer.ts';
import { filled } from '../read-fields.ts';
import {
  CLIP_LOOK,
  SOUND_BASICS,
  SOUNDTRACK_BASICS,
  SOURCE_BASICS,
  SPEED,
  TIMELINE_FIELDS,
  VIDEO_BASICS,
} from '../timeline-fields.ts';
import type { ParseContext } from './parse-context.ts';
import { type CheckedEntry, parseEntries, type SentLane } from './parse-lane.ts';
import { readBox, readEnterExit, readMotion, readPresetPlaces } from './parse-places.ts';

/** Clips that are seen and heard. */
export function parseVideos(lane: SentLane, context: ParseContext): VideoEntry[] {
  const entries = parseEntries('videos', lane, context);
  return entries.map((entry) => ({
    ...sourceEntry(entry, filled(SPEED, entry.value), context),
    ...filled(VIDEO_BASICS, entry.value, context.settings),
    hasOwnId: entry.value.id !== undefined,
    crop: readCrop(entry, context),
    box: readBox(entry.value),
    byPreset: readPresetPlaces(entry.value.presets, entry.path, context),
    look: readLook(entry.value),
    enterExit: readEnterExit(entry.value),
    transition: readTransition(entry.value),
    motion: entry.value.motion === undefined ? null : readMotion(entry.value.motion),
  }));
}

/** Clips of which only the sound is used; crop fields are accepted and have no effect. (C19) */
export function parseAudios(lane: SentLane, context: ParseContext): AudioEntry[] {
  const entries = parseEntries('audios', lane, context);
  return entries.map((entry) => sourceEntry(entry, filled(SPEED, entry.value), context));
}

/** Audio files. */
export function parseSoundtracks(lane: SentLane, context: ParseContext): SoundtrackEntry[] {
  const entries = parseEntries('soundtracks', lane, context);
  return entries.map((entry) => ({
    ...sourceEntry(entry, { speed: 1 }, context),
    ...filled(SOUNDTRACK_BASICS, entry.value),
  }));
}

function sourceEntry(
  { path, id, sent, value }: CheckedEntry<RawVideo | RawAudio | RawSoundtrack>,
  speed: Pick<SourceEntry, 'speed'>,
  context: ParseContext,
): SourceEntry {
  const { media, settings, issues } = context;
  const source = filled(SOURCE_BASICS, value);
  const { trimStart } = source;
  const trimEnd = source.trimEnd === 0 ? null : source.trimEnd;
  if (settings.trimEndAs === 'out_point' && trimEnd !== null && trimEnd <= trimStart) {
    const message =
      `trim_end is the out-point in source seconds and must lie after trim_start (${trimStart}), not at ${trimEnd}. ` +
      'If it means seconds cut off the end, set "trim_end_as": "cut" in settings.';
    issues.error(pointer(path, 'trim_end'), 'trim.empty', message);
  }
  return {
    path,
    id,
    media: media.refer(value.file_field, sent, path),
    ...source,
    trimEnd,
    ...speed,
    ...filled(SOUND_BASICS, value),
    gain: readGain(value.volume, pointer(path, 'volume'), context),
    volumePoints: readVolumePoints(value.volume_points ?? [], pointer(path, 'volume_points'), context),
  };
}

/** Points in time that rise, each with its gain. (C80) */
function readVolumePoints(
  points: NonNullable<RawSoundtrack['volume_points']>,
  path: string,
  context: Pick<ParseContext, 'settings' | 'issues'>,
): VolumePoint[] {
  return points.map(({ at, volume }, index) => {
    const place = pointer(path, index);
    const before = points[index - 1]?.at;
    if (before !== undefined && at <= before) {
      const message = `at must be after the point before it (${before}), not ${at}.`;
      context.issues.error(pointer(place, 'at'), 'volume_points.order', message);
    }
    return { at, gain: readGain(volume, pointer(place, 'volume'), context) };
  });
}

/** A volume as a gain, from any unit. (C17) */
export function readGain(
  volume: number | undefined,
  path: string,
  { settings, issues }: Pick<ParseContext, 'settings' | 'issues'>,
): number {
  const max = settings.volumeUnit === 'percent' ? 400 : 4;
  if (volume === undefined) return 1;
  if (volume > max) {
    const hint =
      settings.volumeUnit === 'gain' ? ' If it means percent, set "volume_unit": "percent" in settings.' : '';
    const name = path.slice(path.lastIndexOf('/') + 1);
    issues.error(path, 'field.range', `${name} must be a number from 0 to ${max}, not ${volume}.${hint}`);
  }
  return (volume * 4) / max;
}

/** How a clip replaces the one before it. (C58) */
function readTransition({ transition }: RawVideo): VideoEntry['transition'] {
  return transition === undefined ? null : filled(TIMELINE_FIELDS.transition, transition);
}

/** A border is there as soon as one of its fields is. */
function readLook(value: RawVideo): ClipLookEntry {
  const { borderColor: color, borderWidth: width, ...look } = filled(CLIP_LOOK, value);
  return { ...look, border: color === null || width === null || width === 0 ? null : { color, width } };
}

/** The tolerance for sums of floats: 1.0000000000000002 counts as 1. (C18) */
const ABOUT = 1 + 1e-9;

/** A share that is more than a pixel of every picture. The planner checks smaller shares, since it knows the size. */
const SURELY_OUTSIDE = 1 / 16;

/** Picks the unit (C18). All four at zero is how some clients write "no crop". */
function readCrop({ path, value }: CheckedEntry<RawVideo>, { settings, issues }: ParseContext): Crop | null {
  const given = [value.crop_x, value.crop_y, value.crop_w, value.crop_h].filter((side) => side !== undefined);
  if (given.every((side) => side === 0)) return null;
  const max = Math.max(...given);
  const guessed = max <= ABOUT ? 'fraction' : max <= 100 * ABOUT ? 'percent' : 'pixel';
  const unit = settings.cropUnit === 'auto' ? guessed : settings.cropUnit;
  const crop: Crop = {
    unit,
    x: value.crop_x ?? 0,
    y: value.crop_y ?? 0,
    width: value.crop_w ?? null,
    height: value.crop_h ?? null,
  };
  const whole = { fraction: 1, percent: 100, pixel: Number.POSITIVE_INFINITY }[unit];
  reportOutside({ path, unit, whole, offset: ['crop_x', crop.x], size: ['crop_w', crop.width] }, issues);
  reportOutside({ path, unit, whole, offset: ['crop_y', crop.y], size: ['crop_h', crop.height] }, issues);
  return crop;
}

/** Reports errors of a crop that are known without the picture; the planner reports the rest. */
function reportOutside(
  axis: {
    readonly path: string;
    readonly unit: Crop['unit'];
    readonly whole: number;
    readonly offset: readonly [field: string, value: number];
    readonly size: readonly [field: string, value: number | null];
  },
  issues: ParseContext['issues'],
): void {
  const { path, unit, whole } = axis;
  const [offsetField, offset] = axis.offset;
  const [sizeField, size] = axis.size;
  if (size === 0) {
    issues.error(
      pointer(path, sizeField),
      'crop.outside',
      `${sizeField} must be above 0: an empty crop shows nothing.`,
    );
  } else if (size === null ? offset >= whole : offset + size > whole * (1 + SURELY_OUTSIDE)) {
    const sum = size === null ? `${offsetField} ${offset}` : `${offsetField} ${offset} + ${sizeField} ${size}`;
    const message = `The crop reaches outside the picture: ${sum} is more than ${whole} (read as ${unit}).`;
    issues.error(pointer(path, size === null ? offsetField : sizeField), 'crop.outside', message);
  }
}
