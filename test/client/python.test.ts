import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { PYTHON_TYPES, PYTHON_TYPES_COMMAND, pythonTypes } from '../../build/python-types.ts';
import { ScratchFolder } from '../cli/tiercut.ts';
import { fileServer } from '../outbound/file-server.ts';
import { CLIP, PICTURE } from '../service/sample-request.ts';
import { ServiceFixture } from '../service/service-fixture.ts';
import { WAIT_SECONDS } from '../within.ts';

const PACKAGE = join(import.meta.dirname, '..', '..', 'packages', 'python');
const EXAMPLES = [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/^```python\n(.*?)^```$/gms)].map(
  ([, code]) => code!,
);

/** What each example prints. */
const PRINTED: readonly RegExp[] = [
  /^100%\nthere it is$/m,
  /^video 128 72\n\['Better\.mp4', 'Good\.mp4'\]$/m,
  /^frame 45 of 60$/m,
  /^completed\n\/settings\/fps field\.range fps must be a number from 1 to 60, not 1000\.$/m,
  /^412 request\.precondition\nSnacks, ranked 1$/m,
  /^batch\.completed 4 made, 1 failed\nLate fetch\.\w+\nbatch\.completed 5 made\n$/,
];

const version = spawnSync('python3', ['-c', 'import sys; print(*sys.version_info[:2])'], { encoding: 'utf8' });
const [major = 0, minor = 0] = (version.stdout ?? '').split(' ').map(Number);
const skip = (version.status !== 0 || major < 3 || minor < 11) && 'there is no Python 3.11 here';

const SECRET = `whsec_${Buffer.from('the secret of the README').toString('base64')}`;
const folder = new ScratchFolder();
let service: ServiceFixture;
before(async () => {
  if (skip) return;
  copyFileSync(CLIP.file, join(folder.path, 'clip.mp4'));
  copyFileSync(PICTURE.file, join(folder.path, 'chips.png'));
  service = await ServiceFixture.start({
    TIERCUT_PRERENDER: 'selected',
    TIERCUT_PRIVATE_ADDRESSES: 'on',
    TIERCUT_MAX_DRAFTS: '1',
    TIERCUT_WEBHOOK_SECRET: SECRET,
  });
});
after(async () => {
  if (!skip) await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test('the generated part of the Python client is current', () => {
  // Without the two texts in the message: each has 50 kB.
  assert.ok(readFileSync(PYTHON_TYPES, 'utf8') === pythonTypes(), `run "${PYTHON_TYPES_COMMAND}"`);
});

/** The output of a program that must succeed. */
async function printed(args: readonly string[]): Promise<string> {
  const program = spawn('python3', args, {
    cwd: folder.path,
    env: { ...process.env, PYTHONPATH: PACKAGE, WEBHOOK_SECRET: SECRET },
    timeout: WAIT_SECONDS * 1000,
  });
  const ended = new Promise<number | null>((resolve) => program.once('close', resolve));
  const [out, errors, status] = await Promise.all([text(program.stdout), text(program.stderr), ended]);
  assert.equal(status, 0, errors);
  return out;
}

test('[C27, C73] a short program uploads, creates, follows, downloads three files, gets an error and cancels', {
  skip,
}, async () => {
  const out = await printed([join(import.meta.dirname, 'program.py'), service.base, 'clip.mp4']);
  assert.deepEqual(out.trim().split('\n'), [
    'uploaded video',
    'completed',
    ...['landscape.mp4', 'portrait.mp4', 'square.mp4'],
    '/settings/fps field.range',
    '/media_urls/clip fetch.address',
    'languages: []',
    'enough',
    'export.unknown',
    'progress: True 1',
    'True ffd8',
    "['followed'] True False",
    "pauses: [{'start': 0, 'end': 3}] none",
    'exports today: 3',
  ]);
  for (const name of ['landscape', 'portrait', 'square']) {
    assert.equal(
      readFileSync(join(folder.path, `${name}.mp4`))
        .subarray(4, 8)
        .toString(),
      'ftyp',
    );
  }
});

test('[C27, C38, C84, C93] a program calls every other method of the Python client', { skip }, async () => {
  await using receiver = await fileServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  const files = ['clip.mp4', 'chips.png', `${receiver.base}/hook`];
  const out = await printed([join(import.meta.dirname, 'every_method.py'), service.base, ...files]);
  const parts = ['media', 'project', 'events', 'links', 'batch', 'service', 'captions'];
  assert.deepEqual(out.trim().split('\n'), parts);
  assert.ok(receiver.asked.length > 0);
});

const VIDEO = 'a video of thirty characters..';
const TAG = `"${createHash('sha256').update(VIDEO).digest('hex')}"`;

function downloading(base: string, key = ''): readonly string[] {
  return ['-c', `import tiercut; tiercut.Client('${base}', ${key}).download('id', 'downloaded.mp4', 'portrait')`];
}

test('[C27] an object store that a download is redirected to does not get the key', { skip }, async () => {
  await using store = await fileServer((_, response) => response.end(VIDEO));
  await using redirecting = await fileServer(({ method }, response) => {
    if (method === 'HEAD') response.writeHead(200, { etag: TAG }).end();
    else response.writeHead(302, { location: `${store.base}/video` }).end();
  });
  await printed(downloading(redirecting.base, "key='secret'"));
  assert.equal(readFileSync(join(folder.path, 'downloaded.mp4'), 'utf8'), VIDEO);
  assert.equal(redirecting.asked[0]?.headers.authorization, 'Bearer secret');
  assert.equal(store.asked[0]?.headers.authorization, undefined);
});

test('[C27] a download continues after a broken connection, and its bytes are compared with the hash', {
  skip,
}, async () => {
  let rest = VIDEO.slice(10);
  await using breaking = await fileServer(({ headers }, response) => {
    if (headers.range === 'bytes=10-') return void response.writeHead(206, { 'content-length': 20 }).end(rest);
    response.writeHead(200, { etag: TAG, 'content-length': VIDEO.length });
    response.write(VIDEO.slice(0, 10), () => response.destroy());
  });
  await printed(downloading(breaking.base));
  assert.equal(readFileSync(join(folder.path, 'downloaded.mp4'), 'utf8'), VIDEO);
  assert.equal(breaking.asked[1]?.headers['if-range'], TAG);
  rmSync(join(folder.path, 'downloaded.mp4'));
  rest = rest.replace('r', 'R');
  await assert.rejects(printed(downloading(breaking.base)), /do not match the SHA-256/);
  assert.ok(!readdirSync(folder.path).some((name) => name.startsWith('downloaded')));
});

test('[C27] a create waits for room in the queue; what would take effect twice is sent once', { skip }, async () => {
  let creates = 0;
  await using busy = await fileServer(({ url }, response) => {
    if (url !== '/video/exports') return void response.writeHead(503).end();
    creates += 1;
    if (creates === 2) return void response.writeHead(202).end('{"export_id":"made"}');
    response.writeHead(429, { 'retry-after': '1' }).end('{"code":"queue.full","detail":"Full."}');
  });
  const calls = ['c.create({}, {}, room_within=0)', "c.resend('e')", "c.redeliver('x')", "c.share_project('p')"];
  const tried = calls.map((call) => `try: ${call}\nexcept tiercut.TiercutError as error: print(error.status)`);
  const begin = [`import tiercut\nc = tiercut.Client('${busy.base}')`, "print(c.create({}, {})['export_id'])"];
  const out = await printed(['-c', [...begin, ...tried].join('\n')]);
  assert.deepEqual(out.trim().split('\n'), ['made', '429', '503', '503', '503']);
  assert.equal(busy.asked.length, 6);
});

test('the examples of the Python client do what its README says', { skip }, async () => {
  assert.equal(EXAMPLES.length, PRINTED.length);
  for (const [n, example] of EXAMPLES.entries()) {
    const code = example.replaceAll('http://127.0.0.1:8080', service.base);
    assert.match(await printed(['-c', code]), PRINTED[n]!);
  }
  for (const video of ['snacks', 'Chips', 'Nuts', 'Rye', 'Oats', 'Late'])
    assert.equal(readFileSync(join(folder.path, `${video}.mp4`)).toString('latin1', 4, 8), 'ftyp', video);
  assert.equal(readFileSync(join(folder.path, 'project.zip')).subarray(0, 2).toString(), 'PK');
});

const METHODS = [
  ...readFileSync(join(PACKAGE, 'tiercut', 'client.py'), 'utf8').matchAll(/^ {4}def ([a-z]\w*)\(\s*self/gm),
].map(([, name]) => name!);

/** For browsers, players, operators and generators. */
const NOT_FOR_PROGRAMS =
  /^HEAD |\/hls\/|^\w+ \/session$|\/shared\/.*\/thumbnail$|^GET \/($|studio|docs|healthz|readyz|metrics|llms|openapi|schemas)/;

test('the Python client has every operation that is for programs', () => {
  const source = ['client', 'transfer'].map((name) => readFileSync(join(PACKAGE, 'tiercut', `${name}.py`), 'utf8'));
  const operations = [...readFileSync(PYTHON_TYPES, 'utf8').matchAll(/^ {4}"(\w+)": \("(\w+)", "(.+)"\),$/gm)];
  assert.ok(operations.length > 50);
  const missing = operations.filter(
    ([, name, method, path]) => !NOT_FOR_PROGRAMS.test(`${method} ${path}`) && !source.join().includes(`"${name}"`),
  );
  assert.deepEqual(
    missing.map(([, name]) => name),
    [],
  );
});

test('a test calls every method of the Python client', () => {
  const programs = ['program.py', 'every_method.py'].map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  );
  const calls = [...programs, ...EXAMPLES].join('');
  assert.deepEqual(
    METHODS.filter((name) => !calls.includes(`client.${name}(`) && !calls.includes(`listening.${name}(`)),
    [],
  );
});

test('the README names every method of the Python client', () => {
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
  assert.ok(METHODS.includes('create'));
  const missing = METHODS.filter((name) => !readme.includes(`\`${name}(`));
  assert.deepEqual(missing, []);
});
