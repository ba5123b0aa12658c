import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { ReaderPool } from '../../../src/engine/sound/mixer.ts';
import { clipFolder, makeClip } from '../../fixtures/clips.ts';
import { uncancelled } from '../../uncancelled.ts';

/** Sources of so many parts each. */
async function poolOf(counts: readonly number[]): Promise<ReaderPool> {
  const part = await readFile(
    (await makeClip({ frames: 0, container: 'wav', sound: { seconds: 0.1, codec: 'pcm_s16le' } })).file,
  );
  const files = new Map<number, string>();
  for (const [source, count] of counts.entries()) {
    const file = join(clipFolder(), `${source}-of-${count}.wav`);
    await writeFile(file, Buffer.concat(Array.from({ length: count }, () => part)));
    files.set(source, file);
  }
  return new ReaderPool(files, DEFAULT_MEDIA_LIMITS, uncancelled);
}

test('[R21] [H13] all audible parts of joined files count as open files; at most 32 are open', async () => {
  await using pool = await poolOf([20, 12, 1]);
  assert.equal((await pool.borrow(0, 0))!.openFiles, 20);
  await pool.borrow(1, 1);
  assert(pool.held(0) !== null && pool.held(1) !== null, '32 files are open');
  await pool.borrow(2, 2);
  assert.deepEqual([pool.held(0), pool.held(1) !== null, pool.held(2) !== null], [null, true, true]);
});

test('[R21] a file joined from more parts than the limit is open by itself', async () => {
  await using pool = await poolOf([1, 40]);
  await pool.borrow(0, 0);
  assert.equal((await pool.borrow(1, 1))!.openFiles, 40);
  assert.equal(pool.held(0), null);
});
