import type { Seconds } from '../../time.ts';
import type { ClipLayerName, ClipShape, ClipTransitionName, Fit, SoundRole } from '../choices.ts';
import type { MediaRef } from './media-ref.ts';
import type { Crop, EnterExit, GivenBox, MotionEntry, PlacesByPreset } from './places.ts';

/** The common fields of clips: a source, a window into it, a slot on the timeline. */
export interface SourceEntry {
  readonly path: string;
  readonly id: string;
  readonly media: MediaRef;
  readonly start: Seconds;
  /** null: the trimmed length, at its speed. (C15) */
  readonly duration: Seconds | null;
  readonly trimStart: Seconds;
  /** null: the source's end. Interpreted by `Settings.trimEndAs`. (C16) */
  readonly trimEnd: Seconds | null;
  readonly speed: number;
  /** Linear, 1 keeps. */
  readonly gain: number;
  /** Multiplies the gain over the slot, by the second from the entry's start, ascending; empty: 1. (C80) */
  readonly volumePoints: readonly VolumePoint[];
  /** Whether steady noise is reduced. (C80) */
  readonly denoise: boolean;
  readonly fadeIn: Seconds;
  readonly fadeOut: Seconds;
}

/** A gain that holds at one second of an entry; linear, 1 keeps. */
export interface VolumePoint {
  readonly at: Seconds;
  readonly gain: number;
}

export interface VideoEntry extends SourceEntry {
  /** Whether its id was sent; otherwise the id is its place in the lane. */
  readonly hasOwnId: boolean;
  readonly crop: Crop | null;
  /** Empty: the whole canvas. */
  readonly box: GivenBox;
  readonly fit: Fit;
  /** null: by how much of the canvas its box covers. (C54) */
  readonly layer: ClipLayerName | null;
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

export interface SoundtrackEntry extends SourceEntry {
  /** null: it is neither ducked by voice nor counts as voice. (C57) */
  readonly role: SoundRole | null;
  readonly loop: boolean;
}
