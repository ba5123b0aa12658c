import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admitted, Announcement } from '../../exports/api/submission.ts';
import { FirstSignal } from '../../platform/first-signal.ts';
import { sha256 } from '../../platform/sha256.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { readJson } from '../../timeline/json/json-text.ts';
import { MEDIA_REFS, readMediaReferences } from '../../timeline/media-references.ts';
import { JSON_FIELDS } from '../../timeline/request-documents.ts';
import { isJson } from '../multipart/read-json-body.ts';
import { readJsonForm } from '../multipart/read-json-form.ts';
import { type ReceivedForm, readMultipart } from '../multipart/read-multipart.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone } from '../server/wait-within.ts';

/** Decides whether a create or a validate may send its body. A refusal is sent before the body arrives. (C33) */
export function admit(
  { headers, tenant }: FastifyRequest,
  announced: Pick<Announcement, 'creates' | 'idempotencyKey'>,
  { api }: RouteContext,
): Promise<Admitted> {
  const length = headers['content-length'];
  return api.admit({ tenant: tenant!, bytes: length === undefined ? null : Number(length), ...announced });
}

/** The properties of a form. */
interface FormKind {
  /** Additional text fields. */
  readonly plainFields: ReadonlySet<string>;
  /** Whether it has the documents of a create. */
  readonly hasDocuments: boolean;
}

const DOCUMENTS: FormKind = { plainFields: new Set(), hasDocuments: true };

/** A smaller request arrives quickly, so all its errors can be returned at once, including missing files. (C5) */
const EARLY_ANSWER_BYTES = 8 * 2 ** 20;

/**
 * Reads the form of a create or a validate. Refuses a large one early if the texts before its first file have errors: a
 * client should not send gigabytes to learn of a typo. (C1 to C5)
 */
export async function receiveForm(
  request: FastifyRequest,
  reply: FastifyReply,
  admitted: Admitted,
  { api, config, metrics, closing }: RouteContext,
  { plainFields, hasDocuments }: FormKind = DOCUMENTS,
): Promise<ReceivedForm> {
  using _counted = metrics.countUpload();
  using ended = new FirstSignal(clientGone(reply), closing);
  const reading = {
    limits: config.limits,
    plainFields,
    signal: ended.signal,
    onReading: () => {
      if (/^100-continue$/i.test(request.headers.expect ?? '')) reply.raw.writeContinue();
    },
    onReceived: (bytes: number) => admitted.arrived(bytes),
  };
  if (isJson(request.headers['content-type'])) return await readJsonForm(request.raw, reading);
  const form = await readMultipart(request.raw, {
    ...reading,
    folder: admitted.known ? null : config.uploadFolder,
    ...(hasDocuments &&
      isLarge(request) && { onTexts: (texts) => api.checkDocuments(request.tenant!, texts, ended.signal) }),
  });
  for (const { bytes } of form.uploads.values()) metrics.countReceived(bytes);
  return form;
}

function isLarge({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return length === undefined || Number(length) > EARLY_ANSWER_BYTES;
}

/** The limits for JSON that is only hashed. */
type HashLimits = Pick<RouteContext['config']['limits'], 'maxJsonBytes' | 'maxJsonDepth' | 'maxJsonValues'>;

/**
 * Equal for the same names, texts and contents, in any order, sent or referenced, as a form or as JSON. Ignores white
 * space and the order of keys. (C9, C38, C67)
 */
export function requestHash({ texts, uploads }: Pick<ReceivedForm, 'texts' | 'uploads'>, limits: HashLimits): string {
  const issues = new IssueList();
  const { byField } = readMediaReferences(texts.get(MEDIA_REFS), issues);
  // References that cannot be parsed are hashed as text.
  const refers = texts.has(MEDIA_REFS) && !issues.failed;
  const plain = [...texts].filter(([name]) => !(refers && name === MEDIA_REFS));
  const parts = [
    ...plain.map(([name, text]) => [
      'text',
      name,
      sha256(DOCUMENTS_AS_JSON.has(name) ? meaningOf(text, limits) : text),
    ]),
    ...[...uploads].map(([name, { sha256: hash }]) => ['file', name, hash]),
    ...(refers ? [...byField].map(([name, hash]) => ['file', name, hash]) : []),
  ];
  const sorted = parts.map((part) => JSON.stringify(part)).sort();
  return sha256(sorted.join('\n'));
}

const DOCUMENTS_AS_JSON: ReadonlySet<string> = new Set(JSON_FIELDS);

/** JSON with sorted keys and without white space; invalid JSON is returned unchanged. */
function meaningOf(text: string, { maxJsonBytes, maxJsonDepth, maxJsonValues }: HashLimits): string {
  const limits = { maxBytes: maxJsonBytes, maxDepth: maxJsonDepth, maxValues: maxJsonValues };
  const reading = readJson(text, limits);
  return 'fault' in reading ? text : JSON.stringify(inOrder(reading.value));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}
