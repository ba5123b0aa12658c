import { GAP_FOUND_MS, type Line, SampleClock } from './stream-clock.ts';

interface Buffer {
  readonly sound: Planes;
  /** The position of its first sample. */
  readonly start: number;
}

/**
 * Holds the sound of the last `GAP_FOUND_MS`, in which lost samples can still be found. Silence takes the place of lost samples where they
 * were lost. Positions are samples since the start of the stream.
 */
export class HeldSound {
  readonly #clock = new SampleClock();
  #buffers: Buffer[] = [];
  #end = 0;
  #rate = 0;

  /** From milliseconds of the sound to milliseconds of the page. */
  get line(): Line {
    return this.#clock.line;
  }

  /** The position after the last sample that has arrived. */
  get end(): number {
    return this.#end;
  }

  /** The position of the first sample that is held. */
  get start(): number {
    return this.#buffers[0]?.start ?? this.#end;
  }

  add(sound: Planes, rate: number, page: number): void {
    this.#rate = rate;
    const gap = this.#clock.add(((this.#end + sound.length) / rate) * 1000, page);
    const samples = Math.round(((gap?.ms ?? 0) / 1000) * rate);
    if (samples > 0) this.#addSilence(Math.round((gap!.after / 1000) * rate), samples, sound.channels);
    else if (samples < 0) this.#remove(-samples);
    this.#buffers.push({ sound, start: this.#end });
    this.#end += sound.length;
  }

  /** Releases the sound that no gap can move any more. */
  release(): Buffer[] {
    const newest = this.#end - (GAP_FOUND_MS / 1000) * this.#rate;
    const kept = this.#buffers.findIndex(({ start }) => start >= newest);
    return this.#buffers.splice(0, kept === -1 ? this.#buffers.length : kept);
  }

  releaseAll(): Buffer[] {
    return this.#buffers.splice(0);
  }

  #addSilence(after: number, length: number, channels: number): void {
    const found = this.#buffers.findIndex(({ start }) => start >= after);
    const index = found === -1 ? this.#buffers.length : found;
    const start = this.#buffers[index]?.start ?? this.#end;
    const silence = { planes: new Float32Array(length * channels), channels, length };
    this.#move(index, length);
    this.#buffers.splice(index, 0, { sound: silence, start });
  }

  /** Removes the first samples that are held. */
  #remove(length: number): void {
    const [start, from] = [this.start, Math.min(this.start + length, this.#end)];
    this.#buffers = this.#buffers.flatMap((buffer) => {
      const skip = Math.max(0, from - buffer.start);
      const left = buffer.sound.length - skip;
      return left > 0 ? [{ sound: cut(buffer.sound, skip, left), start: buffer.start + skip }] : [];
    });
    this.#move(0, start - from);
  }

  #move(from: number, by: number): void {
    this.#buffers = this.#buffers.map((buffer, i) => (i < from ? buffer : { ...buffer, start: buffer.start + by }));
    this.#end += by;
  }
}

/** A buffer of samples, one channel after the other. */
export interface Planes {
  readonly planes: Float32Array<ArrayBuffer>;
  readonly channels: number;
  readonly length: number;
}

/** Cuts a part out of a buffer. */
export function cut({ planes, channels, length: whole }: Planes, skip: number, length: number): Planes {
  if (length === whole) return { planes, channels, length };
  const part = new Float32Array(length * channels);
  for (let channel = 0; channel < channels; channel += 1) {
    const from = channel * whole + skip;
    part.set(planes.subarray(from, from + length), channel * length);
  }
  return { planes: part, channels, length };
}
