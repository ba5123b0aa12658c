import { type FrameRate, SAMPLE_RATE } from '../../time.ts';
import type { PacketIndex } from './packet-index.ts';
import type { SampleRun } from './track.ts';

/** Bytes to be copied, from a file or from memory. */
export type CopySource =
  | { readonly file: string; readonly offset: number; length: number }
  | { readonly bytes: Buffer };

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
export function interleave(
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
