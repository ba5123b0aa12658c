import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { EXAMPLE_REQUEST } from '../../src/http/openapi/form-body.ts';
import { ExportsFixture } from '../exports/exports-fixture.ts';
import { serve, serveExports } from '../http/serve.ts';
import { reached } from '../service/export-client.ts';
import { type AgentStart, CLIP, call, foldersOfPerson, isStored, SECRETS, startAgent } from './agent.ts';
import { ScratchFolder, tiercut } from './tiercut.ts';

const KEY = 'key-of-ann-1234567';
const HEADERS = { 'x-api-key': KEY };
const HELLO = { tier_list: {}, timeline_data: { subtitles: [{ text: 'Hello', start: 0, duration: 1 }] } };
const KEYS = { apiKeys: [{ tenant: 'ann', key: KEY }] };

/** An agent of a test, which ends with it. */
async function agent(t: TestContext, base: string, start: Omit<AgentStart, 'base' | 'key'> = {}): Promise<Client> {
  const client = await startAgent({ base, key: KEY, ...start });
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
  const client = await agent(t, service.base, { allow: [folder.path] });
  const { tools } = await client.listTools();
  assert.equal(tools.length, 12);
  const use = (name: string, args: Record<string, unknown>) => call(client, name, args);
  const wrong = await use('validate', { tier_list, timeline_data, settings: { fps: 1000 } });
  assert.ok(wrong.isError);
  assert.ok(wrong.shown.errors.some(({ path }: { path: string }) => path === '/settings/fps'));
  assert.equal((await use('validate', { file })).shown.ok, true);
  const sent = await use('upload', { from: join(folder.path, Object.values(media)[0]!) });
  assert.match(sent.shown.media, /^sha256:[0-9a-f]{64}$/, JSON.stringify(sent.shown));
  assert.ok(await isStored(service.base, HEADERS, `picture ${Object.values(media)[0]}`));
  const made = await use('render', { file, external_id: 'from an agent' });
  const out = join(folder.path, 'out.mp4');
  const followed = await use('follow', { export_id: made.shown.export_id, save_to: out });
  assert.equal(followed.shown.state, 'completed', JSON.stringify(followed.shown));
  assert.equal(readFileSync(out, 'utf8'), 'a video');
  const listed = await use('list', { external_id: 'from an agent' });
  assert.deepEqual(
    listed.shown.exports.map(({ export_id }: { export_id: string }) => export_id),
    [made.shown.export_id],
  );
  assert.ok((await use('follow', { export_id: 'no such' })).isError);
});

test('[H54] the hints of a tool say what it does', async (t) => {
  const { base } = await serve(t, KEYS);
  const client = await agent(t, base);
  const { tools } = await client.listTools();
  const reads = { readOnlyHint: true, openWorldHint: false };
  const uploads = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true };
  assert.deepEqual(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations])), {
    validate: uploads,
    frame: uploads,
    render: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    follow: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    cancel: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    list: reads,
    captions: uploads,
    upload: uploads,
    list_templates: reads,
    describe_template: reads,
    export_template: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    docs: reads,
  });
});

test('[H54] a project file cannot name files outside its folder', async (t) => {
  const fetchRules = { allowPrivate: false, idleMs: 1000, totalMs: 2000 };
  const { base } = await serve(t, KEYS, { fetchRules });
  using folder = new ScratchFolder();
  const { at, projectOf, outside } = foldersOfPerson(folder);
  const client = await agent(t, base, { cwd: at('home', 'work'), home: at('home') });
  for (const where of outside) {
    for (const tool of ['validate', 'frame', 'render']) {
      const { isError, shown } = await call(client, tool, {
        file: projectOf(where),
        ...(tool === 'frame' && { at: 0 }),
      });
      assert.ok(isError, `${tool} ${where}`);
      assert.equal(shown.code, 'mcp.not_allowed', JSON.stringify(shown));
      assert.ok(shown.detail.startsWith(JSON.stringify(where.slice(0, 60)).slice(0, -1)), shown.detail);
      assert.match(shown.detail, /--allow DIR/);
      assert.equal(shown.errors[0].path, '/media/clip');
    }
  }
  // Inline media of a call follow the same rule; they are relative to the working folder.
  for (const where of ['../taxes.pdf', '/etc/passwd', at('pictures', 'b.png')]) {
    const { shown } = await call(client, 'validate', { tier_list: {}, timeline_data: CLIP, media: { clip: where } });
    assert.equal(shown.code, 'mcp.not_allowed', JSON.stringify(shown));
  }
  const pipe = await call(client, 'validate', { file: projectOf('media/pipe.png') });
  assert.deepEqual([pipe.shown.code, /is no regular file/.test(pipe.shown.detail)], ['project.unreadable', true]);
  // The service fetches addresses under its own rules: none of a file, none of the local network.
  for (const where of [
    'file:///etc/passwd',
    'http://192.168.0.1/admin',
    'https://127.0.0.1/a.png',
    'https://[::1]/a',
  ]) {
    const { isError, shown } = await call(client, 'validate', { file: projectOf(where) });
    assert.ok(isError, where);
    assert.match(shown.errors[0].code, /^fetch\./, JSON.stringify(shown));
  }
  for (const secret of [...SECRETS, readFileSync('/etc/passwd', 'utf8')]) {
    assert.equal(await isStored(base, HEADERS, secret), false, secret.slice(0, 20));
  }
  for (const where of ['media/a.png', 'good-link.png', at('home', 'project', 'media', 'a.png')]) {
    const { isError, shown } = await call(client, 'render', { file: projectOf(where) });
    assert.equal(isError, false, JSON.stringify(shown));
  }
  assert.equal(await isStored(base, HEADERS, 'a picture'), true, 'what is below the folder is uploaded');
});

test('[H54] only a project file opens its folder, and no folder that contains the home folder', async (t) => {
  const { base } = await serve(t, KEYS);
  using folder = new ScratchFolder();
  const { at, projectOf } = foldersOfPerson(folder);
  const client = await agent(t, base, { cwd: at('home', 'work'), home: at('home') });
  writeFileSync(at('home', 'project', 'package.json'), JSON.stringify({ name: 'SECRET NAME' }));
  const media = { clip: 'media/a.png' };
  const other = await call(client, 'validate', {
    file: at('home', 'project', 'package.json'),
    timeline_data: CLIP,
    media,
  });
  assert.equal(other.shown.code, 'project.not_an_object');
  assert.doesNotMatch(JSON.stringify(other.shown), /SECRET/);
  for (const [file, code] of [
    [at('home', '.ssh', 'id_rsa'), 'project.not_an_object'],
    ['/dev/zero', 'project.unreadable'],
    [at('home', 'project', 'media', 'pipe.png'), 'project.unreadable'],
    [at('home', 'project'), 'project.unreadable'],
    [at('home', 'no-such.json'), 'project.unreadable'],
  ] as const) {
    const { shown } = await call(client, 'validate', { file });
    assert.equal(shown.code, code, JSON.stringify(shown));
    assert.doesNotMatch(JSON.stringify(shown), /SECRET/);
  }
  renameSync(projectOf('taxes.pdf'), at('home', 'project.json'));
  const wide = await call(client, 'validate', { file: at('home', 'project.json') });
  assert.equal(wide.shown.code, 'mcp.not_allowed', JSON.stringify(wide.shown));
  // Nor does the working folder count if it contains the home folder, as that of a desktop program does.
  const desktop = await agent(t, base, { cwd: at(), home: at('home') });
  const read = await call(desktop, 'validate', { timeline_data: CLIP, media: { clip: 'home/taxes.pdf' } });
  assert.equal(read.shown.code, 'mcp.not_allowed', JSON.stringify(read.shown));
  assert.equal(await isStored(base, HEADERS, 'SECRET TAXES'), false);
});

test('[H54] --allow opens a folder, without what is hidden in it', async (t) => {
  const { base } = await serve(t, KEYS);
  using folder = new ScratchFolder();
  const { at, projectOf } = foldersOfPerson(folder);
  const start = { cwd: at('home', 'work'), home: at('home') };
  const client = await agent(t, base, { ...start, allow: [at('pictures'), at('home', 'work')] });
  const allowed = await call(client, 'render', { file: projectOf('../../pictures/b.png') });
  assert.equal(allowed.isError, false, JSON.stringify(allowed.shown));
  assert.equal(await isStored(base, HEADERS, 'another picture'), true);
  const hidden = await call(client, 'render', { file: projectOf(at('pictures', '.keys', 'c.png')) });
  assert.equal(hidden.shown.code, 'mcp.not_allowed');
  const named = await agent(t, base, { ...start, allow: [at('pictures', '.keys')] });
  assert.equal((await call(named, 'render', { file: projectOf('../../pictures/.keys/c.png') })).isError, false);
  const wrong = tiercut('mcp', '--allow', at('no-such'), '--allow', at('home', 'taxes.pdf'));
  assert.equal(wrong.status, 2);
  assert.equal(wrong.stderr.match(/--allow must be a folder that exists, not "/g)?.length, 2, wrong.stderr);
});

test('[H54] follow writes only a new MP4 file in an allowed folder, and replaces one only on request', async (t) => {
  const service = await serve(t, KEYS);
  service.exports.renderWith = Buffer.from('a video');
  using folder = new ScratchFolder();
  const { at, projectOf } = foldersOfPerson(folder);
  const client = await agent(t, service.base, { cwd: at('home', 'work'), home: at('home'), allow: [at('pictures')] });
  const { shown: made } = await call(client, 'render', { file: projectOf('media/a.png') });
  const save = (save_to: string, more: object = {}) =>
    call(client, 'follow', { export_id: made.export_id, save_to, ...more });
  symlinkSync(at('home', '.ssh'), at('home', 'work', 'keys'));
  symlinkSync(at('home', 'taxes.pdf'), at('home', 'work', 'link.mp4'));
  for (const where of [
    at('home', '.ssh', 'authorized_keys'),
    '../out.mp4',
    '/etc/out.mp4',
    'keys/out.mp4',
    '.out.mp4',
  ]) {
    for (const overwrite of [false, true]) {
      const { isError, shown } = await save(where, { overwrite });
      assert.ok(isError, where);
      assert.equal(shown.code, 'mcp.not_allowed', JSON.stringify(shown));
    }
  }
  assert.match((await save('Makefile')).shown.detail, /must end in \.mp4, not "Makefile"/);
  const linked = await save('link.mp4', { overwrite: true });
  assert.equal(linked.shown.code, 'mcp.exists', JSON.stringify(linked.shown));
  assert.equal((await save('out.mp4')).isError, false);
  assert.equal(readFileSync(at('home', 'work', 'out.mp4'), 'utf8'), 'a video');
  assert.equal((await save(at('pictures', 'out.mp4'))).isError, false);
  writeFileSync(at('home', 'work', 'out.mp4'), 'of the person');
  const there = await save('out.mp4');
  assert.equal(there.shown.code, 'mcp.exists');
  assert.match(there.shown.detail, /"out\.mp4" exists.*overwrite/);
  assert.equal(readFileSync(at('home', 'work', 'out.mp4'), 'utf8'), 'of the person');
  assert.equal((await save('out.mp4', { overwrite: true })).isError, false);
  assert.equal(readFileSync(at('home', 'work', 'out.mp4'), 'utf8'), 'a video');
  assert.equal(readFileSync(at('home', 'taxes.pdf'), 'utf8'), 'SECRET TAXES');
  assert.deepEqual(readdirSync(at('home', 'work')).sort(), ['keys', 'link.mp4', 'out.mp4'], 'nothing is left behind');
});

test('[C75] a cancellation is heard while as many calls run as may, and while others wait', async (t) => {
  const service = await serve(t, KEYS);
  const client = await agent(t, service.base, {});
  const made = await call(client, 'render', HELLO);
  const args = { export_id: made.shown.export_id };
  const leaving = new AbortController();
  const all = Array.from({ length: 40 }, () =>
    client.callTool({ name: 'follow', arguments: args }, undefined, { signal: leaving.signal }).catch(String),
  );
  await reached('32 calls', () => service.exports.followers >= 32);
  leaving.abort();
  await Promise.all(all);
  await reached('the end of all calls', () => service.exports.followers === 0);
  assert.equal((await call(client, 'list', {})).shown.exports.length, 1, 'it answers');
});
