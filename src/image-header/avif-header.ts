import { ExportError } from '../errors.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ImageHeader } from './image-header.ts';

/** A box of the ISO base media format: its type, and where its content lies. */
interface IsoBox {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/**
 * AVIF: sizes are properties of items in the `meta` box (ISO 23008-12). Tiles, thumbnails and alpha have their own; the
 * largest is taken, since that is what a decoder may allocate.
 */
export function readAvif(reader: ByteReader): ImageHeader {
  const top = boxes(reader, 0, reader.length);
  const brands = top[0]!;
  const names: string[] = [];
  for (let at = brands.start; at + 4 <= brands.end; at += 4) names.push(reader.tag(at));
  if (!names.includes('avif') && !names.includes('avis')) {
    throw new ExportError(
      'unsupported',
      'paint.image_format',
      'The file is a film or a picture of a kind we do not take; of this family AVIF is.',
    );
  }
  let width = 0;
  let height = 0;
  let turned = false;
  for (const property of within(reader, top, ['meta', 'iprp', 'ipco'])) {
    if (property.type === 'ispe') {
      width = Math.max(width, reader.u32(property.start + 4));
      height = Math.max(height, reader.u32(property.start + 8));
    }
    if (property.type === 'irot') turned = (reader.u8(property.start) & 1) === 1;
  }
  if (width === 0) throw new RangeError('an AVIF without a size');
  let frames = 1;
  for (const { type, start } of within(reader, top, ['moov', 'trak', 'mdia', 'minf', 'stbl'])) {
    if (type === 'stsz') frames = Math.max(frames, reader.u32(start + 8));
  }
  return { format: 'avif', width: turned ? height : width, height: turned ? width : height, frames };
}

/** The boxes found by descending along `path`, through every box of each name. */
function within(reader: ByteReader, from: readonly IsoBox[], path: readonly string[]): readonly IsoBox[] {
  let level = from;
  for (const name of path) {
    // `meta` alone has a version and flags before its boxes.
    level = level
      .filter(({ type }) => type === name)
      .flatMap(({ start, end }) => boxes(reader, start + (name === 'meta' ? 4 : 0), end));
  }
  return level;
}

function boxes(reader: ByteReader, from: number, to: number): IsoBox[] {
  const found: IsoBox[] = [];
  for (let at = from; at + 8 <= to; ) {
    let size = reader.u32(at);
    let header = 8;
    if (size === 1) {
      size = reader.u32(at + 8) * 2 ** 32 + reader.u32(at + 12);
      header = 16;
    } else if (size === 0) size = to - at;
    if (size < header) throw new RangeError('a box shorter than its own header');
    found.push({ type: reader.tag(at + 4), start: at + header, end: Math.min(to, at + size) });
    at += size;
  }
  return found;
}
