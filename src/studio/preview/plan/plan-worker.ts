import '../../kit/no-eval.ts';
import type { ExportRequest } from '../../../timeline/export-request.ts';
import { KnownEntries } from '../../../timeline/parse/parse-context.ts';
import { workerScope } from '../../kit/worker-scope.ts';
import { PlanChannel, packed, type SentPlan } from '../../session/packed-plan.ts';
import { changed, type DocumentChanges, type Documents } from './document-changes.ts';
import { type PlaceOfEntry, type PlanOrder, type PlanOutcome, placeOfEntry, planDocuments } from './plan-documents.ts';

/** What all orders share. Sent first, because building the schemas takes as long as checking hundreds of entries. */
export interface PlanRules {
  readonly rules: Pick<PlanOrder, 'presets' | 'limits'>;
}

/** Requests plans, with the changes of the documents since the previous order. */
export interface PlanQuestion {
  readonly number: number;
  readonly order: Omit<PlanOrder, 'documents' | 'known' | keyof PlanRules['rules']>;
  readonly changes: DocumentChanges;
}

/** The result of one more preset of an order. */
export interface PlanReply {
  readonly number: number;
  /** Contains only new plans. */
  readonly outcome: Omit<PlanOutcome, 'plans'> & { readonly plans: ReadonlyMap<string, SentPlan> };
  /** Whether the order is finished. Otherwise the worker plans the next preset on request. */
  readonly done: boolean;
}

/** Requests the next preset of the order with that number, which must be the latest. */
export interface NextPreset {
  readonly next: number;
}

/** Requests the box of an entry in a preset, from the latest plan. */
export interface PlaceQuestion {
  readonly path: string;
  readonly preset: string;
}

export interface PlaceReply {
  readonly question: PlaceQuestion;
  /** null: there is no such entry, or no plan. */
  readonly place: PlaceOfEntry | null;
}

let rules: PlanRules['rules'];
let documents: Documents = {};
const known = new KnownEntries();
let request: ExportRequest | null = null;
let planning: Iterator<PlanOutcome> | null = null;
let plans: PlanOutcome['plans'] = new Map();
let wanted = 0;
const channel = new PlanChannel();

workerScope.onmessage = ({ data }: MessageEvent<PlanRules | PlanQuestion | NextPreset | PlaceQuestion>) => {
  if ('rules' in data) rules = data.rules;
  else if ('order' in data) {
    request = null;
    plans = new Map();
    wanted = data.order.presetNames.length;
    documents = changed(documents, data.changes);
    planning = planDocuments({ ...rules, ...data.order, documents, known }, (read) => {
      request = read;
    });
    planNext(data.number);
  } else if ('next' in data) planNext(data.next);
  else {
    const plan = plans.get(data.preset);
    const place = request === null || plan === undefined ? null : placeOfEntry(request, data.path, plan);
    workerScope.postMessage({ question: data, place } satisfies PlaceReply);
  }
};

function planNext(number: number): void {
  const { value: outcome } = planning!.next();
  if (outcome === undefined) return;
  const fresh = [...outcome.plans]
    .filter(([name]) => !plans.has(name))
    .map(([name, plan]) => [name, channel.sent(name, packed(plan))] as const);
  plans = new Map(outcome.plans);
  const done = outcome.errors.length > 0 || plans.size === wanted;
  const reply: PlanReply = { number, outcome: { ...outcome, plans: new Map(fresh) }, done };
  workerScope.postMessage(reply);
}
