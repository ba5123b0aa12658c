import { availableParallelism } from 'node:os';
import type { Config } from '../config/config.ts';
import type { Role } from '../config/deployment.ts';
import { memoryLimitBytes } from '../sandbox/host/memory-limit.ts';
import { memoryOfEach, rendersAtOnce } from '../sandbox/host/render-memory.ts';

/** That of `balanced`, the default. */
const DEFAULT_ENCODER_PRESET = 'veryfast';

/** How many children render at once, and the limits of each. */
export function renderCapacity({ rendersAtOnce: wanted, childMaxRssBytes, presets }: Config, role: Role) {
  const memoryBytes = memoryLimitBytes();
  const [canvas] = presets.toSorted((a, b) => b.width * b.height - a.width * a.height);
  const usual = [{ canvas: canvas!, encoder: { preset: DEFAULT_ENCODER_PRESET } }];
  const max = wanted > 0 ? wanted : rendersAtOnce({ cores: availableParallelism(), memoryBytes }, usual);
  const renders = role === 'api' ? 0 : max;
  return { renders, presetsMemoryBytes: Math.min(childMaxRssBytes, memoryOfEach(memoryBytes, max)) };
}

/** Two even on one core: a long timeline must not block short ones. More would only take CPU from the renders. */
export function planningThreads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1));
}
