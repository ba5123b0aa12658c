import type { Seconds } from '../../time.ts';
import type { ClipShape, ClipTransitionName } from '../choices.ts';
import type { Filled } from '../fields.ts';
import type { SOUND_BASICS, SOUNDTRACK_BASICS, SOURCE_BASICS, SPEED, VIDEO_BASICS } from '../timeline-fields.ts';
import type { MediaRef } from './media-ref.ts';
import type { Crop, EnterExit, GivenBox, MotionEntry, PlacesByPreset } from './places.ts';

type SourceBasics = Filled<typeof SOURCE_BASICS> & Filled<typeof SOUND_BASICS> & Filled<typeof SPEED>;

/**
 * The common fields of clips: a source, a window into it, a slot on the timeline. A `duration` of null is the trimmed
 * length, at its speed (C15); a `trimEnd` of null is the end of the source, any other is as `Settings.trimEndAs` says
 * (C16).
 */
export interface SourceEntry extends SourceBasics {
  readonly path: string;
  readonly id: string;
  readonly media: MediaRef;
  /** Linear, 1 keeps. */
  readonly gain: number;
  /** Multiplies the gain over the slot, by the second from the entry's start, ascending; empty: 1. (C80) */
  readonly volumePoints: readonly VolumePoint[];
}

/** A gain that holds at one second of an entry; linear, 1 keeps. */
export interface VolumePoint {
  readonly at: Seconds;
  readonly gain: number;
}

/** A `layer` of null depends on how much of the canvas the box covers. (C54) */
export interface VideoEntry extends SourceEntry, Filled<typeof VIDEO_BASICS> {
  /** Whether its id was sent; otherwise the id is its place in the lane. */
  readonly hasOwnId: boolean;
  readonly crop: Crop | null;
  /** Empty: the whole canvas. */
  readonly box: GivenBox;
  readonly byPreset: PlacesByPreset;
  readonly look: ClipLookEntry;
  readonly enterExit: EnterExit;
  /** Its transition from the clip before it; null: a cut. (C58) */
  readonly transition: { readonly kind: ClipTransitionName; readonly duration: Seconds } | null;
  /** How its view moves; null: it does not. (C59) */
  readonly motion: MotionEntry | null;
}

/** The look of a picture-in-picture; absent fields have defaults. (C48) */
export interface ClipLookEntry {
  readonly shape: ClipShape | null;
  /** `width` in pixels where the canvas's shorter side is 1080. */
  readonly border: { readonly color: string; readonly width: number } | null;
  readonly shadow: boolean;
}

export type AudioEntry = SourceEntry;

/** Without a role it is neither ducked by voice nor counts as voice. (C57) */
export interface SoundtrackEntry extends SourceEntry, Filled<typeof SOUNDTRACK_BASICS> {}
