import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { ExportChild } from '../../../src/exports/run/export-child.ts';
import type { Uploads } from '../../../src/exports/uploads.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { DEFAULT_CHILD_ALLOWANCE } from '../../../src/sandbox/host/child-limits.ts';
import { RenderHost } from '../../../src/sandbox/render-host.ts';
import { blobKey } from '../../../src/store/blob-store.ts';
import { DiskBlobStore } from '../../../src/store/disk/disk-blob-store.ts';
import { LinkedLocalFiles } from '../../../src/store/disk/linked-local-files.ts';
import { ScratchFolder } from '../../sandbox/scratch-folder.ts';
import { uncancelled } from '../../uncancelled.ts';

async function openChild(
  folder: ScratchFolder,
  uploads: Pick<Uploads, 'open'> = { open: () => assert.fail() },
): Promise<ExportChild> {
  const blobs = await DiskBlobStore.open(join(folder.path, 'data'));
  const local = await LinkedLocalFiles.open(join(folder.path, 'data'), blobs);
  const host = new RenderHost({
    mode: 'auto',
    allowance: DEFAULT_CHILD_ALLOWANCE,
    mediaLimits: DEFAULT_MEDIA_LIMITS,
  });
  const video = { id: 'x', tenant: 'ann', duration: 1 };
  const file = join(folder.path, 'plan.json');
  writeFileSync(file, '{}');
  const plans = { hold: async () => ({ path: file, [Symbol.asyncDispose]: async () => {} }) };
  return (await ExportChild.start({ local, uploads, plans, host }, video.duration, uncancelled)).serve(video);
}

test('a cached chunk is linked under a second name, which the child can read but not change', async (t) => {
  using folder = new ScratchFolder();
  await using child = await openChild(folder);
  if (!child.process.jail.layers.some(({ name }) => name === 'landlock')) return t.skip('no Landlock here');
  const chunk = join(folder.path, 'chunk');
  writeFileSync(chunk, 'rendered before');
  const lent = await child.lend(chunk, 'part-0.mp4');
  assert.equal(statSync(lent).ino, statSync(chunk).ino, 'not copied');
  const outside = join(folder.path, 'outside');
  mkdirSync(outside);
  const params = { input: lent, sibling: folder.sibling, outside, workDir: dirname(child.path('x')), lent };
  const rows = await child.request('self_test', params);
  const outcome = (name: string) => rows.find((row) => row.name === name)?.outcome;
  assert.deepEqual([outcome('read a cached chunk'), outcome('change a cached chunk')], ['done', 'EACCES']);
  assert.equal(readFileSync(lent, 'utf8'), 'rendered before');
  await child.remove(lent);
  assert.ok(!existsSync(lent));
  assert.equal(readFileSync(chunk, 'utf8'), 'rendered before');
});

test('results of a child are moved to a folder that it cannot access', async () => {
  using folder = new ScratchFolder();
  {
    await using child = await openChild(folder);
    writeFileSync(child.path('sound.m4a'), 'made');
    const taken = await child.take(child.path('sound.m4a'));
    assert.equal(readFileSync(taken, 'utf8'), 'made');
    assert.notEqual(dirname(taken), dirname(child.path('sound.m4a')));
    assert.deepEqual(readdirSync(dirname(child.path('x'))), []);
  }
  assert.deepEqual(readdirSync(join(folder.path, 'data', 'work')), []);
});

/** Clips in a data folder, and a plan that draws on them. */
async function storedClips(folder: ScratchFolder, texts: readonly string[]) {
  const blobs = await DiskBlobStore.open(join(folder.path, 'data'));
  const local = await LinkedLocalFiles.open(join(folder.path, 'data'), blobs);
  const hashes = texts.map((text) => createHash('sha256').update(text).digest('hex'));
  for (const [n, hash] of hashes.entries()) {
    await blobs.put(blobKey('uploads', hash), Readable.from([Buffer.from(texts[n]!)]), uncancelled);
  }
  const plan = { sources: hashes.map((hash, n) => ({ field: `f${n}`, hash })) } as unknown as RenderPlan;
  return { hashes, plan, open: (hash: string) => local.hold(blobKey('uploads', hash)) };
}

test('an upload is fetched once, when the first job needs it, and kept for the next', async () => {
  using folder = new ScratchFolder();
  const { hashes, plan, open } = await storedClips(folder, ['clip a', 'clip b']);
  const fetched: string[] = [];
  const uploads: Pick<Uploads, 'open'> = {
    open: (hash) => {
      fetched.push(hash);
      return open(hash);
    },
  };
  {
    await using child = await openChild(folder, uploads);
    assert.deepEqual(fetched, []);
    const [first, again] = await Promise.all([child.inputs(plan, [1]), child.inputs(plan, [1])]);
    assert.deepEqual(fetched, [hashes[1]]);
    assert.deepEqual(first, again);
    assert.deepEqual(
      first.files.map(([source, path]) => [source, readFileSync(path, 'utf8')]),
      [[1, 'clip b']],
    );
    await child.inputs(plan, [0, 1]);
    assert.equal(fetched.length, 2);
  }
  assert.deepEqual(readdirSync(join(folder.path, 'data', 'work')), []);
});

test('[H25] an upload that is fetched while its child ends leaves no file', async () => {
  using folder = new ScratchFolder();
  const { plan, open } = await storedClips(folder, ['clip']);
  const ended = Promise.withResolvers<void>();
  const child = await openChild(folder, { open: (hash) => ended.promise.then(() => open(hash)) });
  const inputs = child.inputs(plan, [0]);
  await child[Symbol.asyncDispose]();
  ended.resolve();
  await assert.rejects(inputs);
  assert.deepEqual(readdirSync(join(folder.path, 'data', 'work')), []);
});
