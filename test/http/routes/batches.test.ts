import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { feeder, TEMPLATE } from '../../exports/batches/batches-fixture.ts';
import { seen } from '../../service/export-client.ts';
import { within } from '../../within.ts';
import { DescribedReplies } from '../openapi/described.ts';
import { problemOf, type Service, serve } from '../serve.ts';

interface Batch {
  readonly batch_id: string;
  readonly state: string;
  readonly rows: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly metadata: object;
  readonly estimated_end: string | null;
}

interface Rows {
  readonly rows: readonly {
    readonly row: number;
    readonly video: string | null;
    readonly state: string;
    readonly values: object;
    readonly export_id: string | null;
    readonly downloads: Readonly<Record<string, string>> | null;
    readonly error: {
      readonly code: string;
      readonly errors: readonly { readonly path: string; message: string }[];
    } | null;
  }[];
  readonly next: string | null;
}

async function saved({ base }: Service, project: object = TEMPLATE): Promise<string> {
  const id = randomUUID();
  const reply = await fetch(`${base}/projects/${id}`, { method: 'PUT', body: JSON.stringify(project) });
  assert.equal(reply.status, 201);
  return id;
}

function post({ base }: Service, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const type = { 'content-type': 'application/json' };
  return fetch(`${base}/batches`, { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(body) });
}

function postTable({ base }: Service, query: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  return fetch(`${base}/batches?${query}`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body });
}

test('[C85] a batch of rows over HTTP: accepted, followed, its results as a table', async (t) => {
  const service = await serve(t);
  service.exports.renderWith = Buffer.from('a video');
  const described = await DescribedReplies.of(service);
  const project = await saved(service);
  const rows = [{ title: 'a, "b"', video: 'first' }, { title: 7 }, { title: 'c\nd', seconds: 2 }];
  const sent = { project, rows, metadata: { week: '12' } };
  const accepted = await post(service, sent, { 'idempotency-key': 'week 12' });
  assert.equal(accepted.status, 202);
  const location = accepted.headers.get('location')!;
  const batch = (await described.check('POST /batches', accepted)) as Batch;
  assert.deepEqual([batch.state, batch.rows, batch.metadata], ['running', 3, { week: '12' }]);
  assert.deepEqual([batch.counts.waiting, batch.counts.invalid], [2, 1]);
  assert.equal(location, `/batches/${batch.batch_id}`);

  const again = await post(service, sent, { 'idempotency-key': 'week 12' });
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(((await again.json()) as Batch).batch_id, batch.batch_id);
  const other = await post(service, { ...sent, on_error: 'skip' }, { 'idempotency-key': 'week 12' });
  assert.equal((await problemOf(other, 422)).code, 'idempotency.conflict');

  const get = async (path = '', prefer = '') => fetch(`${service.base}${location}${path}`, { headers: { prefer } });
  const atOnce = await get('', 'wait=0');
  assert.deepEqual(
    [atOnce.headers.get('preference-applied'), ((await atOnce.json()) as Batch).state],
    ['wait=0', 'running'],
  );
  {
    await using _feeding = feeder(service.exports.fixture);
    await seen('two exports', async () => ((await (await get()).json()) as Batch).counts.queued === 2 || undefined);
    const { rows: made } = (await (await get('/rows?state=queued')).json()) as Rows;
    const end = get('', 'wait=600');
    for (const { export_id } of made) await service.exports.complete(export_id!, 'preset_one', Buffer.from('a video'));
    // Long before the limit: the end of the batch ends the wait.
    assert.equal(((await (await within('the end of the batch', end)).json()) as Batch).state, 'completed');
  }
  const ended = (await described.check('GET /batches/{batch_id}', await get('', 'wait=60'))) as Batch;
  assert.deepEqual([ended.counts.completed, ended.counts.invalid, ended.estimated_end], [2, 1, null]);

  const page = (await described.check('GET /batches/{batch_id}/rows', await get('/rows?limit=2'))) as Rows;
  assert.deepEqual(
    page.rows.map(({ row, video, state, values }) => ({ row, video, state, values })),
    [
      { row: 0, video: 'first', state: 'completed', values: { title: 'a, "b"' } },
      { row: 1, video: null, state: 'invalid', values: { title: 7 } },
    ],
  );
  assert.deepEqual(
    page.rows[1]!.error!.errors.map(({ path }) => path),
    ['/rows/1/title'],
  );
  assert.equal((await fetch(service.base + page.rows[0]!.downloads!.preset_one!)).status, 200);
  const second = (await (await get(`/rows?limit=2&cursor=${page.next}`)).json()) as Rows;
  assert.deepEqual([second.rows.map(({ row }) => row), second.next], [[2], null]);

  const results = await get('/results.csv');
  assert.equal(results.headers.get('content-type'), 'text/csv; charset=utf-8');
  const [head, first] = (await results.text()).split('\r\n');
  assert.equal(head, 'title,video,seconds,state,export_id,landscape,portrait,square,error');
  const id = page.rows[0]!.export_id;
  const addresses = ['one', 'two', 'three'].map((name) => `/video/exports/${id}/download/preset_${name}`).join(',');
  assert.equal(first, `"a, ""b""",first,,completed,${id},${addresses},`);

  const retried = await fetch(`${service.base}${location}/retry`, { method: 'POST' });
  assert.equal(
    ((await described.check('POST /batches/{batch_id}/retry', retried)) as { code: string }).code,
    'batch.nothing_failed',
  );
  const gone = await fetch(`${service.base}${location}`, { method: 'DELETE' });
  await described.check('DELETE /batches/{batch_id}', gone);
  assert.equal(gone.status, 204);
});

test('[C85, C40] batches are listed newest first, filtered, page by page', async (t) => {
  const service = await serve(t);
  const described = await DescribedReplies.of(service);
  const [one, two] = [await saved(service), await saved(service)];
  const made: string[] = [];
  for (const [n, project] of [one, two, one, one].entries()) {
    const metadata = { series: n % 2 === 0 ? 'even' : 'odd', n: String(n) };
    made.push(((await (await post(service, { project, rows: [{ title: 'a' }], metadata })).json()) as Batch).batch_id);
  }
  await fetch(`${service.base}/batches/${made[3]}`, { method: 'DELETE' });
  const list = async (query: string) => {
    const reply = await fetch(`${service.base}/batches${query}`);
    const page = (await described.check('GET /batches', reply)) as { batches: Batch[]; next: string | null };
    return { numbers: page.batches.map(({ batch_id }) => made.indexOf(batch_id)), page, reply };
  };
  assert.deepEqual((await list('')).numbers, [3, 2, 1, 0]);
  assert.deepEqual((await list(`?project=${one.toUpperCase()}&state=running`)).numbers, [2, 0]);
  assert.deepEqual((await list('?metadata.series=even&metadata.n=2')).numbers, [2]);
  assert.deepEqual((await list('?created_before=2001-01-01')).numbers, []);
  const first = await list('?limit=1&metadata.series=odd');
  assert.deepEqual(first.numbers, [3]);
  const next = /<\/batches(.*)>; rel="next"/.exec(first.reply.headers.get('link')!)![1]!;
  assert.deepEqual((await list(next)).numbers, [1]);
  assert.equal((await list(next)).page.next, null);
  const bad = await fetch(`${service.base}/batches?state=x&project=y&cursor=z&limit=0&created_after=w`);
  assert.deepEqual(
    (await problemOf(bad, 422)).errors.map(({ path }) => path),
    ['/state', '/project', '/created_after', '/limit', '/cursor'],
  );
});

test('[C85] a table as spreadsheets write it; every error names its row, line and column', async (t) => {
  const service = await serve(t);
  const project = await saved(service);
  const table = '\uFEFFtitle;seconds\r\n"a\r\nb";2\r\nc;2,5\r\n;1\r\n\r\n';
  const accepted = await postTable(service, `project=${project}&presets=landscape`, table);
  assert.equal(accepted.status, 202, await accepted.clone().text());
  const { batch_id, counts } = (await accepted.json()) as Batch;
  assert.deepEqual([counts.waiting, counts.invalid], [1, 2]);
  const { rows } = (await (await fetch(`${service.base}/batches/${batch_id}/rows`)).json()) as Rows;
  assert.deepEqual(rows.map(({ values }) => values)[0], { title: 'a\r\nb', seconds: 2 });
  assert.deepEqual(
    rows.flatMap(({ error }) => (error === null ? [] : error.errors.map(({ path }) => path))),
    ['/rows/1/seconds', '/rows/2/title'],
  );
  const { errors } = await problemOf(await postTable(service, `project=${project}&on_error=refuse`, table), 422);
  assert.match(errors[0]!.message, /comma.*line 4, column 2/);

  // What a batch in JSON may have, a table has in its query.
  const more = new URLSearchParams({ settings: '{"quality":"draft"}', metadata: '{"channel":"snacks"}' });
  const tagged = await postTable(
    service,
    `project=${project}&callback_events=export.completed&${more}`,
    'title\r\nx\r\n',
  );
  assert.deepEqual(((await tagged.json()) as { metadata: object }).metadata, { channel: 'snacks' });
  const broken = await postTable(service, `project=${project}&settings={&metadata=["x"]`, 'title\r\nx\r\n');
  assert.equal((await problemOf(broken, 422)).errors[0]!.path, '/settings');

  const wrong = async (query: string, body: string | Uint8Array<ArrayBuffer>, status: number) =>
    (await problemOf(await postTable(service, query, body), status)).code;
  const cells = await problemOf(await postTable(service, `project=${project}`, 'title\r\nx,y\r\n'), 400);
  assert.deepEqual(
    cells.errors.map(({ path, code }) => [path, code]),
    [['', 'csv.cells']],
  );
  assert.equal(await wrong(`project=${project}`, 'name\r\nx\r\n', 422), 'csv.column');
  assert.equal(await wrong(`project=${project}`, 'title\r\n"x', 400), 'csv.quote');
  assert.equal(await wrong(`project=${project}`, ','.repeat(1_000_000), 413), 'csv.too_large');
  assert.equal(await wrong(`project=${project}`, new Uint8Array(10 * 2 ** 20 + 1), 413), 'request.too_large');
  assert.equal(await wrong(`project=${project}&rows=1`, 'title\r\nx\r\n', 422), 'field.unknown');
  assert.equal(await wrong('on_error=skip', 'title\r\nx\r\n', 422), 'field.required');
  assert.equal(await wrong(`project=${randomUUID()}`, 'title\r\nx\r\n', 404), 'project.unknown');
  const plain = await fetch(`${service.base}/batches`, { method: 'POST', body: 'x' });
  assert.equal((await problemOf(plain, 415)).code, 'request.not_json');
});

test('[C85] errors of the fields of a batch come together, and a member that does not exist is one', async (t) => {
  const service = await serve(t);
  const project = await saved(service);
  const faults = async (body: object, status = 422) =>
    (await problemOf(await post(service, body), status)).errors.map(({ path, code }) => `${path} ${code}`);
  const rows = [{ title: 'a' }];
  assert.deepEqual(await faults({ project: 'x', rows, on_error: 'stop', presets: [], callback_url: 'ftp://x' }), [
    '/callback_url callback.invalid',
    '/presets field.range',
    '/on_error field.choice',
    '/project field.format',
  ]);
  assert.deepEqual(await faults({ project, rows, preset: 'x' }), ['/preset field.unknown']);
  assert.deepEqual(await faults({ project }), [' field.required']);
  assert.deepEqual(await faults({ project, rows: 'x' }), ['/rows field.type']);
  assert.deepEqual(await faults({ project, rows: ['x'] }), ['/rows/0 field.type']);
  const bad = await fetch(`${service.base}/batches/${randomUUID()}/rows?state=x&cursor=y&limit=0`);
  assert.deepEqual(
    (await problemOf(bad, 422)).errors.map(({ path }) => path),
    ['/state', '/cursor', '/limit'],
  );
});
