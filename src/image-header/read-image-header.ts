import { ExportError } from '../errors.ts';
import { ByteReader } from '../iso/byte-reader.ts';
import { readBmp } from './bmp-header.ts';
import { readGif } from './gif-header.ts';
import { readHeif } from './heif-header.ts';
import { readIco } from './ico-header.ts';
import type { ImageHeader } from './image-header.ts';
import { readJpeg } from './jpeg-header.ts';
import { readJxl } from './jxl-header.ts';
import { type PictureMagic, pictureMagic } from './picture-magic.ts';
import { readPng } from './png-header.ts';
import { isSvg, readSvg } from './svg-header.ts';
import { readTiff } from './tiff-header.ts';
import { readWebp } from './webp-header.ts';

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
