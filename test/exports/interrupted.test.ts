import assert from 'node:assert/strict';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeClip } from '../fixtures/clips.ts';
import { seen } from '../service/export-client.ts';
import { uncancelled } from '../uncancelled.ts';
import { ExportsFixture } from './exports-fixture.ts';

/** The rendered chunks, and the file of each: a chunk that is rendered again is another file. */
function chunkFiles({ folder }: ExportsFixture): Map<string, number> {
  const chunks = join(folder, 'blobs', 'parts');
  try {
    const names = readdirSync(chunks, { recursive: true, encoding: 'utf8' });
    const files = names
      .map((name) => [name, statSync(join(chunks, name))] as const)
      .filter(([, file]) => file.isFile());
    return new Map(files.map(([name, { ino }]) => [name, ino]));
  } catch {
    return new Map();
  }
}

test('[C35] an interrupted job of five chunks finds its finished chunks, and counts them once', async (t) => {
  await using first = await ExportsFixture.open({ prerender: 'selected' });
  t.after(() => rmSync(first.folder, { recursive: true, force: true }));
  const { file } = await makeClip({ frames: 10, width: 64, height: 64 });
  // A fade all along, so that no frame repeats another and a chunk takes its time.
  const videos = [{ file_field: 'clip', start: 0, duration: 192, fade_in: 96, fade_out: 96 }];
  const { id } = await first.api.submit(
    first.submission({ timeline_data: { videos }, settings: { fps: 8 } }, { clip: file }),
    uncancelled,
  );
  first.startWorker();
  // The first chunk and the sound are jobs of their own.
  await seen('two chunks of the second job', () => chunkFiles(first).size >= 4);
  await first.stop();
  const finished = chunkFiles(first);
  assert.ok(finished.size < 7, 'it was not stopped in the second job');

  await using second = await ExportsFixture.open({ prerender: 'selected' }, first.folder);
  const { records, database } = second.ports;
  assert.equal((await records.find(id, database))?.outputs[0]?.framesDone, 4 * 8, 'the job is not done');
  second.startWorker();
  await second.api.waitFor(id, 'preset_one', uncancelled);
  const record = await records.find(id, database);
  assert.deepEqual([record?.state, record?.outputs[0]?.framesDone], ['completed', 192 * 8], second.logged.join('\n'));
  const after = chunkFiles(second);
  assert.equal(after.size, 48 + 1, 'the chunks and the sound');
  for (const [name, file] of finished) assert.equal(after.get(name), file, 'a chunk was rendered again');
});
