import { ExportError } from '../errors.ts';
import { ByteReader } from '../iso/byte-reader.ts';
import { readBmp } from './bmp-header.ts';
import { readGif } from './gif-header.ts';
import { readHeif } from './heif-header.ts';
import type { ImageHeader } from './image-header.ts';
import { readJpeg } from './jpeg-header.ts';
import { readPng } from './png-header.ts';
import { isSvg, readSvg } from './svg-header.ts';
import { isTiff, readTiff } from './tiff-header.ts';
import { readWebp } from './webp-header.ts';

/**
 * Reads a header, going by the bytes alone: names and media types are the sender's word. The first part of a file will
 * do where it holds the size; frames are then counted as far as it goes.
 *
 * @throws `paint.image_format` for anything but the formats we take,
 * `paint.image_broken` where the format is known and the header does not hold together.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader {
  const reader = new ByteReader(bytes);
  try {
    const header = readKnown(reader);
    if (header !== null) return header;
  } catch (cause) {
    if (cause instanceof ExportError) throw cause;
    const message = 'The picture is damaged: its header does not hold together.';
    throw new ExportError('invalid', 'paint.image_broken', message, { cause });
  }
  throw new ExportError(
    'unsupported',
    'paint.image_format',
    'The file is not a picture we take: JPEG, HEIC, PNG, WebP, GIF, AVIF, TIFF, BMP and SVG are.',
  );
}

function readKnown(reader: ByteReader): ImageHeader | null {
  if (reader.startsWith('\x89PNG\r\n\x1a\n')) return readPng(reader);
  if (reader.startsWith('\xff\xd8\xff')) return readJpeg(reader);
  if (reader.startsWith('GIF87a') || reader.startsWith('GIF89a')) return readGif(reader);
  if (reader.startsWith('RIFF') && reader.startsWith('WEBP', 8)) return readWebp(reader);
  if (reader.startsWith('ftyp', 4)) return readHeif(reader);
  if (isTiff(reader)) return readTiff(reader);
  if (reader.startsWith('BM')) return readBmp(reader);
  return isSvg(reader) ? readSvg(reader) : null;
}
