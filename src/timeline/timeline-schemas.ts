import * as z from 'zod';
import { ALIGNMENTS, CLIP_SHAPES, FITS, REVEALS, TRANSITIONS } from './choices.ts';
import type { TimelineLimits } from './limits.ts';
import {
  hexColor,
  id,
  listOf,
  numberFrom,
  oneOf,
  positiveUpTo,
  textUpTo,
  trueOrFalse,
  wholeFrom,
} from './schema-leaves.ts';

const MAX_TRANSITION_SECONDS = 5;
const MAX_WORDS = 500;

const sourceSecond = numberFrom(0, 1_000_000);
const cropNumber = numberFrom(0, 100_000);
const percentPlace = numberFrom(-1000, 1000);
const percentSize = positiveUpTo(1000);

/** An entry of each lane. */
export function timelineSchemas(limits: TimelineLimits) {
  const text = textUpTo(limits.maxTextLength);
  const second = numberFrom(0, limits.maxTimelineSeconds);
  const fade = numberFrom(0, limits.maxTimelineSeconds);

  /** Where and from what a clip plays. */
  const sourceFields = {
    id: id.optional().meta({ description: 'Names the entry in messages; its place in the lane if absent.' }),
    file_field: id.meta({ description: 'The form field the file is uploaded under, to the letter.' }),
    start: second.optional().meta({ description: 'Seconds on the timeline; 0 if absent.' }),
    duration: positiveUpTo(limits.maxTimelineSeconds)
      .optional()
      .meta({ description: 'Seconds on the timeline; what the trim leaves, at its speed, if absent.' }),
    trim_start: sourceSecond.optional().meta({ description: 'In-point, in source seconds.' }),
    trim_end: sourceSecond.optional().meta({ description: 'Out-point, in source seconds; 0 or absent: the end.' }),
    volume: numberFrom(0, 400)
      .optional()
      .meta({ description: 'Gain from 0 to 4, or percent from 0 to 400 with `volume_unit: percent`.' }),
    fade_in: fade.optional().meta({ description: 'Seconds, picture and sound.' }),
    fade_out: fade.optional().meta({ description: 'Seconds, picture and sound.' }),
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
  /** An entry's own place in one shape: what it says there wins. (C42) */
  const inShapes = <F extends z.ZodRawShape>(more: F) =>
    z
      .record(id, z.object({ ...boxFields, ...more, hidden: trueOrFalse.optional() }, 'an object'), 'an object')
      .optional()
      .meta({ description: 'By preset name or alias: the place of the entry in that shape, or `hidden: true`.' });
  const speed = numberFrom(0.1, 10).optional().meta({ description: 'Pitch is kept.' });

  const fit = oneOf(FITS).optional();
  /** How something comes and goes. (C48) */
  const transitionFields = {
    enter: oneOf(TRANSITIONS)
      .optional()
      .meta({ description: 'How it comes. Tier blocks fade, all else is just there.' }),
    exit: oneOf(TRANSITIONS).optional().meta({ description: 'How it goes.' }),
    enter_duration: positiveUpTo(MAX_TRANSITION_SECONDS)
      .optional()
      .meta({ description: 'Seconds that coming and going take, each; 0.3 if absent.' }),
  };
  /** What a picture in a picture looks like. (C48) */
  const lookFields = {
    shape: oneOf(CLIP_SHAPES)
      .optional()
      .meta({ description: 'Of a picture in a picture: `rounded` beside a board, else `rect`.' }),
    border_color: hexColor.optional(),
    border_width: numberFrom(0, 200)
      .optional()
      .meta({ description: 'Pixels where the shorter side of the canvas is 1080; 6 where a colour is given.' }),
    shadow: trueOrFalse.optional(),
  };

  const video = z.object({
    ...sourceFields,
    speed,
    ...cropFields,
    ...boxFields,
    fit,
    presets: inShapes({ fit }),
    ...lookFields,
    ...transitionFields,
  });
  const audio = z.object({ ...sourceFields, speed, ...cropFields });
  const soundtrack = z.object({ ...sourceFields, loop: trueOrFalse.optional() });
  const block = z.object({
    id: id.optional(),
    start: second,
    duration: positiveUpTo(limits.maxTimelineSeconds),
    ...boxFields,
    presets: inShapes({}),
    ...transitionFields,
  });
  const tile = z.object({
    id: id.optional(),
    tier_item_id: id,
    position: second,
    reveal: oneOf(REVEALS).optional().meta({ description: '`settings.reveal` if absent.' }),
    to_row: id.optional().meta({ description: 'Moves the item to the row of that id, from wherever it is.' }),
    index: wholeFrom(0, limits.maxItems)
      .optional()
      .meta({ description: 'Its place in that row, from 0; the end of it if absent. Only with `to_row`.' }),
    sound_field: id.optional().meta({
      description:
        'The form field of a sound, or `none`, `pop`, `whoosh`, `impact`; `settings.reveal_sound` if absent.',
    }),
    sound_volume: numberFrom(0, 400).optional().meta({ description: 'As `volume` of a clip.' }),
  });
  /** How a subtitle looks and where it stands. */
  const size = numberFrom(1, 1000)
    .optional()
    .meta({ description: 'Pixels where the shorter side of the canvas is 1080.' });
  const subtitleStyle = {
    size,
    align: oneOf(ALIGNMENTS).optional(),
    text_color: hexColor.optional(),
    background_color: hexColor.optional(),
    background_alpha: numberFrom(0, 100).optional(),
    ...boxFields,
    presets: inShapes({ size }),
    ...transitionFields,
  };
  const subtitle = z.object({
    id: id.optional(),
    text,
    start: second,
    duration: positiveUpTo(limits.maxTimelineSeconds),
    words: listOf(z.object({ text, start: second }, 'an object with text and start'), MAX_WORDS)
      .optional()
      .meta({
        description: 'Words of the text, in its order, and the second of the timeline at which each is spoken.',
      }),
    ...subtitleStyle,
  });
  const subtitleFile = z.object({
    id: id.optional(),
    file_field: id.meta({ description: 'The form field of an SRT or WebVTT file, in UTF-8 or UTF-16.' }),
    offset: numberFrom(-limits.maxTimelineSeconds, limits.maxTimelineSeconds)
      .optional()
      .meta({ description: 'Seconds by which all of its subtitles are later; 0 if absent.' }),
    ...subtitleStyle,
  });
  return { video, audio, soundtrack, block, tile, subtitle, subtitleFile };
}
