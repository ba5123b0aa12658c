import type { ExportRequest } from '../timeline/export-request.ts';
import type { RenderPlan } from './model/render-plan.ts';
import { isReveal } from './reveal/board-state.ts';

/** What the documents of a running take cannot express. */
export interface RunningTake {
  /** The id of the card that is held up: its row is not decided. */
  readonly undecided: string | null;
}

/** The plan for the live preview of a take: the card that is held up has no row, and the counter expects all cards. */
export function planOfRunningTake(plan: RenderPlan, { undecided }: RunningTake, request: ExportRequest): RenderPlan {
  const { board } = plan;
  if (board === null) return plan;
  const { items } = request.tierList;
  const item = items.findIndex(({ id }) => id === undecided);
  const events = board.events.map((event) =>
    event.item === item && isReveal(event) ? { ...event, isUndecided: true as const } : event,
  );
  return { ...plan, board: { ...board, events, counter: board.counter === null ? null : items.length } };
}
