import { ExportError, type Issue } from '../../errors.ts';
import { type RawAuto, type RequestSchemas, requestSchemas } from '../../timeline/document-schemas.ts';
import { freeId } from '../../timeline/free-id.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { readJson } from '../../timeline/json/json-text.ts';
import { LANE_NAMES, LANES, type LaneName } from '../../timeline/lanes.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import { findDocuments } from '../../timeline/parse/legacy-documents.ts';
import * as texts from '../texts/en/project-file.ts';
import { withAuto } from './automatic-reveals.ts';
import { MAX_TABLE_ROWS } from './episode-table.ts';
import { readSwitches } from './lane-switches.ts';
import {
  EMPTY_PROJECT,
  type EpisodeTable,
  type LaneSwitches,
  LOOKS,
  type MediaEntry,
  type Project,
  type TimelineData,
  withIds,
} from './project.ts';
import { readTemplate } from './read-template.ts';

/** A project from a file, and what was left out because it is not valid. */
export interface ReadProject {
  readonly project: Project;
  readonly left: readonly Issue[];
}

const JSON_LIMITS = { maxBytes: 20 << 20, maxDepth: 40, maxValues: 500_000 };

/** A project has at least one of these. */
const DOCUMENTS = ['tier_list', 'timeline_data', 'timeline_json'];

/**
 * Reads a project file of any origin, with the JSON reader and the schemas of requests. A field that they reject is left out, and so is
 * an entry that is not valid without it. Each is reported. The result can always be shown and edited.
 *
 * @throws ExportError if the file is not a project.
 */
export function readProjectText(text: string, limits: TimelineLimits): ReadProject {
  const reading = readJson(text, JSON_LIMITS);
  if ('fault' in reading) throw new ExportError('malformed', reading.fault.code, reading.fault.message);
  const sent = reading.value;
  if (!isRecord(sent) || !DOCUMENTS.some((name) => name in sent)) throw notOne();
  const issues = new IssueList();
  const ofFields = new IssueList();
  const read = readTemplate(sent, limits, ofFields);
  const json = read?.json ?? sent;
  const found = findDocuments(json, issues);
  const reader = new Reader(requestSchemas(limits), limits);
  const timeline = asRecord(found.timeline.value);
  const lanes = Object.fromEntries(
    LANE_NAMES.map((lane) => [lane, reader.list(laneOf(timeline, lane), LANES[lane].schema, `/timeline_data/${lane}`)]),
  );
  const tierList = asRecord(found.tierList.value);
  const tier_list = {
    ...(typeof tierList.title === 'string' && { title: tierList.title.slice(0, limits.maxTextLength) }),
    rows: unique(reader.list(tierList.rows, 'row', '/tier_list/rows')) as Project['tier_list']['rows'],
    items: unique(reader.list(tierList.items, 'item', '/tier_list/items')) as Project['tier_list']['items'],
  };
  const settings = (reader.entry(found.settings.value ?? {}, 'settings', '/settings') ??
    EMPTY_PROJECT.settings) as Project['settings'];
  const auto = timeline.auto === undefined ? null : reader.entry(timeline.auto, 'auto', '/timeline_data/auto');
  const timeline_data = withIds(
    Object.fromEntries(Object.entries(lanes).map(([lane, list]) => [lane, unique(list)])) as Partial<TimelineData>,
  );
  const media = textsOf(json.media);
  const known = asRecord(asRecord(json.studio).media);
  const project: Project = {
    tier_list,
    timeline_data:
      auto === null || read !== null ? timeline_data : withAuto(timeline_data, auto as RawAuto, tier_list, settings),
    settings,
    media,
    studio: {
      media: Object.fromEntries(
        Object.entries(known).filter(
          (entry): entry is [string, MediaEntry] => entry[0] in media && isMediaEntry(entry[1]),
        ),
      ),
      // A file that no studio saved has no earlier looks.
      ...lanesOf(asRecord(json.studio).lanes),
      ...(read !== null && tableOf(asRecord(json.studio).table)),
      ...looksOf('studio' in json ? asRecord(json.studio).looks : LOOKS),
    },
    ...(read !== null && { template: { ...read.template, ...(auto !== null && { auto: auto as RawAuto }) } }),
  };
  return { project, left: [...ofFields.errors, ...ofFields.warnings, ...issues.warnings, ...reader.left] };
}

function lanesOf(value: unknown): { readonly lanes?: LaneSwitches } {
  const lanes = readSwitches(value);
  return lanes === undefined ? {} : { lanes };
}

function tableOf(value: unknown): { readonly table?: EpisodeTable } {
  const { rows, files, next } = asRecord(value);
  if (!Array.isArray(rows)) return {};
  const sent = rows.slice(0, MAX_TABLE_ROWS).map(asRecord);
  const ids = idsOf(sent);
  return {
    table: {
      rows: sent.map(({ video, values }, index) => {
        const known = Object.entries(asRecord(values)).filter(([name, cell]) => name !== '__proto__' && isCell(cell));
        return { id: ids[index]!, video: typeof video === 'string' ? video : '', values: Object.fromEntries(known) };
      }),
      files: Object.fromEntries(
        Object.values(asRecord(files)).flatMap((entry) => (isMediaEntry(entry) ? [[entry.hash, entry]] : [])),
      ),
      ...(isId(next) && { next }),
    },
  };
}

/** The ids of rows as they were, because the last batch names them; new ones if any of them is not valid. */
function idsOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly number[] {
  const ids = rows.map(({ id }) => id);
  return ids.every(isId) && new Set(ids).size === ids.length ? ids : rows.map((_, index) => index + 1);
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 2 ** 48;
}

function isCell(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => isRecord(item) && Object.values(item).every(isPlain));
  return isPlain(value);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function looksOf(looks: unknown): { readonly looks?: number } {
  return typeof looks === 'number' && Number.isInteger(looks) ? { looks } : {};
}

/** `tier_block` is an alias of `tier_blocks`, and may be one object. (C20) */
function laneOf(timeline: Readonly<Record<string, unknown>>, lane: LaneName): unknown {
  if (lane !== 'tier_blocks' || (Array.isArray(timeline[lane]) && timeline[lane].length > 0)) return timeline[lane];
  const alias = timeline.tier_block;
  return isRecord(alias) ? [alias] : alias;
}

class Reader {
  readonly #schemas: RequestSchemas;
  readonly #limits: TimelineLimits;
  readonly left: Issue[] = [];

  constructor(schemas: RequestSchemas, limits: TimelineLimits) {
    this.#schemas = schemas;
    this.#limits = limits;
  }

  list(value: unknown, schema: keyof RequestSchemas, path: string): { readonly id?: string | undefined }[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.#leave(path, texts.notAList);
      return [];
    }
    const max = Math.max(this.#limits.maxEntriesPerLane, this.#limits.maxItems, this.#limits.maxRows);
    if (value.length > max) this.#leave(path, texts.tooManyEntries(value.length, max));
    return value.slice(0, max).flatMap((each, i) => this.entry(each, schema, pointer(path, String(i))) ?? []);
  }

  /** The valid part of an entry; null if nothing usable is left. */
  entry(value: unknown, name: keyof RequestSchemas, path: string): { readonly id?: string | undefined } | null {
    const schema = this.#schemas[name] as RequestSchemas['video'];
    if (!isRecord(value)) {
      this.#leave(path, texts.notAnEntry);
      return null;
    }
    const first = schema.safeParse(value);
    if (first.success) return first.data;
    const refused = new Set(first.error.issues.map((issue) => String(issue.path[0])));
    const kept = Object.fromEntries(Object.entries(value).filter(([field]) => !refused.has(field)));
    const second = schema.safeParse(kept);
    for (const field of refused) this.#leave(pointer(path, field), texts.notValid);
    return second.success ? second.data : null;
  }

  #leave(path: string, message: string): void {
    if (this.left.length < 200) this.left.push({ path, code: 'project.left_out', message });
  }
}

/** Makes ids unique: the later of two equal ids is changed. */
function unique<T extends { readonly id?: string | undefined }>(entries: readonly T[]): T[] {
  const taken = new Set<string>();
  return entries.map((entry) => (entry.id === undefined ? entry : { ...entry, id: freeId(entry.id, taken) }));
}

function textsOf(value: unknown): Record<string, string> {
  const found = Object.entries(asRecord(value)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(found.filter(([field]) => field !== '__proto__'));
}

const KINDS = ['video', 'animation', 'still', 'drawing', 'audio', 'unreadable'];

function isMediaEntry(value: unknown): value is MediaEntry {
  const { hash, kind, name, type, alpha, sound, ...numbers } = asRecord(value);
  const { duration, width, height, bytes } = numbers;
  return (
    /^[0-9a-f]{64}$/.test(String(hash)) &&
    KINDS.includes(String(kind)) &&
    typeof name === 'string' &&
    typeof type === 'string' &&
    typeof alpha === 'boolean' &&
    typeof sound === 'boolean' &&
    [duration, width, height, bytes].every((number) => typeof number === 'number' && number >= 0)
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function notOne(): ExportError {
  return new ExportError('malformed', 'project.not_an_object', texts.notAProject);
}
