import type { Issue } from '../errors.ts';
import type { FrameRate, Seconds } from '../time.ts';
import type {
  CaptionStyleName,
  ChosenSound,
  ClipLayerName,
  ClipShape,
  ClipTransitionName,
  EASES,
  EffectName,
  EntranceName,
  Fit,
  FontName,
  RevealName,
  ThemeName,
} from './choices.ts';
import type { PercentBox } from './default-looks.ts';
import type { Filled, Given } from './fields.ts';
import type { CAPTION_BASICS, SETTINGS_FIELDS } from './settings-fields.ts';
import type { ITEM_BASICS } from './tier-list-fields.ts';
import type {
  SOUND_BASICS,
  SOUNDTRACK_BASICS,
  SOURCE_BASICS,
  SPEED,
  SUBTITLE_BASICS,
  TILE_BASICS,
  TITLE_BASICS,
  VIDEO_BASICS,
} from './timeline-fields.ts';

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
  /** null: the theme decides, by the row's place. */
  readonly color: string | null;
  /** Indices into `TierList.items`; an item is in one row at most. (C22) */
  readonly items: readonly number[];
}

/** A `fit` of null is that of the settings; an empty `score` or `note` is not shown. (C45, C46) */
export interface TierItem extends Filled<typeof ITEM_BASICS> {
  readonly path: string;
  readonly id: string;
  readonly name: string;
  readonly media: MediaRef | null;
  /** The visible part of its picture; null: the middle, in the size of its fit. (R35) */
  readonly view: Camera | null;
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

type Fields = typeof SETTINGS_FIELDS;
type Basics = Omit<Filled<Fields['settings']>, 'width' | 'height' | 'fileName' | 'shorts'>;

/** A `loudness` of null keeps the loudness. */
export interface Settings extends Basics {
  /** The preset's own name, aliases resolved. */
  readonly preset: string;
  /** Of the selected preset; the other two keep their own. (C13) */
  readonly width: number;
  readonly height: number;
  /** `fps` as an exact value. */
  readonly rate: FrameRate;
  readonly audioBitrateKbps: number;
  /** Clean, and ending in `.mp4`. */
  readonly fileName: string;
  readonly background: BackgroundSettings;
  /** The look of cards; a `fit` of null depends on the edge of each picture. (C46, R43) */
  readonly card: Filled<Fields['card']>;
  /** How rows are arranged. (C53) */
  readonly board: Filled<Fields['board']>;
  /** The effect of a landing, by row. (C55) */
  readonly effects: readonly EffectName[];
  readonly theme: ThemeSettings;
  /** For subtitles without their own style. (C62) */
  readonly subtitleStyle: CaptionStyle | null;
  /** The default sound of tiles. (C45) */
  readonly revealSound: ChosenSound | MediaRef | null;
  /** The preset that shorts are cut from; null: none are requested, or none are possible. (C52) */
  readonly shorts: string | null;
}

/** The background; colours are `#rrggbb`. (C61) */
export type BackgroundSettings =
  | { readonly kind: 'color'; readonly color: string }
  /** The ground of the theme. */
  | { readonly kind: 'theme' }
  | {
      readonly kind: 'gradient';
      readonly colors: readonly string[];
      /** Degrees: 0 up, 90 to the right, 180 down. */
      readonly angle: number;
      readonly moving: boolean;
    }
  /** `blur` from 0 to 100. */
  | { readonly kind: 'image'; readonly media: MediaRef; readonly blur: number }
  /** `of` is the id of a `videos` entry; `follow`: the other clips in its box count too. */
  | { readonly kind: 'blur'; readonly of: string; readonly follow: boolean };

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

export interface BlockEntry {
  readonly path: string;
  readonly id: string;
  readonly start: Seconds;
  readonly duration: Seconds;
  readonly box: GivenBox;
  readonly byPreset: PlacesByPreset;
  readonly enterExit: EnterExit;
}

/** A reveal of an item, or a move to another row. An `effect` of null is that of its row. (C55) */
export interface TileEntry extends Filled<typeof TILE_BASICS> {
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

type SourceBasics = Filled<typeof SOURCE_BASICS> & Filled<typeof SOUND_BASICS> & Filled<typeof SPEED>;

/**
 * The common fields of clips: a source, a window into it, a slot on the timeline. A `duration` of null is the trimmed
 * length, at its speed (C15); a `trimEnd` of null is the end of the source, any other is as `Settings.trimEndAs` says
 * (C16).
 */
export interface SourceEntry extends SourceBasics {
  readonly path: string;
  readonly id: string;
  readonly media: MediaRef;
  /** Linear, 1 keeps. */
  readonly gain: number;
  /** Multiplies the gain over the slot, by the second from the entry's start, ascending; empty: 1. (C80) */
  readonly volumePoints: readonly VolumePoint[];
}

/** A gain that holds at one second of an entry; linear, 1 keeps. */
export interface VolumePoint {
  readonly at: Seconds;
  readonly gain: number;
}

/** A `layer` of null depends on how much of the canvas the box covers. (C54) */
export interface VideoEntry extends SourceEntry, Filled<typeof VIDEO_BASICS> {
  /** Whether its id was sent; otherwise the id is its place in the lane. */
  readonly hasOwnId: boolean;
  readonly crop: Crop | null;
  /** Empty: the whole canvas. */
  readonly box: GivenBox;
  readonly byPreset: PlacesByPreset;
  readonly look: ClipLookEntry;
  readonly enterExit: EnterExit;
  /** Its transition from the clip before it; null: a cut. (C58) */
  readonly transition: { readonly kind: ClipTransitionName; readonly duration: Seconds } | null;
  /** How its view moves; null: it does not. (C59) */
  readonly motion: MotionEntry | null;
}

/** The look of a picture-in-picture; absent fields have defaults. (C48) */
export interface ClipLookEntry {
  readonly shape: ClipShape | null;
  /** `width` in pixels where the canvas's shorter side is 1080. */
  readonly border: { readonly color: string; readonly width: number } | null;
  readonly shadow: boolean;
}

export type AudioEntry = SourceEntry;

/** Without a role it is neither ducked by voice nor counts as voice. (C57) */
export interface SoundtrackEntry extends SourceEntry, Filled<typeof SOUNDTRACK_BASICS> {}

/** A text that is neither subtitle nor caption; a colour that is null is the theme's. (C60) */
export interface TitleEntry extends Filled<typeof TITLE_BASICS> {
  readonly path: string;
  readonly id: string;
  readonly text: string;
  readonly start: Seconds;
  readonly duration: Seconds;
  readonly font: FontChoice | null;
  readonly box: GivenBox;
  readonly byPreset: PlacesByPreset;
  readonly enterExit: EnterExit;
}

/** The size is null where that of the style and the canvas applies. (C23) */
export interface SubtitleEntry extends Filled<typeof SUBTITLE_BASICS> {
  readonly path: string;
  readonly id: string;
  readonly text: string;
  readonly start: Seconds;
  readonly duration: Seconds;
  /** null: no style, which is the same as `plain`. (C62) */
  readonly style: CaptionStyle | null;
  readonly box: GivenBox;
  readonly byPreset: PlacesByPreset;
  /** The height that a file asks for; it wins over the box. null: it asks for none. */
  readonly cue: CueHeight | null;
  /** How many lines higher it is placed, if other cues of its file are shown below it at the same time. */
  readonly raisedLines: number;
  /** Words of the text, in order, that light up when they are spoken; empty: the whole text is shown at once. (C43) */
  readonly words: readonly SpokenWord[];
  readonly enterExit: EnterExit;
}

/** Where a cue of a file is, by one edge of its text. The box depends on the size, which differs from preset to preset. */
export interface CueHeight {
  readonly percent: number;
  readonly edge: 'top' | 'center' | 'bottom';
  /** How many lines the text is likely to take. */
  readonly lines: number;
}

/** A caption style, and the changes to it. (C62) */
export interface CaptionStyle extends Given<typeof CAPTION_BASICS> {
  readonly base: CaptionStyleName;
  readonly font: FontChoice | null;
}

/** Part of a subtitle's text, by its characters, and when it is spoken. */
export interface SpokenWord {
  readonly from: number;
  readonly to: number;
  readonly start: Seconds;
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

/** The entrance and exit of an entry; null: the default of its kind. (C48) */
export interface EnterExit {
  readonly enter: EntranceName | null;
  readonly exit: EntranceName | null;
  /** Of each of the two. */
  readonly duration: Seconds;
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

/** A mention of an upload, with its path. */
export interface MediaRef {
  readonly field: string;
  readonly path: string;
}

/** An upload, or a family that ships. (C63) */
export type FontChoice = MediaRef | FontName;
