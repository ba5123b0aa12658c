import type { Issue } from '../../errors.ts';
import type { PlanOutline } from '../../plan/outline/plan-outline.ts';
import type { RenderSlot } from './render-slot.ts';

/** What a job is run with. `slot` gives the export's child, started at the first call: cached work needs none. */
export interface JobRun {
  /** Of the outputs the job is for; of any that waits for it for the sound. */
  readonly plans: readonly [PlanOutline, ...PlanOutline[]];
  readonly slot: () => Promise<RenderSlot>;
  /** Ends a child that can no longer be relied on; the next job gets another. */
  readonly dropSlot: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Told what the child had to do without. */
  readonly onWarning: (issue: Issue) => void;
}
