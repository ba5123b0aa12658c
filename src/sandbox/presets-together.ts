import type { RenderPlan } from '../plan/model/render-plan.ts';
import { renderMemoryBytes } from './host/render-memory.ts';

type Preset = Pick<RenderPlan, 'canvas' | 'encoder' | 'chunks'>;

/**
 * Which outputs can be rendered side by side: those whose chunks cover the same frames, as many as the memory allows.
 * All others are rendered alone; the order stays.
 */
export function presetsTogether<T extends Preset>(presets: readonly T[], memoryBytes: number): T[][] {
  const groups: T[][] = [];
  for (const preset of presets) {
    const group = groups.find(
      (others) => haveSameRanges(others[0]!, preset) && renderMemoryBytes([...others, preset]) <= memoryBytes,
    );
    if (group === undefined) groups.push([preset]);
    else group.push(preset);
  }
  return groups;
}

function haveSameRanges({ chunks: some }: Preset, { chunks: others }: Preset): boolean {
  return (
    some.length === others.length &&
    some.every(({ start, end }, chunk) => others[chunk]!.start === start && others[chunk]!.end === end)
  );
}
