import { MADE_SOUND_SECONDS } from '../plan/made-sound-seconds.ts';
import type { MadeSound } from '../plan/render-plan.ts';
import { SAMPLE_RATE } from '../time.ts';
import { type Stereo, silentStereo } from './dsp/stereo.ts';

/** Highest sample of each, of full scale: an impact is felt, a whoosh passes by. */
const PEAKS: Readonly<Record<MadeSound, number>> = { pop: 0.45, whoosh: 0.35, impact: 0.75 };

const made = new Map<MadeSound, Stereo>();

/** A sound made by code, always the very same samples. Do not write to it. (C45, R18) */
export function madeSound(name: MadeSound): Stereo {
  let sound = made.get(name);
  if (sound === undefined) {
    sound = silentStereo(Math.round(MADE_SOUND_SECONDS[name] * SAMPLE_RATE));
    MAKERS[name](sound, MADE_SOUND_SECONDS[name]);
    normalize(sound, PEAKS[name]);
    made.set(name, sound);
  }
  return sound;
}

const MAKERS: Readonly<Record<MadeSound, (into: Stereo, seconds: number) => void>> = {
  pop: makePop,
  whoosh: makeWhoosh,
  impact: makeImpact,
};

/** A bubble: a tone that rises quickly and is gone. */
function makePop({ left, right }: Stereo, seconds: number): void {
  let phase = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    phase += (2 * Math.PI * (320 + 900 * (1 - Math.exp(-t / 0.035)))) / SAMPLE_RATE;
    const level = (1 - Math.exp(-t / 0.0008)) * Math.exp(-t / 0.032) * tail(t, seconds);
    left[i] = right[i] = level * (Math.sin(phase) + 0.25 * Math.sin(2 * phase));
  }
}

/** Air: noise through a band that goes up and down again, from one side to the other. */
function makeWhoosh({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0x9e3779b9);
  let low = 0;
  let band = 0;
  for (let i = 0; i < left.length; i++) {
    const share = i / left.length;
    const swell = Math.sin(Math.PI * share ** 0.8) ** 2;
    const center = 350 + 2600 * swell;
    // A state-variable filter, one step a sample.
    const tune = 2 * Math.sin((Math.PI * center) / SAMPLE_RATE);
    low += tune * band;
    band += tune * (noise() - low - 0.55 * band);
    const level = swell * tail(i / SAMPLE_RATE, seconds);
    left[i] = level * band * Math.cos((Math.PI / 2) * (0.2 + 0.6 * share));
    right[i] = level * band * Math.sin((Math.PI / 2) * (0.2 + 0.6 * share));
  }
}

/** Something heavy: a deep tone that falls, and a short crack over it. */
function makeImpact({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0x85ebca6b);
  let phase = 0;
  let dull = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    phase += (2 * Math.PI * (44 + 90 * Math.exp(-t / 0.05))) / SAMPLE_RATE;
    const body = Math.sin(phase) * Math.exp(-t / 0.2);
    dull += 0.18 * (noise() - dull);
    const crack = dull * 1.6 * Math.exp(-t / 0.03);
    left[i] = right[i] = (1 - Math.exp(-t / 0.0006)) * (body + crack) * tail(t, seconds);
  }
}

/** Nothing ends with a click. */
function tail(t: number, seconds: number): number {
  const left = seconds - t;
  return left >= TAIL_SECONDS ? 1 : Math.max(0, left / TAIL_SECONDS);
}

const TAIL_SECONDS = 0.04;

function normalize({ left, right }: Stereo, peak: number): void {
  let highest = 0;
  for (const side of [left, right]) for (const sample of side) highest = Math.max(highest, Math.abs(sample));
  for (const side of [left, right]) for (let i = 0; i < side.length; i++) side[i]! *= peak / highest;
}

/** The same noise from −1 to 1 on every machine (xorshift32). */
function noiseFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 0x80000000;
  };
}
