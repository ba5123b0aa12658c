import { ExportError } from '../errors.ts';
import { readAvif } from './avif-header.ts';
import { ByteReader } from './byte-reader.ts';
import { readGif } from './gif-header.ts';
import { readJpeg } from './jpeg-header.ts';
import { readPng } from './png-header.ts';
import { readWebp } from './webp-header.ts';

/** What a picture file says about itself before any pixel is decoded. */
export interface ImageHeader {
  readonly format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'bmp';
  /** Upright, as it is to be seen. */
  readonly width: number;
  readonly height: number;
  /** 1 for a still. */
  readonly frames: number;
}

/** How large a picture may be. A decoder trusts the header, so the header is checked first. */
export interface ImageLimits {
  /** Of the file. */
  readonly maxBytes: number;
  readonly maxPixels: number;
  readonly maxSidePx: number;
  readonly maxFrames: number;
  /** Of all frames of an animation together. */
  readonly maxAnimationPixels: number;
}

/** What a deployment takes unless it says otherwise. */
export const DEFAULT_IMAGE_LIMITS: ImageLimits = {
  maxBytes: 50 * 1024 * 1024,
  maxPixels: 50_000_000,
  maxSidePx: 16_384,
  maxFrames: 600,
  maxAnimationPixels: 200_000_000,
};

/**
 * Reads a header, going by the bytes alone: names and media types are the sender's word.
 *
 * @throws `paint.image_format` for anything but the six formats (SVG among them: it is a program more than a picture),
 * `paint.image_broken` where the format is known and the header does not hold together.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader {
  const reader = new ByteReader(bytes);
  try {
    if (reader.startsWith('\x89PNG\r\n\x1a\n')) return readPng(reader);
    if (reader.startsWith('\xff\xd8\xff')) return readJpeg(reader);
    if (reader.startsWith('GIF87a') || reader.startsWith('GIF89a')) return readGif(reader);
    if (reader.startsWith('RIFF') && reader.startsWith('WEBP', 8)) return readWebp(reader);
    if (reader.startsWith('ftyp', 4)) return readAvif(reader);
    if (reader.startsWith('BM')) return readBmp(reader);
  } catch (cause) {
    if (cause instanceof ExportError) throw cause;
    throw new ExportError(
      'invalid',
      'paint.image_broken',
      'The picture is damaged: its header does not hold together.',
      {
        cause,
      },
    );
  }
  throw new ExportError(
    'unsupported',
    'paint.image_format',
    'The file is not a picture we take: JPEG, PNG, WebP, GIF, AVIF and BMP are.',
  );
}

/** @throws `paint.image_too_large` over any limit, `paint.image_broken` for a picture without pixels. */
export function checkImageLimits({ width, height, frames }: ImageHeader, limits: ImageLimits): void {
  if (width < 1 || height < 1) {
    throw new ExportError('invalid', 'paint.image_broken', `The picture is ${width}×${height} pixels.`);
  }
  const { maxPixels, maxSidePx, maxFrames, maxAnimationPixels } = limits;
  const tooLarge = (what: string) => {
    throw new ExportError('too_large', 'paint.image_too_large', `The picture ${what}.`);
  };
  if (Math.max(width, height) > maxSidePx) tooLarge(`is ${width}×${height} pixels; a side may have ${maxSidePx}`);
  if (width * height > maxPixels)
    tooLarge(`has ${width * height} pixels (${width}×${height}); ${maxPixels} are allowed`);
  if (frames > maxFrames) tooLarge(`has ${frames} frames; ${maxFrames} are allowed`);
  if (frames > 1 && width * height * frames > maxAnimationPixels) {
    tooLarge(`has ${width * height * frames} pixels in ${frames} frames; ${maxAnimationPixels} are allowed`);
  }
}

/** Two letters are a weak sign; a header of one of the known lengths makes it sure. */
const BMP_HEADER_BYTES = new Set([12, 40, 52, 56, 64, 108, 124]);

function readBmp(reader: ByteReader): ImageHeader {
  // The oldest headers have 16-bit sides; a negative height means rows from the top down.
  const headerBytes = reader.u32le(14);
  if (!BMP_HEADER_BYTES.has(headerBytes)) throw new RangeError('no BMP has such a header');
  const old = headerBytes === 12;
  const width = old ? reader.u16le(18) : reader.i32le(18);
  const height = Math.abs(old ? reader.u16le(20) : reader.i32le(22));
  return { format: 'bmp', width, height, frames: 1 };
}
