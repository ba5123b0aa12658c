import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { recordsOfExports } from '../../../src/compose/open-store.ts';
import { type Job, singleJob } from '../../../src/store/job-queue.ts';
import { SCHEMA_VERSION } from '../../../src/store/migration/steps.ts';
import type { NodeStore } from '../../../src/store/nodes/node-store.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import type { NewExport, RecordedError } from '../../../src/store/records/export-record.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { ClusterFixture } from '../../cluster/cluster-fixture.ts';
import { createAsync, type ended, type Listening, metadataOf, seen } from '../../service/export-client.ts';
import { CLIP, longRequest, PICTURE, sampleRequest } from '../../service/sample-request.ts';
import { type Deployment, ServiceFixture } from '../../service/service-fixture.ts';
import { newExport } from '../new-export.ts';

// Writes a dump of a database with every kind of record, for each database that the release can use. Run it once for a
// release, before its schema changes again: README.md says how.

const KEYS = { ann: 'key-of-ann-0123456789', bob: 'key-of-bob-0123456789' } as const;
const SETTINGS = {
  TIERCUT_API_KEYS: Object.entries(KEYS)
    .map(([tenant, key]) => `${tenant}:${key}`)
    .join(','),
  TIERCUT_PRIVATE_ADDRESSES: 'on',
  TIERCUT_MAX_DRAFTS: '3',
  TIERCUT_LOG_LEVEL: 'silent',
};
const KEPT = '/projects/8f14e45f-ceea-467f-a8f4-0123456789ab';
const NEVER: RecordedError = { kind: 'internal', code: 'render.failed', message: 'The render failed.', issues: [] };

type Tenant = keyof typeof KEYS;

function as(tenant: Tenant): { readonly authorization: string } {
  return { authorization: `Bearer ${KEYS[tenant]}` };
}

async function call(
  { base }: Listening,
  tenant: Tenant,
  method: string,
  path: string,
  body?: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const sent = typeof body === 'string' ? body : body === undefined ? null : new Uint8Array(body);
  const reply = await fetch(`${base}${path}`, { method, headers: { ...as(tenant), ...headers }, body: sent });
  if (reply.status >= 400) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  return reply;
}

/** What clients do: through HTTP, until the service is killed while it renders. */
async function useService(service: Deployment): Promise<void> {
  const clip = readFileSync(CLIP.file);
  const sha256 = createHash('sha256').update(clip).digest('hex');
  const outside = createServer((request, response) => {
    request.resume().once('end', () => {
      if (request.url === '/clip.mp4') return void response.setHeader('etag', '"1"').end(clip);
      response.statusCode = request.url === '/refuses' ? 410 : 204;
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(outside, 'listening');
  const there = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const own = (settings: object = {}) => {
    const request = sampleRequest({ settings });
    return (also: Readonly<Record<string, string | object>>) => ({
      ...request,
      documents: { ...request.documents, ...also },
    });
  };

  const watched = own({ shorts: false })({
    callback_url: `${there}/webhook`,
    external_id: 'order-7',
    destinations: { portrait: { url: `${there}/two` }, square: { url: `${there}/refuses` } },
  });
  const first = await createAsync(service, watched, { ...as('ann'), 'idempotency-key': 'once' });
  await finished(service, 'ann', first.export_id);
  await (await call(service, 'ann', 'GET', first.downloads.preset_one!)).arrayBuffer();
  await call(service, 'ann', 'GET', '/usage'); // records the sent bytes
  const refused = own({ fps: 25 })({ callback_url: `${there}/refuses`, retention_hours: '3' });
  await finished(service, 'bob', (await createAsync(service, refused, as('bob'))).export_id);
  await call(service, 'ann', 'POST', '/media', JSON.stringify({ url: `${there}/clip.mp4` }), {
    'content-type': 'application/json',
  });
  await call(service, 'ann', 'PUT', `/media/${sha256}`, clip, { 'content-type': 'application/octet-stream' });
  await sendHalf(service);

  const project = { tier_list: { title: 'Kept' }, timeline_data: {}, media_refs: { clip: sha256 } };
  const json = { 'content-type': 'application/json' };
  let overwritten: Readonly<Record<string, string>> = {};
  for (const name of ['First', 'Second', 'Third ★']) {
    const saved = await call(service, 'ann', 'PUT', KEPT, JSON.stringify({ name, ...project }), {
      ...json,
      ...overwritten,
    });
    overwritten = { 'if-match': saved.headers.get('etag')! };
  }
  await call(service, 'bob', 'PUT', KEPT, JSON.stringify({ name: 'Of bob' }), json);
  await call(service, 'ann', 'PUT', `${KEPT}/thumbnail`, readFileSync(PICTURE.file), {
    'content-type': 'image/png',
  });
  await call(service, 'ann', 'POST', `${KEPT}/links`);

  const opened = await fetch(`${service.nodes[0]!.base}/session`, { method: 'POST', headers: as('ann') });
  const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!;
  await fetch(`${service.nodes[0]!.base}/session`, { method: 'DELETE', headers: { cookie } });

  const cancelled = await createAsync(service, longRequest(400, { label: 'cancelled' }), as('bob'));
  await call(service, 'bob', 'DELETE', `/video/exports/${cancelled.export_id}`);
  const running = await createAsync(service, longRequest(60, { label: 'running' }), as('ann'));
  await createAsync(service, longRequest(40, { label: 'waiting' }), as('bob'));
  await seen('frames', async () => {
    const status = await call(service, 'ann', 'GET', `/video/exports/${running.export_id}`);
    return (await metadataOf(status, 200)).outputs.preset_one!.state === 'rendering';
  });
  await Promise.all(service.nodes.map((node) => node.killTree()));
  outside.closeAllConnections();
  outside.close();
}

async function finished(service: Listening, tenant: Tenant, id: string): Promise<void> {
  await seen('the end of an export', async () => {
    const reply = await call(service, tenant, 'GET', `/video/exports/${id}`);
    const { state, outputs } = (await reply.json()) as Awaited<ReturnType<typeof ended>>;
    const underWay = Object.values(outputs).some(({ destination }) => destination?.state === 'sending');
    return state === 'completed' && !underWay;
  });
}

/** An upload that stops half-way. */
async function sendHalf(service: Listening): Promise<void> {
  const bytes = randomBytes(4096);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const reply = await fetch(`${service.base}/media/${sha256}`, {
    method: 'PUT',
    headers: { ...as('bob'), 'content-type': 'application/octet-stream', 'content-range': 'bytes 0-2047/4096' },
    body: new Uint8Array(bytes.subarray(0, 2048)),
  });
  if (!reply.ok && reply.status !== 308 && reply.status !== 202) throw new Error(await reply.text());
}

/** What exists for a moment only: made by the code that the service uses. */
async function addMoments({ database, jobs }: NodeStore): Promise<void> {
  const all = recordsOfExports();
  const { records, outputs, fetches, captions, drafts, destinations, deliveries, events, media } = all;
  const nowMs = 1_790_000_000_000;
  const add = async (change: Partial<NewExport> = {}) => {
    const made = newExport({ tenant: 'ann', createdAtMs: nowMs, ...change });
    await database.transaction((tx) => records.insert(made, tx));
    return made.id;
  };
  const failed = await add({ title: 'Failed' });
  await database.transaction((tx) => records.fail(failed, NEVER, tx));
  const stopped = await add({ title: 'Cancelled' });
  await database.transaction((tx) => records.setState(stopped, 'cancelled', tx));
  const expired = await add({ title: 'Expired' });
  await database.transaction(async (tx) => {
    for (const state of ['rendering', 'completed', 'expired'] as const) await records.setState(expired, state, tx);
    await records.setExpiry(expired, nowMs + 1, tx);
  });

  // Webhooks: one waits for its next try, one was given up.
  const pending = await add({ callbackUrl: 'https://hooks.example.com/a', callbackEvents: ['export.completed'] });
  const givenUp = await add({ callbackUrl: 'https://hooks.example.com/b', callbackEvents: ['export.completed'] });
  await database.transaction(async (tx) => {
    const happened = { type: 'export.completed', preset: null, atMs: nowMs } as const;
    const waits = new Map([['', 'pending']] as const);
    for (const exportId of [pending, givenUp]) await events.add({ exportId, tenant: 'ann' }, happened, waits, tx);
    await events.retry(`${pending}.completed`, '', nowMs + 60_000, tx);
    await events.settle(`${givenUp}.completed`, '', 'given_up', tx);
    const tried = { eventId: null, receiver: '', type: 'export.completed', atMs: nowMs, durationMs: 12 } as const;
    await deliveries.add(pending, { ...tried, delivered: false, status: 503, reason: 'HTTP 503' }, tx);
    await deliveries.add(pending, { ...tried, delivered: false, status: null, reason: 'no answer' }, tx);
    await deliveries.add(givenUp, { ...tried, delivered: true, status: 204, reason: null }, tx);
  });

  // Fetches, captions and destinations: each one that waits, one that a node has, and one that has ended.
  const single = (job: Job) => database.transaction((tx) => jobs.enqueue([job], tx));
  for (const isHeld of [true, false]) {
    const id = await add({ tenant: 'bob', title: 'Fetched' });
    await database.transaction((tx) => fetches.insert({ id, tenant: 'bob', waits: true, files: 2 }, tx));
    await single(singleJob('fetch', { id, tenant: 'bob' }));
    if (isHeld) await jobs.claim({ lane: 'fetch' });
  }
  const hash = (letter: string) => letter.repeat(64);
  for (const sha256 of [hash('a'), hash('b')])
    await database.transaction((tx) => media.keep({ tenant: 'ann', sha256, bytes: 5 }, nowMs, tx));
  await database.transaction((tx) => captions.reportModels(['tiny', 'base'], nowMs, tx));
  for (const [place, id] of ['done', 'failed', 'held', 'waits'].entries()) {
    const source = JSON.stringify({ media: hash('a') });
    const wanted = { id, tenant: 'ann', key: `key-${id}`, language: 'en', model: 'tiny', source, media: [hash('a')] };
    await database.transaction((tx) => captions.insert(wanted, nowMs + place, tx));
    if (id === 'held' || id === 'waits') await single(singleJob('captions', { id, tenant: 'ann' }, { needs: 'tiny' }));
    if (id === 'waits') continue;
    if (id === 'held') await jobs.claim({ lane: 'captions', has: ['tiny'] });
    await captions.begin(id, database);
    await captions.report(id, 0.5, database);
    if (id === 'done') await database.transaction((tx) => captions.end(id, { result: hash('b') }, nowMs, tx));
    if (id === 'failed') await database.transaction((tx) => captions.end(id, { error: NEVER }, nowMs, tx));
  }
  const target = { url: 'https://files.example.com/video.mp4', headers: { 'x-own': '1' } };
  const sent = await add({ title: 'Sent' });
  await database.transaction(async (tx) => {
    const targets = new Map(['preset_one', 'preset_two', 'preset_three'].map((preset) => [preset, target]));
    await destinations.insert({ id: sent, tenant: 'ann' }, targets as never, tx);
    await destinations.begin({ exportId: sent, preset: 'preset_one' }, 0, tx);
    await destinations.begin({ exportId: sent, preset: 'preset_two' }, 0, tx);
    await destinations.settle({ exportId: sent, preset: 'preset_two' }, NEVER, tx);
  });
  await single(singleJob('destination', { id: sent, tenant: 'ann' }, { preset: 'preset_one' }));

  const draft = (id: string) =>
    ({
      tenant: 'ann',
      id,
      planId: `plan-${id}`,
      preset: 'preset_one',
      engineVersion: '1',
      state: 'rendering',
    }) as const;
  for (const id of ['open', 'ready', 'failed']) await database.transaction((tx) => drafts.put(draft(id), nowMs, tx));
  await database.transaction((tx) => drafts.setState(draft('ready'), 'ready', tx));
  await database.transaction((tx) => drafts.setState(draft('failed'), 'failed', tx));
  const term = { holder: 'node-1', nowMs, untilMs: nowMs + 30_000 };
  await database.transaction((tx) => drafts.claim(draft('open'), 0, term, tx));

  // Jobs: waiting, raised, running, failed once, failed for good, done.
  const worked = await add({ title: 'Worked', tenant: 'carl' });
  const job = (n: number): Job => ({
    id: `${worked}/chunks/${n}`,
    tenant: 'carl',
    exportId: worked,
    kind: 'chunks',
    presets: ['preset_one'],
    chunks: { first: n * 4, count: 4 },
    priority: 200,
  });
  const found = { chunkJobs: 6, framesDone: 0, soundDone: true };
  await database.transaction((tx) => outputs.start(worked, 'preset_one', found, tx));
  await database.transaction((tx) => jobs.enqueue([0, 1, 2, 3, 4, 5].map(job), tx));
  const ours: NonNullable<Awaited<ReturnType<typeof jobs.claim>>>[] = [];
  for (let tries = 0; ours.length < 4 && tries < 60; tries += 1) {
    const attempt = await jobs.claim();
    if (attempt?.job.exportId === worked) ours.push(attempt);
  }
  if (ours.length < 4) throw new Error('no turn for the jobs');
  await database.transaction((tx) => jobs.complete(ours[0]!, tx));
  await database.transaction((tx) => jobs.fail(ours[1]!, 'The child was killed.', false, tx));
  await database.transaction((tx) => jobs.fail(ours[2]!, 'The clip is damaged.', true, tx));
  await database.transaction((tx) => jobs.raise(worked, 'preset_one', 300, tx));
  await database.query('insert into live_frames (export_id, preset, first_chunk, frames) values ($1, $2, 4, 17)', [
    worked,
    'preset_one',
  ]);
}

/** The whole database as SQL. */
function dumpSqlite(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  const all = (sql: string) => database.prepare(sql).all() as Record<string, string | number | null>[];
  const lines = ['pragma foreign_keys = off;', 'begin;'];
  const made = all(`select type, name, sql from sqlite_master where sql is not null order by rowid`);
  for (const { sql, name } of made.filter(({ type }) => type === 'table')) {
    if (name !== 'sqlite_sequence') lines.push(`${String(sql).replace(/\s+/g, ' ')};`);
    for (const row of all(`select * from ${name}`)) {
      const values = Object.values(row).map((value) =>
        typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : `${value}`,
      );
      lines.push(`insert into ${name} (${Object.keys(row).join(', ')}) values (${values.join(', ')});`);
    }
  }
  for (const { sql } of made.filter(({ type }) => type === 'index')) lines.push(`${sql};`);
  const { user_version: version } = database.prepare('pragma user_version').get() as { user_version: number };
  lines.push('commit;', `pragma user_version = ${version};`, '');
  database.close();
  return lines.join('\n');
}

/** By pg_dump, without what only psql understands. */
function dumpPostgres(url: string): string {
  const dump = execFileSync('pg_dump', ['--inserts', '--column-inserts', '--no-owner', '--no-privileges', url], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const kept = dump.split('\n').filter((line) => !/^(--|\\|\s*$|SET |SELECT pg_catalog.set_config)/.test(line));
  return `${kept.join('\n')}\n`;
}

const [databaseUrl] = process.argv.slice(2);
const quiet = { onCancelled: () => {} };
const place = (name: string) => join(import.meta.dirname, `${SCHEMA_VERSION}.${name}.sql`);
{
  await using service = await ServiceFixture.start(SETTINGS);
  await useService(service);
  const store = await openSqliteStore(service.folder, quiet);
  await addMoments(store);
  await store.close();
  writeFileSync(place('sqlite'), dumpSqlite(join(service.folder, 'tiercut.db')));
}
if (databaseUrl !== undefined) {
  await using cluster = await ClusterFixture.start({ databaseUrl, apis: 1, workers: 1, settings: SETTINGS });
  await useService(cluster);
  const store = await openPostgresStore(databaseUrl, quiet);
  await addMoments(store);
  await store.close();
  writeFileSync(place('postgres'), dumpPostgres(databaseUrl));
}
process.exit(0);
