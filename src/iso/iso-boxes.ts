import type { ByteReader } from './byte-reader.ts';

/** A box of the ISO base media format: its type, and the range of its content. */
export interface IsoBox {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** More sibling boxes than any picture has; a file of only boxes would cost more memory than its bytes. */
const MAX_BOXES = 20_000;

/** The boxes between `from` and `to`. The last one may reach beyond the end of a file that is cut short. */
export function isoBoxes(reader: ByteReader, from: number, to: number): IsoBox[] {
  const found: IsoBox[] = [];
  for (let at = from; at + 8 <= to; ) {
    let size = reader.u32(at);
    let header = 8;
    if (size === 1) {
      size = reader.u32(at + 8) * 2 ** 32 + reader.u32(at + 12);
      header = 16;
    } else if (size === 0) size = to - at;
    if (size < header) throw new RangeError('a box shorter than its own header');
    if (found.length === MAX_BOXES) throw new RangeError('too many boxes');
    found.push({ type: reader.tag(at + 4), start: at + header, end: Math.min(to, at + size) });
    at += size;
  }
  return found;
}

/** The boxes found by descending along `path`, through every box of each name. */
export function boxesWithin(reader: ByteReader, from: readonly IsoBox[], path: readonly string[]): readonly IsoBox[] {
  let level = from;
  for (const name of path) {
    // `meta` alone has a version and flags before its boxes.
    level = level
      .filter(({ type }) => type === name)
      .flatMap(({ start, end }) => isoBoxes(reader, start + (name === 'meta' ? 4 : 0), end));
  }
  return level;
}
