import type { RenderPlan } from '../../plan/render-plan.ts';
import type { ExportsContext } from '../exports-context.ts';

/** Keeps the rendered parts of an output in the cache until it is put together, however full the cache gets. */
export function pinParts(
  exportId: string,
  { preset, chunks, audio }: Pick<RenderPlan, 'preset' | 'chunks' | 'audio'>,
  context: Pick<ExportsContext, 'chunks'>,
): void {
  context.chunks.pin(owner(exportId, preset), [audio.key, ...chunks.map(({ key }) => key)]);
}

/** Lets the cache decide again. */
export async function unpinParts(
  exportId: string,
  preset: string,
  context: Pick<ExportsContext, 'chunks'>,
): Promise<void> {
  await context.chunks.unpin(owner(exportId, preset));
}

function owner(exportId: string, preset: string): string {
  return `${exportId}/${preset}`;
}
