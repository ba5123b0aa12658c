import type { FrameRate, Seconds } from '../../time.ts';
import type {
  BoardLayoutName,
  CardFit,
  CardNames,
  CardShape,
  ChosenSound,
  CropUnit,
  EffectName,
  EncoderPreset,
  Fit,
  PoolShown,
  Quality,
  RevealName,
  ThemeName,
  TrimEndReading,
  VolumeUnit,
} from '../choices.ts';
import type { FontChoice, MediaRef } from './media-ref.ts';
import type { CaptionStyle } from './text-entries.ts';

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
  /** `of` is the id of a `videos` entry; `follow`: the other clips in its box count too. */
  | { readonly kind: 'blur'; readonly of: string; readonly follow: boolean };

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
