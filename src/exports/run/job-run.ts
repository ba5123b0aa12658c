import type { Issue } from '../../errors.ts';
import type { PlanOutline } from '../../plan/plan-outline.ts';
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
