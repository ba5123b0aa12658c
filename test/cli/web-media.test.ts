import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { batchCommand } from '../../src/cli/batch/batch.ts';
import { WebMedia } from '../../src/cli/project/web-media.ts';
import { boardCommand } from '../../src/cli/render/board.ts';
import { frameCommand } from '../../src/cli/render/frame.ts';
import { planCommand } from '../../src/cli/render/plan.ts';
import { renderCommand } from '../../src/cli/render/render.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { probe } from '../../src/engine/probe/probe-media.ts';
import { ExportError } from '../../src/errors.ts';
import { readImageHeader } from '../../src/image-header/read-image-header.ts';
import { makeClip } from '../fixtures/clips.ts';
import { fileServer } from '../outbound/file-server.ts';
import { facts } from '../request-builder.ts';
import { uncancelled } from '../uncancelled.ts';
import { HeardTerminal, ScratchFolder } from './tiercut.ts';

const CLIP = await makeClip({ frames: 15, width: 64, height: 64, sound: { seconds: 0.5 } });
const SUBTITLES = '1\n00:00:00,000 --> 00:00:00,400\nFrom the web\n';

/** Every address of the server is allowed, and fetched files go into a folder of the test. */
function setUp(t: TestContext, more: Readonly<Record<string, string>> = {}): ScratchFolder {
  const folder = new ScratchFolder();
  const variables = { TIERCUT_PRIVATE_ADDRESSES: 'on', TMPDIR: folder.path, ...more };
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  t.after(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    folder[Symbol.dispose]();
  });
  return folder;
}

const serving: RequestListener = ({ url, headers }, response) => {
  if (url === '/gone') response.writeHead(404).end();
  else if (headers['if-none-match'] === '"1"') response.writeHead(304).end();
  else response.writeHead(200, { etag: '"1"' }).end(url === '/subtitles' ? SUBTITLES : readFileSync(CLIP.file));
};

function project(media: Readonly<Record<string, string>>, timeline: object = {}): object {
  return {
    tier_list: { title: 'Small', rows: [], items: [] },
    timeline_data: { videos: [{ file_field: 'clip', duration: 0.5 }], ...timeline },
    settings: { width: 160, height: 90, quality: 'draft' },
    media,
  };
}

async function faultOf(work: Promise<unknown>): Promise<ExportError> {
  const error = await work.then(
    () => assert.fail('it was taken'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ExportError)) throw error;
  return error;
}

test('[C66] plan, frame, board and render fetch the URLs of the project or of --media-url, and leave no files', async (t) => {
  const folder = setUp(t);
  await using server = await fileServer(serving);
  const named = `clip=${server.base}/clip?signature=a=b`;
  const byProject = folder.file('project.json', project({ clip: `${server.base}/clip` }));
  const byOption = folder.file('option.json', project({}));
  const reported: string[] = [];
  for (const args of [[byProject], [byOption, '--media-url', named]]) {
    const terminal = new HeardTerminal();
    assert.equal(await planCommand(args, terminal), 0);
    reported.push(terminal.said.join('\n'));
  }
  assert.match(reported[0]!, /video #0 \[0, 15\)/);
  assert.equal(reported[0], reported[1]);
  const picture = folder.in('frame.png');
  assert.equal(await frameCommand([byProject, '--at', '0.2', '-o', picture], new HeardTerminal()), 0);
  assert.equal(readImageHeader(readFileSync(picture)).width, 160);
  const video = folder.in('video.mp4');
  assert.equal(await renderCommand([byOption, '-o', video, '--media-url', named], new HeardTerminal()), 0);
  assert.equal((await probe(video, DEFAULT_MEDIA_LIMITS)).video?.frames, 15);
  const withBoard = folder.file('board.json', project({}, { tier_blocks: [{ start: 0, duration: 0.5 }] }));
  const board = folder.in('board.png');
  assert.equal(await boardCommand([withBoard, '-o', board, '--media-url', named], new HeardTerminal()), 0);
  assert.deepEqual(
    readdirSync(folder.path).filter((name) => name.startsWith('tiercut-')),
    [],
  );
  assert.deepEqual(
    server.asked.map(({ path }) => path),
    ['/clip', '/clip?signature=a=b', '/clip', '/clip?signature=a=b', '/clip?signature=a=b'],
  );
});

test('[C66] --media-url takes precedence over a path, subtitles can be fetched too, and facts need no network', async (t) => {
  const folder = setUp(t);
  await using server = await fileServer(serving);
  const media = { clip: 'nowhere.mp4', subs: `${server.base}/subtitles` };
  const file = folder.file('project.json', project(media, { subtitle_files: [{ file_field: 'subs' }] }));
  const terminal = new HeardTerminal();
  await planCommand([file, '--media-url', `clip=${server.base}/clip`], terminal);
  assert.match(terminal.said.join('\n'), /"From the web"/);
  assert.equal(server.asked.length, 2);
  const away = folder.file('away.json', project({ clip: `${server.base}/clip` }));
  const known = folder.file('facts.json', { clip: facts('clip') });
  assert.equal(await planCommand([away, '--facts', known], terminal), 0);
  assert.equal(server.asked.length, 2);
});

test('[C66, C32] errors of URLs are reported for each field, and no files are left', async (t) => {
  const folder = setUp(t, { TIERCUT_MAX_FILE_BYTES: '1000' });
  await using server = await fileServer(serving);
  const timeline = { subtitle_files: [{ file_field: 'subs' }] };
  const file = folder.file(
    'project.json',
    project({ clip: `${server.base}/clip`, subs: `${server.base}/gone` }, timeline),
  );
  const failed = await faultOf(planCommand([file], new HeardTerminal()));
  assert.deepEqual(failed.issues.map(({ path, code }) => `${path} ${code}`).toSorted(), [
    '/media/clip fetch.too_large',
    '/media/subs fetch.failed',
  ]);
  const odd = folder.file(
    'odd.json',
    project({ clip: 'ftp://example.com/clip', subs: 'https://a:b@example.com/' }, timeline),
  );
  const refused = await faultOf(planCommand([odd], new HeardTerminal()));
  assert.deepEqual(
    refused.issues.map(({ path, code }) => `${path} ${code}`),
    ['/media/clip fetch.address', '/media/subs fetch.address'],
  );
  for (const wrong of ['clip', '=https://example.com', 'clip=']) {
    const usage = await faultOf(planCommand([file, '--media-url', wrong], new HeardTerminal()));
    assert.match(`${usage.code} ${usage.message}`, /^cli\.usage --media-url must be FIELD=URL, not "/);
  }
  const twice = ['--media-url', 'a=https://example.com/1', '--media-url', 'a=https://example.com/2'];
  assert.match((await faultOf(planCommand([file, ...twice], new HeardTerminal()))).message, /names "a" twice/);
  process.env.TIERCUT_PRIVATE_ADDRESSES = 'off';
  const before = server.asked.length;
  const inside = folder.file('inside.json', project({ clip: `https://127.0.0.1:${server.port}/clip` }));
  assert.equal((await faultOf(planCommand([inside], new HeardTerminal()))).code, 'fetch.address');
  assert.equal(server.asked.length, before);
  assert.deepEqual(
    readdirSync(folder.path).filter((name) => name.startsWith('tiercut-')),
    [],
  );
});

test('[C66] watch revalidates fetched files, and downloads only those that changed', async (t) => {
  const folder = setUp(t);
  let [etag, content] = ['"1"', 'first'];
  await using server = await fileServer(({ headers }, response) => {
    if (headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag }).end(content);
  });
  const addresses = new Map([
    ['a', `${server.base}/same`],
    ['b', `${server.base}/same`],
  ]);
  {
    await using web = new WebMedia('watch', [], new HeardTerminal().status);
    const first = await web.fetch(addresses, uncancelled);
    assert.deepEqual([server.asked.length, first.get('a')], [1, first.get('b')]);
    assert.deepEqual(await web.fetch(addresses, uncancelled), first);
    [etag, content] = ['"2"', 'second'];
    const second = await web.fetch(addresses, uncancelled);
    assert.equal(readFileSync(second.get('a')!, 'utf8'), 'second');
    assert.equal(readdirSync(folder.in(readdirSync(folder.path)[0]!)).length, 1, 'the first one is gone');
  }
  assert.deepEqual(readdirSync(folder.path), []);
});

test('[C85] tiercut batch --media-url names the medium of rows without their own, and fetches it once', async (t) => {
  const folder = setUp(t);
  await using server = await fileServer(serving);
  const { base, asked } = server;
  const template = project({}, { subtitles: [{ text: '{{title}}', start: 0, duration: 0.2 }] });
  const fields = { title: { type: 'text' }, clip: { type: 'media', kind: 'video', default: 'lost.mp4' } };
  folder.file('batch.json', { ...template, fields });
  folder.file('rows.csv', `title,clip\none,\ntwo,\nthree,${base}/own\n`);
  const given = [folder.in('batch.json'), folder.in('rows.csv'), '-o', folder.in('out/{{title}}-{{row}}.png')];
  const terminal = new HeardTerminal();
  const code = await batchCommand([...given, '--frame', '3', '--media-url', `clip=${base}/all`], terminal);
  assert.equal(code, 0, terminal.said.join('\n'));
  assert.deepEqual(asked.map(({ path }) => path).toSorted(), ['/all', '/own']);
  assert.equal(readdirSync(folder.in('out')).length, 3);
});
