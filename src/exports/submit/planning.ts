import { ExportError, type Issue } from '../../errors.ts';
import { formatPlan } from '../../plan/format-plan.ts';
import { type FramePlan, framePlan } from '../../plan/frame-plan.ts';
import { digestWith } from '../../plan/keys/digest.ts';
import type { RenderPlan, Short } from '../../plan/model/render-plan.ts';
import { type VoicePlan, voicePlan } from '../../plan/plan-audio.ts';
import { outlineOf, type PlanOutline, SHORTS_PLAN, shortOutline } from '../../plan/plan-outline.ts';
import { assumedFacts, type FactsOrError, mentionedFields, resolveFacts } from '../../plan/resolve-facts.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { ShortRecord } from '../../store/export-record.ts';
import { secondsOf } from '../../time.ts';
import type { MediaRef, Settings } from '../../timeline/export-request.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { MEDIA_REFS, MEDIA_URLS, readMediaAddresses, readMediaReferences } from '../../timeline/media-references.ts';
import { readDocuments, requireNoWarnings, requireRead } from '../../timeline/request-documents.ts';
import { subtitleTextsOf } from '../../timeline/subtitle-file/subtitle-texts.ts';
import { readWantedFrame } from '../../timeline/wanted-fields.ts';
import type { ReadProject } from '../api/projects-api.ts';
import { type JsonBytes, plainTexts, type SentTexts, type Validation } from '../api/submission.ts';
import type { NamedMedia } from '../media/request-files.ts';
import { bodyLimits, decodedTexts, readForm } from './read-form.ts';
import { readSentProject } from './read-project.ts';
import { planOutput, planOutputs, type RequestRules, readRequest } from './read-request.ts';
import { requestHash } from './request-hash.ts';

/** The part of a request that is known before its files are probed. */
export interface RequestOutline {
  readonly settings: Settings;
  /** The title of the tier list. */
  readonly title: string;
  readonly warnings: readonly Issue[];
  /** The timeline with the entries that `auto` adds, if the task asks for it; null if it adds none. (C64) */
  readonly completed: JsonBytes | null;
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
  readonly json: JsonBytes;
  readonly outlineJson: JsonBytes;
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
  readonly texts: SentTexts;
  /** The names of all files that were sent, including unused ones. */
  readonly uploads: readonly string[];
  readonly found: ReadonlyMap<string, FactsOrError>;
}

/**
 * The expensive, pure part of a request. Input and output are plain data, so that it can run in another thread. A result
 * is cheap to receive: what may be large is bytes, which threads transfer. (H60)
 */
export interface PlanningTasks {
  /** The fields of a form that is sent as JSON; `plainFields` are additional texts and numbers. (C67) */
  form(sent: { readonly body: Uint8Array; readonly plainFields: readonly string[] }): SentTexts;
  /** Identifies the content of a request; `files` has the SHA-256 of each sent file. (C9) */
  hash(request: { readonly texts: SentTexts; readonly files: ReadonlyMap<string, string> }): string;
  /** What the store needs of a project. (C76) */
  project(sent: { readonly document: Uint8Array }): ReadProject;
  /** The files that a request refers to. (C38, C66) */
  media(request: { readonly texts: SentTexts }): NamedMedia;
  /** The early check, before the first file; see ExportsApi. */
  check(request: { readonly texts: SentTexts }): void;
  /** `uploads`: the names of the sent files. */
  outline(request: {
    readonly texts: SentTexts;
    readonly uploads: readonly string[];
    readonly filesOptional?: boolean;
    /** Whether `completed` is wanted. */
    readonly completes?: boolean;
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
  const read = ({ texts, uploads }: Omit<ProbedRequest, 'found'>, filesOptional = false) =>
    readRequest(decodedTexts(texts), uploads, rules, filesOptional);
  const plans = ({ found, ...sent }: ProbedRequest): Generator<RenderPlan> => {
    const request = read(sent);
    return planOutputs(request, resolveFacts(request, found), rules);
  };
  return {
    form: ({ body, plainFields }) => readForm(body, plainFields, rules.json),
    hash: ({ texts, files }) => requestHash(decodedTexts(texts), files, rules.json),
    project: ({ document }) => readSentProject(document, bodyLimits(rules.json)),
    media: ({ texts }) => namedMedia(texts),
    check: (sent) => {
      const texts = decodedTexts(sent.texts);
      // Without all three, a later field could still change the meaning; invalid JSON stays invalid.
      if (MEANINGFUL.every((field) => texts.has(field))) readRequest(texts, null, rules);
      else requireRead(readDocuments(texts, rules.json).unread);
    },
    outline: ({ completes, filesOptional, ...sent }) => {
      const request = read(sent, filesOptional);
      const { settings, warnings, completed } = request;
      requireNoWarnings(decodedTexts(sent.texts), warnings);
      return {
        settings,
        title: request.tierList.title,
        warnings,
        completed: completes && completed !== null ? jsonOf(completed) : null,
        fields: [...mentionedFields(request)],
        subtitleFiles: request.timeline.subtitleFiles,
      };
    },
    plan: (request) => {
      const texts = decodedTexts(request.texts);
      return [...plans(request).map((plan) => plannedOutput(withoutWarnings(plan, texts)))];
    },
    draft: ({ found, ...sent }) => {
      const request = read(sent);
      return plannedOutput(planOutput(request, resolveFacts(request, found), rules, request.settings.preset));
    },
    describe: ({ found, ...sent }) => {
      const request = read(sent, true);
      const assumed = assumedFacts(request, found);
      const facts = new Map([...assumed.facts, ...resolveFacts(request, found)]);
      let described: Described | null = null;
      // Makes all plans, because each may have errors; the selected one comes first. (C30)
      const texts = decodedTexts(sent.texts);
      for (const plan of planOutputs(request, facts, rules)) described ??= describedPlan(withoutWarnings(plan, texts));
      const subtitles = subtitleTextsOf(plainTexts(sent.texts));
      const subtitlesKnown = request.timeline.subtitleFiles.every(({ field }) => subtitles.has(field));
      if (assumed.lengthsKnown && subtitlesKnown) return described!;
      requireNoWarnings(texts, request.warnings);
      return { warnings: request.warnings, durationSeconds: null, plan: null, planJson: null };
    },
    frame: ({ found, ...sent }) => {
      const request = read(sent);
      const wanted = readWantedFrame(plainTexts(sent.texts), rules.presets);
      const facts = resolveFacts(request, found);
      return framePlan(planOutput(request, facts, rules, wanted.preset ?? request.settings.preset), wanted, sha256);
    },
    voice: ({ found, ...sent }) => {
      const request = read(sent);
      const plan = planOutput(request, resolveFacts(request, found), rules, request.settings.preset);
      return voicePlan(plan, request, rules.engineVersion, digestWith(sha256));
    },
  };
}

/** The plan. @throws ExportError with its warnings, if the request is strict */
function withoutWarnings(plan: RenderPlan, texts: ReadonlyMap<string, string>): RenderPlan {
  requireNoWarnings(texts, plan.warnings);
  return plan;
}

function describedPlan(plan: RenderPlan): Described {
  const durationSeconds = secondsOf(plan.totalFrames, plan.rate);
  return { warnings: plan.warnings, durationSeconds, plan: jsonOf(formatPlan(plan)), planJson: jsonOf(plan) };
}

function namedMedia(texts: SentTexts): NamedMedia {
  const [refs, urls] = [MEDIA_REFS, MEDIA_URLS].map((field) => decodedTexts(texts).get(field));
  const issues = new IssueList();
  const references = readMediaReferences(refs, issues);
  const addresses = readMediaAddresses(urls, issues);
  try {
    issues.throwIfFailed();
  } catch (error) {
    if (error instanceof ExportError)
      return { references, addresses, fault: { kind: error.kind, issues: error.issues } };
    throw error;
  }
  return { references, addresses, fault: null };
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

function jsonOf(value: object | string): JsonBytes {
  return new TextEncoder().encode(JSON.stringify(value));
}
