import { parentPort, workerData } from 'node:worker_threads';
import { ExportError } from '../../errors.ts';
import { mapStacks } from '../../platform/mapped-stacks.ts';
import { lowerOwnPriority, NICENESS } from '../../platform/process-priority.ts';
import { type PlanningTasks, planningTasks } from './planning.ts';
import type { RequestRules } from './read-request.ts';
import type { ThreadAnswer } from './thread-pool.ts';

mapStacks();
lowerOwnPriority(NICENESS.plan);
// The entry of a planning thread: one answer for each message, in order.
const tasks = planningTasks(workerData as RequestRules);
parentPort!.on('message', ({ name, request }: { name: keyof PlanningTasks; request: never }) => {
  const given = answer(() => tasks[name](request));
  parentPort!.postMessage(given, 'value' in given ? [...buffersIn(given.value)] : []);
});

/** The buffers to transfer instead of copying: in the value, its members, and the members of these. */
function* buffersIn(value: unknown, depth = 0): Generator<ArrayBuffer> {
  if (value instanceof Uint8Array) yield value.buffer as ArrayBuffer;
  else if (depth < 2 && typeof value === 'object' && value !== null) {
    for (const member of value instanceof Map ? value.values() : Object.values(value)) {
      yield* buffersIn(member, depth + 1);
    }
  }
}

function answer(work: () => unknown): ThreadAnswer {
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof ExportError)) return { bug: error instanceof Error ? String(error.stack) : String(error) };
    const { kind, code, message, path, issues, warnings } = error;
    return { failure: { kind, code, message, path, issues, warnings } };
  }
}
