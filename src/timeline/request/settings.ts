import type { FrameRate } from '../../time.ts';
import type { ChosenSound, EffectName, ThemeName } from '../choices.ts';
import type { Filled } from '../fields.ts';
import type { SETTINGS_FIELDS } from '../settings-fields.ts';
import type { FontChoice, MediaRef } from './media-ref.ts';
import type { CaptionStyle } from './text-entries.ts';

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
  /** The look of cards; a `fit` of null depends on how much of each picture would be cut off. (C46) */
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
