import { Readable } from 'node:stream';
import type { BytePiece, Segment } from '../../iso/cmaf/segment.ts';
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
export function segmentStream({ head, pieces }: Segment, read: ReadBytes, { start, end }: ByteRange): Readable {
  async function* bytes(): AsyncGenerator<Buffer> {
    if (start < head.length) yield head.subarray(start, end);
    for (const near of together(within(pieces, start - head.length, end - head.length))) yield* readNear(near, read);
  }
  return Readable.from(bytes(), { objectMode: false });
}

/** The bytes from `start` to `end` of the concatenated pieces. */
function within(pieces: readonly BytePiece[], start: number, end: number): BytePiece[] {
  const found: BytePiece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const length = piece.end - piece.start;
    const [from, to] = [Math.max(0, start - at), Math.min(length, end - at)];
    if (from < to) found.push({ start: piece.start + from, end: piece.start + to });
    at += length;
  }
  return found;
}

function together(pieces: readonly BytePiece[]): BytePiece[][] {
  const groups: BytePiece[][] = [];
  for (const piece of pieces) {
    const gap = piece.start - (groups.at(-1)?.at(-1)?.end ?? Number.NEGATIVE_INFINITY);
    if (gap >= 0 && gap <= NEAR_BYTES) groups.at(-1)!.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

async function* readNear(pieces: readonly BytePiece[], read: ReadBytes): AsyncGenerator<Buffer> {
  let at = pieces[0]!.start;
  let next = 0;
  const wanted = { start: at, end: pieces.at(-1)!.end };
  for await (const chunk of await read(wanted)) {
    const end = at + chunk.length;
    for (; next < pieces.length && pieces[next]!.start < end; next += 1) {
      const piece = pieces[next]!;
      yield chunk.subarray(Math.max(0, piece.start - at), piece.end - at);
      // The rest comes with the next buffer.
      if (piece.end > end) break;
    }
    at = end;
  }
  // A response that ends before its length would keep its client waiting.
  if (at < wanted.end) throw corruptBlob(new Error(`ends at byte ${at} of ${wanted.end}`));
}
