import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { descriptor, indexRecords, localRecord, type PlacedFile, type ZipFile } from './zip-records.ts';

/** A file that is read when its turn comes. */
interface StreamedFile extends ZipFile {
  stream(): Promise<Readable>;
}

/** The exact length of the archive, known before a byte of its files is read. */
export function zipBytes(files: readonly ZipFile[]): number {
  const placed: PlacedFile[] = [];
  let at = 0;
  for (const { path, bytes } of files) {
    const file = { path, bytes, crc: 0, at };
    placed.push(file);
    at += localRecord(file, null).length + bytes + descriptor(file, 0).length;
  }
  return at + indexRecords(placed, at, true).length;
}

/** The archive, a block at a time: nothing is read before the reader has taken what was read before. */
export function zipStream(files: readonly StreamedFile[]): Readable {
  return Readable.from(blocks(files), { objectMode: false });
}

async function* blocks(files: readonly StreamedFile[]): AsyncGenerator<Uint8Array> {
  const placed: PlacedFile[] = [];
  let at = 0;
  for (const file of files) {
    const { path, bytes } = file;
    const local = localRecord(file, null);
    yield local;
    let [crc, sent] = [0, 0];
    for await (const block of await file.stream()) {
      crc = crc32(block, crc);
      sent += block.length;
      yield block;
    }
    // The length of the archive is announced already.
    if (sent !== bytes) throw new Error(`${path} has ${sent} bytes, not ${bytes}`);
    const after = descriptor(file, crc);
    yield after;
    placed.push({ path, bytes, crc, at });
    at += local.length + bytes + after.length;
  }
  yield indexRecords(placed, at, true);
}
