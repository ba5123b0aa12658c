import { writeFile } from 'node:fs/promises';
import { encodePng } from '../../engine/encode/png.ts';
import { renderStill, type Still } from '../../engine/encode/still.ts';
import type { Issue } from '../../errors.ts';
import { createSkiaSurface } from '../../paint/skia/skia.ts';
import type { Painter } from '../../plan/model/painter.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { OperationContext } from '../channel/operation.ts';
import { planPainter } from './plan-painter.ts';
import type { RenderOperations, RenderParams, StillFormat } from './render-operations.ts';
import { wholePlan } from './whole-plan.ts';

const QUALITY = 88;

/** The painter of the last named plan, and its warnings: pictures are decoded and the board is laid out once. */
let held: { readonly name: string; readonly painter: Painter; readonly warnings: readonly Issue[] } | null = null;

/** The child's side of `render_still`. */
export async function renderStillFile(
  params: RenderOperations['render_still']['params'],
  context: OperationContext,
): Promise<{ width: number; height: number }> {
  const { limits, frame, out, format } = params;
  const plan = await wholePlan(params.plan);
  const painter = await painterOf({ ...params, plan }, context);
  const files = new Map(params.files);
  const still = await renderStill({ plan, files, painter, limits, frame, signal: context.signal });
  await writeFile(out, await encoded(still, format));
  return { width: still.width, height: still.height };
}

async function painterOf(
  params: RenderParams<RenderPlan> & Pick<RenderOperations['render_still']['params'], 'planName'>,
  context: OperationContext,
): Promise<Painter> {
  const { planName: name } = params;
  if (name === undefined) return planPainter(params, context);
  if (held?.name !== name) {
    held = null;
    const warnings: Issue[] = [];
    const painter = await planPainter(params, { ...context, warn: (issue) => warnings.push(issue) });
    held = { name, painter, warnings };
  }
  for (const issue of held.warnings) context.warn(issue);
  return held.painter;
}

async function encoded(still: Still, format: StillFormat): Promise<Buffer> {
  if (format === 'png') return encodePng(still);
  const { width, height, rgba } = still;
  const { bitmap } = createSkiaSurface(width, height);
  const pixels = bitmap.getContext('2d');
  const image = pixels.createImageData(width, height);
  image.data.set(rgba);
  pixels.putImageData(image, 0, 0);
  return format === 'jpeg' ? bitmap.encode('jpeg', QUALITY) : bitmap.encode('webp', QUALITY);
}
