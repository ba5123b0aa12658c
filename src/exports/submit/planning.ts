import type { Issue } from '../../errors.ts';
import { formatPlan } from '../../plan/format-plan.ts';
import { type FramePlan, framePlan } from '../../plan/frame-plan.ts';
import { digestWith } from '../../plan/keys/digest.ts';
import { outlineOf, type PlanOutline } from '../../plan/outline/plan-outline.ts';
import { SHORTS_PLAN, shortOutline } from '../../plan/outline/short-outline.ts';
import { type VoicePlan, voicePlan } from '../../plan/outline/voice-plan.ts';
import type { RenderPlan, Short } from '../../plan/render-plan.ts';
import { assumedFacts, type FactsOrError, mentionedFields, resolveFacts } from '../../plan/resolve-facts.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { ShortRecord } from '../../store/export-record.ts';
import { secondsOf } from '../../time.ts';
import type { ExportRequest } from '../../timeline/request/export-request.ts';
import type { MediaRef } from '../../timeline/request/media-ref.ts';
import type { Settings } from '../../timeline/request/settings.ts';
import { readDocuments, requireRead } from '../../timeline/request-documents.ts';
import { subtitleTextsOf } from '../../timeline/subtitle-file/subtitle-texts.ts';
import { readWantedFrame } from '../../timeline/wanted/wanted-frame.ts';
import type { Validation } from '../api/submission.ts';
import { planOutput, planOutputs, type RequestRules, type RequestTexts, readRequest } from './read-request.ts';

/** The part of a request that is known before its files are probed. */
export interface RequestOutline {
  readonly settings: Settings;
  /** The title of the tier list. */
  readonly title: string;
  readonly warnings: readonly Issue[];
  readonly completed: ExportRequest['completed'];
  /** Every upload that is mentioned, once. */
  readonly fields: readonly string[];
  /** The subtitle files, which are read before planning. */
  readonly subtitleFiles: readonly MediaRef[];
}

/**
 * The part of a plan that the export's record and its jobs need, and the stored plan as JSON. The JSON is in buffers, which
 * threads transfer; a string would be copied and encoded again.
 */
export interface PlannedOutput extends Pick<PlanOutline, 'preset' | 'title' | 'canvas' | 'encoder' | 'rate'> {
  readonly totalFrames: PlanOutline['totalFrames'];
  readonly chunks: PlanOutline['chunks'];
  readonly audio: Pick<PlanOutline['audio'], 'key'>;
  readonly warnings: readonly Issue[];
  /** The shorts that can be cut from it. (C52) */
  readonly shorts: readonly PlannedShort[];
  readonly json: Uint8Array<ArrayBuffer>;
  readonly outlineJson: Uint8Array<ArrayBuffer>;
}

/** The part of a short that the export's record and its jobs need. */
export interface PlannedShort
  extends Pick<PlanOutline, 'preset' | 'title' | 'canvas' | 'encoder' | 'totalFrames' | 'chunks'> {
  readonly audio: Pick<PlanOutline['audio'], 'key'>;
  readonly short: ShortRecord;
}

/**
 * The plans to store. The plan that shorts are cut from is stored separately, so that they can be planned again without
 * the rest.
 */
export function storedPlans(plans: readonly PlannedOutput[]): Pick<PlannedOutput, 'preset' | 'json' | 'outlineJson'>[] {
  return [
    ...plans,
    ...plans.filter(({ shorts }) => shorts.length > 0).map((plan) => ({ ...plan, preset: SHORTS_PLAN })),
  ];
}

/** A request and the facts of its files. */
interface ProbedRequest {
  readonly texts: RequestTexts;
  /** The names of all files that were sent, including unused ones. */
  readonly uploads: readonly string[];
  readonly found: ReadonlyMap<string, FactsOrError>;
}

/** The expensive, pure part of a request. Input and output are plain data, so that it can run in another thread. */
export interface PlanningTasks {
  /** The early check, before the first file; see ExportsApi. */
  check(request: { readonly texts: RequestTexts }): void;
  /** `uploads`: the names of the sent files. */
  outline(request: {
    readonly texts: RequestTexts;
    readonly uploads: readonly string[];
    readonly filesOptional?: boolean;
  }): RequestOutline;
  /** The plans for all presets; the selected one first. */
  plan(request: ProbedRequest): readonly PlannedOutput[];
  /** The plan of the selected preset alone. (C79) */
  draft(request: ProbedRequest): PlannedOutput;
  /** The plan of the selected preset as text; `found` may lack files. (C71) */
  describe(request: ProbedRequest): Described;
  /** The plan of the one frame and preset that the texts name. (C39) */
  frame(request: ProbedRequest): FramePlan;
  /** The voice of the video. (C77) */
  voice(request: ProbedRequest): VoicePlan;
}

/** The description of a plan. */
type Described = Pick<Validation, 'warnings' | 'durationSeconds' | 'plan' | 'planJson'>;

/** The documents that are needed to check the meaning of a request. */
const MEANINGFUL = ['tier_list', 'timeline_data', 'settings'] as const;

/** All tasks throw ExportError with all errors. (C5) */
export function planningTasks(rules: RequestRules): PlanningTasks {
  const plans = ({ texts, uploads, found }: ProbedRequest): Generator<RenderPlan> => {
    const request = readRequest(texts, uploads, rules);
    return planOutputs(request, resolveFacts(request, found), rules);
  };
  return {
    check: ({ texts }) => {
      // Without all three, a later field could still change the meaning; invalid JSON stays invalid.
      if (MEANINGFUL.every((field) => texts.has(field))) readRequest(texts, null, rules);
      else requireRead(readDocuments(texts, rules.json).unread);
    },
    outline: ({ texts, uploads, filesOptional }) => {
      const request = readRequest(texts, uploads, rules, filesOptional);
      const { settings, warnings, completed } = request;
      return {
        settings,
        title: request.tierList.title,
        warnings,
        completed,
        fields: [...mentionedFields(request)],
        subtitleFiles: request.timeline.subtitleFiles,
      };
    },
    plan: (request) => [...plans(request).map(plannedOutput)],
    draft: ({ texts, uploads, found }) => {
      const request = readRequest(texts, uploads, rules);
      return plannedOutput(planOutput(request, resolveFacts(request, found), rules, request.settings.preset));
    },
    describe: ({ texts, uploads, found }) => {
      const request = readRequest(texts, uploads, rules, true);
      const assumed = assumedFacts(request, found);
      const facts = new Map([...assumed.facts, ...resolveFacts(request, found)]);
      let described: Described | null = null;
      // Makes all plans, because each may have errors; the selected one comes first. (C30)
      for (const plan of planOutputs(request, facts, rules)) described ??= describedPlan(plan);
      const read = subtitleTextsOf(texts);
      const subtitlesKnown = request.timeline.subtitleFiles.every(({ field }) => read.has(field));
      if (assumed.lengthsKnown && subtitlesKnown) return described!;
      return { warnings: request.warnings, durationSeconds: null, plan: null, planJson: null };
    },
    frame: ({ texts, uploads, found }) => {
      const request = readRequest(texts, uploads, rules);
      const wanted = readWantedFrame(texts, rules.presets);
      const facts = resolveFacts(request, found);
      return framePlan(planOutput(request, facts, rules, wanted.preset ?? request.settings.preset), wanted, sha256);
    },
    voice: ({ texts, uploads, found }) => {
      const request = readRequest(texts, uploads, rules);
      const plan = planOutput(request, resolveFacts(request, found), rules, request.settings.preset);
      return voicePlan(plan, request, rules.engineVersion, digestWith(sha256));
    },
  };
}

function describedPlan(plan: RenderPlan): Described {
  const durationSeconds = secondsOf(plan.totalFrames, plan.rate);
  return { warnings: plan.warnings, durationSeconds, plan: formatPlan(plan), planJson: plan };
}

function plannedOutput(plan: RenderPlan): PlannedOutput {
  const { preset, title, canvas, encoder, rate, totalFrames, chunks, warnings, audio } = plan;
  const outline = outlineOf(plan);
  const stored = { json: jsonOf(plan), outlineJson: jsonOf(outline), shorts: plan.shorts.map(plannedShort(outline)) };
  return { preset, title, canvas, encoder, rate, totalFrames, chunks, warnings, audio: { key: audio.key }, ...stored };
}

function plannedShort(whole: PlanOutline): (short: Short, index: number) => PlannedShort {
  return ({ title, start: startFrame }, index) => {
    const outline = shortOutline(whole, index + 1)!;
    const { preset, canvas, encoder, totalFrames, chunks, audio } = outline;
    const short = { number: index + 1, title, startFrame };
    return { preset, title: outline.title, canvas, encoder, totalFrames, chunks, audio: { key: audio.key }, short };
  };
}

function jsonOf(value: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}
