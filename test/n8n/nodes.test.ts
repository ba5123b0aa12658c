import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { ScratchFolder } from '../cli/tiercut.ts';
import { ServiceFixture } from '../service/service-fixture.ts';
import { type Fault, FaultProxy } from '../store/s3/fault-proxy.ts';
import { choices, execute, type LoadedPackage, loadPackage, triggerOf } from './n8n-stand-in.ts';

const PACKAGE = join(import.meta.dirname, '../../packages/n8n/package.json');
const KEY = 'a-key-of-the-workflow-1';
const TEMPLATE = {
  name: 'Weekly',
  tier_list: { title: '{{title}}', rows: [{ id: 's', label: 'Top {{count}}', item_ids: [] }], items: [] },
  timeline_data: { auto: { intro: false, outro: false, seconds_per_item: 0.5 } },
  settings: { quality: 'draft', theme: '{{look}}' },
  fields: {
    title: { type: 'text', label: 'Title', max: 30, required: true },
    look: { type: 'choice', options: ['pop', 'mono'], default: 'mono' },
    things: { type: 'items', max: 9 },
    count: { type: 'number', default: 3 },
  },
};
const VALUES = { title: 'Snacks', things: [{ name: 'Chips', row: 's' }] };

const folder = new ScratchFolder();
const project = randomUUID();
let service: ServiceFixture;
let loaded: LoadedPackage;
before(async () => {
  const settings = { TIERCUT_API_KEYS: `me:${KEY}`, TIERCUT_PRERENDER: 'selected', TIERCUT_PRIVATE_ADDRESSES: 'on' };
  [service, loaded] = await Promise.all([
    ServiceFixture.start(settings),
    loadPackage(folder.path, JSON.parse(readFileSync(PACKAGE, 'utf8')).n8n),
  ]);
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  const body = JSON.stringify(TEMPLATE);
  const saved = await fetch(`${service.base}/projects/${project}`, { method: 'PUT', headers, body });
  assert.equal(saved.status, 201, await saved.text());
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const node = () => loaded.nodes.get('tiercut')!;
const place = (apiKey = KEY, url = `${service.base}/`) => {
  return { credential: loaded.credentials.get('tiercutApi')!, values: { url, apiKey } };
};
const mapped = (value: object) => ({ mappingMode: 'defineBelow', value });

test('[C84] the form of the node lists templates, their fields, and formats', async () => {
  assert.deepEqual(await choices(node(), place(), 'getTemplates'), [{ name: 'Weekly', value: project }]);
  assert.deepEqual(await choices(node(), place(), 'getPresets'), [
    { name: 'landscape (128 × 72)', value: 'landscape' },
    { name: 'portrait (72 × 128)', value: 'portrait' },
    { name: 'square (96 × 96)', value: 'square' },
  ]);
  const { fields } = await choices(node(), place(), 'getFields', { project });
  const shown = fields.map(({ id, displayName, required, type }: Record<string, unknown>) => {
    return [id, displayName, required, type];
  });
  assert.deepEqual(shown, [
    ['title', 'Title', true, 'string'],
    ['look', 'look', false, 'options'],
    ['things', 'things', false, 'array'],
    ['count', 'count', false, 'number'],
  ]);
});

test('[C84, C27] a workflow renders a template, waits, downloads its formats, and deletes', async () => {
  const options = { presets: ['landscape'], metadata: '{"week":"12"}', settings: '', external_id: '' };
  const create = { operation: 'create', project, values: mapped({ ...VALUES, look: null }), options };
  const [made] = await execute(node(), place(), create);
  const { export_id: exportId } = made!.json as { export_id: string };
  assert.deepEqual([made!.json.title, made!.json.metadata], ['Snacks', { week: '12' }]);
  // Another try of the same run, as Retry On Fail sends it.
  const [again] = await execute(node(), place(), create);
  assert.equal(again!.json.export_id, exportId);
  const [waited] = await execute(node(), place(), { operation: 'wait', exportId });
  assert.equal(waited!.json.state, 'completed');
  for (const [preset, name] of [
    ['', 'Snacks.mp4'],
    ['landscape', 'Snacks.mp4'],
    ['square', 'Snacks-square.mp4'],
  ] as const) {
    const [video] = await execute(node(), place(), { operation: 'download', exportId, preset });
    const { data, fileName, mimeType } = video!.binary!.data!;
    assert.deepEqual([fileName, mimeType], [name, 'video/mp4']);
    assert.equal(Buffer.from(data, 'base64').toString('latin1', 4, 8), 'ftyp');
  }
  const [known] = await execute(node(), place(), { operation: 'get', exportId });
  assert.equal(known!.json.export_id, exportId);
  await execute(node(), place(), { operation: 'delete', exportId });
  await assert.rejects(execute(node(), place(), { operation: 'download', exportId }), {
    httpCode: '404',
    description: /^Code: export\.unknown/,
  });
});

test('[C84] values of an item fill the fields of their names; what is wrong names its place', async () => {
  const schema = Object.keys(TEMPLATE.fields).map((id) => ({ id }));
  const values = { mappingMode: 'autoMapInputData', value: null, schema };
  const create = { operation: 'create', project, values };
  const items = [{ ...VALUES, title: 'One', row_number: 2 }, { look: 'gold' }];
  const made = await execute(node(), place(), create, { items, continueOnFail: true });
  assert.deepEqual(
    made.map(({ json, pairedItem }) => [json.title, typeof json.error, pairedItem]),
    [
      ['One', 'undefined', { item: 0 }],
      [undefined, 'string', { item: 1 }],
    ],
  );
  await assert.rejects(execute(node(), place(), { ...create, values: mapped({ look: 'gold' }) }), {
    httpCode: '422',
    itemIndex: 0,
    description: /^Code: request\.invalid\n(?=.*^\/values\/look: )(?=.*^.*value\.required)/ms,
  });
  const wrong = { ...create, values: mapped(VALUES), options: { settings: '{' } };
  await assert.rejects(execute(node(), place(), wrong), { message: /^"settings" is no JSON/ });
  await assert.rejects(execute(node(), place('wrong'), create), { httpCode: '401' });
  await assert.rejects(execute(node(), { ...place(), values: { url: 'http://127.0.0.1:1' } }, create), {
    message: 'Cannot reach the service',
  });
});

test('[C84] a wait ends at its deadline, and a failed export fails it', async () => {
  const long = [{ name: 'Chips', row: 's' }].concat(Array(8).fill({ name: 'More', row: 's' }));
  const values = mapped({ title: 'Long', things: long });
  const options = { settings: '{"quality":"high"}' };
  const [made] = await execute(node(), place(), { operation: 'create', project, values, options });
  const { export_id: exportId } = made!.json;
  await assert.rejects(execute(node(), place(), { operation: 'wait', exportId, minutes: 0 }), {
    description: 'Code: client.timeout',
  });
  const address = `${service.base}/video/exports/${exportId}`;
  await fetch(`${address}/outputs/landscape`, { method: 'DELETE', headers: { 'x-api-key': KEY } });
  await assert.rejects(execute(node(), place(), { operation: 'wait', exportId }), {
    description: /^Code: output\.stopped/,
  });
});

test('[C85] all items are one batch, whose rows are read page by page', async () => {
  const batch = { resource: 'batch', operation: 'create', project, options: { presets: ['landscape'] } };
  const items = [VALUES, { ...VALUES, title: 'Soups' }, { title: 7 }];
  const [made] = await execute(node(), place(), batch, { items });
  assert.deepEqual(made!.pairedItem, [{ item: 0 }, { item: 1 }, { item: 2 }]);
  const { batch_id: batchId } = made!.json;
  const [known] = await execute(node(), place(), { resource: 'batch', operation: 'get', batchId });
  assert.equal(known!.json.rows, 3);
  const rows = { resource: 'batch', operation: 'getRows', batchId };
  const states = async (given: object) => {
    return (await execute(node(), place(), { ...rows, ...given })).map(({ json }) => json.row);
  };
  assert.deepEqual(await states({ returnAll: true }), [0, 1, 2]);
  assert.deepEqual(await states({ limit: 2 }), [0, 1]);
  assert.deepEqual(await states({ state: 'invalid' }), [2]);
  const wait = { resource: 'batch', operation: 'wait', batchId };
  await assert.rejects(execute(node(), place(), { ...wait, minutes: 0 }), { description: 'Code: client.timeout' });
  await fetch(`${service.base}/batches/${batchId}`, { method: 'DELETE', headers: { 'x-api-key': KEY } });
  assert.equal((await execute(node(), place(), wait))[0]!.json.state, 'cancelled');
  const refused = { ...batch, options: { on_error: 'refuse' } };
  await assert.rejects(execute(node(), place(), refused, { items }), { description: /\/rows\/2\/title/ });
});

test('[C85] lines of a sheet are a batch: columns without a field are left out, empty cells take the default', async () => {
  const create = { resource: 'batch', operation: 'create', project, options: { on_error: 'refuse' } };
  const things = VALUES.things;
  // As n8n reads them from Google Sheets.
  const items = [
    { row_number: 2, title: 'Chips', look: '', things, count: '', video: 'first' },
    { row_number: 3, title: 'Soups', look: 'pop', things, count: 5, note: 'later' },
    { row_number: 4, title: 'Bread', look: null, things },
  ];
  const [made] = await execute(node(), place(), create, { items });
  const { batch_id: batchId } = made!.json;
  await fetch(`${service.base}/batches/${batchId}`, { method: 'DELETE', headers: { 'x-api-key': KEY } });
  const rows = await execute(node(), place(), { resource: 'batch', operation: 'getRows', batchId });
  assert.deepEqual(
    rows.map(({ json }) => [json.video, json.values]),
    [
      ['first', { title: 'Chips', things }],
      [null, { title: 'Soups', look: 'pop', things, count: 5 }],
      [null, { title: 'Bread', things }],
    ],
  );
});

/** What a service that restarts behind a proxy does, and the least that the node waits after each. */
const OUTAGE: readonly (readonly [Fault, number])[] = [
  [{ how: 'answered', status: 429, headers: { 'retry-after': '30' }, body: '{"code":"rate.exceeded"}' }, 30_000],
  [{ how: 'dropped' }, 1],
  [{ how: 'answered', status: 502, body: '<h1>Bad Gateway</h1>' }, 1],
  [{ how: 'answered', status: 503, headers: { 'retry-after': '7' } }, 7_000],
  [{ how: 'answered', status: 504 }, 1],
];

test('[C84, C85, C27] a wait and a download outlast a restart of the service, and heed Retry-After', async (t) => {
  const { hostname: host, port } = new URL(service.base);
  const proxy = await FaultProxy.start(t, { host, port: Number(port) });
  const behind = place(KEY, proxy.url);
  const create = { operation: 'create', project, values: mapped({ ...VALUES, title: 'Outlasts' }) };
  const [{ json: made } = assert.fail()] = await execute(node(), behind, create);
  const batch = { resource: 'batch', operation: 'create', project };
  const [{ json: rows } = assert.fail()] = await execute(node(), behind, batch, { items: [VALUES] });
  const exportId = made.export_id;
  const batchId = rows.batch_id;
  await fetch(`${service.base}/batches/${batchId}`, { method: 'DELETE', headers: { 'x-api-key': KEY } });
  const waits = [
    { operation: 'wait', exportId },
    { operation: 'download', exportId },
    { operation: 'download', exportId, preset: 'landscape' },
    { resource: 'batch', operation: 'wait', batchId },
  ];
  for (const wait of waits) {
    const faults = OUTAGE.map(([fault]) => fault);
    proxy.fault = () => faults.shift() ?? null;
    loaded.pauses.length = 0;
    const [{ json, binary } = assert.fail()] = await execute(node(), behind, wait);
    assert.ok(['completed', 'cancelled'].includes(String(json.state)) || binary?.data !== undefined);
    assert.equal(loaded.pauses.length, OUTAGE.length);
    for (const [index, [fault, leastMs]] of OUTAGE.entries()) {
      const paused = loaded.pauses[index]!;
      assert.ok(paused >= leastMs && (leastMs > 1 || paused < 7_000), `${fault.how}: ${paused} ms`);
    }
  }
});

test('[C84, C27] a wait reports what does not pass, its last failure at the deadline, and a cancellation', async (t) => {
  const { hostname: host, port } = new URL(service.base);
  const proxy = await FaultProxy.start(t, { host, port: Number(port) });
  const behind = place(KEY, proxy.url);
  proxy.fault = () => ({ how: 'answered', status: 503, body: '{"code":"service.busy","detail":"Later."}' });
  const exportId = randomUUID();
  // The clock of a node that sleeps.
  const now = performance.now.bind(performance);
  const sleptMs = () => loaded.pauses.reduce((sum, ms) => sum + ms, 0);
  t.mock.method(performance, 'now', () => now() + sleptMs());
  for (const operation of ['wait', 'download']) {
    loaded.pauses.length = 0;
    const wait = { operation, exportId };
    await assert.rejects(execute(node(), place(), wait), { httpCode: '404' });
    const late = { message: 'Later.', httpCode: '503' };
    await assert.rejects(execute(node(), behind, { ...wait, minutes: 0 }), late);
    const nowhere = place(KEY, 'http://127.0.0.1:1');
    await assert.rejects(execute(node(), nowhere, { ...wait, minutes: 0.01 }, { signal: AbortSignal.abort() }));
    assert.deepEqual(loaded.pauses, []);
    await assert.rejects(execute(node(), behind, { ...wait, minutes: 0.5 }), late);
    assert.ok(loaded.pauses.length > 1 && sleptMs() <= 30_001, `${loaded.pauses}`);
  }
  const { length } = proxy.calls;
  await assert.rejects(execute(node(), behind, { operation: 'get', exportId }), { httpCode: '503' });
  assert.equal(proxy.calls.length, length + 1, 'only waits ask again');
});

test('[C96] the trigger registers itself, takes signed events only, and leaves nothing behind', async (t) => {
  const { promise: received, resolve } = Promise.withResolvers<{ headers: IncomingHttpHeaders; body: Buffer }>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    // A registered webhook also hears of the exports of the other tests.
    if (body.includes('Called')) resolve({ headers: request.headers, body });
    response.writeHead(200).end();
  }).listen(0, '127.0.0.1');
  t.after(() => server.close() && server.closeAllConnections());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;
  const trigger = triggerOf(loaded.nodes.get('tiercutTrigger')!, place(), ['export.completed'], url);
  assert.equal(await trigger.isRegistered(), false);
  assert.equal(await trigger.register(), true);
  assert.equal(await trigger.isRegistered(), true);
  const create = { operation: 'create', project, values: mapped({ ...VALUES, title: 'Called' }) };
  const [made] = await execute(node(), place(), create);
  const { headers, body } = await received;
  const { workflowData } = await trigger.receive(headers, body);
  const [{ json: event }] = workflowData[0];
  assert.deepEqual(
    [event.id, event.type, event.data.export_id],
    [headers['webhook-id'], 'export.completed', made!.json.export_id],
  );
  for (const [wrong, changed] of [
    [headers, Buffer.from(String(body).replace('Called', 'Forged'))],
    [{ ...headers, 'webhook-signature': 'v1,AAAA' }, body],
    [{ ...headers, 'webhook-timestamp': '1' }, body],
    [{}, body],
  ] as const) {
    assert.deepEqual(await trigger.receive(wrong, changed), { noWebhookResponse: true });
  }
  assert.deepEqual(trigger.refused, [401, 401, 401, 401]);
  assert.equal(await trigger.unregister(), true);
  assert.equal(await trigger.isRegistered(), false);
  assert.equal(await trigger.unregister(), true, 'it is gone already');
});
