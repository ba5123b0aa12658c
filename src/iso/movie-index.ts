import { ByteReader } from './byte-reader.ts';

/** A file, or a blob: any stretch of it can be read. */
export interface ByteSource {
  readonly length: number;
  read(start: number, length: number): Promise<Uint8Array>;
}

const MAX_INDEX_BYTES = 64 * 2 ** 20;
const MAX_TOP_BOXES = 64;

/**
 * The content of `moov`, anywhere in the file.
 * @throws RangeError if there is none, or none that can be read.
 */
export async function movieIndex(source: ByteSource): Promise<Uint8Array> {
  const { length } = source;
  let at = 0;
  for (let boxes = 0; boxes < MAX_TOP_BOXES && at + 16 <= length; boxes += 1) {
    const head = new ByteReader(await source.read(at, 16));
    const wide = head.u32(0) === 1;
    // 0: to the end of the file.
    const size = wide ? head.uint(8, 8) : head.u32(0) || length - at;
    const header = wide ? 16 : 8;
    if (size < header || at + size > length) throw new RangeError('a box that does not fit its file');
    if (head.tag(4) === 'moov') {
      if (size > MAX_INDEX_BYTES) throw new RangeError('an index too long');
      return source.read(at + header, size - header);
    }
    at += size;
  }
  throw new RangeError('no index');
}
