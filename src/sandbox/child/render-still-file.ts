import { writeFile } from 'node:fs/promises';
import { renderStill } from '../../engine/encode/still.ts';
import { createSkiaSurface } from '../../paint/skia/skia.ts';
import type { OperationContext } from '../channel/operation.ts';
import { planPainter } from './plan-painter.ts';
import type { RenderOperations } from './render-operations.ts';

const JPEG_QUALITY = 88;

/** The child's side of `render_still`. */
export async function renderStillFile(
  params: RenderOperations['render_still']['params'],
  context: OperationContext,
): Promise<{ width: number; height: number }> {
  const { plan, limits, frame, out, format } = params;
  const painter = await planPainter(params, context);
  const files = new Map(params.files);
  const { width, height, rgba } = await renderStill({ plan, files, painter, limits, frame, signal: context.signal });
  const { bitmap } = createSkiaSurface(width, height);
  const pixels = bitmap.getContext('2d');
  const image = pixels.createImageData(width, height);
  image.data.set(rgba);
  pixels.putImageData(image, 0, 0);
  await writeFile(out, await (format === 'png' ? bitmap.encode('png') : bitmap.encode('jpeg', JPEG_QUALITY)));
  return { width, height };
}
