import type { BankOnlySound } from '../plan/model/audio-plan.ts';
import { SAMPLE_RATE } from '../time.ts';
import type { Stereo } from './dsp/stereo.ts';
import { BandPass, noiseFrom, tail, turns } from './dsp/tones.ts';

/** How the sounds are made that only banks of themes have. (R37) */
export const BANK_MAKERS: Readonly<Record<BankOnlySound, (into: Stereo, seconds: number) => void>> = {
  thud: makeThud,
  boing: makeBoing,
  crowd: makeCrowd,
  clang: makeClang,
  hum: makeHum,
  zap: makeZap,
  power_down: makePowerDown,
  rustle: makeRustle,
  blip: (into, seconds) => playChip(into, seconds, BLIP),
  coin: (into, seconds) => playChip(into, seconds, COIN),
  game_over: (into, seconds) => playChip(into, seconds, GAME_OVER),
  chalk: makeChalk,
  scratch: makeScratch,
  click: makeClick,
};

/** A heavy book on a carpet: a low tone, with so much of the octave above that a phone plays it. */
function makeThud({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0x51ed270b);
  const felt = new BandPass();
  let body = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    body += turns(128 + 90 * Math.exp(-t / 0.03));
    const tone = 0.4 * Math.sin(body) + 0.75 * Math.sin(2 * body) + 0.3 * Math.sin(3 * body);
    const touch = 0.8 * felt.next(noise(), 420, 1.1) * Math.exp(-t / 0.03);
    left[i] = right[i] = (1 - Math.exp(-t / 0.003)) * (tone * Math.exp(-t / 0.09) + touch) * tail(t, seconds);
  }
}

/** A spring: its pitch swings, slower and less with each swing. */
function makeBoing({ left, right }: Stereo, seconds: number): void {
  let phase = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    const swings = Math.sin(2 * Math.PI * (15 * t - 8 * t ** 2));
    phase += turns(330 * 2 ** ((5 * swings * Math.exp(-t / 0.22) - 6 * t) / 12));
    const tone = Math.sin(phase) + 0.45 * Math.sin(2 * phase) + 0.25 * Math.sin(3 * phase);
    left[i] = right[i] = (1 - Math.exp(-t / 0.002)) * tone * Math.exp(-t / 0.17) * tail(t, seconds);
  }
}

/** A small audience says "oh": buzzing throats a little out of tune, through the two resonances of the vowel. */
function makeCrowd({ left, right }: Stereo, seconds: number): void {
  const random = noiseFrom(0x6c8e9cf5);
  const voices = Array.from({ length: 14 }, (_, n) => ({
    hertz: (n % 2 === 0 ? 128 : 205) * (1 + 0.11 * random()),
    late: 0.07 * (1 + random()),
    side: 0.5 + 0.4 * random(),
    phase: 0,
  }));
  const breath = noiseFrom(0x1b873593);
  const vowels = [left, right].map(() => [new BandPass(), new BandPass()] as const);
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    // Surprise: up by three semitones, then slowly down.
    const bend = 2 ** ((3 * Math.exp(-(((t - 0.28) / 0.22) ** 2)) - 2.5 * t) / 12);
    const throat = [0.5 * breath(), 0.5 * breath()] as [number, number];
    for (const voice of voices) {
      const since = Math.max(0, t - voice.late);
      voice.phase = (voice.phase + (voice.hertz * bend) / SAMPLE_RATE) % 1;
      const buzzing = (1 - 2 * voice.phase) * (1 - Math.exp(-since / 0.06));
      throat[0] += buzzing * (1 - voice.side);
      throat[1] += buzzing * voice.side;
    }
    const level = Math.exp(-Math.max(0, t - 0.35) / 0.38) * tail(t, seconds);
    for (const [n, side] of [left, right].entries()) {
      const [mouth, nose] = vowels[n]!;
      side[i] = level * (mouth.next(throat[n as 0 | 1], 520, 0.22) + 0.7 * nose.next(throat[n as 0 | 1], 920, 0.2));
    }
  }
}

/** A bar of metal that is struck: partials of a free bar, the higher the sooner gone. */
function makeClang({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0x7feb352d);
  const edge = new BandPass();
  const partials = [1, 1.51, 2.76, 3.94, 5.4].map((ratio, n) => ({
    hertz: 392 * ratio,
    level: 0.85 ** n,
    decay: 0.34 / (1 + 0.6 * n),
  }));
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    let sum = 2 * edge.next(noise(), 2600, 0.7) * Math.exp(-t / 0.012);
    for (const { hertz, level, decay } of partials) {
      sum += level * Math.sin(2 * Math.PI * hertz * t) * Math.exp(-t / decay);
    }
    left[i] = right[i] = (1 - Math.exp(-t / 0.0005)) * sum * tail(t, seconds);
  }
}

/** The transformer of a tube of light: harmonics of the mains that beat slowly. */
function makeHum({ left, right }: Stereo, seconds: number): void {
  const harmonics = [120, 240, 360, 480, 720, 960, 1440];
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    let [one, other] = [0, 0];
    for (const [n, hertz] of harmonics.entries()) {
      const level = (n === 0 ? 0.3 : 1) / (1 + 0.7 * n);
      const beat = 0.8 + 0.2 * Math.sin(2 * Math.PI * (0.7 + 0.31 * n) * t);
      one += level * beat * Math.sin(2 * Math.PI * hertz * t + n);
      other += level * beat * Math.sin(2 * Math.PI * hertz * t + n + 0.4);
    }
    // It swells towards its end, wherever it begins.
    const swell = Math.min(1, t / 0.02) * (0.55 + 0.45 * Math.exp((t - seconds) / 0.5));
    left[i] = swell * one * tail(t, seconds);
    right[i] = swell * other * tail(t, seconds);
  }
}

/** A spark: crackles over a tone that falls by two octaves. */
function makeZap({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0x2545f491);
  const spark = new BandPass();
  let phase = 0;
  let crack = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    const roll = noise();
    crack = Math.abs(roll) > 0.9965 ? roll : crack * Math.exp(-1 / (0.0012 * SAMPLE_RATE));
    phase = (phase + (350 + 1250 * Math.exp(-t / 0.05)) / SAMPLE_RATE) % 1;
    const arc = 0.5 * (1 - 2 * phase) + 1.6 * spark.next(crack + 0.35 * roll, 2300, 0.6);
    left[i] = right[i] = (1 - Math.exp(-t / 0.0006)) * arc * Math.exp(-t / 0.075) * tail(t, seconds);
  }
}

/** The light goes out: a buzz that sinks and fades. */
function makePowerDown({ left, right }: Stereo, seconds: number): void {
  let phase = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    phase += turns(250 + 370 * Math.exp(-t / 0.25));
    const tone = Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.33 * Math.sin(3 * phase);
    left[i] = right[i] = Math.min(1, t / 0.01) * tone * Math.exp(-t / 0.35) * tail(t, seconds);
  }
}

/** A sheet that is turned: short crackles of air, denser in the middle. */
function makeRustle({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0x3c6ef372);
  const sheets = [new BandPass(), new BandPass()];
  let fold = 0;
  for (let i = 0; i < left.length; i++) {
    const share = i / left.length;
    const swell = Math.sin(Math.PI * share ** 0.7) ** 1.5;
    const roll = noise();
    // A fold snaps now and then, and rings for three milliseconds.
    fold = Math.abs(roll) > 0.998 - 0.004 * swell ? 1 : fold * Math.exp(-1 / (0.003 * SAMPLE_RATE));
    const air = roll * (0.22 + fold);
    const level = swell * tail(i / SAMPLE_RATE, seconds);
    left[i] = level * sheets[0]!.next(air, 1500, 0.75);
    right[i] = level * sheets[1]!.next(0.7 * air + 0.3 * noise() * fold, 1700, 0.75);
  }
}

/** Notes of a chip: the pitch, and the second at which each starts; how fast the last one fades. */
interface ChipTune {
  readonly notes: readonly (readonly [hertz: number, at: number])[];
  readonly fades: number;
}

const BLIP: ChipTune = {
  notes: [
    [659.26, 0],
    [987.77, 0.045],
  ],
  fades: 0.05,
};
const COIN: ChipTune = {
  notes: [
    [783.99, 0],
    [1046.5, 0.07],
    [1318.51, 0.14],
    [1567.98, 0.21],
  ],
  fades: 0.16,
};
const GAME_OVER: ChipTune = {
  notes: [
    [523.25, 0],
    [493.88, 0.16],
    [466.16, 0.32],
    [349.23, 0.48],
  ],
  fades: 0.2,
};

/** A pulse wave as game consoles had it, from its lowest harmonics: a true square would alias. */
function playChip({ left, right }: Stereo, seconds: number, { notes, fades }: ChipTune): void {
  let phase = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    const nth = notes.findLastIndex(([, at]) => at <= t);
    const [hertz, at] = notes[nth]!;
    phase += turns(hertz);
    const since = t - at;
    const level = nth === notes.length - 1 ? Math.exp(-since / fades) : 1 - 2 * since;
    let sum = 0;
    for (let harmonic = 1; harmonic <= 9; harmonic += 2) sum += Math.sin(harmonic * phase) / harmonic;
    left[i] = right[i] = Math.min(1, since / 0.002) * level * sum * tail(t, seconds);
  }
}

/** Chalk that touches a board: a hard, high knock with the wood behind it. */
function makeChalk({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0x5bd1e995);
  const tip = new BandPass();
  let wood = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    wood += turns(410 + 120 * Math.exp(-t / 0.006));
    const knock = 2 * tip.next(noise(), 2700, 0.5) * Math.exp(-t / 0.006) + 0.8 * Math.sin(wood) * Math.exp(-t / 0.018);
    left[i] = right[i] = (1 - Math.exp(-t / 0.0004)) * knock * tail(t, seconds);
  }
}

/** A line of chalk: the tip sticks and slips on its way. */
function makeScratch({ left, right }: Stereo, seconds: number): void {
  const noise = noiseFrom(0x68e31da4);
  const line = new BandPass();
  let slip = 0;
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    slip = (slip + (70 + 25 * Math.sin(2 * Math.PI * 3.1 * t)) / SAMPLE_RATE) % 1;
    const swell = Math.sin(Math.PI * (t / seconds) ** 0.6);
    const grain = line.next(noise() * (0.35 + 0.65 * (1 - slip)), 1900 + 900 * (t / seconds), 0.6);
    left[i] = swell * grain * 0.9 * tail(t, seconds);
    right[i] = swell * grain * tail(t, seconds);
  }
}

/** A switch: two short knocks. */
function makeClick({ left, right }: Stereo, seconds: number): void {
  for (let i = 0; i < left.length; i++) {
    const t = (i + 0.5) / SAMPLE_RATE;
    let sum = 0;
    for (const [at, level] of [
      [0, 1],
      [0.012, 0.5],
    ] as const) {
      const since = t - at;
      if (since < 0) continue;
      const knock = Math.sin(2 * Math.PI * 1900 * since) + 0.6 * Math.sin(2 * Math.PI * 720 * since);
      sum += level * (1 - Math.exp(-since / 0.0003)) * Math.exp(-since / 0.004) * knock;
    }
    left[i] = right[i] = sum * tail(t, seconds);
  }
}
