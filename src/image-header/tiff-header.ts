import { ExportError } from '../errors.ts';
import type { ByteReader } from '../iso/byte-reader.ts';
import type { ImageHeader } from './image-header.ts';

const WIDTH_TAG = 0x0100;
const HEIGHT_TAG = 0x0101;
/** One for each channel; of more than two the entry holds the place. */
const BITS_TAG = 0x0102;
const ORIENTATION_TAG = 0x0112;

/** TIFF in either byte order; its 64-bit cousin is another format. */
export function isTiff(reader: ByteReader): boolean {
  return reader.startsWith('II*\0') || reader.startsWith('MM\0*');
}

/** Depths of RGB that are never written by accident and that no decoder here reads. */
const UNREAD_RGB_BITS: ReadonlySet<number> = new Set([10, 12, 14]);

/** TIFF: the first directory is the picture's; the others are further pages, which are not used. */
export function readTiff(reader: ByteReader): ImageHeader {
  const values = readDirectory(reader, 0, new Set([WIDTH_TAG, HEIGHT_TAG, ORIENTATION_TAG, BITS_TAG]));
  const [width, height] = [values.get(WIDTH_TAG), values.get(HEIGHT_TAG)];
  if (width === undefined || height === undefined) throw new RangeError('a TIFF without a size');
  const bits = values.get(BITS_TAG) ?? 1;
  if (UNREAD_RGB_BITS.has(bits)) {
    const message = `The file is a TIFF with ${bits} bits a sample; 8 and 16 are accepted.`;
    throw new ExportError('unsupported', 'paint.image_format', message);
  }
  const turned = (values.get(ORIENTATION_TAG) ?? 1) >= 5;
  return { format: 'tiff', width: turned ? height : width, height: turned ? width : height, frames: 1 };
}

/** The orientation of a TIFF, or of an Exif block, which is one: 1 to 8, and 1 if the value is missing or invalid. */
export function tiffOrientation(reader: ByteReader, start: number): number {
  try {
    const value = readDirectory(reader, start, new Set([ORIENTATION_TAG])).get(ORIENTATION_TAG) ?? 1;
    return value >= 1 && value <= 8 ? value : 1;
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** Values of the first directory; the largest of a tag that is there twice. Entries and values behind the end of the bytes do not count. */
function readDirectory(reader: ByteReader, start: number, wanted: ReadonlySet<number>): Map<number, number> {
  const found = new Map<number, number>();
  const little = reader.startsWith('II', start);
  if (!little && !reader.startsWith('MM', start)) return found;
  const directory = start + reader.u32(start + 4, little);
  const entries = reader.u16(directory, little);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > reader.length) break;
    const tag = reader.u16(at, little);
    const type = reader.u16(at + 2, little);
    if (!wanted.has(tag) || (type !== SHORT && type !== LONG)) continue;
    const isElsewhere = type === SHORT && reader.u32(at + 4, little) > 2;
    const place = isElsewhere ? start + reader.u32(at + 8, little) : at + 8;
    if (place + 4 > reader.length) continue;
    const value = type === SHORT ? reader.u16(place, little) : reader.u32(place, little);
    found.set(tag, Math.max(value, found.get(tag) ?? 0));
  }
  return found;
}

const SHORT = 3;
const LONG = 4;
