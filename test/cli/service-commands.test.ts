import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { EXAMPLE_REQUEST } from '../../src/http/openapi/example-request.ts';
import { ExportsFixture } from '../exports/exports-fixture.ts';
import { exampleParts, postForm, serve, serveExports } from '../http/serve.ts';
import { fileServer } from '../outbound/file-server.ts';
import { MAIN, ScratchFolder } from './tiercut.ts';

const KEY = 'key-of-ann-1234567';
const KEYS = { apiKeys: [{ tenant: 'ann', key: KEY }] };

/** Runs a command against a service in this process. */
async function run(base: string, ...args: string[]) {
  const env = { ...process.env, TIERCUT_URL: base, TIERCUT_KEY: KEY };
  const program = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => program.once('close', resolve));
  const [stdout, stderr, status] = await Promise.all([text(program.stdout), text(program.stderr), ended]);
  return { status, stdout: stdout.trim(), stderr };
}

test('[C76] tiercut projects stores a project with its media, and reads, shares and deletes it', async (t) => {
  const service = await serve(t, KEYS);
  using folder = new ScratchFolder();
  const [file, read] = [join(folder.path, 'project.json'), join(folder.path, 'read.json')];
  writeFileSync(join(folder.path, 'chips.png'), 'a picture');
  await using server = await fileServer((_, response) => response.end('another picture'));
  const media = { chips: 'chips.png', nuts: `${server.base}/nuts.png` };
  writeFileSync(file, JSON.stringify({ name: 'Snacks', timeline_data: {}, media }));
  const put = await run(service.base, 'projects', 'put', '--file', file);
  const [id, revision, etag] = put.stdout.split('  ') as [string, string, string];
  assert.deepEqual([put.status, revision], [0, '1'], put.stderr);
  const refused = await run(service.base, 'projects', 'put', '--file', file, '--id', id);
  assert.deepEqual([refused.status, refused.stdout], [0, put.stdout], 'the same again is no revision');
  writeFileSync(file, JSON.stringify({ name: 'More snacks' }));
  const blind = await run(service.base, 'projects', 'put', '--file', file, '--id', id);
  assert.equal(blind.status, 2);
  assert.match(blind.stderr, /request\.if_match_required/);
  const second = await run(service.base, 'projects', 'put', '--file', file, '--id', id, '--if-match', etag);
  assert.match(second.stdout, /^\S+ {2}2 {2}/);
  const shown = await run(service.base, 'projects', 'get', '--id', id, '--revision', '1', '--file', read);
  assert.equal(shown.status, 0, shown.stderr);
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(read, 'utf8')).media_refs), ['chips', 'nuts']);
  assert.match((await run(service.base, 'projects', 'list')).stdout, new RegExp(`^${id} {2}2 .*More snacks$`));
  const [, url] = (await run(service.base, 'projects', 'share', '--id', id)).stdout.split('  ');
  assert.equal(((await (await fetch(url!)).json()) as { name: string }).name, 'More snacks');
  assert.equal((await run(service.base, 'projects', 'delete', '--id', id)).status, 0);
  const gone = await run(service.base, 'projects', 'get', '--id', id);
  assert.deepEqual([gone.status, gone.stdout], [3, '']);
  assert.match(gone.stderr, /^project\.unknown: /);
});

test('[C74] tiercut usage prints the days that have usage', async (t) => {
  const service = await serve(t, KEYS);
  const none = await run(service.base, 'usage');
  assert.deepEqual([none.status, none.stdout], [0, ''], none.stderr);
  const made = await postForm(service, exampleParts(), { 'x-api-key': KEY, prefer: 'respond-async' });
  assert.equal(made.status, 202);
  const { stdout } = await run(service.base, 'usage');
  assert.match(stdout, /^\d{4}-\d\d-\d\d {2}exports 1 {2}stored [1-9]\d* bytes {2}sent 0 bytes$/);
  assert.equal(JSON.parse((await run(service.base, 'usage', '--json')).stdout).exports, 1);
  const refused = await run(service.base, 'usage', '--from', 'today');
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /from must be a day such as 2026-01-31, not "today"/);
});

/** An agent that has started `tiercut mcp`. */
async function agent(t: TestContext, base: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const env = { ...(process.env as Record<string, string>), TIERCUT_URL: base, TIERCUT_KEY: KEY };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env }));
  t.after(() => client.close());
  return client;
}

test('[C75] an agent reads a frame', async (t) => {
  const { base } = await serveExports(t, await ExportsFixture.open(), KEYS);
  const client = await agent(t, base);
  const timeline_data = { subtitles: [{ text: 'Hello', start: 0, duration: 1 }] };
  const sent = { tier_list: {}, timeline_data, at: 0.5, preset: 'preset_three' };
  const { content } = await client.callTool({ name: 'frame', arguments: sent });
  const [picture, text] = content as { mimeType?: string; data?: string; text?: string }[];
  assert.equal(picture?.mimeType, 'image/jpeg', JSON.stringify(content));
  assert.equal(Buffer.from(picture.data!, 'base64').subarray(0, 3).toString('hex'), 'ffd8ff');
  assert.equal(text?.text, 'Frame 15 of 30.');
});

test('[C75] an agent validates, renders, follows and lists over stdio', async (t) => {
  const service = await serve(t, KEYS);
  service.exports.renderWith = Buffer.from('a video');
  using folder = new ScratchFolder();
  const { tier_list, timeline_data, settings } = EXAMPLE_REQUEST;
  const media = Object.fromEntries(tier_list.items.map(({ file_field: field }) => [field, `${field}.png`]));
  for (const name of Object.values(media)) writeFileSync(join(folder.path, name), `picture ${name}`);
  const file = join(folder.path, 'project.json');
  writeFileSync(file, JSON.stringify({ tier_list, timeline_data, settings, media }));
  const client = await agent(t, service.base);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), ['follow', 'frame', 'list', 'render', 'validate']);
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    const [first] = content as { type: string; text: string }[];
    return { isError, shown: JSON.parse(first!.text) };
  };
  const wrong = await call('validate', { tier_list, timeline_data, settings: { fps: 1000 } });
  assert.ok(wrong.isError);
  assert.ok(wrong.shown.errors.some(({ path }: { path: string }) => path === '/settings/fps'));
  assert.equal((await call('validate', { file })).shown.ok, true);
  const made = await call('render', { file, external_id: 'from an agent' });
  const out = join(folder.path, 'out.mp4');
  const followed = await call('follow', { export_id: made.shown.export_id, save_to: out });
  assert.equal(followed.shown.state, 'completed', JSON.stringify(followed.shown));
  assert.equal(readFileSync(out, 'utf8'), 'a video');
  const listed = await call('list', { external_id: 'from an agent' });
  assert.deepEqual(
    listed.shown.exports.map(({ export_id }: { export_id: string }) => export_id),
    [made.shown.export_id],
  );
  assert.ok((await call('follow', { export_id: 'no such' })).isError);
});

test('[C75] /llms.txt lists what an agent needs, and every entry exists', async (t) => {
  const { base } = await serve(t, KEYS);
  const reply = await fetch(`${base}/llms.txt`);
  assert.equal(reply.headers.get('content-type'), 'text/plain; charset=utf-8');
  const page = await reply.text();
  assert.match(page, /^# Tiercut\n/);
  assert.match(page, /Authorization: Bearer/);
  for (const [, path] of page.matchAll(/\]\((\/[^)]+)\)/g)) assert.equal((await fetch(`${base}${path}`)).status, 200);
  const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as { paths: Record<string, object> };
  for (const [, method, path] of page.matchAll(/`(GET|POST|PUT) (\/[^`]+)`/g)) {
    const known = Object.keys(paths).map((one) => one.replaceAll(/\{\w+\}/g, '<x>'));
    assert.ok(known.includes(path!.replaceAll(/<[^>]+>/g, '<x>')), `${method} ${path}`);
  }
});
