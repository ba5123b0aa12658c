import type { Issue } from '../errors.ts';
import type { FrameRate, Seconds } from '../time.ts';
import type {
  BOARD_LAYOUTS,
  CAPTION_STYLES,
  CARD_FITS,
  CARD_NAMES,
  CARD_SHAPES,
  CLIP_LAYERS,
  CLIP_SHAPES,
  CLIP_TRANSITIONS,
  CROP_UNITS,
  EASES,
  EFFECTS,
  ENCODER_PRESETS,
  FITS,
  FONTS,
  HIGHLIGHTS,
  MADE_SOUNDS,
  POOLS,
  QUALITIES,
  REVEALS,
  SOUND_ROLES,
  THEMES,
  TITLE_KINDS,
  TRANSITIONS,
  TRIM_END_READINGS,
  VOLUME_UNITS,
} from './choices.ts';

/**
 * The checked and complete request: every default is filled in, every alias resolved, and every unit that does not
 * depend on the media. `path` is always the entry's own JSON Pointer, also in legacy documents.
 */
export interface ExportRequest {
  readonly tierList: TierList;
  /** False for a legacy client that sent none: then there is no board, even if there are blocks. (C25) */
  readonly hasTierList: boolean;
  readonly timeline: Timeline;
  /** The timeline document with the entries that `auto` added; null: it added none. (C64) */
  readonly completed: Readonly<Record<string, unknown>> | null;
  readonly settings: Settings;
  readonly warnings: readonly Issue[];
}

export interface TierList {
  readonly title: string;
  readonly rows: readonly TierRow[];
  readonly items: readonly TierItem[];
}

export interface TierRow {
  readonly path: string;
  readonly id: string;
  readonly label: string;
  readonly color: string;
  /** Indices into `TierList.items`; an item is in one row at most. (C22) */
  readonly items: readonly number[];
}

export interface TierItem {
  readonly path: string;
  readonly id: string;
  readonly name: string;
  readonly media: MediaRef | null;
  /** How its picture fills its card; null: by the settings. (C46) */
  readonly fit: CardFit | null;
  /** The visible part of its picture; null: the middle, in the size of its fit. (R35) */
  readonly view: Camera | null;
  /** Shown under the name in a spotlight; empty: not shown. (C45) */
  readonly score: string;
  readonly note: string;
}

/** A mention of an upload, with its path. */
export interface MediaRef {
  readonly field: string;
  readonly path: string;
}

export interface Timeline {
  readonly videos: readonly VideoEntry[];
  readonly audios: readonly AudioEntry[];
  readonly soundtracks: readonly SoundtrackEntry[];
  readonly blocks: readonly BlockEntry[];
  readonly tiles: readonly TileEntry[];
  readonly titles: readonly TitleEntry[];
  /** Those of the documents, then those of files. */
  readonly subtitles: readonly SubtitleEntry[];
  /** The files that hold subtitles. They are read as text and used nowhere else. (C43) */
  readonly subtitleFiles: readonly MediaRef[];
}

/** The common fields of clips: a source, a window into it, a slot on the timeline. */
export interface SourceEntry {
  readonly path: string;
  readonly id: string;
  readonly media: MediaRef;
  readonly start: Seconds;
  /** null: the trimmed length, at its speed. (C15) */
  readonly duration: Seconds | null;
  readonly trimStart: Seconds;
  /** null: the source's end. Interpreted by `Settings.trimEndAs`. (C16) */
  readonly trimEnd: Seconds | null;
  readonly speed: number;
  /** Linear, 1 keeps. */
  readonly gain: number;
  /** Multiplies the gain over the slot, by the second from the entry's start, ascending; empty: 1. (C80) */
  readonly volumePoints: readonly VolumePoint[];
  /** Whether steady noise is reduced. (C80) */
  readonly denoise: boolean;
  readonly fadeIn: Seconds;
  readonly fadeOut: Seconds;
}

/** A gain that holds at one second of an entry; linear, 1 keeps. */
export interface VolumePoint {
  readonly at: Seconds;
  readonly gain: number;
}

export interface VideoEntry extends SourceEntry {
  /** Whether its id was sent; otherwise the id is its place in the lane. */
  readonly hasOwnId: boolean;
  readonly crop: Crop | null;
  /** Empty: the whole canvas. */
  readonly box: GivenBox;
  readonly fit: Fit;
  /** null: by how much of the canvas its box covers. (C54) */
  readonly layer: ClipLayerName | null;
  readonly byPreset: PlacesByPreset;
  readonly look: ClipLookEntry;
  readonly comesAndGoes: ComingAndGoing;
  /** Its transition from the clip before it; null: a cut. (C58) */
  readonly transition: { readonly kind: ClipTransitionName; readonly duration: Seconds } | null;
  /** How its view moves; null: it does not. (C59) */
  readonly motion: MotionEntry | null;
}

/** A view of a picture: its centre, and how much larger than its fit the picture is. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Pan and zoom over a clip's slot, in percent of its cut. (C59) */
export type MotionEntry =
  | 'ken_burns'
  | {
      readonly from: Camera;
      readonly to: Camera;
      readonly ease: (typeof EASES)[number];
      /** It begins this many seconds before the slot, and ends this many after it. */
      readonly before: Seconds;
      readonly after: Seconds;
    };

/** The look of a picture-in-picture; absent fields have defaults. (C48) */
export interface ClipLookEntry {
  readonly shape: ClipShape | null;
  /** `width` in pixels where the canvas's shorter side is 1080. */
  readonly border: { readonly color: string; readonly width: number } | null;
  readonly shadow: boolean;
}

/** The entrance and exit of an entry; null: the default of its kind. (C48) */
export interface ComingAndGoing {
  readonly enter: TransitionName | null;
  readonly exit: TransitionName | null;
  /** Of each of the two. */
  readonly duration: Seconds;
}

export type AudioEntry = SourceEntry;

export interface SoundtrackEntry extends SourceEntry {
  /** null: it is neither ducked by voice nor counts as voice. (C57) */
  readonly role: SoundRole | null;
  readonly loop: boolean;
}

export interface BlockEntry {
  readonly path: string;
  readonly id: string;
  readonly start: Seconds;
  readonly duration: Seconds;
  readonly box: GivenBox;
  readonly byPreset: PlacesByPreset;
  readonly comesAndGoes: ComingAndGoing;
}

/** A reveal of an item, or a move to another row. */
export interface TileEntry {
  readonly path: string;
  readonly id: string;
  /** Index into `TierList.items`. */
  readonly item: number;
  readonly position: Seconds;
  /**
   * How its card appears; `move`: it is lifted from one place to another, which is the default of a move. (C45, C55)
   */
  readonly style: RevealName | 'move';
  readonly verdict: TileVerdict;
  /** The effect of its landing; null: that of its row. (C55) */
  readonly effect: EffectName | null;
  /** The target of a move, or null: it is a reveal. (C44) */
  readonly move: { readonly row: number /** null: the end. */; readonly index: number | null } | null;
  readonly sound: TileSound | null;
}

/** When a spotlight stamps its verdict. A verdict of the tile itself (`own`) is never shortened or moved. (C55, R26) */
type TileVerdict =
  | { readonly by: 'hold'; readonly hold: Seconds; readonly own: boolean }
  | { readonly by: 'stamp_at'; readonly at: Seconds };

/** The sound of a tile. (C45) */
export interface TileSound {
  readonly sound: ChosenSound | MediaRef;
  /** Linear, 1 keeps. */
  readonly gain: number;
  /** Whether the tile itself asks for it. */
  readonly own: boolean;
}

/** A text that is neither subtitle nor caption; null: its kind or the theme decides. (C60) */
export interface TitleEntry {
  readonly path: string;
  readonly id: string;
  readonly text: string;
  /** Empty: there is none. */
  readonly subtext: string;
  readonly start: Seconds;
  readonly duration: Seconds;
  readonly kind: TitleKind;
  readonly align: 'left' | 'center' | 'right' | null;
  readonly font: FontChoice | null;
  /** Pixels where the canvas's shorter side is 1080. */
  readonly size: number | null;
  readonly color: string | null;
  /** `alpha` from 0 to 1. */
  readonly background: { readonly color: string | null; readonly alpha: number | null };
  readonly box: GivenBox;
  readonly byPreset: PlacesByPreset;
  readonly comesAndGoes: ComingAndGoing;
}

export interface SubtitleEntry {
  readonly path: string;
  readonly id: string;
  readonly text: string;
  readonly start: Seconds;
  readonly duration: Seconds;
  /** null: no style, which is the same as `plain`. (C62) */
  readonly style: CaptionStyle | null;
  /** Pixels where the canvas's shorter side is 1080; null: the style's. */
  readonly size: number | null;
  readonly align: 'left' | 'center' | 'right';
  readonly color: string;
  /** `alpha` from 0 to 1. */
  readonly background: { readonly color: string; readonly alpha: number } | null;
  readonly box: GivenBox;
  readonly byPreset: PlacesByPreset;
  /** How many lines higher it is placed, if other cues of its file are shown below it at the same time. */
  readonly raisedLines: number;
  /** Words of the text, in order, that light up when they are spoken; empty: the whole text is shown at once. (C43) */
  readonly words: readonly SpokenWord[];
  readonly comesAndGoes: ComingAndGoing;
}

/** A caption style, and the changes to it. (C62) */
export interface CaptionStyle {
  readonly base: CaptionStyleName;
  readonly font: FontChoice | null;
  readonly weight?: number;
  readonly uppercase?: boolean;
  readonly outlineColor?: string;
  /** In ems. */
  readonly outlineWidth?: number;
  readonly highlightColor?: string;
  readonly highlight?: HighlightName;
  readonly maxWords?: number;
}

/** Part of a subtitle's text, by its characters, and when it is spoken. */
export interface SpokenWord {
  readonly from: number;
  readonly to: number;
  readonly start: Seconds;
}

/** Percent of the canvas. */
export interface PercentBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The given fields of a box, in percent of the canvas; the others have defaults, which depend on the canvas. (C21, C23)
 */
export type GivenBox = Partial<PercentBox>;

/** The place of an entry in one preset. (C42) */
export interface PresetPlace {
  readonly box: GivenBox;
  readonly fit?: Fit;
  readonly layer?: ClipLayerName;
  readonly motion?: MotionEntry;
  readonly size?: number;
  readonly hidden: boolean;
}

/** By the preset's own name, aliases resolved. */
export type PlacesByPreset = Readonly<Record<string, PresetPlace>>;

/** A part of the upright picture, in the unit of the request; null sides reach the picture's edge. (C18) */
export interface Crop {
  readonly unit: 'fraction' | 'percent' | 'pixel';
  readonly x: number;
  readonly y: number;
  readonly width: number | null;
  readonly height: number | null;
}

export type Fit = (typeof FITS)[number];
export type Quality = (typeof QUALITIES)[number];
export type EncoderPreset = (typeof ENCODER_PRESETS)[number];
export type CaptionStyleName = (typeof CAPTION_STYLES)[number];
export type HighlightName = (typeof HIGHLIGHTS)[number];
export type TitleKind = (typeof TITLE_KINDS)[number];
export type FontName = (typeof FONTS)[number];
/** An upload, or a family that ships. (C63) */
export type FontChoice = MediaRef | FontName;
type RevealName = (typeof REVEALS)[number];
type CardShape = (typeof CARD_SHAPES)[number];
type CardFit = (typeof CARD_FITS)[number];
type CardNames = (typeof CARD_NAMES)[number];
export type BoardLayoutName = (typeof BOARD_LAYOUTS)[number];
export type PoolShown = (typeof POOLS)[number];
export type ThemeName = (typeof THEMES)[number];
export type EffectName = (typeof EFFECTS)[number];
export type ChosenSound = (typeof MADE_SOUNDS)[number];
export type SoundRole = (typeof SOUND_ROLES)[number];
export type TransitionName = (typeof TRANSITIONS)[number];
export type ClipTransitionName = (typeof CLIP_TRANSITIONS)[number];
export type ClipLayerName = (typeof CLIP_LAYERS)[number];
type ClipShape = (typeof CLIP_SHAPES)[number];
type CropUnit = (typeof CROP_UNITS)[number];
export type VolumeUnit = (typeof VOLUME_UNITS)[number];
export type TrimEndReading = (typeof TRIM_END_READINGS)[number];

export interface Settings {
  /** The preset's own name, aliases resolved. */
  readonly preset: string;
  /** Of the selected preset; the other two keep their own. (C13) */
  readonly width: number;
  readonly height: number;
  /** As in the request; `rate` is the exact value. */
  readonly fps: number;
  readonly rate: FrameRate;
  readonly quality: Quality;
  readonly encoderPreset: EncoderPreset;
  readonly audioBitrateKbps: number;
  /** Clean, and ending in `.mp4`. */
  readonly fileName: string;
  readonly fit: Fit;
  readonly background: BackgroundSettings;
  readonly reveal: RevealName;
  /** The default hold of a spotlight. (C55) */
  readonly revealHold: Seconds;
  readonly card: CardSettings;
  /** How rows are arranged. (C53) */
  readonly boardLayout: BoardLayoutName;
  /** When the pool is shown. (C65) */
  readonly pool: PoolShown;
  /** Whether an item with a reveal is invisible before it, or waits in the pool. (C65) */
  readonly hiddenUntilRevealed: boolean;
  /** The effect of a landing, by row. (C55) */
  readonly effects: readonly EffectName[];
  readonly theme: ThemeSettings;
  /** For subtitles without their own style. (C62) */
  readonly subtitleStyle: CaptionStyle | null;
  /** The default sound of tiles. (C45) */
  readonly revealSound: ChosenSound | MediaRef | null;
  readonly counter: boolean;
  readonly progressBar: boolean;
  /** Whether the file has its chapters inside. (R34) */
  readonly chapterTrack: boolean;
  /** The preset that shorts are cut from; null: none are requested, or none are possible. (C52) */
  readonly shorts: string | null;
  readonly loudness: number | null;
  /** By how many decibels voice ducks music. (C57) */
  readonly duckDb: number;
  /** The length of the fade of music that the end of the video cuts off. (C57) */
  readonly musicFade: Seconds;
  readonly cropUnit: CropUnit;
  readonly volumeUnit: VolumeUnit;
  readonly trimEndAs: TrimEndReading;
}

/** The background; colours are `#rrggbb`. (C61) */
export type BackgroundSettings =
  | { readonly kind: 'color'; readonly color: string }
  | {
      readonly kind: 'gradient';
      readonly colors: readonly string[];
      /** Degrees: 0 up, 90 to the right, 180 down. */
      readonly angle: number;
      readonly moving: boolean;
    }
  /** `blur` from 0 to 100. */
  | { readonly kind: 'image'; readonly media: MediaRef; readonly blur: number }
  /** `of` is the id of a `videos` entry. */
  | { readonly kind: 'blur'; readonly of: string };

/** The look of cards. (C46) */
interface CardSettings {
  readonly shape: CardShape;
  /** null: depends on how much of each picture would be cut off. */
  readonly fit: CardFit | null;
  readonly names: CardNames;
}

/** A theme and the changes to it; colours are `#rrggbb`. (C47) */
export interface ThemeSettings {
  readonly base: ThemeName;
  readonly colors: {
    readonly panel?: string;
    readonly lane?: string;
    readonly line?: string;
    readonly text?: string;
    readonly card?: string;
  };
  /** From 0 to 1; null: the theme's own. */
  readonly panelOpacity: number | null;
  /** From 0 to 1; null: the theme's own. */
  readonly corner: number | null;
  readonly glass: boolean;
  readonly font: FontChoice | null;
}
