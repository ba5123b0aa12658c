import { Readable } from 'node:stream';
import type { BytePiece, Segment } from '../../iso/cmaf/segment.ts';
import type { ByteRange } from '../../store/blob-store.ts';
import { corruptBlob } from '../../store/store-error.ts';

/** Gives out bytes of what a segment is cut from. */
export type ReadBytes = (range: ByteRange) => Promise<Readable>;

/**
 * What lies no further apart is read in one go and the rest thrown away: in a finished video, picture and sound take turns
 * of half a second, and to ask a store for each turn costs more than the bytes in between.
 */
const NEAR_BYTES = 128 * 1024;

/** A segment, or the part of it that is asked for, as a stream; nothing is read before somebody reads. */
export function segmentStream({ head, pieces }: Segment, read: ReadBytes, { start, end }: ByteRange): Readable {
  async function* bytes(): AsyncGenerator<Buffer> {
    if (start < head.length) yield head.subarray(start, end);
    for (const near of together(within(pieces, start - head.length, end - head.length))) yield* readNear(near, read);
  }
  return Readable.from(bytes(), { objectMode: false });
}

/** Of the bytes that the pieces make up one behind the other, those from `start` to `end`. */
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
      // The rest of it comes with the next chunk.
      if (piece.end > end) break;
    }
    at = end;
  }
  // A response that ends short of its length would keep its client waiting.
  if (at < wanted.end) throw corruptBlob(new Error(`ends at byte ${at} of ${wanted.end}`));
}
