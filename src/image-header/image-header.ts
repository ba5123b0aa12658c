import { ExportError } from '../errors.ts';

/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The kinds of picture file we take. */
type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'heic' | 'tiff' | 'bmp' | 'ico' | 'jxl' | 'svg';

/** The properties of a picture file before any pixel is decoded. Its size is upright, as it is shown. */
export interface ImageHeader extends PixelSize {
  readonly format: ImageFormat;
  /** 1 for a still. */
  readonly frames: number;
  /** Which of an icon's pictures this is. */
  readonly entry?: number;
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

/** The default limits. */
export const DEFAULT_IMAGE_LIMITS: ImageLimits = {
  maxBytes: 50 * 1024 * 1024,
  maxPixels: 50_000_000,
  maxSidePx: 16_384,
  maxFrames: 600,
  maxAnimationPixels: 200_000_000,
};

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
