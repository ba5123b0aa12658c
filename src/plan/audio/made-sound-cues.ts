import type { MadeSound } from './audio-plan.ts';

/** When a sound made by code is heard. */
interface SoundCue {
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
};
