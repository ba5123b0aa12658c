import { SAMPLE_RATE } from '../../time.ts';
import { type Stereo, StereoQueue, silentStereo, stereoView } from './stereo.ts';

/** Anything that gives sound by place, at 48 kHz. */
export interface SoundSource {
  /** Fills `into` from place `at` on; silence where there is nothing. */
  read(at: number, into: Stereo): void;
}

/** A segment fades in over `OVERLAP`, plays unchanged over `PLAY` and fades out over `OVERLAP`: 40 ms in all. */
const OVERLAP = 480;
const PLAY = 960;
const SEGMENT = OVERLAP + PLAY + OVERLAP;
/** How far from its due place a segment may be taken, to fit the one before: a period of 80 Hz. */
const SEARCH = 600;

/** An onset is joined this long before it, by a fade of `LOCK_OVERLAP`. */
const LOCK_LEAD = 96;
const LOCK_OVERLAP = 144;
/** How much of an onset may come before the place where it was found. */
const EARLY = 8;
/** The attack of an onset, which is never played twice. */
const ATTACK = 240;
/** Onsets closer than this in the output count as one. */
const LOCK_GAP = 720;

const READ = 2048;

/** An onset of the input, and where in the output it belongs. */
interface Lock {
  readonly from: number;
  readonly to: number;
}

/**
 * Plays a range of sound faster or slower at its own pitch (C17): short segments, each taken near its due place where
 * its wave fits the one before (WSOLA).
 *
 * Such segments are off by some 10 ms, and slow playing repeats them. So onsets and abrupt ends are found first and
 * pinned: each is heard once, whole, at its exact sample; the segments in between adjust. libavfilter's `atempo` was
 * measured 15 to 350 ms off, which is why it is not used.
 */
export class TimeStretch {
  readonly #start: number;
  readonly #length: number;
  readonly #speed: number;
  readonly #output = new StereoQueue();
  readonly #edges = new EdgeDetector();
  readonly #locks: Lock[] = [];
  /** Buffered input, from place `#heldAt` on. Places of input count from `start`. */
  readonly #held = new StereoQueue();
  #heldAt = 0;
  /** Output made so far; the next sample is played from `#at + #shift`. */
  #at = 0;
  #shift = 0;
  #lastLockFrom = -ATTACK;
  #lastLockTo = -LOCK_GAP;

  /** Plays the places `start … end` of a source; `millionths` is the speed. */
  constructor(start: number, end: number, millionths: number) {
    this.#start = start;
    this.#length = end - start;
    this.#speed = millionths / 1_000_000;
  }

  /** The next samples. The source may be another object each time, as long as it gives the same sound. */
  read(source: SoundSource, into: Stereo): void {
    const count = into.left.length;
    while (this.#output.length < count) this.#step(source);
    const made = this.#output.peek(count);
    into.left.set(made.left);
    into.right.set(made.right);
    this.#output.drop(count);
  }

  /** Continues up to the next joint, and over it. */
  #step(source: SoundSource): void {
    const horizon = Math.ceil((this.#at + 2 * SEGMENT + LOCK_GAP) * this.#speed) + EDGE_LOOKAHEAD;
    this.#hold(source, Math.max(horizon, this.#at + this.#shift + 2 * SEGMENT + SEARCH + EDGE_LOOKAHEAD));
    const lock = this.#nextLock();
    // An ordinary joint must be over before the one for an onset begins.
    if (lock !== null && lock.to - LOCK_LEAD - LOCK_OVERLAP <= this.#at + PLAY + OVERLAP) {
      this.#locks.shift();
      this.#lastLockFrom = lock.from;
      const joint = Math.max(this.#at, lock.to - LOCK_LEAD - LOCK_OVERLAP);
      this.#join(joint, lock.from - lock.to, Math.min(LOCK_OVERLAP, lock.to - joint));
    } else {
      const joint = this.#at + this.#room(lock);
      this.#join(joint, this.#fittingShift(joint, lock), OVERLAP);
    }
    const unwanted = Math.max(0, this.#lowestWanted() - this.#heldAt);
    this.#held.drop(unwanted);
    this.#heldAt += unwanted;
  }

  #nextLock(): Lock | null {
    while (this.#locks.length > 0 && this.#locks[0]!.to <= this.#at) this.#locks.shift();
    return this.#locks[0] ?? null;
  }

  /** How long the current segment may play: less than usual if two onsets leave no room to repeat anything else. */
  #room(lock: Lock | null): number {
    if (lock === null) return PLAY;
    const free = lock.from - LOCK_LEAD - (this.#lastLockFrom + ATTACK) - 2 * OVERLAP;
    return Math.max(OVERLAP / 2, Math.min(PLAY, free));
  }

  /** The shift near the due one with which a segment from `joint` on continues the current one best. */
  #fittingShift(joint: number, lock: Lock | null): number {
    const middle = joint + SEGMENT / 2;
    const due = Math.round(middle * this.#speed) - middle;
    const afterLock = this.#lastLockFrom + ATTACK - joint;
    let min = Math.max(due - SEARCH, afterLock, -joint);
    // In slow playing, a pinned part may be longer than the search reaches; or the input has ended.
    let max = Math.max(afterLock, Math.min(due + SEARCH, this.#length - joint - SEGMENT));
    if (lock !== null) {
      const heardUntil = Math.min(joint + SEGMENT + LOCK_OVERLAP, lock.to - LOCK_LEAD);
      max = Math.min(max, lock.from - EARLY - heardUntil);
    }
    // Only the attack itself is left to repeat: that is better than playing on into the next one.
    if (max < min) min = max = Math.max(max, -joint);
    const center = Math.min(Math.max(due, min), max);
    const base = joint + min;
    const template = this.#mono(joint + this.#shift, OVERLAP);
    const field = this.#mono(base, OVERLAP + max - min);
    return min + bestMatch(template, field, center - min);
  }

  /** Plays on until `joint`, then fades over to another shift within `overlap` samples. */
  #join(joint: number, shift: number, overlap: number): void {
    this.#output.push(this.#input(this.#at + this.#shift, joint - this.#at));
    const before = this.#input(joint + this.#shift, overlap);
    const after = this.#input(joint + shift, overlap);
    for (const side of ['left', 'right'] as const) {
      for (let i = 0; i < overlap; i++) {
        const share = (i + 0.5) / overlap;
        after[side][i] = before[side][i]! * (1 - share) + after[side][i]! * share;
      }
    }
    this.#output.push(after);
    this.#at = joint + overlap;
    this.#shift = shift;
  }

  /** Buffers everything before `until` and searches it for onsets. */
  #hold(source: SoundSource, until: number): void {
    for (let at = this.#heldAt + this.#held.length; at < until; at += READ) {
      const block = silentStereo(READ);
      const there = Math.max(0, Math.min(READ, this.#length - at));
      if (there > 0) source.read(this.#start + at, stereoView(block, 0, there));
      this.#held.push(block);
      for (const from of this.#edges.push(block)) this.#pin(from);
    }
  }

  #pin(from: number): void {
    const to = Math.round(from / this.#speed);
    if (to - this.#lastLockTo < LOCK_GAP || from >= this.#length) return;
    this.#lastLockTo = to;
    this.#locks.push({ from, to });
  }

  #lowestWanted(): number {
    const due = Math.floor(this.#at * this.#speed) - SEARCH - SEGMENT;
    return Math.max(0, Math.min(due, this.#at + this.#shift));
  }

  /** A copy of the input at a place, silent outside the buffered part. */
  #input(at: number, length: number): Stereo {
    const copy = silentStereo(Math.max(0, length));
    const from = Math.max(at, this.#heldAt);
    const to = Math.min(at + length, this.#heldAt + this.#held.length);
    if (to <= from) return copy;
    const there = stereoView(this.#held.peek(to - this.#heldAt), from - this.#heldAt, to - this.#heldAt);
    copy.left.set(there.left, from - at);
    copy.right.set(there.right, from - at);
    return copy;
  }

  #mono(at: number, length: number): Float32Array {
    const { left, right } = this.#input(at, length);
    for (let i = 0; i < left.length; i++) left[i]! += right[i]!;
    return left;
  }
}

const STRIDE = 4;

/**
 * Where in `field` the wave of `template` fits best, by normalised correlation; `favourite` if no place is better.
 * First by averages of four samples, then to the sample: some fifteen times less work than trying every place.
 */
function bestMatch(template: Float32Array, field: Float32Array, favourite: number): number {
  const places = field.length - template.length;
  if (places <= 0) return 0;
  const coarse = bestPlace(averaged(template), averaged(field), 0, Math.floor(places / STRIDE), favourite / STRIDE);
  if (coarse === null) return favourite;
  const from = Math.max(0, coarse * STRIDE - STRIDE);
  const to = Math.min(places, coarse * STRIDE + STRIDE);
  return bestPlace(template, field, from, to, coarse * STRIDE) ?? favourite;
}

/** The best place from `from` to `to`; of equals the one nearest to `favourite`; null in silence. */
function bestPlace(
  template: Float32Array,
  field: Float32Array,
  from: number,
  to: number,
  favourite: number,
): number | null {
  let best: number | null = null;
  let bestScore = 0;
  let energy = 1e-9;
  for (let i = 0; i < template.length; i++) energy += field[from + i]! ** 2;
  for (let place = from; place <= to; place++) {
    let product = 0;
    for (let i = 0; i < template.length; i++) product += template[i]! * field[place + i]!;
    // Rounding errors left by earlier loud sound must not make the energy negative.
    const score = product / Math.sqrt(Math.max(energy, 1e-9));
    const nearer = best !== null && Math.abs(place - favourite) < Math.abs(best - favourite);
    if (score > bestScore * 1.0001 || (nearer && score > bestScore * 0.9999)) {
      best = place;
      bestScore = Math.max(score, bestScore);
    }
    if (place < to) energy += field[place + template.length]! ** 2 - field[place]! ** 2;
  }
  return best;
}

function averaged(samples: Float32Array): Float32Array {
  const means = new Float32Array(Math.floor(samples.length / STRIDE));
  for (let i = 0; i < means.length; i++) {
    const at = i * STRIDE;
    means[i] = samples[at]! + samples[at + 1]! + samples[at + 2]! + samples[at + 3]!;
  }
  return means;
}

/** Levels are compared in steps of half a millisecond. */
const STEP = 24;
/** An edge must be louder than the loudest of the 20 ms beside it. */
const BESIDE = 40;
const CONTRAST = 2.5;
const FLOOR = 0.002;
/** An attack is where the sound reaches this share of its level within 10 ms: codecs smear a little in front. */
const ATTACK_SHARE = 0.3;
const ATTACK_STEPS = 20;
const REFRACTORY = Math.round(0.02 * SAMPLE_RATE);

const STEPS = 2 * BESIDE + 1;

/** How much further the detector must have heard to know all edges up to a place. */
const EDGE_LOOKAHEAD = (BESIDE + 2) * STEP;

/**
 * Finds the places, counted from 0, where something begins out of the quiet or breaks off into it, to the sample: a drum,
 * a consonant, a tone.
 */
class EdgeDetector {
  /** Absolute levels of the samples of the last steps, and of those steps; the one in the middle is judged. */
  readonly #samples = new Float32Array(STEPS * STEP);
  readonly #levels = new Float32Array(STEPS);
  #filled = 0;
  #steps = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** The edges found with `sound`, which continues the samples pushed before. */
  push({ left, right }: Stereo): number[] {
    const found: number[] = [];
    const current = this.#samples.length - STEP;
    for (let i = 0; i < left.length; i++) {
      this.#samples[current + this.#filled++] = Math.max(Math.abs(left[i]!), Math.abs(right[i]!));
      if (this.#filled < STEP) continue;
      let level = 0;
      for (let k = current; k < this.#samples.length; k++) level = Math.max(level, this.#samples[k]!);
      this.#levels[STEPS - 1] = level;
      this.#steps++;
      const edge = this.#judge();
      if (edge !== null) found.push(edge);
      this.#samples.copyWithin(0, STEP);
      this.#levels.copyWithin(0, 1);
      this.#filled = 0;
    }
    return found;
  }

  #judge(): number | null {
    const level = this.#levels[BESIDE]!;
    if (level < FLOOR) return null;
    // The neighbour alone decides almost always.
    if (level >= CONTRAST * this.#levels[BESIDE - 1]!) {
      const before = this.#loudest(0, BESIDE);
      if (level >= CONTRAST * before) return this.#onset(before);
    }
    if (level < CONTRAST * this.#levels[BESIDE + 2]!) return null;
    const after = this.#loudest(BESIDE + 2, STEPS);
    return level >= CONTRAST * after ? this.#end(after, level) : null;
  }

  #onset(before: number): number | null {
    const rise = this.#loudest(BESIDE, BESIDE + ATTACK_STEPS);
    const threshold = Math.max(1.2 * before, ATTACK_SHARE * rise);
    const end = (BESIDE + ATTACK_STEPS) * STEP;
    for (let i = (BESIDE - 1) * STEP; i < end; i++) if (this.#samples[i]! > threshold) return this.#edgeAt(i);
    return null;
  }

  #end(after: number, level: number): number | null {
    const threshold = Math.max(1.2 * after, ATTACK_SHARE * level);
    for (let i = (BESIDE + 2) * STEP - 1; i >= BESIDE * STEP; i--) {
      if (this.#samples[i]! > threshold) return this.#edgeAt(i + 1);
    }
    return null;
  }

  #edgeAt(index: number): number | null {
    const at = (this.#steps - STEPS) * STEP + index;
    if (Math.abs(at - this.#last) < REFRACTORY) return null;
    this.#last = at;
    return at;
  }

  #loudest(from: number, to: number): number {
    let level = 0;
    for (let i = from; i < to; i++) level = Math.max(level, this.#levels[i]!);
    return level;
  }
}
