import type { Micros, Range, Samples } from '../../time.ts';
import type { ChosenSound } from '../../timeline/choices.ts';

/** Made sounds: those that a request can choose, the stamp's own, and those of the banks of themes. (C45, R29) */
export type MadeSound = Exclude<ChosenSound, 'theme'> | 'stamp' | BankOnlySound;

/** Heard only as a part of a theme's bank. (R37) */
export type BankOnlySound =
  | 'thud'
  | 'boing'
  | 'crowd'
  | 'clang'
  | 'hum'
  | 'zap'
  | 'power_down'
  | 'rustle'
  | 'blip'
  | 'coin'
  | 'game_over'
  | 'chalk'
  | 'scratch'
  | 'click';

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

/** A sound in its slot. Where the trim is shorter than the slot needs, the rest is silent unless it loops. */
export interface AudioClip {
  readonly id: string;
  readonly path: string;
  readonly lane: 'videos' | 'audios' | 'soundtracks' | 'tier_tiles';
  readonly bus: SoundBus;
  /** An index into `RenderPlan.sources`, or a made sound. */
  readonly source: number | MadeSound;
  readonly slot: Range<Samples>;
  readonly trim: Range<Micros>;
  readonly speed: number;
  readonly gain: number;
  /** Multiplies the gain, by the sample from the slot's start, ascending; empty: 1. (C80) */
  readonly volumePoints: readonly { readonly at: Samples; readonly gain: number }[];
  /** Whether steady noise is reduced, as learnt from the trim. (C80) */
  readonly denoise: boolean;
  readonly loop: boolean;
  /** Requested fades; the 5 ms at each edge are in addition. (R15) */
  readonly fadeIn: Samples;
  readonly fadeOut: Samples;
}

/** When a sound made by code is heard. */
export interface SoundCue {
  readonly seconds: number;
  /** The moment of the reveal (R26) that the sound meets with its instant `meets`, counted in seconds from its start. (R29) */
  readonly moment: 'at' | 'verdict' | 'takeOff' | 'lands';
  readonly meets: number;
  /** Whether it starts with the reveal: if there is too little time, only its end is heard. */
  readonly fills?: true;
}

export const MADE_SOUND_CUES: Readonly<Record<MadeSound, SoundCue>> = {
  pop: { seconds: 0.16, moment: 'at', meets: 0 },
  whoosh: { seconds: 0.5, moment: 'takeOff', meets: 0.21 },
  impact: { seconds: 0.8, moment: 'lands', meets: 0 },
  riser: { seconds: 1.25, moment: 'verdict', meets: 1.25 },
  drum_roll: { seconds: 8, moment: 'verdict', meets: 8, fills: true },
  ding: { seconds: 1.4, moment: 'verdict', meets: 0 },
  sad: { seconds: 1.9, moment: 'lands', meets: 0 },
  stamp: { seconds: 0.22, moment: 'verdict', meets: 0 },
  thud: { seconds: 0.5, moment: 'lands', meets: 0 },
  boing: { seconds: 0.55, moment: 'lands', meets: 0 },
  crowd: { seconds: 1.6, moment: 'verdict', meets: 0 },
  clang: { seconds: 1.2, moment: 'verdict', meets: 0 },
  hum: { seconds: 8, moment: 'verdict', meets: 8, fills: true },
  zap: { seconds: 0.35, moment: 'verdict', meets: 0 },
  power_down: { seconds: 0.9, moment: 'verdict', meets: 0 },
  rustle: { seconds: 0.4, moment: 'at', meets: 0 },
  blip: { seconds: 0.16, moment: 'at', meets: 0 },
  coin: { seconds: 0.7, moment: 'verdict', meets: 0 },
  game_over: { seconds: 0.95, moment: 'lands', meets: 0 },
  chalk: { seconds: 0.1, moment: 'verdict', meets: 0 },
  scratch: { seconds: 0.34, moment: 'verdict', meets: 0 },
  click: { seconds: 0.06, moment: 'verdict', meets: 0 },
};
