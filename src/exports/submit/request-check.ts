import { formatPlan } from '../../plan/format-plan.ts';
import { secondsOf } from '../../time.ts';
import { readDocuments } from '../../timeline/request-documents.ts';
import type { ExportsApi, Validation } from '../exports-api.ts';
import type { MediaCheck } from './media-check.ts';
import { planOutputs, type RequestRules, type RequestTexts, readRequest } from './read-request.ts';

/** The documents without which nothing can be said about a request's meaning. */
const MEANINGFUL = ['tier_list', 'timeline_data', 'settings'] as const;

interface RequestCheckPorts {
  readonly rules: RequestRules;
  readonly media: MediaCheck;
}

/** Judges requests without keeping anything. */
export class RequestCheck {
  readonly #ports: RequestCheckPorts;

  constructor(ports: RequestCheckPorts) {
    this.#ports = ports;
  }

  /** The early answer, before the first file; see ExportsApi. */
  checkDocuments(texts: RequestTexts): void {
    const { rules } = this.#ports;
    // Without all three, a later field could still change what is right; bad JSON stays bad.
    if (MEANINGFUL.every((field) => texts.has(field))) readRequest(texts, null, rules);
    else readDocuments(texts, rules.json);
  }

  /** What a request would become. (C30) */
  async validate(
    { tenant, texts, uploads }: Parameters<ExportsApi['validate']>[0],
    signal: AbortSignal,
  ): Promise<Validation> {
    const { rules, media } = this.#ports;
    const request = readRequest(texts, uploads === null ? null : uploads.keys(), rules);
    const { settings, warnings } = request;
    if (uploads === null) return { settings, warnings, durationSeconds: null, plan: null };
    const facts = await media.facts(tenant, request, uploads, signal);
    const [plan] = planOutputs(request, facts, rules);
    const durationSeconds = secondsOf(plan!.totalFrames, plan!.rate);
    return { settings, warnings: plan!.warnings, durationSeconds, plan: formatPlan(plan!) };
  }
}
