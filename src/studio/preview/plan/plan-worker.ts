import '../../kit/no-eval.ts';
import type { ExportRequest } from '../../../timeline/export-request.ts';
import { KnownEntries } from '../../../timeline/parse/known-entries.ts';
import { workerScope } from '../../kit/worker-scope.ts';
import { type PackedPlan, packed } from '../../session/packed-plan.ts';
import { changed, type DocumentChanges, type Documents } from './document-changes.ts';
import { type PlaceOfEntry, placeOfEntry } from './place-of-entry.ts';
import { type PlanOrder, type PlanOutcome, planDocuments } from './plan-documents.ts';

/** What holds for all orders, told first: schemas are made from it, which takes as long as checking hundreds of entries. */
export interface PlanRules {
  readonly rules: Pick<PlanOrder, 'presets' | 'limits'>;
}

/** Asks for plans, of the documents of the order before with what has changed in them. */
export interface PlanQuestion {
  readonly number: number;
  readonly order: Omit<PlanOrder, 'documents' | 'known' | keyof PlanRules['rules']>;
  readonly changes: DocumentChanges;
}

/** What the worker says: what came of one more shape of the order of that number. */
export interface PlanReply {
  readonly number: number;
  /** Of the plans those that are new. */
  readonly outcome: Omit<PlanOutcome, 'plans'> & { readonly plans: ReadonlyMap<string, PackedPlan> };
  /** Whether that is all of it. Otherwise the next shape is planned when it is asked for. */
  readonly done: boolean;
}

/** Asks for the next shape of the order of that number, which is the last one there was. */
export interface NextShape {
  readonly next: number;
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

let rules: PlanRules['rules'];
let documents: Documents = {};
const known = new KnownEntries();
let request: ExportRequest | null = null;
let planning: Iterator<PlanOutcome> | null = null;
let plans: PlanOutcome['plans'] = new Map();
let wanted = 0;

workerScope.onmessage = ({ data }: MessageEvent<PlanRules | PlanQuestion | NextShape | PlaceQuestion>) => {
  if ('rules' in data) rules = data.rules;
  else if ('order' in data) {
    request = null;
    plans = new Map();
    wanted = data.order.shapes.length;
    documents = changed(documents, data.changes);
    planning = planDocuments({ ...rules, ...data.order, documents, known }, (read) => {
      request = read;
    });
    planNext(data.number);
  } else if ('next' in data) planNext(data.next);
  else {
    const shape = plans.get(data.shape);
    const place = request === null || shape === undefined ? null : placeOfEntry(request, data.path, shape);
    workerScope.postMessage({ question: data, place } satisfies PlaceReply);
  }
};

function planNext(number: number): void {
  const { value: outcome } = planning!.next();
  if (outcome === undefined) return;
  const fresh = [...outcome.plans]
    .filter(([name]) => !plans.has(name))
    .map(([name, plan]) => [name, packed(plan)] as const);
  plans = new Map(outcome.plans);
  const done = outcome.errors.length > 0 || plans.size === wanted;
  const reply: PlanReply = { number, outcome: { ...outcome, plans: new Map(fresh) }, done };
  workerScope.postMessage(reply);
}
