import type { Issue } from '../../errors.ts';
import type { PlanOutline } from '../../plan/outline/plan-outline.ts';
import type { RenderSlot } from './render-slot.ts';

/**
 * What a job runs with. `slot` returns the export's child and starts it at the first call, because cached work needs
 * none.
 */
export interface JobRun {
  /** Of the job's outputs; for the sound, of any output that waits for it. */
  readonly plans: readonly [PlanOutline, ...PlanOutline[]];
  readonly slot: () => Promise<RenderSlot>;
  /** Ends a child that is no longer reliable; the next job starts another. */
  readonly dropSlot: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Receives the warnings of the child. */
  readonly onWarning: (issue: Issue) => void;
}
