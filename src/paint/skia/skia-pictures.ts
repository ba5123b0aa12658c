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
import type { DecodedPicture } from '../draw/card/item-pictures.ts';
import type { SvgRasterizer } from '../svg/svg-rasterizer.ts';
import { createSkiaSurface } from './skia.ts';

/** Straight RGBA, row by row. */
interface DecodedPixels extends PixelSize {
  readonly rgba: Uint8Array;
}

/**
 * Decodes pictures that Skia cannot: a file's first picture, upright, in sRGB, scaled down until its shorter side has
 * `maxPx`. It is passed in, because it needs libav, which is in another module.
 */
export type DecodePicture = (path: string, maxPx: number) => Promise<DecodedPixels>;

/** The inputs for loading pictures. */
interface PictureLoading {
  readonly limits: ImageLimits;
  readonly decode?: DecodePicture | undefined;
  /** Draws SVGs; the caller owns it. */
  readonly drawings: SvgRasterizer;
}

/** Formats that Skia does not support, or not fully: items and clips use the same decoder. */
const DECODED_ELSEWHERE: ReadonlySet<ImageHeader['format']> = new Set(['heic', 'avif', 'tiff', 'jxl', 'ico']);

/**
 * A picture file decoded: upright, its alpha kept, an animation's first frame; it may come scaled down until its shorter
 * side has `maxPx`.
 *
 * @throws `paint.image_missing`, `paint.image_format`, `paint.image_broken`, `paint.image_too_large` or
 *   `paint.image_too_complex`.
 */
export async function decodePicture(path: string, maxPx: number, loading: PictureLoading): Promise<DecodedPicture> {
  const { limits, decode, drawings } = loading;
  const bytes = await readPicture(path, limits);
  const header = readImageHeader(bytes);
  checkImageLimits(header, limits);
  if (header.format === 'svg') {
    return { bitmap: canvasOf(await drawings.rasterize(bytes, header, maxPx)), release: () => {} };
  }
  if (decode !== undefined && DECODED_ELSEWHERE.has(header.format)) {
    const decoded = await decode(path, maxPx).catch((cause) => {
      throw asPaintError(cause);
    });
    return { bitmap: canvasOf(decoded), release: () => {} };
  }
  const image = new Image();
  // Frees the pixels at once; the garbage collector sees only a small object.
  const release = () => {
    image.src = '';
  };
  try {
    await decodeBySkia(image, bytes);
    // The header was checked before; if the decoder disagrees, the decoded size counts.
    checkImageLimits({ ...header, width: image.naturalWidth, height: image.naturalHeight, frames: 1 }, limits);
  } catch (error) {
    release();
    throw error;
  }
  return { bitmap: image, release };
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

/** Errors of an item's picture get a paint code, also if the engine decodes it. */
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
