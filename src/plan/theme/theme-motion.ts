import type { TitleKind } from '../../timeline/choices.ts';
import type { EntranceKind } from '../model/clip-layer.ts';

/**
 * How cards move in a theme. A theme never changes when a verdict falls or when a card takes off: words that were
 * spoken to one theme fit every other. (R26, R37)
 */
export interface ThemeMotion {
  /** A card comes: onto the stage, or onto the board where its reveal is a pop. */
  readonly enter: Passage<keyof Pose>;
  /** A held card comes nearer, in so many steps: pictures between them repeat. (R41) */
  readonly hold: Timing & { readonly steps: number };
  /** The stamp comes beside its card. */
  readonly verdict: Passage<'scale' | 'alpha' | 'shown'>;
  /** A card settles where it has landed. `echo`: how much its row answers, from 0 to 1. */
  readonly land: Passage<'scale' | 'alpha' | 'squash'> & { readonly echo: number };
  /** A card goes from the stage to its slot; at most as long as the stage waits for it. */
  readonly leave: Timing;
  /** How each kind of title enters and leaves, unless it says how. A card fills the canvas: it never flickers. (C60, R19) */
  readonly titles: Readonly<Record<TitleKind, EntranceKind | 'none'>>;
  /** In how many steps a second everything moves; null: in every frame. */
  readonly steps: number | null;
}

/** A curve and a length; a length of 0 is a cut. */
export interface Timing {
  readonly curve: CurveName;
  readonly seconds: number;
}

/** From a pose to rest. What it does not name rests all along. */
export interface Passage<Part extends keyof Pose> extends Timing {
  readonly from: Readonly<Partial<Pick<Pose, Part>>>;
}

/** How far a card or a stamp is from its rest. */
export type Pose = {
  readonly scale: number;
  readonly alpha: number;
  /** Aside and down, in widths of the card. */
  readonly x: number;
  readonly y: number;
  /** How much of it is seen, from its left edge. */
  readonly shown: number;
  /** How flat it is, from its foot; 1: as by a slam. Below 0 it is stretched. */
  readonly squash: number;
};

/**
 * - `even`: at one speed
 * - `settle`: fast, then slower and slower
 * - `swing`: slow at both ends
 * - `overshoot`: beyond its rest by a sixth, and back
 * - `fall`: faster and faster, pressed a little as it hits
 * - `flicker`: on, almost out, on
 */
export type CurveName = 'even' | 'settle' | 'swing' | 'overshoot' | 'fall' | 'flicker';
