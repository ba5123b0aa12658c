import type { Seconds } from '../../time.ts';
import type { CaptionStyleName, HighlightName, TitleKind } from '../choices.ts';
import type { FontChoice } from './media-ref.ts';
import type { EnterExit, GivenBox, PlacesByPreset } from './places.ts';

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
  readonly enterExit: EnterExit;
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
  readonly enterExit: EnterExit;
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
