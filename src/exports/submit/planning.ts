import { ExportError, type Issue } from '../../errors.ts';
import { formatPlan } from '../../plan/format-plan.ts';
import { type FramePlan, framePlan } from '../../plan/frame-plan.ts';
import { digestWith } from '../../plan/keys/digest.ts';
import type { RenderPlan, Short } from '../../plan/model/render-plan.ts';
import { type VoicePlan, voicePlan } from '../../plan/plan-audio.ts';
import { outlineOf, type PlanOutline, SHORTS_PLAN, shortOutline } from '../../plan/plan-outline.ts';
import { type Published, publishedOf } from '../../plan/publishing-kit.ts';
import { assumedFacts, type FactsOrError, mentionedFields, resolveFacts } from '../../plan/resolve-facts.ts';
import { planThumbnail, type ThumbnailPlan, thumbnailFields } from '../../plan/thumbnail-plan.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { ShortRecord } from '../../store/records/export-record.ts';
import { secondsOf } from '../../time.ts';
import type { MediaRef, Settings } from '../../timeline/export-request.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { isObject } from '../../timeline/json/json-object.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { type JsonLimits, readJson, utf8Bytes } from '../../timeline/json/json-text.ts';
import { shownValue } from '../../timeline/json/shown-value.ts';
import { MEDIA_REFS, MEDIA_URLS, readMediaAddresses, readMediaReferences } from '../../timeline/media-references.ts';
import { readMedia, storedDefaults } from '../../timeline/project/project-media.ts';
import { PROJECT_NOTES, readNotes } from '../../timeline/project/project-notes.ts';
import { tableFiles, withoutTable } from '../../timeline/project/studio-table.ts';
import {
  JSON_FIELDS,
  LARGE_FIELDS,
  MAX_PLAIN_BYTES,
  readDocuments,
  requireNoWarnings,
  requireRead,
  STRICT,
  TEXT_FIELDS,
  unknownMembersText,
} from '../../timeline/request-documents.ts';
import { subtitleTextsOf } from '../../timeline/subtitle-file/subtitle-texts.ts';
import { readWantedFrame, readWantedThumbnail } from '../../timeline/wanted-fields.ts';
import { type BatchForm, type CheckedBatch, MAX_BATCH_DOCUMENTS } from '../api/batches-api.ts';
import type { ReadProject, SharedDocument } from '../api/projects-api.ts';
import { type JsonBytes, MAX_DOCUMENTS, plainTexts, type SentTexts, type Validation } from '../api/submission.ts';
import type { NamedMedia } from '../media/request-files.ts';
import { checkBatch, readBatchForm, requestOfRow } from './check-batch.ts';
import { bodyOfProject, formMembers, projectRequestHash, settingsBeside, wantedRevision } from './project-form.ts';
import { planOutput, planOutputs, type RequestRules, readRequest } from './read-request.ts';

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
export interface ProbedRequest {
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
  /** The same of a stored project and a body that exports it. (C84) */
  projectForm(sent: ProjectBody): ProjectForm;
  /** The revision of the project that such a body names; null: the current one. */
  projectRevision(sent: { readonly body: Uint8Array }): number | null;
  /** Identifies the content of a request; `files` has the SHA-256 of each sent file. (C9) */
  hash(request: { readonly texts: SentTexts; readonly files: ReadonlyMap<string, string> }): string;
  /** The body of a batch. (C85) */
  batchForm(sent: { readonly body: Uint8Array }): BatchForm;
  /** Checks all rows of a batch. (C85) */
  batch(sent: Parameters<typeof checkBatch>[0]): CheckedBatch;
  /** The request of a row of a batch. (C85) */
  batchRow(sent: Parameters<typeof requestOfRow>[0]): SentTexts;
  /** What the store needs of a project. (C76) */
  project(sent: { readonly document: Uint8Array }): ReadProject;
  /** What a link of a stored project shows. (C76) */
  sharedProject(sent: { readonly document: Uint8Array }): SharedDocument;
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
  /** The thumbnail that the texts describe. (R39) */
  thumbnail(request: ProbedRequest): ThumbnailPlan;
  /** The files that it shows: those that `thumbnail` needs facts of. */
  thumbnailFields(request: Omit<ProbedRequest, 'found'>): readonly string[];
  /** What a publishing kit says about the documents. (R40) */
  published(request: Omit<ProbedRequest, 'found'>): Published;
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
    form: ({ body, plainFields }) => readForm(body, plainFields, rules),
    projectForm: (sent) => readProjectForm(sent, rules),
    projectRevision: ({ body }) => readRevision(body, rules.json),
    hash: ({ texts, files }) => requestHash(decodedTexts(texts), files, rules.json),
    batchForm: ({ body }) => readBatchForm(body, bodyLimits(rules.json, MAX_BATCH_DOCUMENTS)),
    batch: (sent) => checkBatch(sent, rules, bodyLimits(rules.json, MAX_BATCH_DOCUMENTS)),
    batchRow: (sent) => requestOfRow(sent, rules),
    project: ({ document }) => readSentProject(document, bodyLimits(rules.json)),
    sharedProject: ({ document }) => readSharedProject(document),
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
    thumbnail: ({ found, ...sent }) => {
      const request = read(sent);
      return planThumbnail(request, readWantedThumbnail(plainTexts(sent.texts)), resolveFacts(request, found));
    },
    thumbnailFields: (sent) => thumbnailFields(read(sent), readWantedThumbnail(plainTexts(sent.texts))),
    published: (sent) => publishedOf(read(sent)),
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
  const notes = readNotes(texts);
  const issues = new IssueList();
  const references = readMediaReferences(refs, issues);
  const addresses = readMediaAddresses(urls, issues);
  try {
    issues.throwIfFailed();
  } catch (error) {
    if (error instanceof ExportError)
      return { references, addresses, notes, fault: { kind: error.kind, issues: error.issues } };
    throw error;
  }
  return { references, addresses, notes, fault: null };
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

const JSON_TEXTS: ReadonlySet<string> = new Set(JSON_FIELDS);
const LARGE: ReadonlySet<string> = new Set(LARGE_FIELDS);
const TEXTS: ReadonlySet<string> = new Set(TEXT_FIELDS);
/** Plain fields that are true or false. */
const SWITCHES: ReadonlySet<string> = new Set([STRICT]);
/** Plain fields that are numbers. */
const NUMBERS: ReadonlySet<string> = new Set(['at', 'frame', 'min_pause', 'padding', 'retention_hours']);

/** The limits of a body that has all documents of a request: a form as JSON, or a project; or of a batch. (C67, C76, C85) */
function bodyLimits({ maxBytes, maxDepth, maxValues }: JsonLimits, documents = MAX_DOCUMENTS): JsonLimits {
  return { maxBytes: documents * maxBytes, maxDepth: maxDepth + 1, maxValues: documents * maxValues };
}

/** The texts of a request as strings; a byte order mark is left out. The receiver has checked that they are UTF-8. */
function decodedTexts(texts: SentTexts): ReadonlyMap<string, string> {
  return new Map([...texts].map(([name, text]) => [name, typeof text === 'string' ? text : decoded(text)]));
}

/** @throws `json.not_text` */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ExportError('malformed', 'json.not_text', 'The body is not UTF-8 text.', { path: '', cause });
  }
}

/**
 * Reads a form that is sent as one JSON object: its fields as members, its documents as objects. The result is the same
 * as for a multipart form. (C67)
 *
 * @param plainFields additional fields that are texts or numbers.
 * @param limits of one document.
 * @throws ExportError `json.*`, `field.type`; all members of the wrong type at once
 */
function readForm(body: Uint8Array, plainFields: readonly string[], rules: RequestRules): SentTexts {
  return formOf(membersOf(body, bodyLimits(rules.json)), plainFields, rules, new IssueList());
}

/** @param beside names of members that were left out, and settings that replace those of the body. */
function formOf(
  body: Readonly<Record<string, unknown>>,
  plainFields: readonly string[],
  { timeline }: Pick<RequestRules, 'timeline'>,
  issues: IssueList,
  { unknown: strange, settings }: { readonly unknown: readonly string[]; readonly settings?: object } = { unknown: [] },
): SentTexts {
  const texts = new Map<string, string | Uint8Array>();
  const unknown = [...strange];
  const { members, notes } = formMembers(body, timeline, issues, { ...settings });
  for (const [name, value] of Object.entries(members)) {
    if (LARGE.has(name)) texts.set(name, new TextEncoder().encode(JSON.stringify(value)));
    else if (JSON_TEXTS.has(name)) texts.set(name, JSON.stringify(value));
    else if (TEXTS.has(name) || plainFields.includes(name)) readPlain(name, value, texts, issues);
    else unknown.push(name);
    const kept = texts.get(name);
    if (typeof kept === 'string' && utf8Bytes(kept) > MAX_PLAIN_BYTES) {
      const message = `${name} has ${utf8Bytes(kept)} bytes; at most ${MAX_PLAIN_BYTES} are allowed.`;
      issues.error(pointer('', name), 'json.too_large', message, 'too_large');
    }
  }
  issues.throwIfFailed();
  return new Map([...texts, ...(notes === null ? [] : [notes]), ...unknownMembersText(unknown)]);
}

/** A stored project, and the body of a request for it. */
interface ProjectBody {
  readonly id: string;
  readonly document: Uint8Array;
  readonly body: Uint8Array;
  readonly plainFields: readonly string[];
}

/** The form of a project with its values. */
interface ProjectForm {
  readonly texts: SentTexts;
  /** As they were sent, as JSON. */
  readonly values: string;
  /** Equal for the same project and the same content of bodies. (C9) */
  readonly hash: string;
}

/** The most that an export keeps of its values, in bytes of JSON. (C84) */
const MAX_VALUES_BYTES = 256 * 1024;

function readProjectForm({ id, document, body, plainFields }: ProjectBody, rules: RequestRules): ProjectForm {
  const limits = bodyLimits(rules.json);
  const sent = membersOf(body, limits);
  const issues = new IssueList();
  wantedRevision(sent, issues);
  const values = JSON.stringify(sent.values ?? {});
  if (utf8Bytes(values) > MAX_VALUES_BYTES) {
    const message = `The values have ${utf8Bytes(values)} bytes; ${MAX_VALUES_BYTES} are allowed.`;
    issues.error('/values', 'json.too_large', message, 'too_large');
  }
  const settings = settingsBeside(sent, issues);
  const { body: whole, unknown } = bodyOfProject(membersOf(document, limits), sent, plainFields);
  const texts = formOf(whole, plainFields, rules, issues, { unknown, settings });
  return { texts, values, hash: projectRequestHash(id, JSON.stringify(inOrder(sent))) };
}

function readRevision(body: Uint8Array, limits: JsonLimits): number | null {
  const issues = new IssueList();
  const revision = wantedRevision(membersOf(body, bodyLimits(limits)), issues);
  issues.throwIfFailed();
  return revision;
}

function membersOf(body: Uint8Array, limits: JsonLimits): Readonly<Record<string, unknown>> {
  const reading = readJson(decoded(body), limits);
  if ('fault' in reading) {
    const { kind, code, message, path } = reading.fault;
    throw new ExportError(kind, code, message, { path });
  }
  const { value } = reading;
  if (isObject(value)) return value;
  const message = `The body must be a JSON object with the fields as members, not ${shownValue(value)}.`;
  throw new ExportError('invalid', 'field.type', message, { path: '' });
}

function readPlain(name: string, value: unknown, texts: Map<string, string | Uint8Array>, issues: IssueList): void {
  const wanted = SWITCHES.has(name) ? 'boolean' : NUMBERS.has(name) ? 'number' : 'string';
  if (typeof value === wanted) texts.set(name, String(value));
  else {
    const message = `${name} must be a ${wanted}, not ${shownValue(value)}.`;
    issues.error(pointer('', name), 'field.type', message);
  }
}

/** The longest name of a project, in characters. */
const LONGEST_NAME = 200;
const UNNAMED = 'Untitled';

/**
 * Parses a project to store. The documents may be incomplete or invalid: only the name and the references are checked.
 * Runs in a thread. (C76, H60)
 *
 * @throws the errors of the JSON text; `project.not_an_object`; all errors of the name and the references.
 */
function readSentProject(document: Uint8Array, limits: JsonLimits): ReadProject {
  const reading = readJson(new TextDecoder('utf-8', { ignoreBOM: true }).decode(document), limits);
  if ('fault' in reading) {
    const { kind, code, path, message } = reading.fault;
    throw new ExportError(kind, code, message, { path });
  }
  const project = reading.value;
  if (!isObject(project)) {
    const message = `A project must be a JSON object, not ${shownValue(project)}.`;
    throw new ExportError('malformed', 'project.not_an_object', message);
  }
  const issues = new IssueList();
  const name = nameOf(project, issues);
  const stored = storedMedia(project, issues);
  issues.throwIfFailed();
  return { name, media: [...new Set([...stored, ...tableFiles(project)])].join('') };
}

/** The SHA-256 of the media that videos of a project are made of. */
function storedMedia(project: Readonly<Record<string, unknown>>, issues: IssueList): readonly string[] {
  const media = [...readMedia(project, { files: true }, issues).values()];
  return [...media.flatMap((place) => (place.kind === 'stored' ? [place.sha256] : [])), ...storedDefaults(project)];
}

/** What a link of a project shows. The document was checked when it was saved. */
function readSharedProject(document: Uint8Array): SharedDocument {
  const project: unknown = JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(document));
  if (!isObject(project)) return { document, hidden: '' };
  const shown = new Set(storedMedia(project, new IssueList()));
  const hidden = tableFiles(project).filter((sha256) => !shown.has(sha256));
  return { document: jsonOf(withoutTable(project)), hidden: [...new Set(hidden)].join('') };
}

/** Its own name, or else the tier list's title. */
function nameOf({ name, tier_list: tierList }: Readonly<Record<string, unknown>>, issues: IssueList): string {
  if (name === undefined) {
    const title = isObject(tierList) ? tierList.title : undefined;
    return typeof title === 'string' && title.trim() !== '' ? [...title].slice(0, LONGEST_NAME).join('') : UNNAMED;
  }
  if (typeof name === 'string' && name.trim() !== '' && [...name].length <= LONGEST_NAME) return name;
  const message = `name must be a text of 1 to ${LONGEST_NAME} characters, not ${shownValue(name)}.`;
  issues.error('/name', typeof name === 'string' ? 'field.range' : 'field.type', message);
  return UNNAMED;
}

const DOCUMENTS_AS_JSON: ReadonlySet<string> = new Set(JSON_FIELDS);

/**
 * Equal for the same names, texts and contents, in any order, sent or referenced, as a form or as JSON. Ignores white
 * space and the order of keys. (C9, C38, C67)
 *
 * @param files the SHA-256 of each sent file, by field.
 * @param limits of JSON that is only hashed.
 */
function requestHash(
  texts: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
  limits: JsonLimits,
): string {
  const issues = new IssueList();
  const { byField } = readMediaReferences(texts.get(MEDIA_REFS), issues);
  // References that cannot be parsed are hashed as text.
  const refers = texts.has(MEDIA_REFS) && !issues.failed;
  const plain = [...texts].filter(([name]) => !(refers && name === MEDIA_REFS) && name !== PROJECT_NOTES);
  const parts = [
    ...plain.map(([name, text]) => [
      'text',
      name,
      sha256(DOCUMENTS_AS_JSON.has(name) ? meaningOf(text, limits) : text),
    ]),
    ...[...files].map(([name, hash]) => ['file', name, hash]),
    ...(refers ? [...byField].map(([name, hash]) => ['file', name, hash]) : []),
  ];
  const sorted = parts.map((part) => JSON.stringify(part)).sort();
  return sha256(sorted.join('\n'));
}

/** JSON with sorted keys and without white space; invalid JSON is returned unchanged. */
function meaningOf(text: string, limits: JsonLimits): string {
  const reading = readJson(text, limits);
  return 'fault' in reading ? text : JSON.stringify(inOrder(reading.value));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}
