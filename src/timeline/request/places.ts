import type { Seconds } from '../../time.ts';
import type { ClipLayerName, EASES, EntranceName, Fit } from '../choices.ts';
import type { PercentBox } from '../default-looks.ts';

/** A view of a picture: its centre, and how much larger than its fit the picture is. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Pan and zoom over a clip's slot, in percent of its cut. (C59) */
export type MotionEntry =
  | 'ken_burns'
  | {
      readonly from: Camera;
      readonly to: Camera;
      readonly ease: (typeof EASES)[number];
      /** It begins this many seconds before the slot, and ends this many after it. */
      readonly before: Seconds;
      readonly after: Seconds;
    };

/** The entrance and exit of an entry; null: the default of its kind. (C48) */
export interface EnterExit {
  readonly enter: EntranceName | null;
  readonly exit: EntranceName | null;
  /** Of each of the two. */
  readonly duration: Seconds;
}

/**
 * The given fields of a box, in percent of the canvas; the others have defaults, which depend on the canvas. (C21, C23)
 */
export type GivenBox = Partial<PercentBox>;

/** The place of an entry in one preset. (C42) */
export interface PresetPlace {
  readonly box: GivenBox;
  readonly fit?: Fit;
  readonly layer?: ClipLayerName;
  readonly motion?: MotionEntry;
  readonly size?: number;
  readonly hidden: boolean;
}

/** By the preset's own name, aliases resolved. */
export type PlacesByPreset = Readonly<Record<string, PresetPlace>>;

/** A part of the upright picture, in the unit of the request; null sides reach the picture's edge. (C18) */
export interface Crop {
  readonly unit: 'fraction' | 'percent' | 'pixel';
  readonly x: number;
  readonly y: number;
  readonly width: number | null;
  readonly height: number | null;
}
