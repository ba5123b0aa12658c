import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { writeZip } from '../../src/archive/zip-file.ts';
import { type Service, serve } from '../http/serve.ts';
import { CLIP, PICTURE, TIER_LIST, TIMELINE } from '../service/sample-request.ts';
import { WAIT_SECONDS } from '../within.ts';
import { MAIN, ScratchFolder } from './tiercut.ts';

const KEYS = [
  { tenant: 'ann', key: 'key-of-ann-1234567' },
  { tenant: 'con', key: 'key-of-bob-1234567' },
];

function start(base: string, args: readonly string[], key = KEYS[0]!.key) {
  const keys = KEYS.map((one) => `${one.tenant}:${one.key}`).join(',');
  const env = { ...process.env, TIERCUT_URL: base, TIERCUT_KEY: key, TIERCUT_API_KEYS: keys };
  return spawn(process.execPath, [MAIN, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: WAIT_SECONDS * 1000,
  });
}

async function run(base: string, ...args: string[]) {
  const program = start(base, args);
  const ended = once(program, 'close') as Promise<[number | null]>;
  const [stdout, stderr, [status]] = await Promise.all([text(program.stdout), text(program.stderr), ended]);
  return { status, stdout: stdout.trim(), stderr };
}

function send(
  { base }: Service,
  method: string,
  path: string,
  body?: Buffer | string,
  headers: Record<string, string> = {},
  tenant = 0,
) {
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) };
  return fetch(`${base}${path}`, { method, headers: { 'x-api-key': KEYS[tenant]!.key, ...headers }, ...sent });
}

async function save(service: Service, id: string, project: string, tenant = 0): Promise<void> {
  const known = await send(service, 'HEAD', `/projects/${id}`, undefined, {}, tenant);
  const headers: Record<string, string> = known.ok ? { 'if-match': known.headers.get('etag')! } : {};
  const reply = await send(service, 'PUT', `/projects/${id}`, project, headers, tenant);
  assert.ok(reply.ok, await reply.clone().text());
}

async function revisionsOf(service: Service, id: string): Promise<string[]> {
  const reply = await send(service, 'GET', `/projects/${id}/revisions`);
  if (!reply.ok) return [];
  const { revisions } = (await reply.json()) as { revisions: { revision: number }[] };
  const texts = revisions.toReversed().map(async ({ revision }) => {
    return (await send(service, 'GET', `/projects/${id}/revisions/${revision}`)).text();
  });
  return Promise.all(texts);
}

async function linksOf(service: Service, id: string): Promise<number> {
  const { links } = (await (await send(service, 'GET', `/projects/${id}/links`)).json()) as { links: unknown[] };
  return links.length;
}

function sum(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function keyed(t: TestContext): Promise<Service> {
  return serve(t, { apiKeys: KEYS });
}

const [clip, picture] = [readFileSync(CLIP.file), readFileSync(PICTURE.file)];
const REVISIONS = ['First', 'Second', 'Third'].map((name) => {
  const media_refs = { clip: sum(clip), picture: sum(picture) };
  return JSON.stringify({ name, tier_list: TIER_LIST, timeline_data: TIMELINE, media_refs }, null, name.length);
});

/** A service on which ann has a project with three revisions, two media, a thumbnail and a link. */
async function withProject(t: TestContext): Promise<{ readonly service: Service; readonly id: string }> {
  const service = await keyed(t);
  for (const bytes of [clip, picture]) await send(service, 'PUT', `/media/${sum(bytes)}`, bytes);
  const id = randomUUID();
  for (const revision of REVISIONS) await save(service, id, revision);
  const thumbnail = await send(service, 'PUT', `/projects/${id}/thumbnail`, picture, { 'content-type': 'image/png' });
  assert.ok(thumbnail.ok);
  await send(service, 'POST', `/projects/${id}/links`);
  return { service, id };
}

test('[C89] projects of one service are exported, planned, and imported into another, once', async (t) => {
  const { service, id } = await withProject(t);
  using folder = new ScratchFolder();
  const place = join(folder.path, 'backup');
  const written = await run(service.base, 'projects', 'export', place);
  assert.deepEqual([written.status, written.stdout], [0, `${id}  Third\n1 project is in ${place}.`], written.stderr);
  const project = join(place, id);
  assert.deepEqual(readdirSync(project).toSorted(), [
    'archive.json',
    'media',
    'project.json',
    'revisions',
    'thumbnail.png',
  ]);
  const plan = await run(service.base, 'plan', join(project, 'project.json'));
  assert.equal(plan.status, 0, plan.stderr);

  const before = readFileSync(join(project, 'archive.json'));
  rmSync(join(project, 'media', sum(clip)));
  assert.equal((await run(service.base, 'projects', 'export', place)).status, 0);
  assert.deepEqual(readFileSync(join(project, 'media', sum(clip))), clip, 'a lost file is fetched again');
  assert.deepEqual(readFileSync(join(project, 'archive.json')), before);

  const other = await keyed(t);
  const first = await run(other.base, 'projects', 'import', place);
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stdout, new RegExp(`^${id} {2}Third\\n {2}new link: ${other.base}/shared/\\S+$`));
  const link = first.stdout.split(' ').at(-1)!;
  assert.equal(((await (await fetch(link)).json()) as { name: string }).name, 'Third');
  const again = await run(other.base, 'projects', 'import', place);
  assert.deepEqual([again.status, again.stdout], [0, `${id}  Third; already there`], again.stderr);
  const origin = await run(service.base, 'projects', 'import', place);
  assert.equal(origin.stdout, `${id}  Third; already there`, 'on the service that it is from');
  for (const one of [other, service]) {
    assert.deepEqual(await revisionsOf(one, id), REVISIONS);
    assert.equal(await linksOf(one, id), 1);
    const media = await send(one, 'GET', `/media/${sum(clip)}`);
    assert.deepEqual(Buffer.from(await media.arrayBuffer()), clip);
    assert.ok((await send(one, 'GET', `/projects/${id}/thumbnail`)).ok);
  }
});

test('[C89] an id that another project has is left to it, and a repeated import finds the new one', async (t) => {
  const { service, id } = await withProject(t);
  using folder = new ScratchFolder();
  await run(service.base, 'projects', 'export', folder.path);
  const other = await keyed(t);
  await save(other, id, '{"name":"Mine"}');
  const first = await run(other.base, 'projects', 'import', folder.path);
  const second = await run(other.base, 'projects', 'import', folder.path);
  assert.match(first.stdout, new RegExp(`^\\S+ {2}Third; the id ${id} has another project`), first.stderr);
  const made = first.stdout.split(' ')[0]!;
  assert.equal(second.stdout, `${made}  Third; already there; the id ${id} has another project`);
  assert.deepEqual(await revisionsOf(other, made), REVISIONS);
  assert.deepEqual(await revisionsOf(other, id), ['{"name":"Mine"}']);
});

test('[C89] an import or export that is killed is completed by the next one', async (t) => {
  const service = await keyed(t);
  const ids = Array.from({ length: 6 }, () => randomUUID());
  for (const id of ids) for (const n of [1, 2]) await save(service, id, JSON.stringify({ name: `${id} ${n}` }));
  using folder = new ScratchFolder();
  const killed = async (base: string, action: string, lines: number) => {
    const program = start(base, ['projects', action, folder.path]);
    let [seen, output] = [0, ''];
    program.stdout.on('data', (bytes: Buffer) => {
      output += bytes;
      seen = output.split('\n').length - 1;
      if (seen >= lines) program.kill('SIGKILL');
    });
    await once(program, 'close');
    assert.ok(seen < ids.length, `${seen}`);
  };
  await killed(service.base, 'export', 2);
  const exported = await run(service.base, 'projects', 'export', folder.path);
  assert.match(exported.stdout, /6 projects are in/);
  assert.deepEqual(readdirSync(folder.path).toSorted(), ids.toSorted(), 'nothing unfinished is left');

  const other = await keyed(t);
  // The first project was interrupted between its revisions.
  await save(other, ids.toSorted()[0]!, JSON.stringify({ name: `${ids.toSorted()[0]} 1` }));
  await killed(other.base, 'import', 2);
  assert.equal((await run(other.base, 'projects', 'import', folder.path)).status, 0);
  for (const id of ids) assert.equal((await revisionsOf(other, id)).length, 2);
  const { projects } = (await (await send(other, 'GET', '/projects')).json()) as { projects: unknown[] };
  assert.equal(projects.length, ids.length);
});

test('[C89] --all exports and imports the projects of every tenant, each in its folder', async (t) => {
  const { service, id } = await withProject(t);
  await save(service, id, '{"name":"Of bob"}', 1);
  using folder = new ScratchFolder();
  const written = await run(service.base, 'projects', 'export', folder.path, '--all');
  assert.equal(written.status, 0, written.stderr);
  assert.deepEqual(readdirSync(folder.path).toSorted(), ['tenant-ann', 'tenant-con']);
  const other = await keyed(t);
  const read = await run(other.base, 'projects', 'import', folder.path, '--all');
  assert.equal(read.status, 0, read.stderr);
  assert.deepEqual(await revisionsOf(other, id), REVISIONS);
  const bobs = await send(other, 'GET', `/projects/${id}`, undefined, {}, 1);
  assert.equal(await bobs.text(), '{"name":"Of bob"}');
});

test('[C89] media that the service no longer has are named, and the rest is exported and imported', async (t) => {
  const service = await keyed(t);
  const id = randomUUID();
  await save(service, id, JSON.stringify({ name: 'Partly', media_refs: { a: sum('never sent') } }));
  using folder = new ScratchFolder();
  const written = await run(service.base, 'projects', 'export', folder.path);
  assert.match(written.stdout, /Partly; 1 media are missing, see MISSING\.txt/);
  assert.match(readFileSync(join(folder.path, id, 'MISSING.txt'), 'utf8'), new RegExp(sum('never sent')));
  const other = await keyed(t);
  assert.match((await run(other.base, 'projects', 'import', folder.path)).stdout, /1 media are missing in the archive/);
});

test('[C89] an archive of the service is imported as a .zip, also if another program has packed it', async (t) => {
  const { service, id } = await withProject(t);
  using folder = new ScratchFolder();
  const archive = join(folder.path, 'a.zip');
  const reply = await send(service, 'GET', `/projects/${id}/archive`);
  writeFileSync(archive, Buffer.from(await reply.arrayBuffer()));
  const other = await keyed(t);
  assert.match((await run(other.base, 'projects', 'import', archive)).stdout, new RegExp(`^${id} {2}Third`));
  assert.deepEqual(await revisionsOf(other, id), REVISIONS);
  const program = `import sys, zipfile
source, target = zipfile.ZipFile(sys.argv[1]), zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED)
[target.writestr(name, source.read(name)) for name in source.namelist()]; target.close()`;
  const packed = join(folder.path, 'packed.zip');
  if (spawnSync('python3', ['-c', program, archive, packed]).status !== 0) return t.skip('Python is not installed');
  const third = await keyed(t);
  const read = await run(third.base, 'projects', 'import', packed);
  assert.match(read.stdout, new RegExp(`^${id} {2}Third`), read.stderr);
});

test('[C89] a hostile folder or .zip is refused before anything is sent', async (t) => {
  const { service, id } = await withProject(t);
  using folder = new ScratchFolder();
  const whole = join(folder.path, 'whole');
  await run(service.base, 'projects', 'export', whole);
  const secret = join(folder.path, 'secret');
  writeFileSync(secret, clip);
  const other = await keyed(t);
  let number = 0;
  const refused = async (expected: RegExp, change: (project: string) => void | Promise<void>) => {
    number += 1;
    const place = join(folder.path, `case-${number}`);
    cpSync(join(whole, id), place, { recursive: true });
    await change(place);
    const { status, stderr } = await run(
      other.base,
      'projects',
      'import',
      existsSync(`${place}.zip`) ? `${place}.zip` : place,
    );
    assert.notEqual(status, 0);
    assert.match(stderr, expected);
    assert.match(stderr, /^archive\.invalid: /);
  };
  const edit = (project: string, change: (manifest: object) => void) => {
    const file = join(project, 'archive.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    change(manifest);
    writeFileSync(file, JSON.stringify(manifest));
  };
  const mediaOf = (manifest: object) =>
    (manifest as { media: { path: string; sha256: string; bytes: number }[] }).media;
  for (const path of [
    '../secret',
    '/etc/passwd',
    'media/../../secret',
    'media\\..\\secret',
    `media/${'a'.repeat(64)}/x`,
  ])
    await refused(/archive\.json \/media\/0\/path must be a path such as/, (project) =>
      edit(project, (manifest) => {
        mediaOf(manifest)[0]!.path = path;
      }),
    );
  const medium = (project: string) => join(project, 'media', sum(clip));
  await refused(/is a link\./, (project) => {
    rmSync(medium(project));
    symlinkSync(secret, medium(project));
  });
  await refused(/"[^"]*media" is not a folder\./, (project) => {
    renameSync(join(project, 'media'), join(folder.path, `media-${number}`));
    symlinkSync(join(folder.path, `media-${number}`), join(project, 'media'));
  });
  await refused(/does not have the hash that archive\.json lists/, (project) => {
    const bytes = Buffer.from(clip);
    bytes[0]! ^= 1;
    writeFileSync(medium(project), bytes);
  });
  await refused(/has 3 bytes, and archive\.json lists/, (project) => truncateSync(medium(project), 3));
  await refused(/does not exist\./, (project) => rmSync(medium(project)));
  await refused(/is not a file\./, (project) => {
    rmSync(medium(project));
    mkdirSync(medium(project));
  });
  await refused(/cannot be read: /, (project) => writeFileSync(join(project, 'archive.json'), '{'));
  await refused(/\/format must be "tiercut\.project", not 7/, (project) =>
    edit(project, (manifest) => {
      (manifest as { format: unknown }).format = 7;
    }),
  );
  const zipped = async (project: string, others: Record<string, Buffer> = {}) => {
    const names = readdirSync(project, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = names.map((entry) => join(entry.parentPath, entry.name));
    const entries = files.map((file) => ({
      path: file.slice(project.length + 1),
      file: new Blob([new Uint8Array(readFileSync(file))]),
    }));
    const more = Object.entries(others).map(([path, bytes]) => ({ path, file: new Blob([new Uint8Array(bytes)]) }));
    return Buffer.from(await (await writeZip([...entries, ...more])).arrayBuffer());
  };
  await refused(/is not a \.zip file, or a part of it is missing/, async (project) => {
    writeFileSync(`${project}.zip`, (await zipped(project)).subarray(0, 5000));
  });
  await refused(/has two files with the same name/, async (project) => {
    writeFileSync(`${project}.zip`, await zipped(project, { 'archive.json': Buffer.from('{}') }));
  });
  await refused(/would become \d+ times as large/, async (project) => {
    // A medium of 64 MiB of zeros, deflated: the archive declares it honestly.
    const zeros = Buffer.alloc(64 * 2 ** 20);
    const packed = deflateRawSync(zeros);
    const path = `media/${sum(zeros)}`;
    edit(project, (manifest) => mediaOf(manifest).push({ path, sha256: sum(zeros), bytes: zeros.length }));
    const archive = await zipped(project, { [path]: packed });
    const at = archive.lastIndexOf(path) - 46;
    archive.writeUInt16LE(8, at + 10);
    archive.writeUInt32LE(zeros.length, at + 24);
    writeFileSync(`${project}.zip`, archive);
  });
  // A file that the list does not have is not unpacked, whatever its name.
  const place = join(folder.path, 'case-slip');
  cpSync(join(whole, id), place, { recursive: true });
  writeFileSync(`${place}.zip`, await zipped(place, { '../../slipped': Buffer.from('x') }));
  assert.deepEqual(await revisionsOf(other, id), [], 'nothing was sent');
  assert.equal((await run(other.base, 'projects', 'import', `${place}.zip`)).status, 0);
  assert.ok(!existsSync(join(folder.path, '..', 'slipped')));
});
