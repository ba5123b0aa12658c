import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Admitted, type Announcement, MAX_DOCUMENTS, type SentTexts } from '../../exports/api/submission.ts';
import { FirstSignal } from '../../platform/signals.ts';
import { STRICT } from '../../timeline/request-documents.ts';
import { isJson, readJsonBytes } from '../multipart/read-json-body.ts';
import { type ReceivedForm, readMultipart, requestTooLarge } from '../multipart/read-multipart.ts';
import { readPreferences } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone } from '../server/wait-within.ts';

/** Decides whether a create or a validate may send its body. A refusal is sent before the body arrives. (C33) */
export async function admit(
  { headers, tenant }: FastifyRequest,
  announced: Pick<Announcement, 'creates' | 'idempotencyKey'>,
  { api, config }: RouteContext,
): Promise<Admitted> {
  const length = headers['content-length'];
  // No free space would help.
  if (Number(length ?? 0) > config.limits.maxRequestBytes) throw requestTooLarge(config.limits);
  return await api.admit({ tenant: tenant!, bytes: length === undefined ? null : Number(length), ...announced });
}

/** The properties of a form. */
export interface FormKind {
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
  { api, config, metrics, documents, closing }: RouteContext,
  { plainFields, hasDocuments }: FormKind = DOCUMENTS,
): Promise<ReceivedForm> {
  using _counted = metrics.countUpload();
  using ended = new FirstSignal(clientGone(reply), closing);
  // Given back at the end of the request, like the files.
  using held = new DisposableStack();
  const memory = held.use(documents.lease(request.tenant!));
  const reading = {
    memory,
    limits: config.limits,
    plainFields,
    signal: ended.signal,
    onReading: () => {
      if (/^100-continue$/i.test(request.headers.expect ?? '')) reply.raw.writeContinue();
    },
    onReceived: (bytes: number) => admitted.arrived(bytes),
  };
  if (isJson(request.headers['content-type'])) {
    const maxBytes = MAX_DOCUMENTS * config.limits.maxJsonBytes;
    const body = await readJsonBytes(request.raw, { ...reading, maxBytes, patience: config.limits });
    const texts = await api.readForm(request.tenant!, body, [...plainFields], ended.signal);
    const kept = held.move();
    return { texts, uploads: new Map(), [Symbol.asyncDispose]: async () => kept.dispose() };
  }
  const form = await readMultipart(request.raw, {
    ...reading,
    folder: admitted.known ? null : config.uploadFolder,
    ...(hasDocuments &&
      isLarge(request) && { onTexts: (texts) => api.checkDocuments(request.tenant!, texts, ended.signal) }),
  });
  for (const { bytes } of form.uploads.values()) metrics.countReceived(bytes);
  const kept = held.move();
  return {
    texts: form.texts,
    uploads: form.uploads,
    [Symbol.asyncDispose]: async () => {
      kept.dispose();
      await form[Symbol.asyncDispose]();
    },
  };
}

function isLarge({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return length === undefined || Number(length) > EARLY_ANSWER_BYTES;
}

/** The texts of a request; with `Prefer: handling=strict` they say so, as with the field `strict`. (C90) */
export function strictly(texts: SentTexts, prefer: string | string[] | undefined): SentTexts {
  return readPreferences(prefer).strict ? new Map([...texts, [STRICT, 'true']]) : texts;
}
