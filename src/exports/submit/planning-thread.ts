import { parentPort, workerData } from 'node:worker_threads';
import { ExportError } from '../../errors.ts';
import { lowerOwnPriority, NICENESS } from '../../platform/process-priority.ts';
import { type PlannedOutput, type PlanningTasks, planningTasks } from './planning.ts';
import type { RequestRules } from './read-request.ts';
import type { ThreadAnswer } from './thread-pool.ts';

lowerOwnPriority(NICENESS.plan);
// The entry of a planning thread: one answer for each message, in order.
const tasks = planningTasks(workerData as RequestRules);
parentPort!.on('message', ({ name, request }: { name: keyof PlanningTasks; request: never }) => {
  const given = answer(() => tasks[name](request));
  parentPort!.postMessage(given, buffersOf(given));
});

/** The buffers to transfer instead of copying. */
function buffersOf(given: ThreadAnswer): ArrayBuffer[] {
  const parts = 'value' in given && Array.isArray(given.value) ? (given.value as Partial<PlannedOutput>[]) : [];
  return parts
    .flatMap(({ json, outlineJson }) => [json, outlineJson].filter((bytes) => bytes !== undefined))
    .map(({ buffer }) => buffer);
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
