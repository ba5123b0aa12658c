import type { Frames } from '../time.ts';
import type { TileEntry } from '../timeline/export-request.ts';

/** What all cards have in common. (C46) */
export interface CardLook {
  readonly shape: 'square' | 'portrait' | 'landscape';
  /** Whether names stand under the pictures; `auto`: where there is room. */
  readonly names: 'auto' | 'always' | 'never';
}

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
  /** Whether the board tells how many items are in place. (C45) */
  readonly counter: boolean;
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
  /** How the picture fills its card. */
  readonly fit: 'contain' | 'cover';
  /** Stand under the name in a spotlight; empty: nothing. (C45) */
  readonly score: string;
  readonly note: string;
}

export type RevealStyle = TileEntry['reveal'];

/** Something happens to an item: its animation runs over `at … end` (empty for `none`). */
export type BoardEvent = Reveal | Move;

interface Animated {
  readonly item: number;
  readonly at: Frames;
  readonly end: Frames;
  /** How long the animation is in frames, exactly: with its fraction it runs equally fast at every rate. (R19) */
  readonly lasts: number;
}

/** An item comes in. (R13) */
export interface Reveal extends Animated {
  readonly style: RevealStyle;
}

/** An item goes to another row, or to another place in its own. (C44) */
interface Move extends Animated {
  readonly style: 'move';
  readonly row: number;
  /** Its place among all items of the row, hidden ones included; null: behind all of them. */
  readonly index: number | null;
}
