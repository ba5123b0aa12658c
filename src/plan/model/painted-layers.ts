import type { Frames, Range } from '../../time.ts';
import type { HighlightName, TitleKind } from '../../timeline/choices.ts';
import type { Rect } from './canvas.ts';
import type { Entrance, EntranceKind } from './clip-layer.ts';
import type { PlanFont, TextRole } from './theme.ts';

/** The common fields of painted layers; `plan/painted` has everything else about a kind. */
interface Painted {
  readonly id: string;
  /** JSON Pointer of its entry, for messages. */
  readonly path: string;
  readonly shows: Range<Frames>;
  readonly rect: Rect;
  readonly enter: Entrance<EntranceKind> | null;
  readonly exit: Entrance<EntranceKind> | null;
}

/** A tier block: where the board is seen, and when. */
export interface BoardWindow extends Painted {}

/** A title: an opening card, a lower third, a label. (C60) */
export interface TitleLayer extends Painted {
  readonly kind: TitleKind;
  readonly text: string;
  /** Empty: not shown. */
  readonly subtext: string;
  /** The box of the text; a card's `rect` is the whole canvas. */
  readonly textRect: Rect;
  readonly sizePx: number;
  readonly align: 'left' | 'center' | 'right';
  /** null: the theme's letters. */
  readonly color: string | null;
  /** null: the theme's plate, or its ground; `alpha` from 0 to 1. */
  readonly background: { readonly color: string | null; readonly alpha: number | null };
  readonly font: PlanFont | null;
}

/** A subtitle, or one page of it. (C62) */
export interface SubtitleLayer extends Painted {
  readonly text: string;
  /** The captions file's entry: the first page has the whole subtitle, the others null. */
  readonly caption: { readonly text: string; readonly shows: Range<Frames> } | null;
  /** The letters; null: those of the theme, as subtitles have them. */
  readonly letters: { readonly font: PlanFont | null; readonly role: TextRole } | null;
  /** null: the plain look. (C23) */
  readonly look: CaptionLook | null;
  /** Type size in output pixels, already scaled to the canvas. (C23) */
  readonly sizePx: number;
  /** In ems. */
  readonly letterSpacing: number;
  readonly align: 'left' | 'center' | 'right';
  readonly color: string;
  /** `alpha` from 0 to 1. */
  readonly background: { readonly color: string; readonly alpha: number } | null;
  /** Parts of the text that light up, each from its frame on; empty: the whole text is shown at once. (C43) */
  readonly words: readonly { readonly from: number; readonly to: number; readonly at: Frames }[];
}

/** The effect of a caption style on the letters. (C62) */
export interface CaptionLook {
  readonly outline: { readonly color: string; readonly em: number };
  /** How the word that is being spoken is highlighted. */
  readonly highlight: HighlightName;
  readonly highlightColor: string;
  /** How many frames a word takes to reach its size, where words grow. */
  readonly growFrames: Frames;
}

/** The line that fills from the left with the progress of the video, and is full in its last frame. (C52) */
export interface ProgressBar extends Painted {}

/** A layer of each kind that is painted rather than decoded. */
export interface PaintedTypes {
  readonly board: BoardWindow;
  readonly title: TitleLayer;
  readonly subtitle: SubtitleLayer;
  readonly progress: ProgressBar;
}

export type PaintedKind = keyof PaintedTypes;
export type PaintedLayers = { readonly [Kind in PaintedKind]: readonly PaintedTypes[Kind][] };
