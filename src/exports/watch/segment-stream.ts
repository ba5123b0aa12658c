import { Readable } from 'node:stream';
import type { ByteExtent, Segment } from '../../iso/cmaf/segment.ts';
import type { ByteRange } from '../../store/blob-store.ts';
import { corruptBlob } from '../../store/store-error.ts';

/** Reads bytes of the file that a segment is cut from. */
export type ReadBytes = (range: ByteRange) => Promise<Readable>;

/**
 * Ranges that are at most this far apart are read in one request, and the bytes between are dropped: a finished video
 * interleaves picture and sound every half second, and a request to the store costs more than those bytes.
 */
const NEAR_BYTES = 128 * 1024;

/** A segment or a range of it as a stream; reads nothing before its reader does. */
export function segmentStream({ head, extents }: Segment, read: ReadBytes, { start, end }: ByteRange): Readable {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    if (start < head.length) yield head.subarray(start, end);
    for (const near of together(within(extents, start - head.length, end - head.length))) yield* readNear(near, read);
  }
  return Readable.from(bytes(), { objectMode: false });
}

/** The bytes from `start` to `end` of the concatenated extents. */
function within(extents: readonly ByteExtent[], start: number, end: number): ByteExtent[] {
  const found: ByteExtent[] = [];
  let at = 0;
  for (const extent of extents) {
    const length = extent.end - extent.start;
    const [from, to] = [Math.max(0, start - at), Math.min(length, end - at)];
    if (from < to) found.push({ start: extent.start + from, end: extent.start + to });
    at += length;
  }
  return found;
}

function together(extents: readonly ByteExtent[]): ByteExtent[][] {
  const groups: ByteExtent[][] = [];
  for (const extent of extents) {
    const gap = extent.start - (groups.at(-1)?.at(-1)?.end ?? Number.NEGATIVE_INFINITY);
    if (gap >= 0 && gap <= NEAR_BYTES) groups.at(-1)!.push(extent);
    else groups.push([extent]);
  }
  return groups;
}

async function* readNear(extents: readonly ByteExtent[], read: ReadBytes): AsyncGenerator<Buffer> {
  let at = extents[0]!.start;
  let next = 0;
  const wanted = { start: at, end: extents.at(-1)!.end };
  for await (const chunk of await read(wanted)) {
    const end = at + chunk.length;
    for (; next < extents.length && extents[next]!.start < end; next += 1) {
      const extent = extents[next]!;
      yield chunk.subarray(Math.max(0, extent.start - at), extent.end - at);
      // The rest comes with the next buffer.
      if (extent.end > end) break;
    }
    at = end;
  }
  // A response that ends before its length would keep its client waiting.
  if (at < wanted.end) throw corruptBlob(new Error(`ends at byte ${at} of ${wanted.end}`));
}
