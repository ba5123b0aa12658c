import { SAMPLE_RATE } from '../../src/time.ts';
import { seededRandom } from '../making/noise.ts';
import { pitch } from '../making/stereo.ts';

/** A soft chord tone: a few detuned voices with little above the fundamental, slow to come and slow to go. */
export function pad(note: number, seconds: number): Float32Array {
  const release = 0.8;
  const sound = new Float32Array(Math.round((seconds + release) * SAMPLE_RATE));
  for (const [detune, start] of [
    [0.9968, 0.1],
    [1, 0.37],
    [1.0034, 0.71],
  ] as const) {
    const step = (2 * Math.PI * pitch(note) * detune) / SAMPLE_RATE;
    let phase = start * 2 * Math.PI;
    for (let n = 0; n < sound.length; n++) {
      phase += step;
      const sine = Math.sin(phase);
      // sin 2x and sin 3x, from sin x alone.
      const cosine = Math.sin(phase + Math.PI / 2);
      sound[n]! += sine + 0.34 * 2 * sine * cosine + 0.13 * sine * (3 - 4 * sine * sine);
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
  const step = (2 * Math.PI * pitch(note)) / SAMPLE_RATE;
  for (let n = 0; n < sound.length; n++) {
    const t = n / SAMPLE_RATE;
    const attack = Math.min(1, t / 0.004);
    const tone = Math.sin(step * n) * Math.exp(-t * 4.2);
    const second = Math.sin(step * 2.001 * n) * Math.exp(-t * 8) * 0.38 * bright;
    const ping = Math.sin(step * 5.4 * n) * Math.exp(-t * 26) * 0.16 * bright;
    sound[n] = attack * (tone + second + ping) * Math.min(1, (1.6 - t) / 0.1);
  }
  return sound;
}

/** A small bell: partials that do not quite agree. */
export function bell(note: number, seconds: number): Float32Array {
  const sound = new Float32Array(Math.round(seconds * SAMPLE_RATE));
  const step = (2 * Math.PI * pitch(note)) / SAMPLE_RATE;
  for (const [ratio, gain, decay] of [
    [1, 1, 4],
    [2.003, 0.5, 6],
    [3.01, 0.2, 9],
    [4.17, 0.12, 14],
    [5.43, 0.07, 20],
  ] as const) {
    for (let n = 0; n < sound.length; n++) {
      const t = n / SAMPLE_RATE;
      sound[n]! += Math.sin(step * ratio * n) * gain * Math.exp(-t * decay) * Math.min(1, t / 0.002);
    }
  }
  const fade = 0.12 * SAMPLE_RATE;
  for (let n = 0; n < sound.length; n++) sound[n]! *= 0.5 * Math.min(1, (sound.length - n) / fade);
  return sound;
}

/** A round, warm low tone. */
export function bass(note: number, seconds: number): Float32Array {
  const sound = new Float32Array(Math.round(seconds * SAMPLE_RATE));
  const step = (2 * Math.PI * pitch(note)) / SAMPLE_RATE;
  for (let n = 0; n < sound.length; n++) {
    const t = n / SAMPLE_RATE;
    const shape = Math.min(1, t / 0.015) * Math.min(1, (seconds - t) / 0.12) * (0.55 + 0.45 * Math.exp(-t * 3));
    sound[n] = Math.tanh(1.5 * (Math.sin(step * n) + 0.25 * Math.sin(2 * step * n))) * shape;
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
