import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { ExportMetadata } from '../../../src/http/replies/export-replies.ts';
import { formBody } from '../../http/form-body.ts';
import { createHead } from '../../http/serve.ts';
import { outputFile } from '../../stored-files.ts';
import { createAsync, download, ended, eventsOf, reached, seen, statusOf } from '../export-client.ts';
import { descendantsOf, isRunning } from '../process-tree.ts';
import { CLIP, longRequest } from '../sample-request.ts';
import { ServiceFixture } from '../service-fixture.ts';

/** How often each stage is met: once in every run of the tests, five times with `KILL_ROUNDS=5`. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);

/** What a stage is given: a service that is up, and a label that makes its export unlike all others. */
interface Scene {
  readonly service: ServiceFixture;
  readonly label: string;
}

/** Brings the service to a stage and returns immediately; the acknowledged export, or null if there is none. */
type Stage = (scene: Scene) => Promise<ExportMetadata | null>;

function request(label: string) {
  return longRequest(24, { label, settings: { quality: 'draft' } });
}

function create({ service, label }: Scene): Promise<ExportMetadata> {
  return createAsync(service, request(label));
}

/** Sends so much of a create request on its own connection, and stops there. */
function send({ service, label }: Scene, share: number): void {
  const { documents } = request(label);
  const texts = Object.entries(documents).map(([name, value]) => ({ name, content: JSON.stringify(value) }));
  const body = formBody([...texts, { name: 'clip', content: readFileSync(CLIP.file), fileName: 'clip.mp4' }]);
  const socket = connect(Number(new URL(service.base).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(createHead(body.length, 'Prefer: respond-async'));
  socket.write(body.subarray(0, Math.floor(body.length * share)));
}

/** Waits until a file of that name is below the work folder. */
function workFile({ service }: Scene, name: RegExp): Promise<string> {
  return seen(`${name} in the work folder`, () => service.files('work').find((file) => name.test(file)));
}

function hasOutput({ folder }: ServiceFixture, { export_id }: ExportMetadata): boolean {
  return outputFile(folder, export_id, 'preset_one') !== undefined;
}

function chunksOf({ service }: Scene): string[] {
  return existsSync(join(service.folder, 'blobs', 'parts')) ? service.files('blobs/parts') : [];
}

const STAGES: Readonly<Record<string, Stage>> = {
  'while a file is uploaded': async (scene) => {
    send(scene, 0.5);
    await workFile(scene, /\.tmp$/);
    return null;
  },
  'while the media is looked into': async (scene) => {
    const before = descendantsOf(scene.service.pid).length;
    send(scene, 1);
    await seen('the child', () => descendantsOf(scene.service.pid).length > before);
    return null;
  },
  'right after the 202': create,
  'while the first chunk renders': async (scene) => {
    const made = await create(scene);
    for await (const { data } of eventsOf(scene.service, made.export_id)) if (data.progress > 0) break;
    return made;
  },
  'between two chunks': async (scene) => {
    const before = chunksOf(scene).length;
    const made = await create(scene);
    await seen('a chunk', () => chunksOf(scene).length > before);
    return made;
  },
  'while the sound is made': async (scene) => {
    const made = await create(scene);
    await workFile(scene, /sound\.m4a/);
    return made;
  },
  'during the assembly': async (scene) => {
    const made = await create(scene);
    await workFile(scene, /preset_one\.mp4|part-0\.mp4/);
    return made;
  },
  'when the file is in its place, and nobody knows': async (scene) => {
    const made = await create(scene);
    await seen('the file', () => hasOutput(scene.service, made));
    return made;
  },
  'right after the completion': async (scene) => {
    const made = await create(scene);
    for await (const { data } of eventsOf(scene.service, made.export_id)) if (data.state === 'completed') break;
    return made;
  },
};

interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly presets: string;
  readonly first_chunk: number | null;
  readonly state: string;
  readonly attempt: number;
  readonly failures: number;
  readonly deaths: number;
}

/** An export's jobs in the database, read by a separate process as an operator would. */
function jobsOf({ folder }: ServiceFixture, { export_id }: ExportMetadata): JobRow[] {
  using database = new DatabaseSync(join(folder, 'tiercut.db'), { readOnly: true });
  const sql =
    'select id, kind, presets, first_chunk, state, attempt, failures, deaths from jobs where export_id = ? order by id';
  return database.prepare(sql).all(export_id) as unknown as JobRow[];
}

/** What must hold of an export that was acknowledged, once the service is up again. */
async function assertWhole(service: ServiceFixture, made: ExportMetadata, before: readonly JobRow[]): Promise<void> {
  const metadata = await ended(service, made.export_id);
  assert.equal(metadata.state, 'completed', JSON.stringify(metadata));
  for (const preset of Object.keys(metadata.outputs)) {
    const { seconds, frames } = await download(service, metadata, preset);
    assert.deepEqual([seconds, frames], [24, 720]);
  }
  const jobs = jobsOf(service, made);
  for (const { id, state, attempt, failures, deaths } of jobs) {
    // A job for several presets whose worker died was divided into one for each of them.
    const known = before.find((job) => job.id === id || id.startsWith(`${job.id}/`));
    assert.equal(state, 'done', id);
    // Finished work stays finished; interrupted work is done once more, and nothing else is.
    if (known?.state === 'done') assert.equal(attempt, known.attempt, id);
    const reported = service.lines.filter((line) => line.includes('job failed')).join('\n');
    assert.deepEqual([failures, deaths], [0, known?.state === 'running' ? 1 : 0], `${id}\n${reported}`);
  }
  const work = jobs.flatMap(({ kind, presets, first_chunk }) => {
    const outputs = kind === 'sound' ? ['all'] : (JSON.parse(presets) as string[]);
    return outputs.map((output) => `${kind} ${output} ${first_chunk}`);
  });
  assert.equal(work.length, 3 * 4 + 1 + 3, 'four jobs of chunks for each preset, one sound, three assemblies');
  assert.equal(new Set(work).size, work.length, 'each of them once');
  const own = service.files('blobs').filter((file) => file.includes(made.export_id));
  const presets = Object.keys(metadata.outputs);
  assert.deepEqual(
    own.map((file) => file.replace(/[0-9a-f-]{36}\.mp4$/, 'video')),
    [
      ...presets.map((preset) => `exports/${made.export_id}/${preset}/video`),
      ...presets.map((preset) => `plans/${made.export_id}/${preset}.json`),
      ...presets.map((preset) => `plans/${made.export_id}/${preset}.outline.json`),
      `requests/${made.export_id}/texts.json`,
      `exports/${made.export_id}/poster.jpg`,
    ].sort(),
  );
}

/** No export is left: only rendered chunks may remain. */
async function assertNothingLeft(service: ServiceFixture): Promise<void> {
  await reached('an empty work folder', () => service.files('work').length === 0);
  assert.deepEqual(service.files('unfinished'), []);
  const left = service.files('blobs').filter((file) => !file.startsWith('parts/'));
  assert.deepEqual(left, []);
  assert.deepEqual(
    readdirSync(service.folder).filter(
      (name) => !/^(?:blobs|work|unfinished|lock|reserve|tiercut\.db(?:-shm|-wal)?)$/.test(name),
    ),
    [],
  );
}

/** A child that probed the media may have ended by itself meanwhile. */
function strike(child: number): void {
  try {
    process.kill(child, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function remove(service: ServiceFixture, { export_id }: ExportMetadata): Promise<Response> {
  return fetch(`${service.base}/video/exports/${export_id}`, { method: 'DELETE' });
}

test('[H23, H25] killed at any stage: acknowledged exports complete, nothing is done twice, no files are left', async (t) => {
  await using service = await ServiceFixture.start();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, stage] of Object.entries(STAGES)) {
      await t.test(`${name}, round ${round + 1}`, async () => {
        const made = await stage({ service, label: `${name} ${round}` });
        await service.killTree();
        const before = made === null ? [] : jobsOf(service, made);
        await service.start();
        if (made !== null) {
          await assertWhole(service, made, before);
          assert.equal((await remove(service, made)).status, 204);
        }
        await assertNothingLeft(service);
      });
    }
  }
});

test('[H25] killed while an export is removed: it is gone permanently, with all its files', async (t) => {
  await using service = await ServiceFixture.start();
  const removals: Record<string, (made: ExportMetadata) => Promise<void>> = {
    'by its owner': async (made) => {
      remove(service, made).catch(() => {});
      await seen('the file gone', () => !hasOutput(service, made));
    },
    'by its age': async ({ export_id }) => {
      const made = await statusOf(service, export_id);
      await service.stop();
      using database = new DatabaseSync(join(service.folder, 'tiercut.db'));
      database.prepare('update exports set expires_at_ms = 1 where id = ?').run(export_id);
      service.launch();
      await seen('the file gone', () => !hasOutput(service, made));
    },
    'in mid-render': async (made) => {
      const { export_id } = await create({ service, label: `beside ${made.export_id}` });
      for await (const { data } of eventsOf(service, export_id)) if (data.progress > 0) break;
      remove(service, { ...made, export_id }).catch(() => {});
      await remove(service, made);
    },
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, begin] of Object.entries(removals)) {
      await t.test(`${name}, round ${round + 1}`, async () => {
        const made = await create({ service, label: `${name} ${round}` });
        await ended(service, made.export_id);
        await begin(made);
        await service.killTree();
        await service.start();
        assert.equal((await fetch(`${service.base}/video/exports/${made.export_id}`)).status, 404);
        assert.equal((await fetch(`${service.base}${made.download_url}`)).status, 404);
        await assertNothingLeft(service);
        // What a client has deleted is not lost.
        assert.deepEqual(
          service.lines.filter((line) => line.includes('plan of export missing')),
          [],
        );
      });
    }
  }
});

test('[H28] SIGTERM during a render: exit within 20 s, the export is queued again, and the next service completes it', async () => {
  await using service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
  const made = await createAsync(service, longRequest(60, { label: 'interrupted' }));
  for await (const { data } of eventsOf(service, made.export_id)) if (data.progress > 0) break;
  const children = descendantsOf(service.pid);
  const { code, seconds } = await service.stop();
  assert.equal(code, 0);
  assert.ok(seconds < 20, `${seconds} s`);
  assert.ok(!children.some(isRunning));
  assert.deepEqual(service.files('work'), []);
  const before = jobsOf(service, made);
  assert.ok(!before.some(({ state }) => state === 'running'), 'every job is back');
  await service.start();
  await fetch(`${service.base}${made.download_url}`, { method: 'HEAD' });
  assert.equal((await statusOf(service, made.export_id)).state, 'completed');
});

test('[H26] a killed render child costs one try, not the export', async (t) => {
  if (process.platform !== 'linux') return t.skip('looks for processes in /proc');
  await using service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
  const made = await createAsync(service, longRequest(60, { label: 'struck' }));
  for await (const { data } of eventsOf(service, made.export_id)) if (data.progress > 0) break;
  const children = descendantsOf(service.pid);
  assert.ok(children.length > 0);
  for (const child of children) strike(child);
  await fetch(`${service.base}${made.download_url}`, { method: 'HEAD' });
  const metadata = await statusOf(service, made.export_id);
  assert.equal(metadata.state, 'completed', JSON.stringify(metadata));
  await download(service, metadata, 'preset_one');
  assert.ok(jobsOf(service, made).every(({ failures, deaths }) => failures + deaths <= 1));
});
