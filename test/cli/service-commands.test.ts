import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { exampleParts, postForm, serve } from '../http/serve.ts';
import { fileServer } from '../outbound/file-server.ts';
import { WAIT_SECONDS } from '../within.ts';
import { MAIN, ScratchFolder } from './tiercut.ts';

const KEY = 'key-of-ann-1234567';
const KEYS = { apiKeys: [{ tenant: 'ann', key: KEY }] };

/** Runs a command against a service in this process. */
async function run(base: string, ...args: string[]) {
  const env = { ...process.env, TIERCUT_URL: base, TIERCUT_KEY: KEY };
  const program = spawn(process.execPath, [MAIN, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: WAIT_SECONDS * 1000,
  });
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
