import type { Seconds } from '../../time.ts';
import type { CaptionStyleName } from '../choices.ts';
import type { Filled, Given } from '../fields.ts';
import type { CAPTION_BASICS } from '../settings-fields.ts';
import type { SUBTITLE_BASICS, TITLE_BASICS } from '../timeline-fields.ts';
import type { FontChoice } from './media-ref.ts';
import type { EnterExit, GivenBox, PlacesByPreset } from './places.ts';

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
