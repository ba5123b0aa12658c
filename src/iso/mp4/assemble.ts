import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { type FrameRate, SAMPLE_RATE, secondsOf } from '../../time.ts';
import { type AssembledPlan, chapterTrack, soundTrack, ticksASecond, videoTrack } from './assembled-tracks.ts';
import { movieHead, utf8Prefix } from './movie.ts';
import { textSample } from './sample-entries.ts';
import { type PacketIndex, readPacketIndex, unreadablePart } from './sample-table.ts';
import type { SampleRun } from './track.ts';

/** The parts of a finished video. */
export interface AssembleOptions {
  readonly plan: AssembledPlan;
  /** The chunks' files, in order. */
  readonly chunkFiles: readonly string[];
  /** An MP4 whose only track is the sound, in AAC. */
  readonly audioFile: string;
  readonly out: string;
  readonly signal?: AbortSignal | undefined;
}

/** A chapter's title can be 64 KiB long; more than this is never useful. */
const MAX_TITLE_BYTES = 1000;

/**
 * Copies the packets of chunks and sound into one MP4: index in front, chapters, title, constant frame rate, both
 * tracks starting at 0. Decodes and encodes nothing; equal input gives equal bytes. (R17, R18)
 *
 * @returns the file's size; the file gets its name only when it is complete.
 * @throws `chunk.unreadable` if an input is not what was rendered; the signal's reason.
 */
export async function assemble({ plan, chunkFiles, audioFile, out, signal }: AssembleOptions): Promise<number> {
  const chunks: PacketIndex[] = [];
  for (const file of chunkFiles) {
    signal?.throwIfAborted();
    chunks.push(await readPacketIndex(file, 'vide'));
  }
  const sound = cutSound(await readPacketIndex(audioFile, 'soun'), plan);
  const titles = plan.chapters.map(({ title }) => textSample(utf8Prefix(title, MAX_TITLE_BYTES)));
  const media = interleave(chunks, sound, titles, plan.rate);
  const head = movieHead({
    title: plan.title,
    ticksASecond: ticksASecond(plan.rate),
    tracks: [
      { ...videoTrack(plan, chunks), runs: media.video },
      { ...soundTrack(plan, sound), runs: media.sound },
      ...(titles.length === 0 ? [] : [{ ...chapterTrack(plan, titles), runs: media.text }]),
    ],
    chapters: plan.chapters.map(({ start, title }) => ({ startSeconds: secondsOf(start, plan.rate), title })),
    mediaBytes: media.bytes,
  });
  await copyRanges(out, head, media.sources, signal);
  return head.length + media.bytes;
}

/** A packet comes out right only after the one before it (the `roll` of its track). */
const ROLL_PACKETS = 1;

/**
 * The packets for a range of a sound, with times from the start of the range. As with the whole sound, samples that are
 * decoded but not heard come before time 0, and are skipped to the sample: nothing is encoded again. (C52, R16)
 *
 * @throws `chunk.unreadable` if the sound is shorter than that.
 */
function cutSound(sound: PacketIndex, { soundStart, audio }: Pick<AssembledPlan, 'soundStart' | 'audio'>): PacketIndex {
  if (soundStart === undefined) return sound;
  const after = sound.times.findIndex((time) => time > soundStart);
  const end = sound.times.findIndex((time) => time >= soundStart + audio.totalSamples);
  const heard = (after === -1 ? sound.times.length : after) - 1;
  if (heard < 0) throw unreadablePart();
  const range = [Math.max(0, heard - ROLL_PACKETS), end === -1 ? sound.times.length : end] as const;
  return {
    ...sound,
    offsets: sound.offsets.slice(...range),
    sizes: sound.sizes.slice(...range),
    keys: sound.keys.slice(...range),
    times: sound.times.slice(...range).map((time) => time - soundStart),
  };
}

const BUFFER_BYTES = 1 << 20;

/**
 * Writes a file from a head and ranges of other files. All or nothing: it has a temporary name until every byte is on
 * disk, and is removed if that fails.
 */
async function copyRanges(
  out: string,
  head: Buffer,
  sources: readonly CopySource[],
  signal?: AbortSignal,
): Promise<void> {
  const part = `${out}.part`;
  try {
    await using target = await open(part, 'w');
    using files = new OpenFiles();
    const gathered = new Gathering(target, signal);
    await gathered.add(head);
    for (const source of sources) {
      if ('bytes' in source) await gathered.add(source.bytes);
      else await gathered.addFrom(files.get(source.file), source.offset, source.length);
    }
    await gathered.flush();
    await target.sync();
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/**
 * Collects bytes and writes them in large blocks: a range holds half a second, and a trip to the thread pool for each
 * costs more than its bytes. Reads are synchronous, since most of the bytes are in the page cache.
 */
class Gathering {
  readonly #target: FileHandle;
  readonly #signal: AbortSignal | undefined;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #filled = 0;

  constructor(target: FileHandle, signal: AbortSignal | undefined) {
    this.#target = target;
    this.#signal = signal;
  }

  async add(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const copied = bytes.copy(this.#buffer, this.#filled, done);
      done += copied;
      await this.#advance(copied);
    }
  }

  async addFrom(source: number, offset: number, length: number): Promise<void> {
    for (let done = 0; done < length; ) {
      const wanted = Math.min(this.#buffer.length - this.#filled, length - done);
      const read = readSync(source, this.#buffer, this.#filled, wanted, offset + done);
      if (read === 0) throw new Error('a file became shorter while it was copied');
      done += read;
      await this.#advance(read);
    }
  }

  async flush(): Promise<void> {
    this.#signal?.throwIfAborted();
    for (let done = 0; done < this.#filled; ) {
      const { bytesWritten } = await this.#target.write(this.#buffer, done, this.#filled - done);
      done += bytesWritten;
    }
    this.#filled = 0;
  }

  async #advance(bytes: number): Promise<void> {
    this.#filled += bytes;
    if (this.#filled === this.#buffer.length) await this.flush();
  }
}

/** The open files of the sound and of a chunk: two are in use at a time, for any number of files. */
class OpenFiles implements Disposable {
  readonly #open = new Map<string, number>();

  get(file: string): number {
    const descriptor = this.#open.get(file) ?? openSync(file, 'r');
    this.#open.delete(file);
    this.#open.set(file, descriptor);
    if (this.#open.size > 2) {
      const [oldest, unused] = this.#open.entries().next().value!;
      this.#open.delete(oldest);
      closeSync(unused);
    }
    return descriptor;
  }

  [Symbol.dispose](): void {
    for (const descriptor of this.#open.values()) closeSync(descriptor);
    this.#open.clear();
  }
}

/** Bytes to be copied, from a file or from memory. */
type CopySource = { readonly file: string; readonly offset: number; length: number } | { readonly bytes: Buffer };

/** The media data of a movie: its parts, and the position of each track's samples in it. */
interface MediaLayout {
  readonly sources: readonly CopySource[];
  readonly bytes: number;
  readonly video: readonly SampleRun[];
  readonly sound: readonly SampleRun[];
  readonly text: readonly SampleRun[];
}

/** How far picture and sound of the same time may be apart in the file, for players that read while they play. */
const TURN_SECONDS = 0.5;

/** Lays out picture and sound in turns of half a second, after the titles of the chapters. */
function interleave(
  chunks: readonly PacketIndex[],
  sound: PacketIndex,
  titles: readonly Buffer[],
  rate: FrameRate,
): MediaLayout {
  const layout = new LayoutWriter();
  const text = titles.length === 0 ? [] : [{ samples: titles.length, offset: 0 }];
  for (const title of titles) layout.addBytes(title);

  const video: SampleRun[] = [];
  const heard: SampleRun[] = [];
  const framesATurn = Math.max(1, Math.round((TURN_SECONDS * rate.num) / rate.den));
  let nextPacket = 0;
  let frames = 0;
  const soundUntil = (seconds: number): void => {
    const end = nextAfter(sound.times, nextPacket, seconds * SAMPLE_RATE);
    if (end > nextPacket) heard.push({ samples: end - nextPacket, offset: layout.bytes });
    for (; nextPacket < end; nextPacket += 1) layout.addPacket(sound, nextPacket);
  };
  for (const chunk of chunks) {
    for (let first = 0; first < chunk.sizes.length; first += framesATurn) {
      const end = Math.min(first + framesATurn, chunk.sizes.length);
      video.push({ samples: end - first, offset: layout.bytes });
      for (let packet = first; packet < end; packet += 1) layout.addPacket(chunk, packet);
      frames += end - first;
      soundUntil((frames * rate.den) / rate.num);
    }
  }
  soundUntil(Number.POSITIVE_INFINITY);
  return { sources: layout.sources, bytes: layout.bytes, video, sound: heard, text };
}

/** The first index from `from` on whose time is `limit` or later. */
function nextAfter(times: Float64Array, from: number, limit: number): number {
  let next = from;
  while (next < times.length && times[next]! < limit) next += 1;
  return next;
}

/** Collects ranges of files; packets that are adjacent in their file are copied as one. */
class LayoutWriter {
  readonly sources: CopySource[] = [];
  bytes = 0;

  addBytes(bytes: Buffer): void {
    this.sources.push({ bytes });
    this.bytes += bytes.length;
  }

  addPacket({ file, offsets, sizes }: PacketIndex, packet: number): void {
    const offset = offsets[packet]!;
    const length = sizes[packet]!;
    const last = this.sources.at(-1);
    if (last !== undefined && 'file' in last && last.file === file && last.offset + last.length === offset) {
      last.length += length;
    } else {
      this.sources.push({ file, offset, length });
    }
    this.bytes += length;
  }
}
