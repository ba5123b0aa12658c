import {
  BACKGROUNDS,
  BOARD_LAYOUTS,
  CAPTION_STYLES,
  CARD_FITS,
  CARD_NAMES,
  CARD_SHAPES,
  CROP_UNITS,
  EFFECTS,
  ENCODER_PRESETS,
  type EncoderPreset,
  FITS,
  FONTS,
  HIGHLIGHTS,
  LAYOUTS,
  POOLS,
  QUALITIES,
  type Quality,
  REVEALS,
  THEMES,
  TRIM_END_READINGS,
  VOLUME_UNITS,
} from './choices.ts';
import { type CanvasShape, captionDefaults } from './default-looks.ts';
import {
  bitrate,
  choice,
  choiceById,
  color,
  colorOrKind,
  colors,
  flag,
  name,
  named,
  number,
  object,
  text,
  whole,
} from './field.ts';
import { MAX_HOLD_SECONDS } from './limits.ts';

/** The encoder preset for each quality, unless one is named. */
const ENCODER_PRESET_OF: Readonly<Record<Quality, EncoderPreset>> = {
  draft: 'ultrafast',
  balanced: 'veryfast',
  high: 'medium',
  upload: 'medium',
};

interface WithQuality {
  readonly quality?: Quality | undefined;
}

const quality = choice(QUALITIES, { default: 'balanced' });

/** All settings of an export. */
const SETTINGS = {
  preset: name('id'),
  fps: number(1, 'maxOutputFps', { unit: 'framesPerSecond', default: 30 }),
  quality,
  width: number(64, 'maxOutputSide', { unit: 'pixels', group: 'file' }),
  height: number(64, 'maxOutputSide', { unit: 'pixels', group: 'file' }),
  encoder_preset: choice(ENCODER_PRESETS, {
    default: ({ quality: of = quality.default }: WithQuality) => ENCODER_PRESET_OF[of],
    by: 'quality',
    group: 'file',
    developer: true,
  }),
  // More for sites that encode the sound again.
  audio_bitrate: bitrate({
    default: ({ quality: of }: WithQuality) => (of === 'upload' ? 384 : 192),
    by: 'quality',
    unit: 'bitrate',
    group: 'file',
  }),
  file_name: text({ group: 'file' }),
  fit: choice(FITS, { default: 'contain' }),
  background: colorOrKind('background', { default: '#000000' }),
  reveal: choice(REVEALS, { default: 'pop' }),
  reveal_hold: number(0, MAX_HOLD_SECONDS, { unit: 'seconds', default: 0.9 }),
  card: object('card', 'an object'),
  board: object('board', 'an object with layout'),
  layout: choice(LAYOUTS),
  pool: choice(POOLS, { default: 'auto' }),
  hidden_until_revealed: flag({ default: true }),
  effects: choiceById(EFFECTS),
  theme: named(THEMES, 'theme', { default: 'midnight' }),
  subtitle_style: named(CAPTION_STYLES, 'captionStyle', { default: 'plain' }),
  reveal_sound: name('sound', { default: 'none' }),
  counter: flag({ default: false }),
  progress_bar: flag({ default: false }),
  chapters: flag({ default: true }),
  shorts: flag({ default: false }),
  loudness: number(-30, -10, { unit: 'loudness' }),
  duck_db: number(0, 40, { unit: 'decibels', default: 12 }),
  music_fade: number(0, 10, { unit: 'seconds', default: 1.5 }),
  crop_unit: choice(CROP_UNITS, { default: 'auto', group: 'units', developer: true }),
  volume_unit: choice(VOLUME_UNITS, { default: 'gain', group: 'units', developer: true }),
  trim_end_as: choice(TRIM_END_READINGS, { default: 'out_point', group: 'units', developer: true }),
};

interface BasedOn {
  readonly base?: string | undefined;
}

interface OfSettings {
  readonly settings: { readonly subtitle_style?: Parameters<typeof captionDefaults>[0] };
  readonly shape: CanvasShape;
}

/** The default of a field of a caption style, by its base. */
function ofBase<V>(pick: (row: ReturnType<typeof captionDefaults>, shape: CanvasShape) => V) {
  return {
    default: (style: BasedOn, { settings, shape }: OfSettings): V =>
      pick(captionDefaults(style, settings.subtitle_style), shape),
    by: 'base',
  } as const;
}

/** The same of a field that the theme decides for some bases: these have no default here. (R44) */
function ofBaseOrTheme<V>(pick: (row: ReturnType<typeof captionDefaults>) => V) {
  return ofBase((row) => (row.byTheme ? undefined : pick(row)));
}

/** What an object over a caption style may change, besides its base and its font. (C62) */
export const CAPTION_BASICS = {
  weight: number(
    100,
    900,
    ofBase(({ weight }) => weight),
  ),
  uppercase: flag(ofBaseOrTheme(({ uppercase }) => uppercase)),
  outline_color: color(),
  outline_width: number(0, 0.5, { ...ofBase(({ outlineWidth }) => outlineWidth), unit: 'ems' }),
  highlight: choice(
    HIGHLIGHTS,
    ofBaseOrTheme(({ highlight }) => highlight),
  ),
  highlight_color: color(ofBaseOrTheme(({ highlightColor }) => highlightColor)),
  max_words: whole(1, 100, { ...ofBase(({ words }, shape) => words[shape]), perPreset: true }),
};

export const SETTINGS_FIELDS = {
  settings: SETTINGS,
  card: {
    shape: choice(CARD_SHAPES, { default: 'auto' }),
    fit: choice(CARD_FITS),
    names: choice(CARD_NAMES, { default: 'auto' }),
  },
  board: { layout: choice(BOARD_LAYOUTS, { default: 'ladder' }) },
  /** `plan/place/plan-theme.ts` has the defaults: those of its base. (C47) */
  theme: {
    base: choice(THEMES, { default: 'midnight' }),
    panel_color: color(),
    lane_color: color(),
    line_color: color(),
    text_color: color(),
    card_color: color(),
    panel_opacity: number(0, 100, { unit: 'percent' }),
    corner: number(0, 100, { unit: 'percent' }),
    glass: flag({ default: false }),
    font: choice(FONTS),
    font_field: name('font'),
  },
  /** `parseBackground` decides which fields a kind needs and accepts. (C61) */
  background: {
    kind: choice(BACKGROUNDS, { required: true }),
    colors: colors(2, 4),
    angle: number(0, 360, { unit: 'degrees', default: 180 }),
    moving: flag({ default: false }),
    file_field: name('file'),
    blur: number(0, 100, { default: 0 }),
    of: name('clip'),
    follow: flag({ default: false }),
  },
  captionStyle: { base: choice(CAPTION_STYLES), font: choice(FONTS), font_field: name('font'), ...CAPTION_BASICS },
};
