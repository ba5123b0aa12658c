import { cut, type Planes } from './held-sound.ts';

/** The part of `VideoFrame` that is used here. */
interface Picture {
  clone(): this;
  close(): void;
}

/** Writes one file of a recording. Times are seconds of the file. */
export interface PartWriter<P extends Picture> {
  readonly name: string;
  readonly bytes: number;
  /** Whether the encoder has been dropping pictures for seconds. */
  readonly isBehind: boolean;
  /** Adds a picture and closes it. @returns whether it was accepted: the encoder may be behind. */
  addPicture(frame: P, seconds: number): boolean;
  addSound(sound: Planes, seconds: number): Promise<void>;
  finish(): Promise<void>;
  /** Closes the file as it is. */
  close(): void;
  /** Removes the file, to which nothing was written. */
  discard(): Promise<void>;
}

interface Part<P extends Picture> {
  readonly writer: PartWriter<P>;
  /** Positions in the recording; `to` is null until the next file starts. */
  readonly from: number;
  to: number | null;
  isEnding: boolean;
}

interface PartsOptions<P extends Picture> {
  readonly rate: number;
  readonly hasPicture: boolean;
  /** The largest file that the service accepts. */
  readonly maxBytes: number;
  /** Opens the file with this number, with pictures of this scale; null if it fails. */
  readonly open: (number: number, scale: number) => Promise<PartWriter<P> | null>;
  readonly failed: (error: unknown) => void;
}

/** A file ends this far before the limit, so that what the encoder still holds fits. */
const ENDING_BYTES = 8 << 20;
const ENDING_SHARE = 1 / 4;
/** How long a file continues after the start of the next one, so that the timeline can cut at a whole frame of any rate. */
export const OVERLAP_SECONDS = 1;
/** A picture arrives at most this much later than its sound. */
const RECENT_SECONDS = 3;
const REDUCED_SCALE = 0.5;

/**
 * The files of a recording. The next one starts when a file is nearly full, or once, with smaller pictures, when the encoder is too
 * slow. It starts with a picture, and with the sound from exactly there. Positions are ticks from the start of the recording.
 */
export class TakeParts<P extends Picture> {
  readonly #options: PartsOptions<P>;
  readonly #parts: Part<P>[];
  readonly #endings: Promise<void>[] = [];
  #next: PartWriter<P> | null = null;
  #isOpening = false;
  /** No further file can be opened. */
  #isLast = false;
  #recent: { readonly sound: Planes; readonly at: number }[] = [];
  #scale = 1;
  #isOver = false;
  #dropped = 0;

  constructor(first: PartWriter<P>, options: PartsOptions<P>) {
    this.#options = options;
    this.#parts = [{ writer: first, from: 0, to: null, isEnding: false }];
  }

  get isBehind(): boolean {
    return this.#parts.at(-1)!.writer.isBehind;
  }

  /** How many pictures no encoder accepted. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whether pictures are smaller than at the start. */
  get isReduced(): boolean {
    return this.#scale < 1 && !this.#isLast;
  }

  /** The files, and the start of each in seconds of the recording. */
  get files(): readonly { readonly name: string; readonly from: number }[] {
    return this.#parts.map(({ writer, from }) => ({ name: writer.name, from: from / this.#options.rate }));
  }

  /** Adds a picture and closes it. @returns whether it was accepted. */
  addPicture(frame: P, place: number): boolean {
    const heardFrom = this.#recent[0]?.at ?? 0;
    if (this.#next !== null && place >= heardFrom) this.#begin(this.#next, place);
    let isTaken = false;
    for (const { writer, from, to, isEnding } of this.#parts) {
      if (isEnding || place < from || (to !== null && place >= to)) continue;
      isTaken = writer.addPicture(frame.clone(), (place - from) / this.#options.rate);
    }
    frame.close();
    if (!isTaken) this.#dropped += 1;
    if (this.isBehind && this.#scale === 1) {
      this.#scale = REDUCED_SCALE;
      void this.#openNext();
    }
    if (this.#recent.length === 0) this.#endBefore(place);
    this.#goOnWhenFull();
    return isTaken;
  }

  async addSound(sound: Planes, at: number): Promise<void> {
    const { rate, hasPicture } = this.#options;
    if (this.#next !== null && !hasPicture) this.#begin(this.#next, at);
    this.#recent.push({ sound, at });
    while (this.#recent[0]!.at < at - RECENT_SECONDS * rate) this.#recent.shift();
    // In parallel: a file that starts meanwhile gets this buffer from the recent ones.
    await Promise.all(this.#parts.map((part) => this.#write(part, sound, at)));
    this.#endBefore(at);
    this.#goOnWhenFull();
  }

  /** Completes all files. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await this.#next?.discard();
    for (const part of this.#parts) this.#end(part);
    await Promise.all(this.#endings);
  }

  close(): void {
    this.#isOver = true;
    void this.#next?.discard();
    for (const { writer } of this.#parts) writer.close();
  }

  #endBefore(place: number): void {
    for (const part of this.#parts) if (part.to !== null && place >= part.to) this.#end(part);
  }

  #goOnWhenFull(): void {
    const { maxBytes, failed } = this.#options;
    const left = Math.min(ENDING_BYTES, maxBytes * ENDING_SHARE);
    if (this.#parts.at(-1)!.writer.bytes <= maxBytes - left) return;
    if (this.#isLast) failed(new DOMException('', 'QuotaExceededError'));
    else void this.#openNext();
  }

  async #openNext(): Promise<void> {
    if (this.#isOpening || this.#next !== null || this.#isLast || this.#isOver) return;
    this.#isOpening = true;
    const opened = await this.#options.open(this.#parts.length + 1, this.#scale);
    this.#isOpening = false;
    if (opened === null) this.#isLast = true;
    else if (this.#isOver) await opened.discard();
    else this.#next = opened;
  }

  #begin(writer: PartWriter<P>, from: number): void {
    this.#next = null;
    this.#parts.at(-1)!.to = from + Math.round(OVERLAP_SECONDS * this.#options.rate);
    const part = { writer, from, to: null, isEnding: false };
    this.#parts.push(part);
    for (const { sound, at } of this.#recent) this.#write(part, sound, at).catch(this.#options.failed);
  }

  async #write({ writer, from, to, isEnding }: Part<P>, sound: Planes, at: number): Promise<void> {
    if (isEnding) return;
    const skip = Math.max(0, from - at);
    const length = Math.min(sound.length, to === null ? sound.length : to - at) - skip;
    if (length > 0) await writer.addSound(cut(sound, skip, length), (at + skip - from) / this.#options.rate);
  }

  #end(part: Part<P>): void {
    if (part.isEnding) return;
    part.isEnding = true;
    const ending = part.writer.finish();
    ending.catch(this.#options.failed);
    this.#endings.push(ending);
  }
}

/** The most pictures that may wait for the encoder. */
const MAX_WAITING = 4;
/** Drops closer together than this belong to one run. */
const RUN_GAP_MS = 500;
/** An encoder that drops pictures for longer than this is too slow; a stall is shorter. */
const BEHIND_MS = 2000;

/** Counts the pictures that wait for an encoder, and detects whether it keeps up. */
export class EncoderQueue {
  #waiting = 0;
  #run: { readonly from: number; readonly to: number } | null = null;

  /** @returns whether there is room for a picture; otherwise it is dropped. */
  add(now: number): boolean {
    if (this.#waiting > MAX_WAITING) {
      const goesOn = this.#run !== null && now - this.#run.to < RUN_GAP_MS;
      this.#run = { from: goesOn ? this.#run!.from : now, to: now };
      return false;
    }
    this.#waiting += 1;
    return true;
  }

  /** A picture has been encoded. */
  done(): void {
    this.#waiting -= 1;
  }

  /** Whether pictures are being dropped for longer than a stall. */
  isBehind(now: number): boolean {
    return this.#run !== null && now - this.#run.to < RUN_GAP_MS && this.#run.to - this.#run.from > BEHIND_MS;
  }
}

/** The name of a further file of a recording: `take-1700000000000-2.mp4`. */
export function partName(name: string, number: number): string {
  return number === 1 ? name : name.replace(/(?=\.\w+$)/, `-${number}`);
}

/** The recording of a file, by the name of its first file, and the number of the file. */
export function partOf(name: string): { readonly take: string; readonly number: number } {
  const [, start, number, ending] = /^(take-\d+)-(\d+)(\..*)$/.exec(name) ?? [];
  return start === undefined ? { take: name, number: 1 } : { take: start + ending, number: Number(number) };
}

/** Size of the largest box header. */
const HEADER_BYTES = 16;

/**
 * How much of an interrupted recording can be played: up to the end of its last whole fragment, or nothing without one. A file that is
 * not an MP4 counts as whole; its readers stop at its end.
 */
export async function wholeBytes(file: Blob): Promise<number> {
  let whole = 0;
  let at = 0;
  while (at + 8 <= file.size) {
    const header = new DataView(await file.slice(at, at + HEADER_BYTES).arrayBuffer());
    const type = String.fromCharCode(...[4, 5, 6, 7].map((i) => header.getUint8(i)));
    if (at === 0 && type !== 'ftyp') return file.size;
    const short = header.getUint32(0);
    const length = short === 1 && header.byteLength === HEADER_BYTES ? Number(header.getBigUint64(8)) : short;
    if (length < 8 || at + length > file.size) break;
    at += length;
    // A `moof` without its `mdat` refers to missing samples. An index may follow the fragments.
    if (type === 'mdat' || (whole > 0 && type !== 'moof')) whole = at;
  }
  return whole;
}
