import type { MediaFactsByField } from '../../plan/model/media-facts.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { planRender } from '../../plan/plan-render.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { ExportRequest } from '../../timeline/export-request.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import type { JsonLimits } from '../../timeline/json/json-text.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import { MEDIA_REFS, MEDIA_URLS, readMediaAddresses, readMediaReferences } from '../../timeline/media-references.ts';
import { parseRequest } from '../../timeline/parse/parse-request.ts';
import { findPreset, type Preset, type Presets } from '../../timeline/presets.ts';
import { mediaPath, readNotes } from '../../timeline/project/project-notes.ts';
import { readDocuments, unknownMembers, unusedFields } from '../../timeline/request-documents.ts';
import { subtitleTextsOf } from '../../timeline/subtitle-file/subtitle-texts.ts';

/** The settings that the meaning of every request depends on. */
export interface RequestRules {
  readonly json: JsonLimits;
  readonly timeline: TimelineLimits;
  readonly presets: Presets;
  readonly engineVersion: string;
}

/** The form fields of a request that hold text. */
type RequestTexts = ReadonlyMap<string, string>;

/**
 * Reads the documents of a request.
 *
 * @param uploads the names of its files; null if they are not sent (yet).
 * @param filesOptional whether some of them may be missing. (C71)
 * @throws ExportError with all errors. (C5)
 */
export function readRequest(
  texts: RequestTexts,
  uploads: Iterable<string> | null,
  rules: RequestRules,
  filesOptional = false,
): ExportRequest {
  const { documents, unread } = readDocuments(texts, rules.json);
  const names = uploads === null ? null : new Set(uploads);
  const { timeline: limits, presets } = rules;
  const references = readMediaReferences(texts.get(MEDIA_REFS), new IssueList()).fields;
  const addresses = readMediaAddresses(texts.get(MEDIA_URLS), new IssueList()).fields;
  const notes = readNotes(texts);
  const givenAt = new Map([
    ...references.map((field) => [field, mediaPath(notes, 'stored', field)] as const),
    ...addresses.map((field) => [field, mediaPath(notes, 'web', field)] as const),
  ]);
  const files = { uploads: names, filesOptional, givenAt, subtitleTexts: subtitleTextsOf(texts) };
  const request = parseRequest(documents, { limits, presets, ...files, unread });
  const warnings = [...request.warnings, ...notes.warnings, ...unknownMembers(texts), ...unusedFields(texts)];
  return { ...request, warnings };
}

/**
 * The plans for all presets; the selected one first, so that its errors are returned. Yields one at a time, because the
 * plan of a long video is large.
 */
export function* planOutputs(
  request: ExportRequest,
  facts: MediaFactsByField,
  rules: RequestRules,
): Generator<RenderPlan> {
  for (const { name } of selectedFirst(rules.presets, request.settings.preset)) {
    yield planOutput(request, facts, rules, name);
  }
}

/** The plan for one preset. */
export function planOutput(
  request: ExportRequest,
  facts: MediaFactsByField,
  { presets, timeline: limits, engineVersion }: RequestRules,
  name: string,
): RenderPlan {
  return planRender(request, { facts, preset: findPreset(presets, name)!, limits, engineVersion, sha256 });
}

/** The selected preset, then the others in their order. */
export function selectedFirst(presets: Presets, selected: string): Preset[] {
  return [...presets].sort((a, b) => Number(b.name === selected) - Number(a.name === selected));
}
