import { availableParallelism } from 'node:os';
import type { Config } from '../config/config.ts';
import type { Role } from '../config/deployment.ts';
import { memoryLimitBytes } from '../sandbox/host/memory-limit.ts';
import { memoryOfEach, rendersAtOnce } from '../sandbox/host/render-memory.ts';

/** That of `balanced`, which nobody has to ask for. */
const USUAL_ENCODER_PRESET = 'veryfast';

/** How many children render at once, and what each of them may take. */
export function renderCapacity({ rendersAtOnce: wanted, childMaxRssBytes, presets }: Config, role: Role) {
  const memoryBytes = memoryLimitBytes();
  const [canvas] = presets.toSorted((a, b) => b.width * b.height - a.width * a.height);
  const usual = [{ canvas: canvas!, encoder: { preset: USUAL_ENCODER_PRESET } }];
  const most = wanted > 0 ? wanted : rendersAtOnce({ cores: availableParallelism(), memoryBytes }, usual);
  const renders = role === 'api' ? 0 : most;
  return { renders, presetsMemoryBytes: Math.min(childMaxRssBytes, memoryOfEach(memoryBytes, most)) };
}

/** Two even on one core: a long timeline must not hold up all short ones. More would only take from the renders. */
export function planningThreads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1));
}
