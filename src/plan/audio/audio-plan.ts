import type { Micros, Range, Samples } from '../../time.ts';
import type { ChosenSound } from '../../timeline/choices.ts';

/** Made sounds: those that a request can choose, and the stamp's own. (C45, R29) */
export type MadeSound = ChosenSound | 'stamp';

export interface AudioPlan {
  readonly totalSamples: Samples;
  readonly bitrateKbps: number;
  /** LUFS target; null: the level stays. */
  readonly loudness: number | null;
  /** By how many decibels the voice bus ducks the music bus; 0: not at all. (C57) */
  readonly duckDb: number;
  readonly clips: readonly AudioClip[];
  /** Hash of everything that decides the sound's bytes, and of nothing else. */
  readonly key: string;
  /** The sources whose voice may duck music. */
  readonly voices: readonly VoiceKey[];
}

/** Identifies the voice in the played parts of a source, by a hash of everything that decides it. (R28) */
export interface VoiceKey {
  /** An index into `RenderPlan.sources`. */
  readonly source: number;
  readonly key: string;
}

/**
 * The bus of a sound in the mix, in this order: voice ducks music, tiles duck music and plain sounds. (C57) Without
 * ducking, everything is plain.
 */
export const SOUND_BUSES = ['music', 'plain', 'voice', 'tile'] as const;
export type SoundBus = (typeof SOUND_BUSES)[number];

/** A sound in its slot. Where the window is shorter than the slot needs, the rest is silent unless it loops. */
export interface AudioClip {
  readonly id: string;
  readonly path: string;
  readonly lane: 'videos' | 'audios' | 'soundtracks' | 'tier_tiles';
  readonly bus: SoundBus;
  /** An index into `RenderPlan.sources`, or a made sound. */
  readonly source: number | MadeSound;
  readonly slot: Range<Samples>;
  readonly window: Range<Micros>;
  readonly speed: number;
  readonly gain: number;
  /** Multiplies the gain, by the sample from the slot's start, ascending; empty: 1. (C80) */
  readonly volumePoints: readonly { readonly at: Samples; readonly gain: number }[];
  /** Whether steady noise is reduced, as learnt from the window. (C80) */
  readonly denoise: boolean;
  readonly loop: boolean;
  /** Requested fades; the 5 ms at each edge are in addition. (R15) */
  readonly fadeIn: Samples;
  readonly fadeOut: Samples;
}
