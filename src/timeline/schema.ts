import * as z from 'zod';
import type { TimelineLimits } from './limits.ts';

/**
 * The three documents of a request, field by field: the one source of the types, the checks and the OpenAPI schemas.
 *
 * zod 4, because its schemas infer the types and print as JSON Schema 2020-12, the dialect of OpenAPI 3.1. Its messages
 * are not used: each leaf carries what is allowed as its error text ("a number from 0.1 to 10"), and check-schema.ts makes
 * the sentence and the JSON Pointer around it.
 */
export function requestSchemas(limits: TimelineLimits): RequestSchemas {
  let schemas = made.get(limits);
  if (schemas === undefined) {
    schemas = makeSchemas(limits);
    made.set(limits, schemas);
  }
  return schemas;
}

/** Making them takes longer than checking most requests. */
const made = new WeakMap<TimelineLimits, RequestSchemas>();

function makeSchemas(limits: TimelineLimits) {
  const text = textUpTo(limits.maxTextLength);
  const id = textUpTo(MAX_ID_LENGTH);
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

  const row = z.object({
    id,
    label: text.optional(),
    color: hexColor.optional(),
    item_ids: listOf(id, limits.maxItems).optional(),
  });
  const picture = 'The form field of its picture: JPEG, HEIC, PNG, WebP, AVIF, TIFF, GIF, BMP or SVG.';
  const item = z.object({
    id,
    name: text.optional(),
    file_field: id.optional().meta({ description: picture }),
    fit: oneOf(CARD_FITS)
      .optional()
      .meta({ description: 'How its picture fills its card: whole, or filling it; `settings.card.fit` if absent.' }),
    score: text.optional().meta({ description: 'Stands under the name in a spotlight: "9/10".' }),
    note: text.optional().meta({ description: 'Stands under name and score in a spotlight.' }),
  });
  const card = z.object(
    {
      shape: oneOf(CARD_SHAPES)
        .optional()
        .meta({ description: '`auto`, if absent: the shape most of the pictures have.' }),
      fit: oneOf(CARD_FITS)
        .optional()
        .meta({ description: 'If absent, pictures fill their card unless more than a tenth of them would be lost.' }),
      names: oneOf(CARD_NAMES)
        .optional()
        .meta({ description: 'Under the pictures; `auto`, if absent: where there is room.' }),
    },
    'an object',
  );
  const themeNames = `one of ${THEMES.map((name) => `"${name}"`).join(', ')}`;
  const theme = z.union(
    [
      z.enum(THEMES, themeNames),
      z.object({
        base: oneOf(THEMES)
          .optional()
          .meta({ description: 'The theme everything else is taken from; `midnight` if absent.' }),
        panel_color: hexColor.optional(),
        lane_color: hexColor.optional(),
        line_color: hexColor.optional().meta({ description: 'Of the edges of panel, pool and cards.' }),
        text_color: hexColor.optional().meta({ description: 'Of the title and of the names under pictures.' }),
        card_color: hexColor.optional().meta({ description: 'Behind names, and behind pictures one can see through.' }),
        panel_opacity: numberFrom(0, 100).optional(),
        corner: numberFrom(0, 100)
          .optional()
          .meta({ description: 'How round corners are: 0 square, 50 as `midnight`.' }),
        glass: trueOrFalse.optional().meta({ description: 'Blurs what lies under the panel.' }),
        font_field: id
          .optional()
          .meta({ description: 'The form field of a font (TTF, OTF or WOFF2) for the board and the subtitles.' }),
      }),
    ],
    `${themeNames}, or an object over one of them`,
  );

  const side = numberFrom(64, limits.maxOutputSide);
  const settings = z.object({
    preset: textUpTo(MAX_ID_LENGTH).optional().meta({ description: 'A preset name or one of its aliases.' }),
    fps: numberFrom(1, limits.maxOutputFps).optional(),
    quality: oneOf(QUALITIES).optional(),
    width: side.optional(),
    height: side.optional(),
    encoder_preset: oneOf(ENCODER_PRESETS).optional(),
    audio_bitrate: bitrate.optional(),
    file_name: text.optional(),
    fit: oneOf(FITS).optional(),
    background: hexColor.optional(),
    reveal: oneOf(REVEALS).optional(),
    card: card.optional().meta({ description: 'What cards look like.' }),
    theme: theme.optional().meta({ description: 'How the board looks; `midnight` if absent.' }),
    reveal_sound: id
      .optional()
      .meta({ description: '`none`, `pop`, `whoosh`, `impact`, or the form field of a sound.' }),
    counter: trueOrFalse.optional().meta({ description: 'Shows on the board how many items are in place: "7/24".' }),
    progress_bar: trueOrFalse.optional().meta({ description: 'A thin line that fills as the video goes by.' }),
    shorts: trueOrFalse
      .optional()
      .meta({ description: 'A short portrait video of every reveal, rendered when it is asked for.' }),
    loudness: numberFrom(-30, -10).optional().meta({ description: 'LUFS; the level is left alone if absent.' }),
    crop_unit: oneOf(CROP_UNITS).optional(),
    volume_unit: oneOf(VOLUME_UNITS).optional(),
    trim_end_as: oneOf(TRIM_END_READINGS).optional(),
  });
  return { video, audio, soundtrack, block, tile, subtitle, subtitleFile, row, item, settings, title: text };
}

export const FITS = ['contain', 'cover', 'blur'] as const;
export const QUALITIES = ['draft', 'balanced', 'high'] as const;
export const CARD_SHAPES = ['auto', 'square', 'portrait', 'landscape'] as const;
export const CARD_FITS = ['contain', 'cover'] as const;
export const CARD_NAMES = ['auto', 'always', 'never'] as const;
export const THEMES = ['midnight', 'paper', 'neon', 'broadcast'] as const;
export const REVEALS = ['none', 'pop', 'spotlight', 'slam'] as const;
/** Sounds made by code. (C45) */
export const MADE_SOUNDS = ['pop', 'whoosh', 'impact'] as const;
export const TRANSITIONS = ['none', 'fade', 'rise', 'slide'] as const;
export const CLIP_SHAPES = ['rect', 'rounded', 'circle'] as const;
export const CROP_UNITS = ['auto', 'fraction', 'percent', 'pixel'] as const;
export const VOLUME_UNITS = ['gain', 'percent'] as const;
export const TRIM_END_READINGS = ['out_point', 'cut'] as const;
const ALIGNMENTS = ['left', 'center', 'centre', 'middle', 'right'] as const;
export const ENCODER_PRESETS = [
  'ultrafast',
  'superfast',
  'veryfast',
  'faster',
  'fast',
  'medium',
  'slow',
  'slower',
  'veryslow',
] as const;

const MAX_ID_LENGTH = 1000;
const MAX_TRANSITION_SECONDS = 5;
const MAX_WORDS = 500;

const trueOrFalse = z.boolean('true or false');
const sourceSecond = numberFrom(0, 1_000_000);
const cropNumber = numberFrom(0, 100_000);
const percentPlace = numberFrom(-1000, 1000);
const percentSize = positiveUpTo(1000);
const HEX_COLOR = 'a colour of the form "#rrggbb"';
const hexColor = z.string(HEX_COLOR).regex(/^#[0-9a-fA-F]{6}$/, HEX_COLOR);

/** kbit/s; `"192k"` too, since that is how ffmpeg users write it. */
const BITRATE = 'a number from 32 to 512 (kbit/s), or a text such as "192k"';
const bitrate = z.union(
  [
    z.number(BITRATE).min(32, BITRATE).max(512, BITRATE),
    z.string(BITRATE).regex(/^(3[2-9]|[4-9][0-9]|[1-4][0-9]{2}|50[0-9]|51[0-2])k$/, BITRATE),
  ],
  BITRATE,
);

/** The checked shapes, by lane. */
export type RequestSchemas = ReturnType<typeof makeSchemas>;
export type RawVideo = z.infer<RequestSchemas['video']>;
export type RawAudio = z.infer<RequestSchemas['audio']>;
export type RawSoundtrack = z.infer<RequestSchemas['soundtrack']>;
export type RawBlock = z.infer<RequestSchemas['block']>;
export type RawTile = z.infer<RequestSchemas['tile']>;
export type RawSubtitle = z.infer<RequestSchemas['subtitle']>;
export type RawSubtitleFile = z.infer<RequestSchemas['subtitleFile']>;
export type RawRow = z.infer<RequestSchemas['row']>;
export type RawItem = z.infer<RequestSchemas['item']>;
export type RawSettings = z.infer<RequestSchemas['settings']>;

function numberFrom(min: number, max: number) {
  const allowed = `a number from ${min} to ${max}`;
  return z.number(allowed).min(min, allowed).max(max, allowed);
}

function wholeFrom(min: number, max: number) {
  const allowed = `a whole number from ${min} to ${max}`;
  return z.number(allowed).int(allowed).min(min, allowed).max(max, allowed);
}

function positiveUpTo(max: number) {
  const allowed = `a number above 0, up to ${max}`;
  return z.number(allowed).gt(0, allowed).max(max, allowed);
}

function textUpTo(length: number) {
  const allowed = `a text of at most ${length} characters`;
  return z.string(allowed).max(length, allowed);
}

function oneOf<const T extends readonly [string, ...string[]]>(choices: T) {
  return z.enum(choices, `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`);
}

function listOf<T extends z.ZodType>(entry: T, most: number) {
  const allowed = `a list of at most ${most}`;
  return z.array(entry, allowed).max(most, allowed);
}
