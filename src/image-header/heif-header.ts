import { ExportError } from '../errors.ts';
import type { ByteReader } from '../iso/byte-reader.ts';
import { boxesWithin, isoBoxes } from '../iso/iso-boxes.ts';
import type { ImageHeader } from './image-header.ts';

/** The kind of a picture file that begins with `ftyp`: `avis` is a sequence of AVIF pictures, as in a film. */
type HeifBrand = 'avif' | 'avis' | 'heic';

/** Brands a HEIF file may put first. */
const FIRST: ReadonlySet<string> = new Set([
  ...['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'mif2', 'msf1', 'miaf'],
]);
/** More than anyone lists. */
const MAX_BRANDS = 64;

/** False for films and for anything else that begins the same way, such as Canon's raw photographs. */
export function isHeif(reader: ByteReader): boolean {
  return reader.startsWith('ftyp', 4) && reader.length >= 12 && FIRST.has(reader.tag(8));
}

/** Null if it is not a picture, or is cut off before its brand. */
export function heifBrand(reader: ByteReader): HeifBrand | null {
  if (!isHeif(reader) || reader.length < 16) return null;
  const end = Math.min(reader.u32(0), reader.length, 8 + MAX_BRANDS * 4);
  const brands = [reader.tag(8)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(reader.tag(at));
  if (brands.includes('avis')) return 'avis';
  return brands.includes('avif') ? 'avif' : 'heic';
}

/**
 * HEIC and AVIF: sizes are properties of items in the `meta` box (ISO 23008-12). Tiles, thumbnails and alpha have their
 * own; the largest counts, since a decoder may allocate that much.
 */
export function readHeif(reader: ByteReader): ImageHeader {
  const brand = heifBrand(reader);
  if (brand === null) {
    throw new ExportError(
      'unsupported',
      'paint.image_format',
      'The file is a video or a picture of a kind that is not accepted. Use a picture such as HEIC, AVIF, JPEG or PNG.',
    );
  }
  const top = isoBoxes(reader, 0, reader.length);
  let width = 0;
  let height = 0;
  let turned = false;
  for (const property of boxesWithin(reader, top, ['meta', 'iprp', 'ipco'])) {
    if (property.type === 'ispe') {
      width = Math.max(width, reader.u32(property.start + 4));
      height = Math.max(height, reader.u32(property.start + 8));
    }
    if (property.type === 'irot') turned = (reader.u8(property.start) & 1) === 1;
  }
  if (width === 0) throw new RangeError('a picture without a size');
  let frames = 1;
  for (const { type, start } of boxesWithin(reader, top, ['moov', 'trak', 'mdia', 'minf', 'stbl'])) {
    if (type === 'stsz') frames = Math.max(frames, reader.u32(start + 8));
  }
  const format = brand === 'heic' ? 'heic' : 'avif';
  return { format, width: turned ? height : width, height: turned ? width : height, frames };
}
