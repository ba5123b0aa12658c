import './no-system-fonts.ts';
import { readFile, stat } from 'node:fs/promises';
import { type Canvas, Image } from '@napi-rs/canvas';
import { ExportError } from '../../errors.ts';
import {
  checkImageLimits,
  type ImageHeader,
  type ImageLimits,
  type PixelSize,
} from '../../image-header/image-header.ts';
import { readImageHeader } from '../../image-header/read-image-header.ts';
import type { Bitmap } from '../canvas-2d.ts';
import { createSkiaSurface } from './skia.ts';

/** Straight RGBA, row by row. */
export interface DecodedPixels extends PixelSize {
  readonly rgba: Uint8Array;
}

/**
 * Decodes what Skia cannot: a file's first picture, upright, in sRGB, scaled down until its shorter side has `mostPx`. It
 * is handed in, since it takes libav, which lives elsewhere.
 */
export type DecodePicture = (path: string, mostPx: number) => Promise<DecodedPixels>;

/** What loading pictures takes. */
export interface PictureLoading {
  readonly limits: ImageLimits;
  readonly decode?: DecodePicture | undefined;
}

/** Formats that Skia does not know, or of which it knows less: one decoder each, for items and clips alike. */
const DECODED_ELSEWHERE: ReadonlySet<ImageHeader['format']> = new Set(['heic', 'avif', 'tiff']);

/**
 * A picture file cut to a square by `cover` and scaled to `sidePx`: upright, its alpha kept, an animation's first frame.
 * The full-size picture lives no longer than this call.
 *
 * @throws `paint.image_missing`, `paint.image_format`, `paint.image_broken` or `paint.image_too_large`.
 */
export async function loadSquarePicture(path: string, sidePx: number, loading: PictureLoading): Promise<Bitmap> {
  const { limits, decode } = loading;
  const bytes = await readPicture(path, limits);
  const header = readImageHeader(bytes);
  checkImageLimits(header, limits);
  if (decode !== undefined && DECODED_ELSEWHERE.has(header.format)) {
    const decoded = await decode(path, sidePx).catch((cause) => {
      throw asPaintError(cause);
    });
    return squareOf(canvasOf(decoded), decoded, sidePx);
  }
  const image = new Image();
  try {
    await decodeBySkia(image, bytes);
    const size = { width: image.naturalWidth, height: image.naturalHeight };
    // The header spoke for the decoder; should they disagree, what was decoded counts.
    checkImageLimits({ ...header, ...size, frames: 1 }, limits);
    return squareOf(image, size, sidePx);
  } finally {
    // Lets go of the pixels now; the collector sees a small object and is in no hurry.
    image.src = '';
  }
}

async function decodeBySkia(image: Image, bytes: Buffer): Promise<void> {
  try {
    image.src = bytes;
    await image.decode();
  } catch (cause) {
    throw broken(cause);
  }
}

function canvasOf({ rgba, width, height }: DecodedPixels): Canvas {
  const { bitmap } = createSkiaSurface(width, height);
  const context = bitmap.getContext('2d');
  const pixels = context.createImageData(width, height);
  pixels.data.set(rgba);
  context.putImageData(pixels, 0, 0);
  return bitmap;
}

function squareOf(image: Image | Canvas, { width, height }: PixelSize, sidePx: number): Bitmap {
  const { bitmap, context } = createSkiaSurface(sidePx, sidePx);
  const side = Math.min(width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, (width - side) / 2, (height - side) / 2, side, side, 0, 0, sidePx, sidePx);
  // Drawing is put off until pixels are read: read one, and the large picture can go.
  bitmap.getContext('2d').getImageData(0, 0, 1, 1);
  return bitmap;
}

/** An item's picture is a matter of painting, whoever decodes it. */
function asPaintError(cause: unknown): unknown {
  if (!(cause instanceof ExportError)) return cause;
  if (cause.code !== 'media.too_many_pixels') return broken(cause);
  return new ExportError('too_large', 'paint.image_too_large', cause.message, { cause });
}

function broken(cause: unknown): ExportError {
  return new ExportError('invalid', 'paint.image_broken', 'The picture is damaged and cannot be decoded.', { cause });
}

async function readPicture(path: string, limits: ImageLimits): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size <= limits.maxBytes) return await readFile(path);
    throw new ExportError(
      'too_large',
      'paint.image_too_large',
      `The picture's file has ${size} bytes; ${limits.maxBytes} are allowed.`,
    );
  } catch (cause) {
    if (cause instanceof ExportError) throw cause;
    throw new ExportError('missing', 'paint.image_missing', 'The picture’s file cannot be read.', { cause });
  }
}
