import * as z from 'zod';
import { captionStyle } from './caption-style-schema.ts';
import {
  ALIGNMENTS,
  AUTO_ORDERS,
  CLIP_LAYERS,
  CLIP_SHAPES,
  CLIP_TRANSITIONS,
  EASES,
  EFFECTS,
  ENTRANCES,
  FITS,
  FONTS,
  MOTIONS,
  REVEALS,
  SOUND_ROLES,
  TITLE_KINDS,
} from './choices.ts';
import { MAX_HOLD_SECONDS, MAX_VOLUME_POINTS, type TimelineLimits } from './limits.ts';
import {
  enumOf,
  hexColor,
  id,
  listOf,
  numberFrom,
  positiveUpTo,
  textUpTo,
  trueOrFalse,
  volume,
  wholeFrom,
} from './schema-leaves.ts';

const MAX_TRANSITION_SECONDS = 5;
const MAX_WORDS = 500;
/** How long `auto` may give an item. (C64) */
const ITEM_SECONDS = { min: 0.5, max: 600 };
const MAX_SEED = 2 ** 32 - 1;

const sourceSecond = numberFrom(0, 1_000_000);
const cropNumber = numberFrom(0, 100_000);
const percentPlace = numberFrom(-1000, 1000);
const percentSize = positiveUpTo(1000);

/** An entry of each lane, and how entries are made of a tier list. */
export function timelineSchemas(limits: TimelineLimits) {
  const text = textUpTo(limits.maxTextLength);
  const second = numberFrom(0, limits.maxTimelineSeconds);
  const fade = numberFrom(0, limits.maxTimelineSeconds);

  const volumePoint = z.object({ at: second, volume }, 'an object with at and volume');

  /** The slot and the source of a clip. */
  const sourceFields = {
    id: id.optional(),
    file_field: id,
    start: second.optional(),
    duration: positiveUpTo(limits.maxTimelineSeconds).optional(),
    trim_start: sourceSecond.optional(),
    trim_end: sourceSecond.optional(),
    volume: volume.optional(),
    volume_points: listOf(volumePoint, MAX_VOLUME_POINTS).optional(),
    denoise: trueOrFalse.optional(),
    fade_in: fade.optional(),
    fade_out: fade.optional(),
  };
  const cropFields = {
    crop_x: cropNumber.optional(),
    crop_y: cropNumber.optional(),
    crop_w: cropNumber.optional(),
    crop_h: cropNumber.optional(),
  };
  const boxFields = {
    x_percent: percentPlace.optional(),
    y_percent: percentPlace.optional(),
    width_percent: percentSize.optional(),
    height_percent: percentSize.optional(),
  };
  /** An entry's place in one preset, which takes precedence. (C42) */
  const byPreset = <F extends z.ZodRawShape>(more: F) =>
    z
      .record(id, z.object({ ...boxFields, ...more, hidden: trueOrFalse.optional() }, 'an object'), 'an object')
      .optional();
  const speed = numberFrom(0.1, 10).optional();

  const fit = enumOf(FITS).optional();
  const layer = enumOf(CLIP_LAYERS).optional();
  /** Entrance and exit. (C48) */
  const transitionFields = {
    enter: enumOf(ENTRANCES).optional(),
    exit: enumOf(ENTRANCES).optional(),
    enter_duration: positiveUpTo(MAX_TRANSITION_SECONDS).optional(),
  };
  /** The look of a picture-in-picture. (C48) */
  const lookFields = {
    shape: enumOf(CLIP_SHAPES).optional(),
    border_color: hexColor.optional(),
    border_width: numberFrom(0, 200).optional(),
    shadow: trueOrFalse.optional(),
  };

  /** How a clip replaces the one before it. (C58) */
  const transition = z.object(
    { kind: enumOf(CLIP_TRANSITIONS), duration: numberFrom(0.1, 3).optional() },
    'an object with kind and duration',
  );

  /** Pan and zoom. (C59) */
  const MOTION = 'an object with from and to, or "ken_burns"';
  const camera = z.object(
    { x: numberFrom(0, 100).optional(), y: numberFrom(0, 100).optional(), scale: numberFrom(1, 10).optional() },
    'an object with x, y and scale',
  );
  const motion = z
    .union(
      [
        enumOf(MOTIONS),
        z.object(
          {
            ...{ from: camera.optional(), to: camera.optional(), ease: enumOf(EASES).optional() },
            ...{ before: second.optional(), after: second.optional() },
          },
          MOTION,
        ),
      ],
      MOTION,
    )
    .optional();

  const video = z.object({
    ...sourceFields,
    speed,
    ...cropFields,
    ...boxFields,
    fit,
    layer,
    presets: byPreset({ fit, layer, motion }),
    ...lookFields,
    ...transitionFields,
    transition: transition.optional(),
    motion,
  });
  const audio = z.object({ ...sourceFields, speed, ...cropFields });
  const soundtrack = z.object({ ...sourceFields, loop: trueOrFalse.optional(), role: enumOf(SOUND_ROLES).optional() });
  const block = z.object({
    id: id.optional(),
    start: second,
    duration: positiveUpTo(limits.maxTimelineSeconds),
    ...boxFields,
    presets: byPreset({}),
    ...transitionFields,
  });
  const tile = z.object({
    id: id.optional(),
    tier_item_id: id,
    position: second,
    reveal: enumOf(REVEALS).optional(),
    hold: numberFrom(0, MAX_HOLD_SECONDS).optional(),
    stamp_at: second.optional(),
    to_row: id.optional(),
    index: wholeFrom(0, limits.maxItems).optional(),
    effect: enumOf(EFFECTS).optional(),
    sound_field: id.optional(),
    sound_volume: volume.optional(),
  });
  /** Size and place of a subtitle. */
  const size = numberFrom(1, 1000).optional();
  const subtitleStyle = {
    size,
    align: enumOf(ALIGNMENTS).optional(),
    text_color: hexColor.optional(),
    background_color: hexColor.optional(),
    background_alpha: numberFrom(0, 100).optional(),
    style: captionStyle.optional(),
    ...boxFields,
    presets: byPreset({ size }),
    ...transitionFields,
  };
  const spokenWord = z.object(
    { text, start: second, end: second.optional(), confidence: numberFrom(0, 1).optional() },
    'an object with text and start',
  );
  const subtitle = z.object({
    id: id.optional(),
    text,
    start: second,
    duration: positiveUpTo(limits.maxTimelineSeconds),
    words: listOf(spokenWord, MAX_WORDS).optional(),
    ...subtitleStyle,
  });
  const titleEntry = z.object({
    id: id.optional(),
    text,
    subtext: text.optional(),
    start: second,
    duration: positiveUpTo(limits.maxTimelineSeconds),
    kind: enumOf(TITLE_KINDS).optional(),
    align: enumOf(ALIGNMENTS).optional(),
    font: enumOf(FONTS).optional(),
    font_field: id.optional(),
    size,
    text_color: hexColor.optional(),
    background_color: hexColor.optional(),
    background_alpha: numberFrom(0, 100).optional(),
    ...boxFields,
    presets: byPreset({ size }),
    ...transitionFields,
  });
  const subtitleFile = z.object({
    id: id.optional(),
    file_field: id,
    offset: numberFrom(-limits.maxTimelineSeconds, limits.maxTimelineSeconds).optional(),
    ...subtitleStyle,
  });
  const auto = z.object({
    order: enumOf(AUTO_ORDERS).optional(),
    seconds_per_item: numberFrom(ITEM_SECONDS.min, ITEM_SECONDS.max).optional(),
    intro: trueOrFalse.optional(),
    outro: trueOrFalse.optional(),
    seed: wholeFrom(0, MAX_SEED).optional(),
  });
  return { auto, video, audio, soundtrack, block, tile, titleEntry, subtitle, subtitleFile };
}
