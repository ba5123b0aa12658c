import { ExportError, type Issue } from '../../../errors.ts';
import type { MediaFacts } from '../../../plan/media-facts.ts';
import { planVideo } from '../../../plan/plan-render.ts';
import type { RenderPlan } from '../../../plan/render-plan.ts';
import { planOfRunningTake, type RunningTake } from '../../../plan/running-take.ts';
import type { TimelineLimits } from '../../../timeline/limits.ts';
import type { KnownEntries } from '../../../timeline/parse/known-entries.ts';
import { parseRequest } from '../../../timeline/parse/parse-request.ts';
import type { Presets } from '../../../timeline/presets.ts';
import type { ExportRequest } from '../../../timeline/request/export-request.ts';
import type { RequestDocuments } from '../../../timeline/request-documents.ts';
import { NO_COURSES, type RevealCourses } from '../../document/timeline/reveal-course.ts';
import { revealCourses } from './reveal-courses.ts';

/** An order to the plan worker. */
export interface PlanOrder {
  readonly documents: RequestDocuments;
  readonly facts: ReadonlyMap<string, MediaFacts>;
  /** The texts of subtitle files, by form field. (C43) */
  readonly subtitleTexts: ReadonlyMap<string, string>;
  readonly presets: Presets;
  readonly limits: TimelineLimits;
  /** Entries that earlier orders have validated. */
  readonly known?: KnownEntries;
  /** Set while a take runs. */
  readonly running?: RunningTake;
  /** Names of presets, the shown one first. */
  readonly presetNames: readonly string[];
}

/** The result: plans by preset name, or all errors. */
export interface PlanOutcome {
  readonly plans: ReadonlyMap<string, RenderPlan>;
  readonly reveals: RevealCourses;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
}

/**
 * Parses and plans with the code of the service, so that the page reports what an export would. Yields after each preset.
 *
 * @param understood receives the parsed request before it is planned.
 */
export function* planDocuments(
  order: PlanOrder,
  understood: (request: ExportRequest) => void = () => {},
): Generator<PlanOutcome> {
  const { documents, facts, subtitleTexts, presets, limits, known } = order;
  const plans = new Map<string, RenderPlan>();
  const warnings = new Map<string, Issue>();
  try {
    const uploads = new Set(facts.keys());
    const request = parseRequest(documents, { limits, presets, uploads, subtitleTexts, ...(known && { known }) });
    understood(request);
    const reveals = revealCourses(request);
    for (const name of order.presetNames) {
      const plan = planPreset(request, name, order);
      plans.set(name, plan);
      for (const issue of plan.warnings) warnings.set(JSON.stringify(issue), issue);
      yield { plans, reveals, errors: [], warnings: [...warnings.values()] };
    }
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    const { path = '', code, message } = error;
    yield {
      plans: new Map(),
      reveals: NO_COURSES,
      errors: error.issues.length > 0 ? error.issues : [{ path, code, message }],
      warnings: [...warnings.values()],
    };
  }
}

function planPreset(request: ExportRequest, name: string, order: PlanOrder): RenderPlan {
  const { facts, presets, limits, running } = order;
  const preset = presets.find((candidate) => candidate.name === name)!;
  const plan = planVideo(request, { facts, preset, limits });
  return running === undefined ? plan : planOfRunningTake(plan, running, request);
}
