import type { RenderPlan } from '../plan/render-plan.ts';
import { renderMemoryBytes } from './host/render-memory.ts';

type Shape = Pick<RenderPlan, 'canvas' | 'encoder' | 'chunks'>;

/**
 * Which outputs can be rendered side by side: those whose chunks cover the same frames, as many as the memory allows. Whatever
 * cannot goes alone; the order stays.
 */
export function shapesTogether<T extends Shape>(shapes: readonly T[], memoryBytes: number): T[][] {
  const groups: T[][] = [];
  for (const shape of shapes) {
    const group = groups.find(
      (others) => haveSameRanges(others[0]!, shape) && renderMemoryBytes([...others, shape]) <= memoryBytes,
    );
    if (group === undefined) groups.push([shape]);
    else group.push(shape);
  }
  return groups;
}

function haveSameRanges({ chunks: some }: Shape, { chunks: others }: Shape): boolean {
  return (
    some.length === others.length &&
    some.every(({ start, end }, chunk) => others[chunk]!.start === start && others[chunk]!.end === end)
  );
}
