import type { FontName, HighlightName } from '../../timeline/choices.ts';
import type { MadeSound, SoundCue } from '../model/audio-plan.ts';
import type { BoardEvent, Weight } from '../model/board-scene.ts';
import type { TextRole } from '../model/theme.ts';
import type { ThemeMotion } from './theme-motion.ts';

/**
 * Everything that a theme decides, as plain data: the painter draws any row of the table without knowing its name.
 * Lengths of a board are in ems: a 48th of the root of its window's area. (R37)
 */
export interface ThemeLook {
  readonly palette: Palette;
  /** The font of each role. */
  readonly fonts: Readonly<Record<TextRole, ThemeFont>>;
  /** Behind everything, where no background and no clip is. */
  readonly ground: Ground;
  readonly board: BoardLook;
  readonly card: CardStyle;
  /** The verdict beside a card. (R31) */
  readonly stamp: Lettered & { readonly turn: number };
  /** The name, score and note below a card that is held up. */
  readonly note: Lettered;
  readonly titles: TitleLooks;
  readonly thumbnail: ThumbnailLook;
  /** What dims everything behind a card that is held up. (R19) */
  readonly dim: { readonly color: `#${string}`; readonly alpha: number };
  readonly motion: ThemeMotion;
  /** What is heard with its reveals. (R41) */
  readonly sounds: SoundBank;
  /** Captions in the style `pop`; null: they look as that style has them. (R44) */
  readonly captions: ThemeCaptions | null;
  /** The colours of confetti, all equally frequent, and how round its slips are. (C55) */
  readonly confetti: { readonly inks: readonly Ink[]; readonly round: number };
}

interface ThemeCaptions {
  readonly font: FontName;
  readonly capitals: boolean;
  readonly highlight: HighlightName;
  readonly highlightColor: string;
}

/** A made sound, and how loud it is: 1 is as it was made. Without a moment it is heard at its own. (R29) */
export type BankSound = readonly [sound: MadeSound, gain: number, moment?: SoundCue['moment']];

/** What is heard with a reveal, by its style, and with a verdict in the first or the last row as well. (R41) */
type SoundBank = Readonly<Record<BoardEvent['style'], readonly BankSound[]>> &
  // Nothing that differs by row is heard before the verdict. (R36)
  Readonly<Record<Weight, readonly BankSound[]>>;

/** The colours and the shape that a request can change. (C47) */
interface Palette {
  readonly panel: string;
  readonly lane: string;
  readonly line: string;
  readonly text: string;
  readonly card: string;
  readonly panelOpacity: number;
  readonly corner: number;
  /** The neutral light of a card whose verdict is open, and of accents. (R36) */
  readonly accent: string;
  /** Of rows without a colour of their own, in turn. */
  readonly rows: readonly string[];
}

interface ThemeFont {
  readonly family: FontName;
  readonly weight: number;
}

/**
 * A colour: of the palette, of the row that is drawn, one of its own, a mix of two, or the first one, as much lighter or
 * darker as it takes to be read on the other.
 */
export type Ink = InkName | `#${string}` | readonly [Ink, Ink, share: number] | LegibleInk;
export type InkName = 'panel' | 'lane' | 'line' | 'text' | 'card' | 'accent' | 'row' | 'white' | 'black' | 'onRow';
interface LegibleInk {
  readonly legible: Ink;
  readonly on: Ink;
}

/** A flat shape, drawn from its shadow up to its edges. */
export interface Plate {
  /** One ink, or two from the top to the foot; none: only edges. */
  readonly fill?: Ink | Shade;
  readonly alpha?: number;
  /** Of the shorter side, up to a half: a circle; absent: the corner that the theme and the request give. */
  readonly round?: number;
  /** How far the top leans to the right, as a share of the height. */
  readonly slant?: number;
  /** Corners cut in a square step, in ems. */
  readonly step?: number;
  /** Light at the upper left edge and shade at the lower right one, in ems. */
  readonly bevel?: number;
  /** Light over the upper half, from 0 to 1. */
  readonly gloss?: number;
  readonly edges?: readonly Edge[];
  /** Lines, fainter and fainter, inside and outside of its outline; in ems. */
  readonly glow?: { readonly ink: Ink; readonly em: number };
  /** A copy of the shape below it. */
  readonly drop?: { readonly ink: Ink; readonly x: number; readonly y: number };
}

export interface Shade {
  readonly top: Ink;
  readonly foot: Ink;
}

/** A line along the outline, inside it, or along one side. */
export interface Edge {
  readonly ink: Ink;
  /** How thick it is. */
  readonly em: number;
  readonly alpha?: number;
  /** How far inside the outline. */
  readonly inset?: number;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  readonly dash?: readonly [on: number, off: number];
}

/** How letters are drawn; lengths in ems of the text. */
export interface LetterStyle {
  readonly ink: Ink | Shade;
  readonly capitals?: boolean;
  readonly outline?: { readonly ink: Ink; readonly em: number };
  /** Hard copies below, the farthest first. */
  readonly drops?: readonly { readonly ink: Ink; readonly x: number; readonly y: number }[];
  readonly glow?: { readonly ink: Ink; readonly em: number };
}

/** A plate with letters on it. */
interface Lettered {
  readonly plate: Plate;
  readonly letters: LetterStyle;
}

export interface BoardLook {
  readonly panel: Plate;
  readonly title: LetterStyle;
  /** Behind or under the title. `inset`: how far the title moves inward for it. */
  readonly head: { readonly plate: Plate; readonly inset: number } | null;
  readonly row: Plate;
  readonly label: Lettered;
  /** Between a label and its lane. */
  readonly divider: Edge | null;
}

export interface CardStyle {
  /** Below picture and name. Edges are in shares of the card's shorter side, twice as thick on the board. */
  readonly plate: Plate;
  readonly name: LetterStyle;
  /** A card without a picture: how much the colour of its row tints it, and how much darker its foot is, from 0 to 1. */
  readonly blank: { readonly tint: number; readonly shade: number };
  /** How far the picture stays from the edge of the card, as a share of its shorter side. */
  readonly mat: number;
  /** Strips of tape that hold it. */
  readonly tape: Ink | null;
  /** By how many degrees cards are turned at most, each by its name; on the board and held up. */
  readonly turn: { readonly board: number; readonly held: number };
  /** The light around a card that is held up: how bright. */
  readonly glow: number;
  /** The shadow under a card that is held up, from 0 to 1. */
  readonly shadow: number;
}

interface TitleLooks {
  /** A card that fills the canvas. */
  readonly card: {
    /** Pixels where the canvas's shorter side is 1080. */
    readonly size: number;
    readonly letters: LetterStyle;
    readonly sub: LetterStyle;
    /** The plate of the second line. */
    readonly subPlate: Plate | null;
    readonly align: 'left' | 'center';
    /** In degrees, against the clock. */
    readonly turn: number;
    readonly accent: { readonly kind: 'none' | 'rule' | 'underline' | 'side'; readonly ink: Ink };
  };
  readonly lowerThird: Lettered & { readonly sub: LetterStyle; readonly bar: Ink | null; readonly turn: number };
  readonly label: Lettered & { readonly sub: LetterStyle };
}

/** The picture that stands for the video. Its ground is the theme's, its letters are those of a title card. (R39) */
interface ThumbnailLook {
  /** Below and around a picture; lengths in shares of the card's side. */
  readonly card: Plate;
  /** By how many degrees the cards are turned, one after the other. */
  readonly turns: readonly number[];
  /** A row that is named in the text, or stamped on a card; lengths in ems of its letters. */
  readonly verdict: Lettered;
  readonly align: 'left' | 'center';
}

/** A picture that is drawn once, from the back to the front. Places and lengths are shares of the canvas's sides. */
export interface Ground {
  readonly color: `#${string}`;
  readonly parts: readonly GroundPart[];
}

export type GroundPart =
  /** Light that fades from its middle. */
  | {
      readonly draw: 'light';
      readonly at: Point;
      readonly reach: Point;
      readonly ink: `#${string}`;
      readonly alpha: number;
    }
  /** Sectors around a point, every other one filled. */
  | { readonly draw: 'rays'; readonly at: Point; readonly count: number; readonly ink: `#${string}` }
  /** Everything to the right of a slanted line. */
  | { readonly draw: 'plane'; readonly from: number; readonly slant: number; readonly ink: `#${string}` }
  /** Lines across or down, evenly apart: `every` and `thick` in shares of the shorter side. */
  | {
      readonly draw: 'lines';
      readonly way: 'across' | 'down';
      readonly from: number;
      readonly every: number;
      readonly thick: number;
      readonly ink: `#${string}`;
      readonly alpha: number;
    }
  /** Lines that meet at the horizon. */
  | { readonly draw: 'floor'; readonly horizon: number; readonly ink: `#${string}`; readonly alpha: number }
  /** Dark or light edges. */
  | { readonly draw: 'vignette'; readonly ink: `#${string}`; readonly alpha: number }
  /** A frame along the edges; `thick` in shares of the shorter side. */
  | { readonly draw: 'frame'; readonly thick: number; readonly ink: `#${string}`; readonly lip: `#${string}` };

type Point = readonly [x: number, y: number];
