import { SAMPLE_RATE } from '../../src/time.ts';
import { seededRandom } from '../making/noise.ts';
import { pitch } from '../making/stereo.ts';

/** A soft chord tone: a few detuned voices with little above the fundamental, slow to come and slow to go. */
export function pad(note: number, seconds: number): Float32Array {
  const release = 0.8;
  const sound = new Float32Array(Math.round((seconds + release) * SAMPLE_RATE));
  for (const [detune, start] of [
    [0.9968, 0.6],
    [1, 2.3],
    [1.0034, 4.4],
  ] as const) {
    const step = (2 * Math.PI * pitch(note) * detune) / SAMPLE_RATE;
    const [cosStep, sinStep] = [Math.cos(step), Math.sin(step)];
    let [sine, cosine] = [Math.sin(start), Math.cos(start)];
    for (let n = 0; n < sound.length; n++) {
      [sine, cosine] = [sine * cosStep + cosine * sinStep, cosine * cosStep - sine * sinStep];
      // The overtones by the addition theorems: no more sines to be had.
      const second = 2 * sine * cosine;
      const third = sine * (3 - 4 * sine * sine);
      const fourth = 2 * second * (1 - 2 * sine * sine);
      sound[n]! += sine + 0.36 * second + 0.2 * third + 0.12 * fourth;
    }
  }
  for (let n = 0; n < sound.length; n++) {
    const t = n / SAMPLE_RATE;
    sound[n]! *=
      Math.min(1, t / 0.35) ** 1.5 * Math.min(1, Math.max(0, (seconds + release - t) / release)) ** 1.5 * 0.33;
  }
  return sound;
}

/** A plucked tone such as a kalimba's: the overtones die before the tone does. */
export function pluck(note: number, bright = 1): Float32Array {
  const sound = new Float32Array(Math.round(1.6 * SAMPLE_RATE));
  ring(sound, pitch(note), 1, 4.2);
  ring(sound, pitch(note) * 2.001, 0.5 * bright, 7);
  ring(sound, pitch(note) * 3.003, 0.26 * bright, 11);
  ring(sound, pitch(note) * 5.4, 0.2 * bright, 26);
  return softEdges(sound, 0.003, 0.1);
}

/** A small bell: partials that do not quite agree. */
export function bell(note: number, seconds: number): Float32Array {
  const sound = new Float32Array(Math.round(seconds * SAMPLE_RATE));
  for (const [ratio, gain, decay] of [
    [1, 0.5, 4],
    [2.003, 0.25, 6],
    [3.01, 0.1, 9],
    [4.17, 0.06, 14],
    [5.43, 0.035, 20],
  ] as const) {
    ring(sound, pitch(note) * ratio, gain, decay);
  }
  return softEdges(sound, 0.002, 0.12);
}

/** Adds a tone that dies away, `decay` in powers of e a second: one struck resonance. */
function ring(sound: Float32Array, hertz: number, gain: number, decay: number): void {
  if (hertz > SAMPLE_RATE / 2) return;
  const step = (2 * Math.PI * hertz) / SAMPLE_RATE;
  const loss = Math.exp(-decay / SAMPLE_RATE);
  const [one, two] = [2 * loss * Math.cos(step), -loss * loss];
  let [now, before] = [0, (-gain * Math.sin(step)) / loss];
  for (let n = 0; n < sound.length; n++) {
    sound[n]! += now;
    [now, before] = [one * now + two * before, now];
  }
}

function softEdges(sound: Float32Array, attackSeconds: number, releaseSeconds: number): Float32Array {
  const [attack, release] = [attackSeconds * SAMPLE_RATE, releaseSeconds * SAMPLE_RATE];
  for (let n = 0; n < attack; n++) sound[n]! *= n / attack;
  for (let n = 0; n < release; n++) sound[sound.length - 1 - n]! *= n / release;
  return sound;
}

/** A round, warm low tone. */
export function bass(note: number, seconds: number): Float32Array {
  const sound = new Float32Array(Math.round(seconds * SAMPLE_RATE));
  const step = (2 * Math.PI * pitch(note)) / SAMPLE_RATE;
  for (let n = 0; n < sound.length; n++) {
    const t = n / SAMPLE_RATE;
    const shape = Math.min(1, t / 0.015) * Math.min(1, (seconds - t) / 0.12) * (0.55 + 0.45 * Math.exp(-t * 3));
    sound[n] = Math.tanh(1.6 * (Math.sin(step * n) + 0.4 * Math.sin(2 * step * n))) * shape;
  }
  return sound;
}

/** A soft drum: its pitch falls as it fades. */
export function kick(): Float32Array {
  const sound = new Float32Array(Math.round(0.4 * SAMPLE_RATE));
  let phase = 0;
  for (let n = 0; n < sound.length; n++) {
    const t = n / SAMPLE_RATE;
    phase += (2 * Math.PI * (46 + 85 * Math.exp(-t * 30))) / SAMPLE_RATE;
    sound[n] = Math.sin(phase) * Math.exp(-t * 9) * Math.min(1, t / 0.002) * Math.min(1, (0.4 - t) / 0.05);
  }
  return sound;
}

/** A breath of bright noise. */
export function shaker(seconds: number): Float32Array {
  const random = seededRandom(3);
  const sound = new Float32Array(Math.round(seconds * SAMPLE_RATE));
  let before = 0;
  let smooth = 0;
  for (let n = 0; n < sound.length; n++) {
    const t = n / SAMPLE_RATE;
    const noise = random() * 2 - 1;
    smooth += (noise - before - smooth) * 0.6;
    before = noise;
    sound[n] = smooth * Math.exp((-t * 5) / seconds) * Math.min(1, t / 0.006);
  }
  return sound;
}

/** Fingers snapping in a large room. */
export function snap(): Float32Array {
  const random = seededRandom(9);
  const sound = new Float32Array(Math.round(0.25 * SAMPLE_RATE));
  let [low, band] = [0, 0];
  for (let n = 0; n < sound.length; n++) {
    const t = n / SAMPLE_RATE;
    // A resonance at about 1.6 kHz, which is where a snap snaps.
    const high = random() * 2 - 1 - low - 0.35 * band;
    band += 0.21 * high;
    low += 0.21 * band;
    sound[n] = band * Math.exp(-t * 26) * Math.min(1, t / 0.001);
  }
  return sound;
}

/** Air rushing by: noise through a filter that opens until `peakSeconds` and closes again. */
export function whoosh(seconds: number, peakSeconds: number): Float32Array {
  const random = seededRandom(13);
  const sound = new Float32Array(Math.round(seconds * SAMPLE_RATE));
  let [low, band] = [0, 0];
  for (let n = 0; n < sound.length; n++) {
    const t = n / SAMPLE_RATE;
    const swell = t < peakSeconds ? (t / peakSeconds) ** 2.4 : ((seconds - t) / (seconds - peakSeconds)) ** 1.7;
    const open = 2 * Math.sin((Math.PI * (180 + 1900 * swell)) / SAMPLE_RATE);
    const high = random() * 2 - 1 - low - 0.9 * band;
    band += open * high;
    low += open * band;
    sound[n] = band * swell;
  }
  return sound;
}
