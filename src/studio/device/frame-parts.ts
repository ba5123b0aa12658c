import type { ClipOperation, Operation } from '../../plan/frame/frame-at.ts';
import type { Canvas, Rect } from '../../plan/model/canvas.ts';
import type { ClipLayer } from '../../plan/model/clip-layer.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';

/** A part of a frame, over those before it. */
type FramePart =
  | { readonly by: 'canvas'; readonly operations: readonly Operation[] }
  /** A clip whose samples are put into the frame: on a canvas, levels beyond white and below black are lost. */
  | { readonly by: 'samples'; readonly operation: ClipOperation };

/**
 * How a frame is made. The first part fills it.
 *
 * @param hasSamples whether the samples of a clip are known, in the coding of the frame.
 */
export function frameParts(
  plan: Pick<RenderPlan, 'canvas' | 'clips'>,
  operations: readonly Operation[],
  hasSamples: (clip: number) => boolean,
): readonly FramePart[] {
  // These change what is below them.
  if (operations.some(({ draw }) => draw === 'glass' || draw === 'shake')) return [{ by: 'canvas', operations }];
  let parts: FramePart[] = [];
  let drawn: Operation[] = [];
  for (const operation of operations) {
    const clip = plainClip(plan, operation);
    if (clip === null || operation.draw !== 'clip' || !hasSamples(operation.clip)) {
      drawn.push(operation);
      continue;
    }
    if (covers(matteOf(clip, plan.canvas) ?? clip.backdrop?.dest ?? clip.dest, plan.canvas)) [parts, drawn] = [[], []];
    if (clip.backdrop !== null) drawn.push(operation);
    if (drawn.length > 0) parts.push({ by: 'canvas', operations: drawn });
    parts.push({ by: 'samples', operation });
    drawn = [];
  }
  if (drawn.length > 0) parts.push({ by: 'canvas', operations: drawn });
  return parts;
}

/** The bars beside a clip, with the clip; null if there are none, or the background is seen there. (C61) */
export function matteOf({ matte }: ClipLayer, { behind }: Canvas): Rect | null {
  return behind === undefined ? matte : null;
}

/** The clip of an operation that is an opaque rectangle on whole samples; else null. */
function plainClip({ canvas, clips }: Pick<RenderPlan, 'canvas' | 'clips'>, operation: Operation): ClipLayer | null {
  if (operation.draw !== 'clip' || operation.presence !== null || operation.dim !== null) return null;
  const clip = clips[operation.clip]!;
  const { look, alpha, ground, dest } = clip;
  if (look !== null || alpha || (ground !== undefined && ground.blur > 0)) return null;
  const rects = [dest, matteOf(clip, canvas) ?? dest];
  return rects.every((rect) => isEven(rect) && contains(canvas, rect)) ? clip : null;
}

function isEven({ x, y, width, height }: Rect): boolean {
  return [x, y, width, height].every((value) => value % 2 === 0);
}

function contains({ width, height }: Canvas, rect: Rect): boolean {
  return rect.x >= 0 && rect.y >= 0 && rect.x + rect.width <= width && rect.y + rect.height <= height;
}

function covers({ x, y, width, height }: Rect, canvas: Canvas): boolean {
  return x <= 0 && y <= 0 && x + width >= canvas.width && y + height >= canvas.height;
}
