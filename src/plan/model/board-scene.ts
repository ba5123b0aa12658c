import type { FrameRate, Frames } from '../../time.ts';
import type { BoardLayoutName, PoolShown } from '../../timeline/choices.ts';
import type { Camera, TileEntry } from '../../timeline/export-request.ts';

/** The common look of all cards. (C46) */
export interface CardLook {
  /** `text`: cards without pictures, as wide as their rows leave room. (R43) */
  readonly shape: 'square' | 'portrait' | 'landscape' | 'text';
  /** Whether names are shown with the pictures; `auto`: if they are large enough to be read. */
  readonly names: 'auto' | 'always' | 'never';
}

/**
 * Width by height of a card's picture, and of a card with a text that is held up. Between the usual formats, so that each
 * of them loses less than a tenth: 2:3 and 3:4; 3:2, 16:10 and 16:9.
 */
export const CARD_ASPECT: Readonly<Record<CardLook['shape'], number>> = {
  square: 1,
  portrait: 0.7,
  landscape: 1.6,
  text: 1.6,
};

/** The tier list as the painter needs it. Items are named by index. */
export interface BoardScene {
  readonly title: string;
  readonly card: CardLook;
  /** With their items as they are before any of them moves. (C44) */
  readonly rows: readonly BoardRow[];
  /** Items in no row. */
  readonly pool: readonly number[];
  readonly items: readonly BoardItem[];
  /** By time, then by the order of the tiles. Items without a reveal are there from the start. (C22) */
  readonly events: readonly BoardEvent[];
  /** Of the video: motions are counted in seconds. */
  readonly rate: FrameRate;
  /** How rows are arranged. (C53) */
  readonly layout: BoardLayoutName;
  /** When the pool is shown. (C65) */
  readonly poolShown: PoolShown;
  /** How many items are in rows at the end, if the board counts those that have landed; null: it does not. (C56) */
  readonly counter: number | null;
}

interface BoardRow {
  readonly label: string;
  readonly color: string;
  readonly items: readonly number[];
}

export interface BoardItem {
  readonly name: string;
  /** Index into `RenderPlan.sources`, or null: a card with the name. (R12) */
  readonly image: number | null;
  /** How the picture fills its card; `auto`: it covers it, unless its edge is plain or transparent, like that of a logo. (R43) */
  readonly fit: 'contain' | 'cover' | 'auto';
  /** The visible part of the picture; absent: the middle, in the size of `fit`. (R35) */
  readonly view?: Camera;
  /** Shown under the name in a spotlight; empty: not shown. (C45) */
  readonly score: string;
  readonly note: string;
}

/** The frames of an event, in this order. Its pictures and sounds depend on them alone. */
export interface Course {
  readonly at: Frames;
  /** Its row shows: the first frame of a spotlight's stamp, the landing of any other. */
  readonly verdict: Frames;
  /** The card sets out for its slot: at the end of a spotlight's verdict, any other at once. */
  readonly takeOff: Frames;
  /** The picture behind a spotlight begins to lighten; later where the next spotlight keeps it dim. */
  readonly lightens: Frames;
  /** The card touches the board. */
  readonly lands: Frames;
  /** The effects of the landing are over. */
  readonly end: Frames;
}

/** A reveal in the first or the last row of the list is a moment of its own. (R41) */
export type Weight = 'top' | 'bottom';

/** An event of an item; its frames give the times. (R13, R26) */
export interface BoardEvent extends Course {
  readonly item: number;
  /** How its card comes. */
  readonly style: TileEntry['style'];
  /** The seed of its confetti, or null: its landing throws none. (C55) */
  readonly confetti: number | null;
  /** Where it is moved to, or null: it is revealed where it belongs. (C44) */
  readonly to: Destination | null;
  /** Whether its row is the first or the last; absent: neither. (R41) */
  readonly weight?: Weight;
  /** Its row is not decided: the card has the colours of a card in no row. Only in the live preview of a take. */
  readonly isUndecided?: true;
}

interface Destination {
  readonly row: number;
  /** Its place among all items of the row, hidden ones included; null: last. */
  readonly index: number | null;
}
