import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { clipFolder, makeClip } from '../../fixtures/clips.ts';
import { seen } from '../../service/export-client.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';

const clip = await makeClip({ frames: 30, width: 128, height: 72 });
const SUBTITLE_FILE = join(clipFolder(), 'subtitles.srt');
writeFileSync(SUBTITLE_FILE, '1\n00:00:01,000 --> 00:00:02,000\nfrom a file\n');
const FILES = { clip: clip.file, subs: SUBTITLE_FILE };
const DOCUMENTS = {
  timeline_data: {
    videos: [{ file_field: 'clip', duration: 30 }],
    subtitles: [{ text: 'still here', start: 0, duration: 30 }],
    // Its text is stored with the request: the file itself is gone when it is planned again. (C43)
    subtitle_files: [{ file_field: 'subs' }],
  },
};

/** A service of that engine in the folder. */
function serviceOf(engineVersion: string, folder?: string) {
  return ExportsFixture.open({}, folder, ({ rules }) => ({ rules: { ...rules, engineVersion } }));
}

function planFile(folder: string, id: string, preset = 'preset_one'): string {
  return join(folder, 'blobs', 'plans', id, `${preset}.json`);
}

function storedPlan(folder: string, id: string, preset?: string): RenderPlan {
  return JSON.parse(readFileSync(planFile(folder, id, preset), 'utf8'));
}

async function enginesOf({ ports }: ExportsFixture, id: string): Promise<string[]> {
  return (await ports.records.find(id, ports.database))!.outputs.map(({ engineVersion }) => engineVersion);
}

function keysOf({ chunks, audio }: RenderPlan): string[] {
  return [...chunks.map(({ key }) => key), audio.key];
}

/** An export of the old engine whose first chunks are rendered; its service has stopped. */
async function interrupted(): Promise<{ folder: string; id: string; keys: string[] }> {
  const old = await serviceOf('old');
  const { id } = await old.api.submit(old.submission(DOCUMENTS, FILES), uncancelled);
  old.startWorker();
  for await (const { outputs } of old.api.follow(id, uncancelled)) if (outputs[0]!.progress >= 0.4) break;
  assert.deepEqual(await enginesOf(old, id), ['old', 'old', 'old']);
  await old.stop();
  return { folder: old.folder, id, keys: keysOf(storedPlan(old.folder, id)) };
}

test('[R18, C12] an export planned for another engine is planned again, and chunks of the two are never mixed', async () => {
  const { folder, id, keys } = await interrupted();
  await using service = await serviceOf('new', folder);
  service.startWorker();
  const { state, outputs } = (await Array.fromAsync(service.api.follow(id, uncancelled))).at(-1)!;
  assert.deepEqual(
    [state, ...outputs.map((output) => output.state)],
    ['completed', 'completed', 'completed', 'completed'],
    service.logged.join('\n'),
  );
  assert.deepEqual(await enginesOf(service, id), ['new', 'new', 'new']);
  const sql = `select distinct presets from jobs where export_id = $1 and kind = 'chunks' order by presets`;
  const jobs = await service.ports.database.query<{ presets: string }>(sql, [id]);
  assert.deepEqual(
    jobs.map(({ presets }) => JSON.parse(presets)),
    [['preset_one'], ['preset_two', 'preset_three']],
    'the selected preset comes first again',
  );
  const again = await service.api.submit(service.submission(DOCUMENTS, FILES), uncancelled);
  const fresh = keysOf(storedPlan(folder, again.id));
  assert.deepEqual(keysOf(storedPlan(folder, id)), fresh, 'planned as a request of today is');
  const subtitles = storedPlan(folder, id).painted.subtitle.map(({ text }) => text);
  assert.deepEqual(subtitles, ['still here', 'from a file']);
  const { uploads } = (await service.ports.records.find(id, service.ports.database))!;
  assert.deepEqual(
    uploads.map(({ field }) => field),
    ['clip'],
  );
  assert.deepEqual(
    keys.filter((key) => fresh.includes(key)),
    [],
  );
  const same = (await Array.fromAsync(service.api.follow(again.id, uncancelled))).at(-1)!;
  assert.deepEqual(
    same.outputs.map(({ sha256 }) => sha256),
    outputs.map(({ sha256 }) => sha256),
  );
});

test('[R18] an export that cannot be planned again fails with the reason', async () => {
  const { folder, id } = await interrupted();
  rmSync(join(folder, 'blobs', 'requests', id), { recursive: true });
  await using service = await serviceOf('new', folder);
  service.startWorker();
  const { state, failure } = (await Array.fromAsync(service.api.follow(id, uncancelled))).at(-1)!;
  assert.deepEqual([state, failure?.code], ['failed', 'export.plan_missing'], service.logged.join('\n'));
});

test('[R18] planning again restarts after a power cut', async () => {
  const { folder, id } = await interrupted();
  let cut = true;
  const stopped = await ExportsFixture.open({}, folder, ({ rules, outputs }) => {
    const restart = outputs.restart.bind(outputs);
    outputs.restart = async (...given) => {
      if (cut) throw new ExportError('unavailable', 'store.failed', 'Darkness.');
      await restart(...given);
    };
    return { rules: { ...rules, engineVersion: 'new' } };
  });
  stopped.startWorker();
  await seen('the cut', () => stopped.logged.some((line) => line.includes('Darkness')));
  await stopped.stop();
  cut = false;
  await using service = await serviceOf('new', folder);
  service.startWorker();
  const { state } = (await Array.fromAsync(service.api.follow(id, uncancelled))).at(-1)!;
  assert.equal(state, 'completed', service.logged.join('\n'));
  assert.deepEqual(await enginesOf(service, id), ['new', 'new', 'new']);
});

test('[R18] during an upgrade, plans of the newer release are left to its workers', async () => {
  const newer = await serviceOf('5');
  const { id } = await newer.api.submit(newer.submission(DOCUMENTS, FILES), uncancelled);
  await newer.stop();
  await using older = await serviceOf('4', newer.folder);
  older.startWorker();
  await seen('the older one has looked at it', async () => {
    const [row] = await older.ports.database.query<{ tries: number }>(
      'select max(attempt) as tries from jobs where export_id = $1',
      [id],
    );
    const { running } = await older.ports.jobs.count();
    return row!.tries > 1 && running === 0;
  });
  assert.deepEqual(await enginesOf(older, id), ['5', '5', '5'], older.logged.join('\n'));
});
