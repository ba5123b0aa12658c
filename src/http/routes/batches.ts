import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import {
  type BatchesApi,
  type BatchView,
  MAX_BATCH_DOCUMENTS,
  ROW_STATES,
  type RowListing,
} from '../../exports/api/batches-api.ts';
import type { SentTexts } from '../../exports/api/submission.ts';
import { FirstSignal } from '../../platform/signals.ts';
import type { BatchRow } from '../../store/records/batch-records.ts';
import { CSV_LIMITS } from '../../timeline/csv/read-csv.ts';
import { csvLine } from '../../timeline/csv/write-csv.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { type JsonLimits, readJson } from '../../timeline/json/json-text.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import type { Presets } from '../../timeline/presets.ts';
import { isJson, readJsonBytes } from '../multipart/read-json-body.ts';
import { BATCH, BATCH_LIST, BATCH_ROWS, batchPath, downloadsOf } from '../replies/batch-replies.ts';
import { publicAddress } from '../replies/export-replies.ts';
import { cursorOf, nextQuery, parseBatchQuery, parsePageQuery } from '../replies/list-query.ts';
import { readPreferences } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone, waitWithin } from '../server/wait-within.ts';
import { readIdempotencyKey } from './create.ts';
import { admit } from './receive-form.ts';

interface BatchRequest {
  readonly Params: { readonly batch_id: string };
  readonly Querystring: Readonly<Record<string, string | string[]>>;
}

/** The same for unknown, forgotten and other tenants' batches. (H19) */
function unknownBatch(): ExportError {
  return new ExportError('missing', 'batch.unknown', 'This batch does not exist, or was forgotten after its end.');
}

/** `/batches`: many exports of one project. (C85) */
export function batchRoutes(app: FastifyInstance, context: RouteContext): void {
  const { batches, config, closing, documents } = context;
  app.post<BatchRequest>('/batches', async (request, reply) => {
    const isCsv = isTable(request.headers['content-type']);
    if (!isCsv && !isJson(request.headers['content-type'])) {
      const message = 'A batch is application/json, or a table as text/csv.';
      throw new ExportError('unsupported', 'request.not_json', message);
    }
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
    using admitted = await admit(request, { creates: true, idempotencyKey: null }, context);
    using ended = new FirstSignal(clientGone(reply), closing);
    using memory = documents.lease(request.tenant!);
    const body = await readJsonBytes(request.raw, {
      memory,
      maxBytes: isCsv ? CSV_LIMITS.bytes : MAX_BATCH_DOCUMENTS * config.limits.maxJsonBytes,
      patience: config.limits,
      signal: ended.signal,
      onReading: () => {
        if (/^100-continue$/i.test(request.headers.expect ?? '')) reply.raw.writeContinue();
      },
      onReceived: (bytes: number) => admitted.arrived(bytes),
      isText: !isCsv,
    });
    const tenant = request.tenant!;
    const form = isCsv
      ? { texts: readTableQuery(request.query), rows: body }
      : await batches.readForm(tenant, body, ended.signal);
    reply.raw.socket?.setTimeout(0);
    const requestHash = hashOf(body, isCsv ? JSON.stringify([...form.texts]) : '');
    const sent = { tenant, ...form, isCsv, idempotencyKey, requestHash };
    const { batch, created } = await batches.create(sent, ended.signal);
    reply.headers({
      location: publicAddress(batchPath(batch.id), config.publicUrl),
      'cache-control': 'no-store',
    });
    if (!created) reply.header('idempotency-replayed', 'true');
    return reply.code(202).send(BATCH.write(batch));
  });

  app.route<BatchRequest>({
    method: ['GET', 'HEAD'],
    url: '/batches',
    handler: async (request, reply) => {
      const { listing, warnings } = parseBatchQuery(request.query);
      const { batches: page, next } = await batches.list(request.tenant!, listing);
      reply.header('cache-control', 'no-store');
      if (next !== null) reply.header('link', `</batches?${nextQuery(request.query, cursorOf(next))}>; rel="next"`);
      return BATCH_LIST.write({ batches: page, next, warnings });
    },
  });

  app.route<BatchRequest>({
    method: ['GET', 'HEAD'],
    url: '/batches/:batch_id',
    handler: async (request, reply) => {
      const batch = await batches.get(request.tenant!, request.params.batch_id);
      if (batch === null) throw unknownBatch();
      reply.headers({ vary: 'Prefer', 'cache-control': 'no-store' });
      return BATCH.write(await waitForEnd(batch, request, reply, context));
    },
  });

  app.route<BatchRequest>({
    method: ['GET', 'HEAD'],
    url: '/batches/:batch_id/rows',
    handler: async (request, reply) => {
      const listing = readRowQuery(request.query);
      const found = await batches.rows(request.tenant!, request.params.batch_id, {
        ...listing,
        // One more shows whether there is a next page.
        limit: listing.limit + 1,
      });
      if (found === null) throw unknownBatch();
      const rows = found.slice(0, listing.limit).map((row) => ({ ...row, presets: config.presets }));
      reply.header('cache-control', 'no-store');
      const next = found.length > listing.limit ? String(rows.at(-1)!.number) : null;
      return BATCH_ROWS.write({ rows, next });
    },
  });

  app.route<BatchRequest>({
    method: ['GET', 'HEAD'],
    url: '/batches/:batch_id/results.csv',
    handler: async (request, reply) => {
      const tenant = request.tenant!;
      const batch = await batches.get(tenant, request.params.batch_id);
      if (batch === null) throw unknownBatch();
      reply.headers({
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="${batch.id}.csv"`,
        'x-content-type-options': 'nosniff',
      });
      const lines = resultLines(batches, tenant, batch, config);
      return reply.type('text/csv; charset=utf-8').send(Readable.from(lines));
    },
  });

  app.post<BatchRequest>('/batches/:batch_id/retry', async (request, reply) => {
    const batch = await batches.retry(request.tenant!, request.params.batch_id);
    if (batch === null) throw unknownBatch();
    reply.header('cache-control', 'no-store');
    return reply.code(202).send(BATCH.write(batch));
  });

  app.delete<BatchRequest>('/batches/:batch_id', async (request, reply) => {
    if (!(await batches.cancel(request.tenant!, request.params.batch_id))) throw unknownBatch();
    return reply.code(204).send();
  });
}

/** With `Prefer: wait=N`, waits until the batch has ended, or the time is over. (C85, RFC 7240) */
async function waitForEnd(
  batch: BatchView,
  request: FastifyRequest,
  reply: FastifyReply,
  { batches, config, waits, closing }: RouteContext,
): Promise<BatchView> {
  const { waitSeconds } = readPreferences(request.headers.prefer);
  if (waitSeconds === null) return batch;
  const seconds = Math.min(waitSeconds, config.waitLimitSeconds);
  reply.header('preference-applied', `wait=${seconds}`);
  if (seconds === 0 || batch.state !== 'running') return batch;
  using _place = waits.enter(request);
  const tenant = request.tenant!;
  await waitWithin((signal) => batches.ended(tenant, batch.id, signal), { seconds, reply, closing });
  const now = await batches.get(tenant, batch.id);
  if (now === null) throw unknownBatch();
  return now;
}

function isTable(type: string | undefined): boolean {
  return /^text\/csv\s*(?:;|$)/i.test(type ?? '');
}

function hashOf(body: Uint8Array, more: string): string {
  return createHash('sha256').update(more).update('\n').update(body).digest('hex');
}

/** Lists, with commas between their names. */
const LISTS = ['presets', 'callback_events'] as const;
/** Parameters that are JSON. */
const OBJECTS = ['settings', 'metadata'] as const;
const TABLE_PARAMETERS = ['project', 'on_error', 'callback_url', ...LISTS, 'retention_hours', ...OBJECTS] as const;
/** No address is longer. */
const IN_QUERY: JsonLimits = { maxBytes: 16 * 1024, maxDepth: 16, maxValues: 1000 };

/** The fields of a batch that is sent as a table. @throws all errors of the query */
function readTableQuery(query: BatchRequest['Querystring']): SentTexts {
  const issues = new IssueList();
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(query)) {
    const known = TABLE_PARAMETERS.find((one) => one === name);
    if (known === undefined) {
      const hint = issues.hintOrNames(name.slice(0, 100), [...TABLE_PARAMETERS]);
      issues.error('', 'field.unknown', `A batch has no parameter ${shownText(name)}.${hint}`);
    } else if (typeof value !== 'string') {
      issues.error(`/${known}`, 'field.type', `${known} must be in the query once.`);
    } else if (LISTS.some((list) => list === known)) texts.set(known, JSON.stringify(value.split(',')));
    else if (OBJECTS.some((one) => one === known)) {
      const reading = readJson(value, IN_QUERY);
      if ('value' in reading) texts.set(known, JSON.stringify(reading.value));
      else issues.error(`/${known}${reading.fault.path}`, reading.fault.code, reading.fault.message);
    } else if (value !== '') texts.set(known, value);
  }
  issues.throwIfFailed();
  return texts;
}

/** @throws all errors of the query */
function readRowQuery({ state: text, cursor, ...query }: FastifyRequest<BatchRequest>['query']): RowListing {
  const issues = new IssueList();
  const state = ROW_STATES.find((one) => one === text) ?? null;
  if (text !== undefined && text !== '' && state === null) {
    const message = `state must be one of ${ROW_STATES.join(', ')}, not ${shownText(String(text))}.`;
    issues.error('/state', 'field.choice', message);
  }
  const after = cursor === undefined || cursor === '' ? '-1' : String(cursor);
  if (!/^(?:-1|\d{1,5})$/.test(after)) {
    const message = `cursor must be the \`next\` of an earlier page, unchanged, not ${shownText(after)}.`;
    issues.error('/cursor', 'field.format', message);
  }
  issues.collect(() => parsePageQuery(query));
  issues.throwIfFailed();
  return { state, after: Number(after), limit: parsePageQuery(query).limit };
}

/** Rows that are in memory at once. */
const LINES_AT_ONCE = 200;

/** The table that was sent, with what became of each row. */
async function* resultLines(
  batches: BatchesApi,
  tenant: string,
  { id, columns }: { readonly id: string; readonly columns: readonly string[] },
  { presets, publicUrl }: { readonly presets: Presets; readonly publicUrl: string | null },
): AsyncGenerator<string> {
  const names = presets.map(({ name, aliases }) => aliases[0] ?? name);
  // Byte order mark: spreadsheets read UTF-8 only with it.
  yield `\uFEFF${csvLine([...columns, 'state', 'export_id', ...names, 'error'])}`;
  for (let after = -1; ; ) {
    const rows = (await batches.rows(tenant, id, { state: null, after, limit: LINES_AT_ONCE })) ?? [];
    yield rows.map((row) => csvLine(cellsOf(row, columns, presets, publicUrl))).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < LINES_AT_ONCE) return;
    after = last.number;
  }
}

function cellsOf(row: BatchRow, columns: readonly string[], presets: Presets, publicUrl: string | null): string[] {
  const values: Readonly<Record<string, unknown>> = JSON.parse(row.values);
  const downloads = row.state === 'completed' ? downloadsOf(row.exportId, presets) : null;
  const cell = (name: string): string => {
    const value = name === 'video' && !Object.hasOwn(values, name) ? row.video : values[name];
    return value === undefined || value === null ? '' : typeof value === 'object' ? '' : String(value);
  };
  const addresses = presets.map(({ name }) => (downloads === null ? '' : publicAddress(downloads[name]!, publicUrl)));
  return [...columns.map(cell), row.state, row.exportId ?? '', ...addresses, row.error?.message ?? ''];
}
