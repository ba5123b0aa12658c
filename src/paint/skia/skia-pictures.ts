import './no-system-fonts.ts';
import { readFile, stat } from 'node:fs/promises';
import { Image } from '@napi-rs/canvas';
import { ExportError } from '../../errors.ts';
import { checkImageLimits, type ImageLimits } from '../../image-header/image-header.ts';
import { readImageHeader } from '../../image-header/read-image-header.ts';
import type { Bitmap } from '../canvas-2d.ts';
import { createSkiaSurface } from './skia.ts';

/**
 * A picture file cut to a square by `cover` and scaled to `sidePx`: upright, its alpha kept, an animation's first frame.
 * The full-size picture lives no longer than this call.
 *
 * @throws `paint.image_missing`, `paint.image_format`, `paint.image_broken` or `paint.image_too_large`.
 */
export async function loadSquarePicture(path: string, sidePx: number, limits: ImageLimits): Promise<Bitmap> {
  const bytes = await readPicture(path, limits);
  const header = readImageHeader(bytes);
  checkImageLimits(header, limits);
  const image = new Image();
  try {
    await decode(image, bytes);
    // The header spoke for the decoder; should they disagree, what was decoded counts.
    checkImageLimits({ ...header, width: image.naturalWidth, height: image.naturalHeight, frames: 1 }, limits);
    return squareOf(image, sidePx);
  } finally {
    // Lets go of the pixels now; the collector sees a small object and is in no hurry.
    image.src = '';
  }
}

async function decode(image: Image, bytes: Buffer): Promise<void> {
  try {
    image.src = bytes;
    await image.decode();
  } catch (cause) {
    throw new ExportError('invalid', 'paint.image_broken', 'The picture is damaged and cannot be decoded.', { cause });
  }
}

function squareOf(image: Image, sidePx: number): Bitmap {
  const { bitmap, context } = createSkiaSurface(sidePx, sidePx);
  const side = Math.min(image.naturalWidth, image.naturalHeight);
  const [x, y] = [(image.naturalWidth - side) / 2, (image.naturalHeight - side) / 2];
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, x, y, side, side, 0, 0, sidePx, sidePx);
  // Drawing is put off until pixels are read: read one, and the large picture can go.
  bitmap.getContext('2d').getImageData(0, 0, 1, 1);
  return bitmap;
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
