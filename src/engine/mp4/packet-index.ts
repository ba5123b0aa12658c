import { type FileHandle, open } from 'node:fs/promises';
import { type ByteSource, readSampleTable, type TrackKind } from './sample-table.ts';

/** Where the packets of one of our own MP4 files lie, in the order of decoding. */
export interface PacketIndex {
  readonly file: string;
  readonly offsets: Float64Array;
  readonly sizes: Uint32Array;
  /** When each is shown, in the track's ticks. */
  readonly times: Float64Array;
  /** 1 where a packet needs no other. */
  readonly keys: Uint8Array;
  readonly ticksASecond: number;
  /** What a decoder must know before the first packet. */
  readonly config: Buffer;
}

/**
 * Reads where the packets of the file's only track of that kind lie: from its index, not from the packets.
 *
 * @throws `chunk.unreadable` where a file that we made is not as we made it.
 */
export async function readPacketIndex(file: string, kind: TrackKind): Promise<PacketIndex> {
  await using handle = await open(file, 'r');
  const table = await readSampleTable(await sourceOf(handle), kind);
  const { offsets, sizes, keys, ticksASecond, config, sampleTicks, compositionOffsets, playedFrom } = table;
  const times = Float64Array.from(compositionOffsets, (offset, nth) => nth * sampleTicks + offset - playedFrom);
  return { file, offsets, sizes, times, keys, ticksASecond, config };
}

async function sourceOf(handle: FileHandle): Promise<ByteSource> {
  const { size: length } = await handle.stat();
  return {
    length,
    read: async (position, wanted) => {
      const buffer = Buffer.allocUnsafe(wanted);
      const { bytesRead } = await handle.read(buffer, 0, wanted, position);
      // Fewer where the file ends: the reader then finds that numbers are missing.
      return buffer.subarray(0, bytesRead);
    },
  };
}
