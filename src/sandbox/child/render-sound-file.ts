import { renderSound } from '../../engine/sound/render-sound.ts';
import type { OperationContext } from '../channel/operation.ts';
import type { RenderOperations } from './render-operations.ts';
import { wholePlan } from './whole-plan.ts';

const PROGRESS_STEPS = 1000;

/** The child's side of `render_sound`. */
export async function renderSoundFile(
  { plan, files, limits, out }: RenderOperations['render_sound']['params'],
  { signal, progress, warn }: OperationContext,
): Promise<RenderOperations['render_sound']['result']> {
  const { warnings, ...result } = await renderSound({
    plan: await wholePlan(plan),
    files: new Map(files),
    out,
    limits,
    signal,
    onProgress: (share) => progress({ done: Math.round(share * PROGRESS_STEPS), total: PROGRESS_STEPS }),
  });
  for (const issue of warnings) warn(issue);
  return result;
}
