/** The choices of fields, in the words of the wire. */
export const FITS = ['contain', 'cover', 'blur'] as const;
export const QUALITIES = ['draft', 'balanced', 'high', 'upload'] as const;
export const CARD_SHAPES = ['auto', 'square', 'portrait', 'landscape'] as const;
export const CARD_FITS = ['contain', 'cover'] as const;
export const CARD_NAMES = ['auto', 'always', 'never'] as const;
/** Whether rows form one column, or are placed side by side if cards become larger. (C53) */
export const BOARD_LAYOUTS = ['ladder', 'auto'] as const;
/** Where board, camera and texts stand. (R42) */
export const LAYOUTS = ['board', 'right', 'left', 'corner', 'top', 'full'] as const;
/** When the pool is shown. (C65) */
export const POOLS = ['auto', 'always', 'never'] as const;
export const THEMES = ['midnight', 'pop', 'broadcast', 'neon', 'paper', 'arcade', 'chalk', 'mono'] as const;
/** Families that ship. `plan/model/fonts.ts` has their weights. (C63) */
export const FONTS = [
  'Noto Sans',
  'Inter',
  'Montserrat',
  'Poppins',
  'Rubik',
  'Nunito',
  'Oswald',
  'Playfair Display',
  'Anton',
  'Bangers',
] as const;
/** Looks of captions; `plain` is that of a subtitle without a style. (C62) */
export const CAPTION_STYLES = ['plain', 'outline', 'box', 'pill', 'pop', 'shout'] as const;
/** How a caption shows which word is being spoken. */
export const HIGHLIGHTS = ['color', 'pill', 'scale'] as const;
export const BACKGROUNDS = ['theme', 'gradient', 'image', 'blur'] as const;
/** Which fields each kind of background has; the first is required. (C61) */
export const BACKGROUND_FIELDS = {
  theme: [],
  gradient: ['colors', 'angle', 'moving'],
  image: ['file_field', 'blur'],
  blur: ['of', 'follow'],
} as const satisfies Readonly<Record<(typeof BACKGROUNDS)[number], readonly string[]>>;
/** The kinds of titles: a text on a plate, a name at the side, or a card that fills the canvas. (C60) */
export const TITLE_KINDS = ['label', 'lower_third', 'card'] as const;
export const REVEALS = ['none', 'pop', 'spotlight', 'slam'] as const;
/** In which order `auto` reveals items. (C64) */
export const AUTO_ORDERS = ['worst_first', 'best_first', 'listed', 'shuffled'] as const;
/** The effect of a landing besides the light in its row. (C55) */
export const EFFECTS = ['none', 'confetti'] as const;
/** Sounds made by code. (C45) */
const MADE_SOUNDS = ['pop', 'whoosh', 'impact', 'riser', 'drum_roll', 'ding', 'sad'] as const;
/** What may be heard with a reveal: the sounds of the theme (R41), or one made sound. */
export const REVEAL_SOUNDS = ['theme', ...MADE_SOUNDS] as const;
/** The role of a soundtrack: voice ducks music. (C57) */
export const SOUND_ROLES = ['music', 'voice'] as const;
/** How an entry appears; an exit is the same backwards. (C48) */
export const ENTRANCES = ['none', 'fade', 'rise', 'slide'] as const;
/** How a clip replaces the one before it. (C58) */
export const CLIP_TRANSITIONS = ['crossfade', 'dip', 'wipe', 'push', 'zoom'] as const;
/** How a view moves inside a clip. (C59) */
export const MOTIONS = ['ken_burns'] as const;
export const EASES = ['ease_in_out', 'linear'] as const;
/** Whether a clip is behind the board or in front of it. (C54) */
export const CLIP_LAYERS = ['below_board', 'above_board'] as const;
export const CLIP_SHAPES = ['rect', 'rounded', 'circle'] as const;
export const CROP_UNITS = ['auto', 'fraction', 'percent', 'pixel'] as const;
export const VOLUME_UNITS = ['gain', 'percent'] as const;
export const TRIM_END_READINGS = ['out_point', 'cut'] as const;
export const ALIGNMENTS = ['left', 'center', 'centre', 'middle', 'right'] as const;
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
/** What a thumbnail shows: items whose verdict is open, two of them, the first three, or a board of question marks. (R39) */
export const THUMBNAIL_STYLES = ['question', 'versus', 'podium', 'board'] as const;
/** The two formats of a thumbnail: 1280 × 720 and 720 × 1280. (R39) */
export const ORIENTATIONS = ['landscape', 'portrait'] as const;

export type Fit = (typeof FITS)[number];
export type Quality = (typeof QUALITIES)[number];
export type EncoderPreset = (typeof ENCODER_PRESETS)[number];
export type CaptionStyleName = (typeof CAPTION_STYLES)[number];
export type HighlightName = (typeof HIGHLIGHTS)[number];
export type TitleKind = (typeof TITLE_KINDS)[number];
export type FontName = (typeof FONTS)[number];
export type RevealName = (typeof REVEALS)[number];
export type BoardLayoutName = (typeof BOARD_LAYOUTS)[number];
export type LayoutName = (typeof LAYOUTS)[number];
export type PoolShown = (typeof POOLS)[number];
export type ThumbnailStyle = (typeof THUMBNAIL_STYLES)[number];
export type Orientation = (typeof ORIENTATIONS)[number];
export type ThemeName = (typeof THEMES)[number];
export type EffectName = (typeof EFFECTS)[number];
export type ChosenSound = (typeof REVEAL_SOUNDS)[number];
export type SoundRole = (typeof SOUND_ROLES)[number];
export type EntranceName = (typeof ENTRANCES)[number];
export type ClipTransitionName = (typeof CLIP_TRANSITIONS)[number];
export type ClipLayerName = (typeof CLIP_LAYERS)[number];
export type ClipShape = (typeof CLIP_SHAPES)[number];
export type VolumeUnit = (typeof VOLUME_UNITS)[number];
export type TrimEndReading = (typeof TRIM_END_READINGS)[number];
