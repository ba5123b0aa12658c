import type { Issue } from '../../errors.ts';
import type { RenderPlan } from '../../plan/render-plan.ts';
import type { RenderSlot } from './render-slot.ts';

/** What a job is run with. `slot` gives the export's child, started at the first call: cached work needs none. */
export interface JobRun {
  readonly plan: RenderPlan;
  readonly slot: () => Promise<RenderSlot>;
  readonly signal: AbortSignal;
  /** Ids of jobs that are recorded: the holder of their leases need not renew them. */
  readonly done: Set<string>;
  /** Told what the child had to do without. */
  readonly onWarning: (issue: Issue) => void;
}
