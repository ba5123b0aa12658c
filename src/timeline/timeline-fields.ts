import {
  ALIGNMENTS,
  CAPTION_STYLES,
  CLIP_LAYERS,
  CLIP_SHAPES,
  CLIP_TRANSITIONS,
  EASES,
  EFFECTS,
  ENTRANCES,
  FITS,
  type Fit,
  FONTS,
  MOTIONS,
  REVEALS,
  SOUND_ROLES,
  TITLE_KINDS,
  type TitleKind,
} from './choices.ts';
import {
  BLOCK_BOX,
  type CanvasShape,
  captionBase,
  captionDefaults,
  type PercentBox,
  SUBTITLE_BOX,
  TITLE_LOOKS,
} from './default-looks.ts';
import {
  alignment,
  byPreset,
  choice,
  color,
  flag,
  listOf,
  name,
  named,
  number,
  object,
  positive,
  seconds,
  text,
  whole,
} from './field.ts';
import { MAX_HOLD_SECONDS, MAX_VOLUME_POINTS } from './limits.ts';
import { SETTINGS_FIELDS } from './settings-fields.ts';

// A table for each concept; the entries of a lane are made of them. The order is that of the inspector. The parser
// reads what is `…_BASICS` with `filled`, so a new scalar field there needs no further code until the planner uses it.

interface Shaped {
  readonly shape: CanvasShape;
}

const ID = { id: name('id', { own: true }) };
const FILE = { file_field: name('file', { required: true, own: true }) };

/** When an entry with a length of its own is shown. */
const TIMED = {
  start: seconds({ required: true, own: true }),
  duration: positive('maxTimelineSeconds', { required: true, unit: 'seconds' }),
};

function volume<const T extends object>(traits: T) {
  return number(0, 400, { unit: 'volume', allowed: 'a number from 0 to 4, in percent from 0 to 400', ...traits });
}

/** What an absent volume means in the unit of the settings. (C17) */
function keepsVolume(_: object, { settings }: { readonly settings: { readonly volume_unit?: string | undefined } }) {
  return settings.volume_unit === 'percent' ? 100 : 1;
}

const sourceSecond = { unit: 'seconds', own: true } as const;

/** The slot and the source of a clip. */
export const SOURCE_BASICS = {
  start: seconds({ default: 0, own: true }),
  duration: positive('maxTimelineSeconds', { unit: 'seconds' }),
  trim_start: number(0, 1_000_000, { ...sourceSecond, default: 0 }),
  trim_end: number(0, 1_000_000, sourceSecond),
};

/** The sound of a clip. */
export const SOUND_BASICS = {
  fade_in: seconds({ default: 0 }),
  fade_out: seconds({ default: 0 }),
  denoise: flag({ default: false }),
};

const VOLUME = {
  volume: volume({ default: keepsVolume, by: 'volume_unit' }),
  volume_points: listOf('volumePoint', MAX_VOLUME_POINTS, 'an object with at and volume'),
};

export const SPEED = { speed: number(0.1, 10, { unit: 'times', default: 1 }) };

const crop = { unit: 'crop', group: 'crop' } as const;
const CROP = {
  crop_x: number(0, 100_000, crop),
  crop_y: number(0, 100_000, crop),
  crop_w: number(0, 100_000, crop),
  crop_h: number(0, 100_000, crop),
};

/** The box of an entry. @param side its default, by the side, the entry and the canvas. */
function boxFields<const T extends object>(side: (of: keyof PercentBox) => T) {
  const traits = { unit: 'percent', group: 'place' } as const;
  return {
    x_percent: number(-1000, 1000, { ...traits, ...side('x') }),
    y_percent: number(-1000, 1000, { ...traits, ...side('y') }),
    width_percent: positive(1000, { ...traits, ...side('width') }),
    height_percent: positive(1000, { ...traits, ...side('height') }),
  };
}

const WHOLE_CANVAS = { x: 0, y: 0, width: 100, height: 100 } as const;
const OWN_BOX = boxFields(() => ({}));

/** Entrance and exit. (C48) */
export const ENTER_EXIT = {
  enter: choice(ENTRANCES, { group: 'looks' }),
  exit: choice(ENTRANCES, { group: 'looks' }),
  enter_duration: positive(5, { unit: 'seconds', default: 0.3, group: 'looks' }),
};

/** For entries that neither enter nor leave by default. */
const CUTS = {
  ...ENTER_EXIT,
  enter: choice(ENTRANCES, { group: 'looks', default: 'none' }),
  exit: choice(ENTRANCES, { group: 'looks', default: 'none' }),
};

interface Bordered {
  readonly border_color?: string | undefined;
  readonly border_width?: number | undefined;
}

/** The look of a picture-in-picture. (C48) */
export const CLIP_LOOK = {
  shape: choice(CLIP_SHAPES, { group: 'looks' }),
  border_color: color({
    default: ({ border_width: width }: Bordered) => (width === undefined ? undefined : '#ffffff'),
    group: 'looks',
  }),
  border_width: number(0, 200, {
    default: ({ border_color: border }: Bordered) => (border === undefined ? undefined : 6),
    unit: 'pixels',
    group: 'looks',
  }),
  shadow: flag({ default: false, group: 'looks' }),
};

/** Of a video. */
export const VIDEO_BASICS = {
  fit: choice(FITS, {
    default: (_: object, { settings }: { readonly settings: { readonly fit?: Fit | undefined } }) =>
      settings.fit ?? SETTINGS_FIELDS.settings.fit.default,
  }),
  layer: choice(CLIP_LAYERS),
};

const motion = named(MOTIONS, 'motion', { allowed: 'an object with from and to, or "ken_burns"' });

const VIDEO = {
  ...ID,
  ...FILE,
  ...SOURCE_BASICS,
  ...SPEED,
  ...VOLUME,
  ...SOUND_BASICS,
  ...VIDEO_BASICS,
  ...CROP,
  ...boxFields((side) => ({ default: WHOLE_CANVAS[side] })),
  ...CLIP_LOOK,
  ...CUTS,
  presets: byPreset('videoPlace'),
  transition: object('transition', 'an object with kind and duration'),
  motion,
};

const AUDIO = { ...ID, ...FILE, ...SOURCE_BASICS, ...SPEED, ...VOLUME, ...SOUND_BASICS, ...CROP };

export const SOUNDTRACK_BASICS = { loop: flag({ default: false }), role: choice(SOUND_ROLES) };

const SOUNDTRACK = { ...ID, ...FILE, ...SOURCE_BASICS, ...VOLUME, ...SOUNDTRACK_BASICS, ...SOUND_BASICS };

const BLOCK = {
  ...ID,
  ...TIMED,
  ...boxFields((side) => ({ default: (_: object, { shape }: Shaped) => BLOCK_BOX[shape][side], perPreset: true })),
  ...ENTER_EXIT,
  presets: byPreset('boardPlace'),
};

interface Tile {
  readonly reveal?: string | undefined;
  readonly to_row?: string | undefined;
}

/** Whether a tile is a spotlight; `settings.reveal` does not apply to moves. (C55) */
function isSpotlight({ reveal, to_row: moved }: Tile, settings: { readonly reveal?: string | undefined }): boolean {
  return (reveal ?? (moved === undefined ? settings.reveal : undefined)) === 'spotlight';
}

export const TILE_BASICS = { effect: choice(EFFECTS) };

const TILE = {
  ...ID,
  tier_item_id: name('id', { required: true, own: true }),
  position: seconds({ required: true, own: true }),
  reveal: choice(REVEALS),
  hold: number(0, MAX_HOLD_SECONDS, { unit: 'seconds', when: isSpotlight }),
  stamp_at: seconds({ own: true, when: isSpotlight }),
  to_row: name('row', { own: true }),
  index: whole(0, 'maxItems', { own: true, when: ({ to_row: moved }: Tile) => moved !== undefined }),
  ...TILE_BASICS,
  sound_field: name('sound'),
  sound_volume: volume({ default: keepsVolume, by: 'volume_unit' }),
};

const FONT = { font: choice(FONTS), font_field: name('font') };
const SIZE_LIMITS = [1, 1000] as const;

interface Titled {
  readonly kind?: TitleKind | undefined;
}

const kind = choice(TITLE_KINDS, { default: 'label' });

function titleLook({ kind: of = kind.default }: Titled) {
  return TITLE_LOOKS[of];
}

export const TITLE_BASICS = {
  subtext: text({ default: '' }),
  kind,
  align: alignment(ALIGNMENTS, { default: (title: Titled) => titleLook(title).align, by: 'kind' }),
  size: number(...SIZE_LIMITS, {
    default: (title: Titled) => titleLook(title).size,
    by: 'kind',
    unit: 'pixels',
  }),
  text_color: color(),
  background_color: color(),
  background_alpha: number(0, 100, { unit: 'percent' }),
};

const TITLE = {
  ...ID,
  text: text({ required: true, long: true, own: true }),
  ...TIMED,
  ...TITLE_BASICS,
  ...FONT,
  // A title that is aligned to the right, or shown with a board, has another place.
  ...boxFields((side) => ({
    default: (title: Titled, { shape }: Shaped) => titleLook(title).box[shape][side],
    perPreset: true,
  })),
  ...ENTER_EXIT,
  presets: byPreset('textPlace'),
};

interface Plated {
  readonly background_color?: string | undefined;
  readonly background_alpha?: number | undefined;
}

type Style = Parameters<typeof captionDefaults>[0];

/** The type of a subtitle. */
export const SUBTITLE_BASICS = {
  size: number(...SIZE_LIMITS, {
    default: (
      { style }: { readonly style?: Style },
      { settings, shape }: Shaped & { readonly settings: { readonly subtitle_style?: Style } },
    ) => captionDefaults(style, settings.subtitle_style).size[shape],
    by: 'style',
    perPreset: true,
    unit: 'pixels',
  }),
  letter_spacing: number(-0.1, 1, { unit: 'ems', default: 0 }),
  align: alignment(ALIGNMENTS, { default: 'center' }),
  text_color: color({ default: '#ffffff' }),
  background_color: color({
    default: ({ background_alpha: alpha }: Plated) => (alpha === undefined ? undefined : '#000000'),
  }),
  background_alpha: number(0, 100, {
    default: ({ background_color: plate }: Plated) => (plate === undefined ? undefined : 60),
    unit: 'percent',
  }),
};

const style = named(CAPTION_STYLES, 'captionStyle', {
  default: (_: object, { settings }: { readonly settings: { readonly subtitle_style?: Style } }) =>
    captionBase(settings.subtitle_style),
});

/** How the subtitles of an entry look, and where they are. */
const SUBTITLE_LOOK = {
  ...SUBTITLE_BASICS,
  ...boxFields((side) => ({ default: (_: object, { shape }: Shaped) => SUBTITLE_BOX[shape][side], perPreset: true })),
  ...CUTS,
};

const SUBTITLE = {
  ...ID,
  text: text({ required: true, long: true, own: true }),
  ...TIMED,
  words: listOf('word', 500, 'an object with text and start'),
  ...SUBTITLE_LOOK,
  style,
  presets: byPreset('textPlace'),
};

const SUBTITLE_FILE = {
  ...ID,
  ...FILE,
  offset: number('-maxTimelineSeconds', 'maxTimelineSeconds', { unit: 'seconds', default: 0 }),
  ...SUBTITLE_LOOK,
  style,
  presets: byPreset('textPlace'),
};

/** Where a motion begins or ends. (C59) */
const VIEW = {
  x: number(0, 100, { unit: 'percent', default: 50 }),
  y: number(0, 100, { unit: 'percent', default: 50 }),
  scale: number(1, 10, { unit: 'times', default: 1 }),
};

const HIDDEN = { hidden: flag({ default: false }) };

export const TIMELINE_FIELDS = {
  video: VIDEO,
  audio: AUDIO,
  soundtrack: SOUNDTRACK,
  block: BLOCK,
  tile: TILE,
  titleEntry: TITLE,
  subtitle: SUBTITLE,
  subtitleFile: SUBTITLE_FILE,

  // The place of an entry in one preset takes precedence. (C42)
  videoPlace: { ...OWN_BOX, fit: choice(FITS), layer: choice(CLIP_LAYERS), motion, ...HIDDEN },
  boardPlace: { ...OWN_BOX, ...HIDDEN },
  textPlace: { ...OWN_BOX, size: number(...SIZE_LIMITS, { unit: 'pixels' }), ...HIDDEN },

  /** How a clip replaces the one before it. (C58) */
  transition: {
    kind: choice(CLIP_TRANSITIONS, { required: true }),
    duration: number(0.1, 3, { unit: 'seconds', default: 0.5 }),
  },
  motion: {
    from: object('view', 'an object with x, y and scale'),
    to: object('view', 'an object with x, y and scale'),
    ease: choice(EASES, { default: 'ease_in_out' }),
    before: seconds({ default: 0 }),
    after: seconds({ default: 0 }),
  },
  view: VIEW,
  volumePoint: { at: seconds({ required: true }), volume: volume({ required: true }) },
  word: {
    text: text({ required: true }),
    start: seconds({ required: true }),
    end: seconds(),
    confidence: number(0, 1),
  },
};
