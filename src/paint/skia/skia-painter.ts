import { DEFAULT_IMAGE_LIMITS, type ImageLimits } from '../../image-header/image-header.ts';
import { plannedFonts } from '../../plan/model/fonts.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { CanvasPainter } from '../draw/layer/canvas-painter.ts';
import { preparePainting } from '../draw/layer/prepare-painting.ts';
import { fontCoverage } from '../fonts/font-coverage.ts';
import { SvgRasterizer } from '../svg/svg-rasterizer.ts';
import { createSkiaMeasure, createSkiaSurface, registerOwnFont } from './skia.ts';
import { type DecodePicture, decodePicture } from './skia-pictures.ts';

/** The inputs for painting a plan. */
export interface PaintingOrder {
  readonly plan: RenderPlan;
  /** The path of each upload, by its `file_field`. */
  readonly files: ReadonlyMap<string, string>;
  readonly limits?: ImageLimits;
  /** Decodes pictures that Skia cannot decode; without it they cannot be used. */
  readonly decode?: DecodePicture;
  readonly signal?: AbortSignal;
}

/**
 * Paints with Skia. Its buffers are freed when the event loop turns, so a caller that paints many frames must yield to it.
 */
export class SkiaPainter extends CanvasPainter {
  /** Reads all files and decodes every picture. */
  static async create(order: PaintingOrder): Promise<SkiaPainter> {
    const { plan, files, limits = DEFAULT_IMAGE_LIMITS, decode, signal } = order;
    for (const { source, families } of plannedFonts(plan)) {
      if (source !== null) await registerOwnFont(files.get(plan.sources[source]!.field) ?? '', families.text);
    }
    await using drawings = new SvgRasterizer();
    const tools = {
      createSurface: createSkiaSurface,
      drawsAhead: true,
      measure: createSkiaMeasure(plan.theme.font),
      loadPicture: (field: string, maxPx: number) =>
        decodePicture(files.get(field) ?? '', maxPx, { limits, decode, drawings }),
      coverage: fontCoverage,
    };
    return new SkiaPainter(await preparePainting(plan, tools, signal));
  }
}
