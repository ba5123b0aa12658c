import { ExportError } from '../errors.ts';
import { ByteReader } from '../iso/byte-reader.ts';
import { isHeif, readHeif } from './heif-picture.ts';
import type { ImageHeader, PixelSize } from './image-header.ts';
import { isSvg, readSvg } from './svg-header.ts';
import { vp8Size } from './vpx-sizes.ts';

const READERS: Readonly<Record<PictureMagic, (reader: ByteReader) => ImageHeader>> = {
  png: readPng,
  jpeg: readJpeg,
  gif: readGif,
  webp: readWebp,
  heif: readHeif,
  tiff: readTiff,
  bmp: readBmp,
  ico: readIco,
  jxl: readJxl,
};

/**
 * Reads a header. Only the bytes decide: names and media types come from the sender. The first part of a file is enough
 * if it holds the size; frames are then counted as far as it goes.
 *
 * @throws `paint.image_format` for unsupported formats, `paint.image_broken` if the format is known and the header is
 * inconsistent.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader {
  try {
    const header = readKnown(bytes);
    if (header !== null) return header;
  } catch (cause) {
    if (cause instanceof ExportError) throw cause;
    const message = 'The picture is damaged: its header is inconsistent.';
    throw new ExportError('invalid', 'paint.image_broken', message, { cause });
  }
  throw new ExportError(
    'unsupported',
    'paint.image_format',
    'The file is not an accepted picture. Accepted are JPEG, JPEG XL, HEIC, PNG, WebP, GIF, AVIF, TIFF, BMP, ICO and SVG.',
  );
}

function readKnown(bytes: Uint8Array): ImageHeader | null {
  const reader = new ByteReader(bytes);
  const magic = pictureMagic(bytes);
  if (magic !== null) return READERS[magic](reader);
  // A film fails there: the family is known, so the message can name the supported kinds.
  if (reader.startsWith('ftyp', 4)) return readHeif(reader);
  return isSvg(reader) ? readSvg(reader) : null;
}

/** The blocks of a GIF. */
export const GIF_EXTENSION = 0x21;
export const GIF_IMAGE = 0x2c;

/**
 * GIF: the screen's size is in the header; frames are counted by walking the blocks. A frame may be larger than the
 * screen.
 */
function readGif(reader: ByteReader): ImageHeader {
  let width = reader.u16le(6);
  let height = reader.u16le(8);
  let frames = 0;
  let at = 13 + colorTableBytes(reader.u8(10));
  // A file that ends early is shown as far as it goes, so its end is not an error here.
  while (at < reader.length) {
    const block = reader.u8(at);
    if (block === GIF_EXTENSION) at = afterSubBlocks(reader, at + 2);
    else if (block === GIF_IMAGE && at + 10 < reader.length) {
      frames += 1;
      width = Math.max(width, reader.u16le(at + 1) + reader.u16le(at + 5));
      height = Math.max(height, reader.u16le(at + 3) + reader.u16le(at + 7));
      at = afterSubBlocks(reader, at + 11 + colorTableBytes(reader.u8(at + 9)));
    } else break;
  }
  return { format: 'gif', width, height, frames: Math.max(1, frames) };
}

/** By the flags of a GIF’s screen or frame. */
export function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function afterSubBlocks(reader: ByteReader, from: number): number {
  let at = from;
  while (at < reader.length) {
    const size = reader.u8(at);
    at += 1 + size;
    if (size === 0) break;
  }
  return at;
}

/** JPEG: the frame header has the size, an Exif segment before it may have the orientation. */
function readJpeg(reader: ByteReader): ImageHeader {
  let at = 2;
  let orientation = 1;
  for (;;) {
    if (reader.u8(at) !== 0xff) throw new RangeError('a JPEG marker is missing');
    const marker = reader.u8(at + 1);
    if (marker === 0xff) {
      at += 1; // Padding before a marker.
      continue;
    }
    const length = reader.u16(at + 2);
    if (length < 2) throw new RangeError('a JPEG segment is too short');
    if (marker === 0xe1 && reader.startsWith('Exif\0\0', at + 4)) orientation = tiffOrientation(reader, at + 10);
    if (isFrameHeader(marker)) {
      const [height, width] = [reader.u16(at + 5), reader.u16(at + 7)];
      const turned = orientation >= 5;
      return { format: 'jpeg', width: turned ? height : width, height: turned ? width : height, frames: 1 };
    }
    if (marker === 0xda || marker === 0xd9) throw new RangeError('a JPEG has pixels before it has a size');
    at += 2 + length;
  }
}

/** SOF0 to SOF15 without the three numbers that mean something else. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** PNG and APNG: `IHDR` comes first. */
function readPng(reader: ByteReader): ImageHeader {
  if (reader.tag(12) !== 'IHDR') throw new RangeError('a PNG begins with IHDR');
  const frames = Math.max(1, announcedFrames(reader) ?? 1);
  return { format: 'png', width: reader.u32(16), height: reader.u32(20), frames };
}

/** Whether a PNG declares an animation, even one of a single frame. */
export function isAnimatedPng(reader: ByteReader): boolean {
  return announcedFrames(reader) !== null;
}

/** The last `acTL` before the pixels; null without one. */
function announcedFrames(reader: ByteReader): number | null {
  let frames = null;
  for (let at = 8; at + 12 <= reader.length; at += 12 + reader.u32(at)) {
    const chunk = reader.tag(at + 4);
    if (chunk === 'acTL') frames = reader.u32(at + 8);
    if (chunk === 'IDAT') break;
  }
  return frames;
}

/** Lengths that the second header of a BMP may have, of the oldest version and of the later ones. */
const OLDEST_BMP_BYTES = 12;
const BMP_HEADER_BYTES: ReadonlySet<number> = new Set([OLDEST_BMP_BYTES, 40, 52, 56, 64, 108, 124]);

/** `BM` alone is two letters of text; a second header of one of the known lengths makes it a bitmap. */
export function isBmp(reader: ByteReader): boolean {
  return reader.startsWith('BM') && reader.length >= 26 && BMP_HEADER_BYTES.has(reader.u32le(14));
}

/** BMP: the oldest headers have 16-bit sides; in later ones a negative height means rows from the top down. */
function readBmp(reader: ByteReader): ImageHeader {
  const headerBytes = reader.u32le(14);
  if (!BMP_HEADER_BYTES.has(headerBytes)) throw new RangeError('no BMP has such a header');
  const oldest = headerBytes === OLDEST_BMP_BYTES;
  const width = oldest ? reader.u16le(18) : reader.i32le(18);
  const height = Math.abs(oldest ? reader.u16le(20) : reader.i32le(22));
  return { format: 'bmp', width, height, frames: 1 };
}

const ICO_DIRECTORY_BYTES = 6;
const ICO_ENTRY_BYTES = 16;
const PNG = '\x89PNG\r\n\x1a\n';

/** Four bytes are little: the first entry's reserved byte and its planes have to fit as well. */
function isIco(reader: ByteReader): boolean {
  if (!reader.startsWith('\0\0\x01\0') || reader.length < 12) return false;
  return reader.u16le(4) > 0 && reader.u8(9) === 0 && reader.u16le(10) <= 1;
}

/**
 * ICO: several sizes of one picture; the largest counts. Each entry has its own size, because the directory cannot hold
 * it.
 */
function readIco(reader: ByteReader): ImageHeader {
  const sizes = Array.from({ length: reader.u16le(4) }, (_, entry) => ({
    ...sizeAt(reader, reader.u32le(ICO_DIRECTORY_BYTES + entry * ICO_ENTRY_BYTES + 12)),
    entry,
  }));
  const largest = sizes.reduce((max, size) => (size.width * size.height > max.width * max.height ? size : max));
  return { format: 'ico', ...largest, frames: 1 };
}

/** A whole PNG, or a bitmap without its first header and of twice the height: a mask follows the picture. */
function sizeAt(reader: ByteReader, at: number): PixelSize {
  if (reader.startsWith(PNG, at)) return { width: reader.u32(at + 16), height: reader.u32(at + 20) };
  return { width: Math.abs(reader.i32le(at + 4)), height: Math.floor(Math.abs(reader.i32le(at + 8)) / 2) };
}

/** How much of each chunk it takes to know its size. */
const WEBP_SIZE_BYTES: Readonly<Record<string, number>> = { VP8X: 10, 'VP8 ': 10, VP8L: 5, ANMF: 12 };

/** The animation bit of the extended form. */
export function isAnimatedWebp(reader: ByteReader): boolean {
  return reader.startsWith('VP8X', 12) && reader.length > 20 && (reader.u8(20) & 0x02) !== 0;
}

/**
 * WebP: the canvas of the extended form and each bitstream have a size; the largest counts, since a decoder may
 * allocate it. Frames behind the end of a truncated file do not count.
 */
function readWebp(reader: ByteReader): ImageHeader {
  let width = 0;
  let height = 0;
  let frames = 0;
  const grow = (w: number, h: number) => {
    width = Math.max(width, w);
    height = Math.max(height, h);
  };
  for (let at = 12; at + 8 <= reader.length; ) {
    const chunk = reader.tag(at);
    const size = reader.u32le(at + 4);
    const body = at + 8;
    if (body + (WEBP_SIZE_BYTES[chunk] ?? 0) > reader.length) break;
    if (chunk === 'VP8X') grow(reader.u24le(body + 4) + 1, reader.u24le(body + 7) + 1);
    if (chunk === 'VP8 ') {
      const key = vp8Size(reader.part(body, WEBP_SIZE_BYTES[chunk]!));
      if (key !== null) grow(key.width, key.height);
    }
    if (chunk === 'VP8L') {
      const packed = reader.u32le(body + 1);
      grow((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
    if (chunk === 'ANMF') {
      frames += 1;
      grow(
        reader.u24le(body) * 2 + reader.u24le(body + 6) + 1,
        reader.u24le(body + 3) * 2 + reader.u24le(body + 9) + 1,
      );
    }
    at = body + size + (size & 1);
  }
  if (width === 0) throw new RangeError('a WebP without a picture');
  return { format: 'webp', width, height, frames: Math.max(1, frames) };
}

const WIDTH_TAG = 0x0100;
const HEIGHT_TAG = 0x0101;
/** One for each channel; of more than two the entry holds the place. */
const BITS_TAG = 0x0102;
const COMPRESSION_TAG = 0x0103;
const ORIENTATION_TAG = 0x0112;

/** TIFF in either byte order; its 64-bit cousin is another format. */
function isTiff(reader: ByteReader): boolean {
  return reader.startsWith('II*\0') || reader.startsWith('MM\0*');
}

/** Depths of RGB that are never written by accident and that no decoder here reads. */
const UNREAD_RGB_BITS: ReadonlySet<number> = new Set([10, 12, 14]);

/** None, CCITT, LZW, Deflate by both of its numbers, PackBits. For any other, the decoder returns a picture of one colour. */
const READ_TIFF_COMPRESSIONS: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 8, 32_773, 32_946]);
const TIFF_COMPRESSIONS: ReadonlyMap<number, string> = new Map([
  [6, 'JPEG (old)'],
  [7, 'JPEG'],
  [9, 'JBIG'],
  [10, 'JBIG'],
  [34_712, 'JPEG 2000'],
  [34_892, 'lossy JPEG'],
  [34_925, 'LZMA'],
  [50_000, 'Zstandard'],
  [50_001, 'WebP'],
  [52_546, 'JPEG XL'],
]);

/** TIFF: the first directory is the picture's; the others are further pages, which are not used. */
function readTiff(reader: ByteReader): ImageHeader {
  const values = readDirectory(reader, 0, new Set([WIDTH_TAG, HEIGHT_TAG, ORIENTATION_TAG, BITS_TAG, COMPRESSION_TAG]));
  const [width, height] = [values.get(WIDTH_TAG), values.get(HEIGHT_TAG)];
  if (width === undefined || height === undefined) throw new RangeError('a TIFF without a size');
  const bits = values.get(BITS_TAG) ?? 1;
  if (UNREAD_RGB_BITS.has(bits)) {
    const message = `The file is a TIFF with ${bits} bits a sample; 8 and 16 are accepted.`;
    throw new ExportError('unsupported', 'paint.image_format', message);
  }
  const compression = values.get(COMPRESSION_TAG) ?? 1;
  if (!READ_TIFF_COMPRESSIONS.has(compression)) {
    const name = TIFF_COMPRESSIONS.get(compression) ?? `method ${compression}`;
    const message = `The file is a TIFF compressed with ${name}, which is not accepted. Save it with LZW or Deflate, or as JPEG or PNG.`;
    throw new ExportError('unsupported', 'paint.image_format', message);
  }
  const turned = (values.get(ORIENTATION_TAG) ?? 1) >= 5;
  return { format: 'tiff', width: turned ? height : width, height: turned ? width : height, frames: 1 };
}

/** The orientation of a TIFF, or of an Exif block, which is one: 1 to 8, and 1 if the value is missing or invalid. */
function tiffOrientation(reader: ByteReader, start: number): number {
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
    if (!wanted.has(tag) || (type !== TIFF_SHORT && type !== TIFF_LONG)) continue;
    const isElsewhere = type === TIFF_SHORT && reader.u32(at + 4, little) > 2;
    const place = isElsewhere ? start + reader.u32(at + 8, little) : at + 8;
    if (place + 4 > reader.length) continue;
    const value = type === TIFF_SHORT ? reader.u16(place, little) : reader.u32(place, little);
    found.set(tag, Math.max(value, found.get(tag) ?? 0));
  }
  return found;
}

const TIFF_SHORT = 3;
const TIFF_LONG = 4;

const JXL_CODESTREAM = '\xff\x0a';
const JXL_CONTAINER = '\0\0\0\x0cJXL \r\n\x87\n';

/** JPEG XL, as a bare codestream or in boxes. */
function isJxl(reader: ByteReader): boolean {
  return reader.startsWith(JXL_CODESTREAM) || reader.startsWith(JXL_CONTAINER);
}

/** JPEG XL: the codestream begins with its size. An animation counts as its first frame. */
function readJxl(reader: ByteReader): ImageHeader {
  const start = reader.startsWith(JXL_CODESTREAM) ? 0 : codestreamStart(reader);
  if (!reader.startsWith(JXL_CODESTREAM, start)) throw new RangeError('a JPEG XL without a codestream');
  const bits = new Bits(reader, start + JXL_CODESTREAM.length);
  const small = bits.read(1) === 1;
  const side = () => 1 + (small ? 8 * bits.read(5) + 7 : bits.read(JXL_SIDE_BITS[bits.read(2)]!));
  const height = side();
  const ratio = JXL_RATIOS[bits.read(3)];
  const width = ratio === null || ratio === undefined ? side() : Math.floor((height * ratio[0]) / ratio[1]);
  return { format: 'jxl', width, height, frames: 1 };
}

const JXL_SIDE_BITS = [9, 13, 18, 30];
/** Width to height, if the header gives nothing but the ratio. */
const JXL_RATIOS = [null, [1, 1], [12, 10], [4, 3], [3, 2], [16, 9], [5, 4], [2, 1]] as const;

/** Where the codestream begins in the boxes: in one, or in the first of several parts, each behind its number. */
function codestreamStart(reader: ByteReader): number {
  for (let at = JXL_CONTAINER.length; ; ) {
    const [length, type] = [reader.u32(at), reader.tag(at + 4)];
    const head = length === 1 ? 16 : 8;
    if (type === 'jxlc') return at + head;
    if (type === 'jxlp') return at + head + 4;
    const whole = length === 1 ? reader.uint(at + 8, 8) : length;
    if (whole < head) throw new RangeError('a JPEG XL without a codestream');
    at += whole;
  }
}

/** Numbers of any bits, the lowest first. */
class Bits {
  readonly #reader: ByteReader;
  #at: number;

  constructor(reader: ByteReader, byte: number) {
    this.#reader = reader;
    this.#at = byte * 8;
  }

  read(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, this.#at += 1) {
      value += ((this.#reader.u8(this.#at >> 3) >> (this.#at & 7)) & 1) * 2 ** bit;
    }
    return value;
  }
}

/** A family of picture files that begin with the same bytes. SVG is text and belongs to none. */
export type PictureMagic = 'png' | 'jpeg' | 'gif' | 'webp' | 'heif' | 'tiff' | 'bmp' | 'ico' | 'jxl';

/** How many leading bytes the answer depends on. */
export const MAGIC_BYTES = 12;

/** How a file begins, if it begins like one of the pictures we take. `BM` is short: see `isBmp`. */
export function pictureMagic(head: Uint8Array): PictureMagic | null {
  const reader = new ByteReader(head);
  if (reader.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (reader.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (reader.startsWith('GIF87a') || reader.startsWith('GIF89a')) return 'gif';
  if (reader.startsWith('RIFF') && reader.startsWith('WEBP', 8)) return 'webp';
  if (isHeif(reader)) return 'heif';
  if (isTiff(reader)) return 'tiff';
  if (isJxl(reader)) return 'jxl';
  if (isIco(reader)) return 'ico';
  return reader.startsWith('BM') ? 'bmp' : null;
}
