import type { MadeSound } from '../plan/model/audio-plan.ts';
import { MADE_SOUND_CUES } from '../plan/model/audio-plan.ts';
import { SAMPLE_RATE } from '../time.ts';
import { BANK_MAKERS } from './bank-sounds.ts';
import { type Stereo, silentStereo } from './dsp/stereo.ts';
import { BandPass, buzz, noiseFrom, tail, turns } from './dsp/tones.ts';

/** Highest sample of each, of full scale: 0.5 is −6 dBFS, the most that is allowed. (R29) */
const PEAKS: Readonly<Record<MadeSound, number>> = {
  pop: 0.45,
  whoosh: 0.35,
  impact: 0.5,
  riser: 0.3,
  drum_roll: 0.35,
  ding: 0.4,
  sad: 0.35,
  stamp: 0.4,
  thud: 0.45,
  boing: 0.4,
  crowd: 0.35,
  clang: 0.4,
  hum: 0.25,
  zap: 0.4,
  power_down: 0.35,
  rustle: 0.35,
  blip: 0.3,
  coin: 0.24,
  game_over: 0.24,
  chalk: 0.45,
  scratch: 0.35,
  click: 0.4,
};

const made = new Map<MadeSound, Stereo>();

/** A sound made by code, always the very same samples. Do not write to it. (C45, R18) */
export function madeSound(name: MadeSound): Stereo {
  let sound = made.get(name);
  if (sound === undefined) {
    sound = silentStereo(Math.round(MADE_SOUND_CUES[name].seconds * SAMPLE_RATE));
    MAKERS[name](sound, MADE_SOUND_CUES[name].seconds);
    normalize(sound, PEAKS[name]);
    made.set(name, sound);
  }
  return sound;
}

const MAKERS: Readonly<Record<MadeSound, (into: Stereo, seconds: number) => void>> = {
  pop: makePop,
  whoosh: makeWhoosh,
  impact: makeImpact,
  riser: makeRiser,
  drum_roll: makeDrumRoll,
  ding: makeDing,
  sad: makeSad,
  stamp: makeStamp,
  ...BANK_MAKERS,
};

/** A bubble: a tone that rises quickly and is gone. */
function makePop({ left, right }: Stereo, seconds: number): void {
  let phase = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    phase += turns(320 + 900 * (1 - Math.exp(-t / 0.035)));
    const level = (1 - Math.exp(-t / 0.0008)) * Math.exp(-t / 0.032) * tail(t, seconds);
    left[i] = right[i] = level * (Math.sin(phase) + 0.25 * Math.sin(2 * phase));
  }
}

/** Air: noise through a band that goes up and down again, from one side to the other. */
function makeWhoosh({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0x9e3779b9);
  const air = new BandPass();
  for (let i = 0; i < left.length; i++) {
    const share = i / left.length;
    const swell = Math.sin(Math.PI * share ** 0.8) ** 2;
    const band = air.next(noise(), 350 + 1700 * swell, 0.45);
    const level = swell * tail(i / SAMPLE_RATE, seconds);
    left[i] = level * band * Math.cos((Math.PI / 2) * (0.2 + 0.6 * share));
    right[i] = level * band * Math.sin((Math.PI / 2) * (0.2 + 0.6 * share));
  }
}

/** Something heavy: a falling tone that a phone's speaker can play, a little below it, and a crack over it. */
function makeImpact({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0x85ebca6b);
  const crack = new BandPass();
  let body = 0;
  let low = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    body += turns(230 + 260 * Math.exp(-t / 0.045));
    low += turns(70 + 60 * Math.exp(-t / 0.05));
    const thump = Math.sin(body) * Math.exp(-t / 0.13) + 0.35 * Math.sin(low) * Math.exp(-t / 0.2);
    const hit = 1.4 * crack.next(noise(), 1500, 0.9) * Math.exp(-t / 0.035);
    left[i] = right[i] = (1 - Math.exp(-t / 0.0006)) * (thump + hit) * tail(t, seconds);
  }
}

/** Tension: a band of noise and two tones that rise by two octaves, get louder, and break off. */
function makeRiser({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0xc2b2ae35);
  const air = new BandPass();
  let one = 0;
  let other = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    const share = t / seconds;
    const pitch = 220 * 4 ** share;
    one += turns(pitch * 0.996);
    other += turns(pitch * 1.004);
    const band = 1.5 * air.next(noise(), 400 + 2800 * share ** 2, 0.7);
    const level = share ** 2 * tail(t, seconds);
    left[i] = level * (band + buzz(one));
    right[i] = level * (band + buzz(other));
  }
}

/** A snare drum: fast strokes, each one different, that swell towards the end. */
function makeDrumRoll({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0x27d4eb2f);
  const wires = new BandPass();
  let next = 0;
  let struck = 0;
  let force = 0;
  let skin = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    if (t >= next) {
      struck = t;
      force = 0.8 + 0.2 * noise();
      next = t + 0.041 + 0.004 * noise();
      skin = 0;
    }
    const since = t - struck;
    skin += turns(250 + 60 * Math.exp(-since / 0.01));
    const rattle = 1.6 * wires.next(noise(), 1700, 0.9) * Math.exp(-since / 0.03);
    const stroke = (1 - Math.exp(-since / 0.0008)) * (rattle + 0.7 * Math.sin(skin) * Math.exp(-since / 0.025));
    const swell = 0.4 + 0.25 * (t / seconds) + 0.35 * Math.exp((t - seconds) / 0.7);
    left[i] = right[i] = force * stroke * swell * tail(t, seconds);
  }
}

/** A small bell: partials that are not quite harmonic, the higher the sooner gone. */
function makeDing({ left, right }: Stereo, seconds: number): void {
  const partials = [
    { hertz: 1046.5, level: 1, decay: 0.42 },
    { hertz: 1049.5, level: 0.5, decay: 0.36 },
    { hertz: 2093, level: 0.45, decay: 0.26 },
    { hertz: 2889, level: 0.3, decay: 0.16 },
  ];
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    let sum = 0;
    for (const { hertz, level, decay } of partials) {
      sum += level * Math.sin(2 * Math.PI * hertz * t) * Math.exp(-t / decay);
    }
    left[i] = right[i] = (1 - Math.exp(-t / 0.001)) * sum * tail(t, seconds);
  }
}

/** A muted trombone that goes down by half a tone three times, and dwells on the last note with a tremble. */
function makeSad({ left, right }: Stereo, seconds: number): void {
  const notes = [0, 0.32, 0.64, 0.96];
  let phase = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    const nth = notes.findLastIndex((start) => start <= t);
    const since = t - notes[nth]!;
    const last = nth === notes.length - 1;
    const length = last ? seconds - notes[nth]! : 0.32;
    const tremble = last ? 0.35 * Math.min(1, since / 0.3) * Math.sin(2 * Math.PI * 5.5 * t) : 0;
    phase += turns(311.13 * 2 ** ((tremble - nth) / 12));
    // The mute opens and closes over each note: higher harmonics come and go.
    const open = Math.sin(Math.PI * Math.min(1, since / length)) ** 0.7;
    let sum = 0;
    for (let harmonic = 1; harmonic <= 9; harmonic++) {
      sum += (Math.sin(harmonic * phase) / harmonic) * open ** (0.35 * (harmonic - 1));
    }
    left[i] = right[i] = sum * open * Math.min(1, since / 0.02) * tail(t, seconds);
  }
}

/** Wood on paper: a dull knock. */
function makeStamp({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0x165667b1);
  const knock = new BandPass();
  let phase = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    phase += turns(260 + 160 * Math.exp(-t / 0.015));
    const hit = 1.8 * knock.next(noise(), 1100, 0.8) * Math.exp(-t / 0.018);
    left[i] = right[i] = (1 - Math.exp(-t / 0.0005)) * (hit + Math.sin(phase) * Math.exp(-t / 0.05)) * tail(t, seconds);
  }
}

function normalize({ left, right }: Stereo, peak: number): void {
  let highest = 0;
  for (const side of [left, right]) for (const sample of side) highest = Math.max(highest, Math.abs(sample));
  for (const side of [left, right]) for (let i = 0; i < side.length; i++) side[i]! *= peak / highest;
}
