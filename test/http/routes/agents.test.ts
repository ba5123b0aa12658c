import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { timesLonger } from '../../processor-time.ts';
import { LIMITS, type Service, serve } from '../serve.ts';
import { addCaptions, TRANSCRIPT } from './made-captions.ts';

const ANN = 'key-of-ann-1234567';
const BOB = 'key-of-bob-1234567';
const READER = 'key-of-reader-1234567';
const KEYS = {
  apiKeys: [
    { tenant: 'ann', key: ANN },
    { tenant: 'bob', key: BOB },
    { tenant: 'ann', key: READER, scopes: ['read'] as const },
  ],
};
const HELLO = { tier_list: {}, timeline_data: { subtitles: [{ text: 'Hello', start: 0, duration: 1 }] } };
const TEMPLATE = '0d5fdd30-5ea1-4f52-9a3f-1d1c4f9f7c11';

/** An official client that has said hello; it ends with the test. */
async function agentOf(t: TestContext, { base }: Service, key = ANN) {
  const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  t.after(() => client.close());
  return { client, session: transport.sessionId! };
}

/** Calls a tool; its answer is JSON. */
async function use(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  return { isError, shown: JSON.parse((content as { text: string }[])[0]!.text) };
}

/** One message, as any program can send it. */
async function post({ base }: Service, body: string | object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: { 'x-api-key': ANN, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, said: text === '' ? null : JSON.parse(text) };
}

const called = (id: number, name: string, args: object = {}) => {
  return { id, method: 'tools/call', params: { name, arguments: args } };
};

test('[C75] an agent makes a video over HTTP', async (t) => {
  const service = await serve(t, KEYS);
  service.exports.renderWith = Buffer.from('a video');
  const { client } = await agentOf(t, service);
  const { tools } = await client.listTools();
  for (const { inputSchema } of tools) assert.equal(JSON.stringify(inputSchema).includes('"file":'), false);
  const { $defs } = tools.find(({ name }) => name === 'validate')!.inputSchema as unknown as {
    $defs: Record<string, { properties: Record<string, { description?: string; maximum?: number }> }>;
  };
  assert.ok($defs.VideoClip!.properties.start!.description);
  assert.equal((await use(client, 'validate', HELLO)).shown.ok, true);
  const { shown: made } = await use(client, 'render', { ...HELLO, external_id: 'from afar', presets: ['landscape'] });
  assert.equal((await use(client, 'follow', { export_id: made.export_id })).shown.state, 'completed');
  const { shown: listed } = await use(client, 'list', { external_id: 'from afar' });
  assert.equal(listed.exports[0].export_id, made.export_id);
  const ended = await use(client, 'cancel', { export_id: made.export_id });
  assert.deepEqual([ended.isError, ended.shown.code], [true, 'mcp.ended']);
  assert.equal(
    (await use(client, 'follow', { export_id: made.export_id })).shown.state,
    'completed',
    'it is still there',
  );
});

test('[C75, C77] an agent reads captions by their id, and a failure of theirs is an error', async (t) => {
  const service = await serve(t, KEYS);
  const { client } = await agentOf(t, service);
  const heard = await use(client, 'captions', { captions_id: await addCaptions(service, 'ann') });
  assert.deepEqual(
    [heard.isError, heard.shown.state, heard.shown.segments],
    [false, 'completed', TRANSCRIPT.segments],
    JSON.stringify(heard.shown),
  );
  const failed = await use(client, 'captions', { captions_id: await addCaptions(service, 'ann', 'failed') });
  assert.deepEqual([failed.isError, failed.shown.code], [true, 'captions.no_sound']);
  const others = await use(client, 'captions', { captions_id: await addCaptions(service, 'bob') });
  assert.equal(others.shown.code, 'captions.unknown');
});

test('[C75] an agent cancels what it has started', async (t) => {
  const service = await serve(t, KEYS);
  const { client } = await agentOf(t, service);
  const { shown: made } = await use(client, 'render', HELLO);
  const { shown } = await use(client, 'cancel', { export_id: made.export_id });
  const outputs = Object.values(shown.outputs as Record<string, { error?: { code: string } }>);
  assert.deepEqual(
    outputs.map(({ error }) => error?.code),
    ['output.stopped', 'output.stopped', 'output.stopped'],
    JSON.stringify(shown),
  );
});

test('[C75, C83] an agent finds a template, learns its fields, and renders it', async (t) => {
  const service = await serve(t, KEYS);
  const fields = {
    title: { type: 'text', max: 40, required: true, label: 'Title' },
    things: { type: 'items', max: 5 },
  };
  const rows = [{ id: 's', label: 'Best', item_ids: [] }];
  const documents = { tier_list: { title: '{{title}}', rows, items: [] }, timeline_data: { auto: {} } };
  for (const [n, more] of [{ fields }, {}].entries()) {
    await fetch(`${service.base}/projects/${TEMPLATE.replace(/.$/, String(n))}`, {
      method: 'PUT',
      headers: { 'x-api-key': ANN, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Project ${n}`, ...documents, ...more }),
    });
  }
  const { client } = await agentOf(t, service);
  const { shown: listed } = await use(client, 'list_templates');
  assert.deepEqual(
    listed.templates.map(({ name, fields }: { name: string; fields: object }) => [name, fields]),
    [['Project 0', { title: 'text', things: 'items' }]],
  );
  const [{ project_id }] = listed.templates;
  const { shown: described } = await use(client, 'describe_template', { project_id });
  assert.deepEqual(described.values.required, ['title']);
  assert.deepEqual(described.values.properties.title, { type: 'string', maxLength: 40, description: 'Title' });
  assert.match(described.values.properties.things.items.properties.row.description, /: s\./);
  const values = { title: 'Snacks', things: [{ name: 'Chips', row: 's' }] };
  const lacking = await use(client, 'export_template', { project_id, values: { things: [{ row: 3 }] } });
  assert.equal(lacking.shown.errors[0].code, 'value.required', JSON.stringify(lacking.shown));
  assert.equal((await use(client, 'export_template', { project_id, values, only_check: true })).shown.ok, true);
  const { shown: made } = await use(client, 'export_template', { project_id, values, external_id: 'week 1' });
  assert.equal(made.title, 'Snacks', JSON.stringify(made));
  const plain = await use(client, 'describe_template', { project_id: TEMPLATE.replace(/.$/, '1') });
  assert.equal(plain.shown.code, 'mcp.no_template');
});

test('[C75] an agent reads the documentation as pages, as resources, and by a search', async (t) => {
  const { client } = await agentOf(t, await serve(t, KEYS));
  const { resources } = await client.listResources();
  assert.ok(resources.length > 20);
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri });
    assert.ok('text' in contents[0]! && contents[0].text.length > 100, uri);
  }
  const { pages } = (await use(client, 'docs')).shown;
  assert.equal(pages.length, resources.length);
  const { content } = await client.callTool({ name: 'docs', arguments: { page: 'guides/mcp' } });
  assert.match((content as { text: string }[])[0]!.text, /^# Agents/);
  const { sections } = (await use(client, 'docs', { query: 'idempotency key' })).shown;
  assert.match(sections[0].title, /idempotency/i);
  assert.equal((await use(client, 'docs', { page: '../../package.json' })).shown.code, 'mcp.unknown_page');
  await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }), {
    code: -32002,
    data: { code: 'mcp.unknown_page' },
  });
});

test('[C75] a failure has a stable code, and names first what is missing', async (t) => {
  const service = await serve(t, KEYS);
  const { client } = await agentOf(t, service);
  for (const [name, args, code, path] of [
    ['validate', {}, 'mcp.arguments', ''],
    ['render', { timeline_data: { videos: [{ start: -1 }] } }, 'request.invalid', '/timeline_data/videos/0'],
    ['frame', { ...HELLO }, 'mcp.arguments', ''],
    ['frame', { ...HELLO, at: 'soon' }, 'mcp.arguments', '/at'],
    ['list', { limti: 4 }, 'mcp.arguments', '/limti'],
    ['list', { state: 'gone' }, 'mcp.arguments', '/state'],
    ['follow', { save_to: '/tmp/a.mp4' }, 'mcp.arguments', ''],
    ['validate', { ...HELLO, media: { a: '/etc/passwd' } }, 'mcp.arguments', '/media/a'],
    ['captions', {}, 'mcp.arguments', ''],
    ['captions', { media: 'a'.repeat(64) }, 'reference.unknown', '/media_ref'],
    ['upload', { from: '../secret' }, 'mcp.arguments', '/from'],
    ['describe_template', { project_id: TEMPLATE }, 'project.unknown', undefined],
    ['export_template', { project_id: TEMPLATE }, 'project.unknown', undefined],
  ] as const) {
    const { isError, shown } = await use(client, name, args);
    assert.ok(isError, name);
    assert.deepEqual([shown.code, shown.errors[0]?.path], [code, path], `${name} ${JSON.stringify(shown)}`);
    if (path === '') assert.equal(shown.errors[0].code, 'field.required', JSON.stringify(shown));
  }
});

test('[C75] what is no message of JSON-RPC gets an error of JSON-RPC, and a large one is refused', async (t) => {
  const service = await serve(t, KEYS);
  const deep = '['.repeat(100_000);
  for (const [body, status, number, code] of [
    ['{', 400, -32700, 'json.syntax'],
    [deep, 400, -32700, 'json.too_deep'],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700, 'json.duplicate_key'],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600, 'mcp.message'],
    ['"ping"', 400, -32600, 'mcp.message'],
    ['{"id":1,"method":"ping"}', 400, -32600, 'mcp.message'],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600, 'mcp.message'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600, 'mcp.message'],
    [`{"jsonrpc":"2.0","id":"${'x'.repeat(300)}","method":"ping"}`, 400, -32600, 'mcp.message'],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32602, 'mcp.params'],
    ['{"jsonrpc":"2.0","id":1,"method":"__proto__"}', 200, -32601, 'mcp.method'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"constructor"}}', 200, -32602, 'mcp.tool'],
    ['{"jsonrpc":"2.0","id":1,"method":"initialize"}', 200, -32602, 'mcp.params'],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/read"}', 200, -32602, 'mcp.params'],
  ] as const) {
    const { status: got, said } = await post(service, body);
    assert.deepEqual(
      [got, said.error.code, said.error.data.code],
      [status, number, code],
      `${body.slice(0, 80)} ${JSON.stringify(said)}`,
    );
  }
  const large = await post(service, { id: 1, method: 'ping', params: { pad: 'x'.repeat(2 ** 20) } });
  assert.deepEqual([large.status, large.said.code], [413, 'request.too_large']);
  const form = await post(service, '{}', { 'content-type': 'text/plain' });
  assert.deepEqual([form.status, form.said.code], [415, 'request.not_json']);
  const old = await post(service, { id: 1, method: 'ping' }, { 'mcp-protocol-version': '1999-01-01' });
  assert.deepEqual([old.status, old.said.code], [400, 'mcp.version']);
  assert.equal((await post(service, { method: 'notifications/initialized' })).status, 202);
  assert.equal((await post(service, { id: 1, result: {} })).status, 202);
  for (const method of ['GET', 'DELETE']) {
    const { status, headers } = await fetch(`${service.base}/mcp`, { method, headers: { 'x-api-key': ANN } });
    assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
  }
});

test('[C75, C95] a key decides what its agent may do, and other tenants do not exist', async (t) => {
  const service = await serve(t, KEYS);
  const none = await post(service, { id: 1, method: 'ping' }, { 'x-api-key': 'wrong' });
  assert.deepEqual([none.status, none.said.code], [401, 'auth.required']);
  const { client: ann, session } = await agentOf(t, service);
  const { shown: made } = await use(ann, 'render', HELLO);
  const { client: bob } = await agentOf(t, service, BOB);
  for (const name of ['follow', 'cancel']) {
    assert.equal((await use(bob, name, { export_id: made.export_id })).shown.code, 'export.unknown', name);
  }
  assert.deepEqual((await use(bob, 'list')).shown.exports, []);
  const { client: reader } = await agentOf(t, service, READER);
  assert.equal((await use(reader, 'list')).shown.exports.length, 1);
  for (const [name, args] of [
    ['render', HELLO],
    ['cancel', { export_id: made.export_id }],
  ] as const) {
    assert.equal((await use(reader, name, args)).shown.code, 'auth.scope', name);
  }
  for (const [key, sent] of [
    [BOB, session],
    [READER, session],
    [ANN, 'no-such-session'],
    [ANN, `${session}x`],
    [ANN, session.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))],
  ] as const) {
    const { status, said } = await post(
      service,
      { id: 1, method: 'ping' },
      { 'x-api-key': key, 'mcp-session-id': sent },
    );
    assert.deepEqual([status, said.code], [404, 'mcp.session']);
  }
});

test('[C50, C75] a page of another origin reaches no agent', async (t) => {
  const service = await serve(t, KEYS);
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }] as const) {
    const { status, said } = await post(service, { id: 1, method: 'ping' }, headers as Record<string, string>);
    assert.deepEqual([status, said.code], [403, 'request.cross_site']);
  }
  const open = await serve(t);
  const socket = connect(open.port, '127.0.0.1');
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const [answer] = await once(socket, 'data');
  socket.destroy();
  assert.match(String(answer), /^HTTP\/1\.1 403 /);
});

test('[C75] a call ends when its client cancels it, and when the client is gone', async (t) => {
  const service = await serve(t, { ...KEYS, maxOpenWaits: 2 });
  const { client, session } = await agentOf(t, service);
  const { shown: made } = await use(client, 'render', HELLO);
  const ids = { 'mcp-session-id': session };
  const until = async (followers: number) => {
    while (service.exports.followers !== followers) await new Promise(setImmediate);
  };
  const following = post(service, called(7, 'follow', { export_id: made.export_id }), ids);
  await until(1);
  // A follow holds two places: that of the call, and that of its stream.
  const full = await post(service, called(8, 'list'), ids);
  assert.deepEqual([full.status, full.said.code], [429, 'wait.too_many']);
  const { session: other } = await agentOf(t, service);
  const cancelled = { method: 'notifications/cancelled', params: { requestId: 7 } };
  for (const headers of [{ 'mcp-session-id': other }, {}, { ...ids, 'x-api-key': BOB }])
    await post(service, cancelled, headers as Record<string, string>);
  assert.equal(service.exports.followers, 1, 'another client does not cancel it');
  await post(service, cancelled, ids);
  assert.equal((await following).said.error.data.code, 'mcp.cancelled');

  const leaving = new AbortController();
  const left = fetch(`${service.base}/mcp`, {
    method: 'POST',
    headers: { 'x-api-key': ANN, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', ...called(9, 'follow', { export_id: made.export_id }) }),
    signal: leaving.signal,
  });
  await until(1);
  leaving.abort();
  await assert.rejects(left);
  await until(0);
  assert.equal((await use(client, 'list')).shown.exports[0].state, 'queued', 'the export goes on');
});

test('[H39, C75] twice the message takes about twice the time', async (t) => {
  const service = await serve(t, { ...KEYS, limits: { ...LIMITS, maxJsonValues: 1e6 } });
  const shapes: Readonly<Record<string, (n: number) => object>> = {
    'unknown arguments': (n) =>
      called(1, 'list', Object.fromEntries(Array.from({ length: n / 10 }, (_, i) => [`limi${i}`, 1]))),
    values: (n) =>
      called(1, 'validate', {
        ...HELLO,
        media: Object.fromEntries(Array.from({ length: n / 10 }, (_, i) => [`m${i}`, 5])),
      }),
    'a long name': (n) => called(1, 'x'.repeat(n)),
    'words of a search': (n) => called(1, 'docs', { query: 'a '.repeat(n / 2) }),
    'a long page': (n) => called(1, 'docs', { page: '../'.repeat(n / 3) }),
  };
  for (const [name, shape] of Object.entries(shapes)) {
    const [small, large] = [250_000, 500_000].map((n) => JSON.stringify({ jsonrpc: '2.0', ...shape(n) }));
    const times = await timesLonger(
      () => post(service, small!),
      () => post(service, large!),
      3.5,
    );
    assert.ok(times < 3.5, `${name}: ${times}`);
  }
});
