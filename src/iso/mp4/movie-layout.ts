import { type FrameRate, SAMPLE_RATE, secondsOf } from '../../time.ts';
import type { Bytes } from '../bytes.ts';
import { type AssembledPlan, chapterTrack, soundTrack, ticksASecond, videoTrack } from './assembled-tracks.ts';
import { movieHead, utf8Prefix } from './movie.ts';
import { textSample } from './sample-entries.ts';
import { type PacketIndex, unreadablePart } from './sample-table.ts';
import type { SampleRun } from './track.ts';

/** A finished video before it is written: its head, and the bytes that follow one after the other. */
interface MovieLayout<File> {
  readonly head: Bytes;
  readonly sources: readonly CopySource<File>[];
  readonly bytes: number;
}

/** A chapter's title can be 64 KiB long; more than this is never useful. */
const MAX_TITLE_BYTES = 1000;

/**
 * Lays out the packets of chunks and sound as one MP4: index in front, chapters, title, constant frame rate, both
 * tracks starting at 0. Decodes and encodes nothing; equal input gives equal bytes. (R17, R18)
 *
 * @param chunks in order
 * @param sound of an MP4 whose only track is the sound, in AAC
 * @throws `chunk.unreadable` if an input is not what was rendered.
 */
export function layOutMovie<File>(
  plan: AssembledPlan,
  chunks: readonly PacketIndex<File>[],
  sound: PacketIndex<File>,
): MovieLayout<File> {
  const heard = cutSound(sound, plan);
  const titles = plan.chapters.map(({ title }) => textSample(utf8Prefix(title, MAX_TITLE_BYTES)));
  const media = interleave(chunks, heard, titles, plan.rate);
  const head = movieHead({
    title: plan.title,
    ticksASecond: ticksASecond(plan.rate),
    tracks: [
      { ...videoTrack(plan, chunks), runs: media.video },
      { ...soundTrack(plan, heard), runs: media.sound },
      ...(titles.length === 0 ? [] : [{ ...chapterTrack(plan, titles), runs: media.text }]),
    ],
    chapters: plan.chapters.map(({ start, title }) => ({ startSeconds: secondsOf(start, plan.rate), title })),
    mediaBytes: media.bytes,
  });
  return { head, sources: media.sources, bytes: head.length + media.bytes };
}

/** A packet comes out right only after the one before it (the `roll` of its track). */
const ROLL_PACKETS = 1;

/**
 * The packets for a range of a sound, with times from the start of the range. As with the whole sound, samples that are
 * decoded but not heard come before time 0, and are skipped to the sample: nothing is encoded again. (C52, R16)
 *
 * @throws `chunk.unreadable` if the sound is shorter than that.
 */
function cutSound<File>(
  sound: PacketIndex<File>,
  { soundStart, audio }: Pick<AssembledPlan, 'soundStart' | 'audio'>,
): PacketIndex<File> {
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

/** Bytes to be copied, from a file or from memory. */
export type CopySource<File> =
  | { readonly file: File; readonly offset: number; length: number }
  | { readonly bytes: Uint8Array };

/** The media data of a movie: its parts, and the position of each track's samples in it. */
interface MediaLayout<File> {
  readonly sources: readonly CopySource<File>[];
  readonly bytes: number;
  readonly video: readonly SampleRun[];
  readonly sound: readonly SampleRun[];
  readonly text: readonly SampleRun[];
}

/** How far picture and sound of the same time may be apart in the file, for players that read while they play. */
const TURN_SECONDS = 0.5;

/** Lays out picture and sound in turns of half a second, after the titles of the chapters. */
function interleave<File>(
  chunks: readonly PacketIndex<File>[],
  sound: PacketIndex<File>,
  titles: readonly Uint8Array[],
  rate: FrameRate,
): MediaLayout<File> {
  const layout = new LayoutWriter<File>();
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
class LayoutWriter<File> {
  readonly sources: CopySource<File>[] = [];
  bytes = 0;

  addBytes(bytes: Uint8Array): void {
    this.sources.push({ bytes });
    this.bytes += bytes.length;
  }

  addPacket({ file, offsets, sizes }: PacketIndex<File>, packet: number): void {
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
