import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from '../movie-index.ts';
import { readSampleTable, type TrackKind } from './sample-table.ts';

/** The positions of the packets in one of our own MP4 files, in decoding order. */
export interface PacketIndex {
  readonly file: string;
  readonly offsets: Float64Array;
  readonly sizes: Uint32Array;
  /** When each is shown, in the track's ticks. */
  readonly times: Float64Array;
  /** 1 where a packet needs no other. */
  readonly keys: Uint8Array;
  readonly ticksASecond: number;
  /** The decoder configuration. */
  readonly config: Buffer;
}

/**
 * Reads the positions of the packets of the file's only track of that kind: from its index, not from the packets.
 *
 * @throws `chunk.unreadable` if one of our own files is not as we write it.
 */
export async function readPacketIndex(file: string, kind: TrackKind): Promise<PacketIndex> {
  using source = new OpenFile(file);
  const table = await readSampleTable(source, kind);
  const { offsets, sizes, keys, ticksASecond, config, sampleTicks, compositionOffsets, playedFrom } = table;
  const times = Float64Array.from(compositionOffsets, (offset, nth) => nth * sampleTicks + offset - playedFrom);
  return { file, offsets, sizes, times, keys, ticksASecond, config };
}

/** Reads synchronously: for a few bytes from the page cache, the thread pool costs more than the read. */
class OpenFile implements ByteSource, Disposable {
  readonly length: number;
  readonly #descriptor: number;

  constructor(file: string) {
    this.#descriptor = openSync(file, 'r');
    this.length = fstatSync(this.#descriptor).size;
  }

  async read(position: number, wanted: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(wanted);
    // Fewer where the file ends: the reader then finds that numbers are missing.
    return buffer.subarray(0, readSync(this.#descriptor, buffer, 0, wanted, position));
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
