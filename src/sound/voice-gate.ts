import { clipPass, passAt, VOICE_DUCK, type VoicePart, voiceClips } from '../plan/frame/clip-pass.ts';
import type { AudioClip, AudioPlan } from '../plan/model/audio-plan.ts';
import { type Range, SAMPLE_RATE } from '../time.ts';
import type { Stereo } from './dsp/stereo.ts';

/** Samples between two levels: 10 ms. */
const STEP = SAMPLE_RATE / 100;
/** Rumble and mains hum are not voice: frequencies below 100 Hz are lowered, twice. */
const HIGH_PASS = Math.exp((-2 * Math.PI * 100) / SAMPLE_RATE);
/** In dB of full scale: no voice is quieter than this, */
const QUIETEST = -60;
/** and steady sound, such as the noise of a room, counts only above this. */
const STEADY = -40;
const STEADY_RANGE = 12;
/**
 * The gate opens at this share of the range between the noise and the loudest, and at least this many decibels above
 * the noise.
 */
const OPENS_AT = 0.35;
const MIN_ABOVE_NOISE = 6;
const MAX_BELOW_LOUDEST = 10;
/** It closes later than it opens, so that it does not flutter. */
const HYSTERESIS = 6;
/** Shorter sounds are clicks, in levels. */
const SHORTEST = 3;
/** How far before the gate opens a syllable may begin softly, and how much of its beginning is quieter still, in levels. */
const SOFT_ONSET = 20;
const BREATH = 4;

/** Finds when there is voice in a sound by its level alone; the same in the browser and in the service. (R28) */
export class VoiceGate {
  readonly #energies: number[] = [];
  #sum = 0;
  #count = 0;
  #before = 0;
  #once = 0;
  #twice = 0;

  /** Takes the next samples. */
  push({ left, right }: Stereo): void {
    for (let i = 0; i < left.length; i++) {
      const sample = (left[i]! + right[i]!) / 2;
      const once = HIGH_PASS * (this.#once + sample - this.#before);
      this.#twice = HIGH_PASS * (this.#twice + once - this.#once);
      this.#before = sample;
      this.#once = once;
      this.#sum += this.#twice * this.#twice;
      this.#count += 1;
      if (this.#count < STEP) continue;
      this.#energies.push(this.#sum / STEP);
      this.#sum = 0;
      this.#count = 0;
    }
  }

  /** When there is voice in all that was taken, in samples from its start; in order, apart from each other. */
  spans(): Range<number>[] {
    const levels = levelsOf(this.#energies);
    const opens = threshold(levels);
    const closes = opens - HYSTERESIS;
    const spans: Range<number>[] = [];
    let last = 0;
    for (let at = 0; at + SHORTEST <= levels.length; at++) {
      if (!levels.subarray(at, at + SHORTEST).every((level) => level >= opens)) continue;
      let from = at;
      while (from > last && at - from < SOFT_ONSET && levels[from - 1]! >= closes) from -= 1;
      let to = at + SHORTEST;
      while (to < levels.length && levels[to]! >= closes) to += 1;
      spans.push({ start: Math.max(last, from - BREATH) * STEP, end: (to + 1) * STEP });
      last = to;
      at = to;
    }
    return spans;
  }
}

/** Over 20 ms each: a single period of a low voice is about 10. */
function levelsOf(energies: readonly number[]): Float32Array {
  return Float32Array.from(energies, (energy, index) => {
    const mean = (energy + (energies[index + 1] ?? energy)) / 2;
    return 10 * Math.log10(mean + 1e-12);
  });
}

function threshold(levels: Float32Array): number {
  const sorted = levels.toSorted();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? QUIETEST;
  const [noise, loudest] = [at(0.1), at(0.99)];
  const range = loudest - noise;
  if (range < STEADY_RANGE) return STEADY;
  const above = noise + Math.max(MIN_ABOVE_NOISE, OPENS_AT * range);
  return Math.max(QUIETEST, Math.min(above, loudest - MAX_BELOW_LOUDEST));
}

const NORMAL_SPEED = 1_000_000;
/** For how long music is down at least, in samples. */
const DOWN_FOR = VOICE_DUCK.down + VOICE_DUCK.stays + VOICE_DUCK.up;

/** Looks for the voice in a part of a source. @returns when there is voice, in samples from its start. */
type FindVoice = (part: VoicePart) => Promise<readonly Range<number>[]>;

/** When there is voice on the timeline, in samples; in no order. Only parts that play near music are searched, each of them once. */
export async function voiceSlots(
  audio: Pick<AudioPlan, 'clips' | 'duckDb'>,
  find: FindVoice,
): Promise<Range<number>[]> {
  const found = new Map<string, readonly Range<number>[]>();
  const slots: Range<number>[] = [];
  for (const { clip, part } of voiceClips(audio)) {
    const key = `${part.source} ${part.start} ${part.end}`;
    const spans = found.get(key) ?? (await find(part));
    found.set(key, spans);
    for (const slot of spansInSlot(clip, spans)) slots.push(slot);
  }
  return slots;
}

/** Spans of the source, counted from its trim's start, where they are heard; in each pass of a loop again. */
function spansInSlot(clip: AudioClip, spans: readonly Range<number>[]): Range<number>[] {
  const { heard } = clipPass(clip);
  // In a shorter loop the level never comes back up, and there may be as many passes as samples.
  if (clip.loop && spans.length > 0 && passAt(clip, 0).end < DOWN_FOR) {
    return [{ start: clip.slot.start, end: clip.slot.start + heard }];
  }
  const slots: Range<number>[] = [];
  for (let at = 0; at < heard; ) {
    const pass = passAt(clip, at);
    const end = Math.min(heard, pass.end);
    for (const span of spans) {
      const start = pass.start + Math.floor((span.start * NORMAL_SPEED) / clip.speed);
      const stop = pass.start + Math.ceil((span.end * NORMAL_SPEED) / clip.speed);
      if (start >= end) break;
      const last = slots.at(-1);
      const slot = { start: clip.slot.start + start, end: clip.slot.start + Math.min(end, stop) };
      // Slots this close are never separate for music; a loop would make millions of them.
      if (last !== undefined && slot.start - last.end < DOWN_FOR) slots[slots.length - 1] = { ...last, end: slot.end };
      else slots.push(slot);
    }
    at = pass.end;
  }
  return slots;
}
