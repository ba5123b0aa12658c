import type { ByteReader } from '../byte-reader.ts';
import type { IsoBox } from '../iso-boxes.ts';

/**
 * How many entries of this size a table has; its version, flags and the count come first.
 *
 * @throws RangeError if they do not fit the box.
 */
export function entryCount(reader: ByteReader, { type, start, end }: IsoBox, entryBytes: number): number {
  const count = reader.u32(start + 4);
  if (start + 8 + count * entryBytes > end) throw new RangeError(`${count} entries in ${type}`);
  return count;
}
