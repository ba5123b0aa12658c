import '../../no-eval.ts';
import { workerScope } from '../worker-scope.ts';
import { type PlanOrder, type PlanOutcome, planDocuments } from './plan-documents.ts';

/** What the worker says: outcomes of the order of that number; the last one is complete. */
export interface PlanReply {
  readonly number: number;
  readonly outcome: PlanOutcome;
  readonly done: boolean;
}

workerScope.onmessage = ({ data }: MessageEvent<{ number: number; order: PlanOrder }>) => {
  const { number, order } = data;
  let outcome: PlanOutcome | null = null;
  for (const next of planDocuments(order)) {
    // What is looked at is worth an answer of its own; the rest comes together.
    if (outcome !== null && outcome.plans.size === 1) reply({ number, outcome, done: false });
    outcome = { ...next, plans: new Map(next.plans) };
  }
  if (outcome !== null) reply({ number, outcome, done: true });
};

function reply(message: PlanReply): void {
  workerScope.postMessage(message);
}
