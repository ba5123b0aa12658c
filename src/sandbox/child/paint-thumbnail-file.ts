import { writeFile } from 'node:fs/promises';
import { paintThumbnail, thumbnailFile } from '../../paint/skia/thumbnail-picture.ts';
import type { OperationContext } from '../channel/operation.ts';
import { paintingInputs } from './plan-painter.ts';
import type { RenderOperations } from './render-operations.ts';

/** The child's side of `paint_thumbnail`. */
export async function paintThumbnailFile(
  params: RenderOperations['paint_thumbnail']['params'],
  { signal, warn }: OperationContext,
): Promise<{ width: number; height: number }> {
  const { plan, out, format } = params;
  const { surface, warnings } = await paintThumbnail({ plan, ...paintingInputs(params, signal) });
  for (const issue of warnings) warn(issue);
  const { width, height } = surface.bitmap;
  await writeFile(out, await thumbnailFile(surface, format));
  return { width, height };
}
