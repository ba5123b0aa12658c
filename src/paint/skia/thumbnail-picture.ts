import type { Issue } from '../../errors.ts';
import { DEFAULT_IMAGE_LIMITS, type ImageLimits } from '../../image-header/image-header.ts';
import { THUMBNAIL_FILE, type ThumbnailPlan } from '../../plan/thumbnail-plan.ts';
import { drawThumbnail } from '../draw/layer/draw-thumbnail.ts';
import { SvgRasterizer } from '../svg/svg-rasterizer.ts';
import { createSkiaMeasure, createSkiaSurface, registerOwnFont, type SkiaSurface } from './skia.ts';
import { type DecodePicture, decodePicture } from './skia-pictures.ts';

/** The inputs for drawing a thumbnail. */
interface ThumbnailOrder {
  readonly plan: ThumbnailPlan;
  /** The path of each upload, by its `file_field`. */
  readonly files: ReadonlyMap<string, string>;
  readonly limits?: ImageLimits;
  /** Decodes pictures that Skia cannot decode; without it they cannot be used. */
  readonly decode?: DecodePicture;
  readonly signal?: AbortSignal;
}

/** Draws a thumbnail with Skia. It opens uploads: in a service it runs in the jail. */
export async function paintThumbnail({
  plan,
  files,
  limits = DEFAULT_IMAGE_LIMITS,
  decode,
  signal,
}: ThumbnailOrder): Promise<{ readonly surface: SkiaSurface; readonly warnings: readonly Issue[] }> {
  const { font } = plan.theme;
  if (font?.source != null) {
    await registerOwnFont(files.get(plan.sources[font.source]!.field) ?? '', font.families.text);
  }
  await using drawings = new SvgRasterizer();
  const tools = {
    createSurface: createSkiaSurface,
    measure: createSkiaMeasure(font),
    loadPicture: (field: string, maxPx: number) =>
      decodePicture(files.get(field) ?? '', maxPx, { limits, decode, drawings }),
  };
  const { surface, warnings } = await drawThumbnail(plan, tools, signal);
  return { surface: surface as SkiaSurface, warnings };
}

const { maxBytes: MAX_BYTES, qualities: QUALITIES } = THUMBNAIL_FILE;

/** Bits of each channel that are left out until a PNG is small enough. Noise alone needs more than none. */
const DROPPED_BITS = [0, 2, 3, 4] as const;

/** The picture as a file of less than 2 MB. */
export async function thumbnailFile({ bitmap }: SkiaSurface, format: 'png' | 'jpeg'): Promise<Buffer> {
  let file: Buffer = Buffer.alloc(0);
  if (format === 'jpeg') {
    for (const quality of QUALITIES) {
      file = await bitmap.encode('jpeg', quality);
      if (file.length < MAX_BYTES) break;
    }
    return file;
  }
  const context = bitmap.getContext('2d');
  for (const bits of DROPPED_BITS) {
    if (bits > 0) {
      const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height);
      const { data } = pixels;
      const kept = 0xff & ~((1 << bits) - 1);
      for (let at = 0; at < data.length; at += 1) if (at % 4 !== 3) data[at]! &= kept;
      context.putImageData(pixels, 0, 0);
    }
    file = await bitmap.encode('png');
    if (file.length < MAX_BYTES) break;
  }
  return file;
}
