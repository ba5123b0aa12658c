import type { Seconds } from '../../time.ts';
import type { ChosenSound, RevealName } from '../choices.ts';
import type { Filled } from '../fields.ts';
import type { TILE_BASICS } from '../timeline-fields.ts';
import type { MediaRef } from './media-ref.ts';
import type { EnterExit, GivenBox, PlacesByPreset } from './places.ts';

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
