import { type FileHandle, open } from 'node:fs/promises';
import { ExportError } from '../../../errors.ts';
import type { MediaContainer } from '../media-containers.ts';
import { flacParts, flvParts, matroskaParts, oggParts } from './container-parts.ts';
import { adtsParts, mp3Parts } from './frame-parts.ts';
import type { PartScanner } from './part-scanner.ts';
import { programParts } from './program-parts.ts';
import { aiffParts, mp4Parts, riffParts } from './sized-parts.ts';

/** The bytes `from … to` of a file, which form a complete file. */
export interface FilePart {
  readonly from: number;
  readonly to: number;
}

/** Containers whose files can be concatenated. Transport streams have one clock: `JoinedClock` reads them. */
const SCANNERS: Readonly<Partial<Record<MediaContainer, () => PartScanner>>> = {
  mp4: mp4Parts,
  mpegps: programParts,
  avi: riffParts,
  wav: riffParts,
  aiff: aiffParts,
  ogg: oggParts,
  flv: flvParts,
  matroska: matroskaParts,
  mp3: mp3Parts,
  adts: adtsParts,
  flac: flacParts,
};

/** Each is held open while its sound is read. */
const MAX_PARTS = 100;
const BYTES_AT_ONCE = 1024 * 1024;
/** A file that loses sync more often is damaged throughout, and is not scanned further. */
const MAX_LOSSES = 1000;
/** Scanners look no further ahead. */
const LOOK_BYTES = 16_384;

/**
 * The files that a file was joined from, in order; itself where it is one. Reads headers, in the order of the file.
 *
 * @throws `media.too_many_streams`
 */
export async function findParts(file: string, container: MediaContainer): Promise<FilePart[]> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const scanner = SCANNERS[container]?.();
  if (scanner === undefined) return [{ from: 0, to: size }];
  const found: number[] = [];
  for await (const part of eachPart(handle, size, scanner)) {
    found.push(part);
    if (found.length > MAX_PARTS) throw tooManyParts();
  }
  // Bytes in front of the first part belong to it.
  const starts = [0, ...found.slice(1)];
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? size }));
}

async function* eachPart(handle: FileHandle, size: number, scanner: PartScanner): AsyncGenerator<number> {
  const buffer = Buffer.allocUnsafe(Math.min(size, BYTES_AT_ONCE));
  let bytes = buffer.subarray(0, 0);
  let base = 0;
  let last = -1;
  let inStep = false;
  for (let at = 0, losses = 0; losses < MAX_LOSSES; ) {
    // The last element of a truncated part extends into the next part. After the loss of sync, the search continues
    // behind the start of that element.
    const isOver = at >= size;
    if (isOver && (!inStep || at === size)) return;
    if (!isOver && (at < base || (at + LOOK_BYTES > base + bytes.length && base + bytes.length < size))) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return;
      bytes = buffer.subarray(0, bytesRead);
      base = at;
    }
    const thing = isOver || at === last ? null : scanner.step(bytes, at - base, at);
    if (thing !== null) {
      if (thing.part !== undefined) yield thing.part;
      last = at;
      inStep = true;
      at += thing.length;
    } else if (inStep) {
      losses += 1;
      inStep = false;
      at = last;
    } else at = base + scanner.next(bytes, at - base);
  }
}

function tooManyParts(): ExportError {
  const message = `The file is joined from more than ${MAX_PARTS} files, each with tracks of its own.`;
  return new ExportError('invalid', 'media.too_many_streams', message);
}
