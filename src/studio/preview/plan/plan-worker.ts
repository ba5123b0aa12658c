import '../../no-eval.ts';
import type { ExportRequest } from '../../../timeline/export-request.ts';
import { workerScope } from '../worker-scope.ts';
import { type PlaceOfEntry, placeOfEntry } from './place-of-entry.ts';
import { type PlanOrder, type PlanOutcome, planDocuments } from './plan-documents.ts';

/** What the worker says: outcomes of the order of that number; the last one is complete. */
export interface PlanReply {
  readonly number: number;
  readonly outcome: PlanOutcome;
  readonly done: boolean;
}

/** Asks where an entry stands in a shape, by what was planned last. */
export interface PlaceQuestion {
  readonly path: string;
  readonly shape: string;
}

export interface PlaceReply {
  readonly question: PlaceQuestion;
  /** null: there is no such entry, or nothing is planned. */
  readonly place: PlaceOfEntry | null;
}

let request: ExportRequest | null = null;
let plans: PlanOutcome['plans'] = new Map();

workerScope.onmessage = ({ data }: MessageEvent<{ number: number; order: PlanOrder } | PlaceQuestion>) => {
  if ('order' in data) plan(data.number, data.order);
  else {
    const shape = plans.get(data.shape);
    const place = request === null || shape === undefined ? null : placeOfEntry(request, data.path, shape);
    workerScope.postMessage({ question: data, place } satisfies PlaceReply);
  }
};

function plan(number: number, order: PlanOrder): void {
  let outcome: PlanOutcome | null = null;
  request = null;
  const understood = (read: ExportRequest) => {
    request = read;
  };
  for (const next of planDocuments(order, understood)) {
    // What is looked at is worth an answer of its own; the rest comes together.
    if (outcome !== null && outcome.plans.size === 1) reply({ number, outcome, done: false });
    outcome = { ...next, plans: new Map(next.plans) };
  }
  plans = outcome?.plans ?? new Map();
  if (outcome !== null) reply({ number, outcome, done: true });
}

function reply(message: PlanReply): void {
  workerScope.postMessage(message);
}
