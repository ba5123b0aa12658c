import { ExportError, type Issue, isRequestFault } from '../../errors.ts';
import { isPlanMissing, type PlanOutline } from '../../plan/plan-outline.ts';
import type { ExportChild } from './export-child.ts';

/**
 * What a job runs with. `child` returns the export's child and starts it at the first call, because cached work needs
 * none.
 */
export interface JobRun {
  /** Of the job's outputs; for the sound, of any output that waits for it. */
  readonly plans: readonly [PlanOutline, ...PlanOutline[]];
  readonly child: () => Promise<ExportChild>;
  /** Ends a child that is no longer reliable; the next job starts another. */
  readonly dropChild: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Receives the warnings of the child. */
  readonly onWarning: (issue: Issue) => void;
}

const AWAY: ReadonlySet<string> = new Set(['store.unreachable', 'store.busy']);

export function diedTooOften(): ExportError {
  const message = 'The export could not be rendered: its render process crashed repeatedly.';
  return new ExportError('internal', 'render.crashed', message);
}

/** Whether files or records are temporarily unreachable. */
export function isAway(error: unknown): boolean {
  return error instanceof ExportError && AWAY.has(error.code);
}

/** An error of the media repeats at every try; a crash may be a coincidence. */
export function isFinal(error: unknown): boolean {
  if (isPlanMissing(error)) return true;
  return error instanceof ExportError && isRequestFault(error.kind);
}

export function asExportError(error: unknown): ExportError {
  if (error instanceof ExportError) return error;
  return new ExportError(
    'internal',
    'render.failed',
    'The export could not be rendered because of an internal error.',
    {
      cause: error,
    },
  );
}
