import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ChunkPublishing } from '../../../src/exports/run/render-missing-chunks.ts';
import { outFolder } from '../../engine/encode/render-video.ts';

test('[C49] a chunk that appears while another is published is published without more progress', {
  timeout: 30_000,
}, async () => {
  const folder = outFolder();
  const [early, late] = ['early', 'late'].map((name) => ({ out: join(folder, name) }));
  const [begun, held, both] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const published: unknown[] = [];
  const publishing = new ChunkPublishing([[late!], [early!]], async (target) => {
    if (target === early) begun!.resolve();
    if (target === early) await held!.promise;
    if (published.push(target) === 2) both!.resolve();
  });
  writeFileSync(early!.out, '');
  publishing.look();
  await begun!.promise;
  writeFileSync(late!.out, '');
  publishing.look();
  held!.resolve();
  await both!.promise;
  assert.deepEqual(published, [early, late]);
  await publishing.finish();
  assert.equal(published.length, 2);
});
