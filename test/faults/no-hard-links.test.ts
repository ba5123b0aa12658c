import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { makeClip } from '../fixtures/clips.ts';
import { uncancelled } from '../uncancelled.ts';

/** A file system without hard links (exFAT, some network disks) fails with one of these. */
for (const code of ['EPERM', 'ENOTSUP']) {
  test(`a disk without hard links (${code}) works too`, async (t) => {
    let refused = 0;
    t.mock.method(fs.promises, 'link', async () => {
      refused += 1;
      throw Object.assign(new Error(code), { code, syscall: 'link' });
    });
    syncBuiltinESMExports();
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    const { ExportsFixture } = await import('../exports/exports-fixture.ts');
    const clip = await makeClip({ frames: 10, width: 64, height: 64 });
    await using exports = await ExportsFixture.open({ prerender: 'selected' });
    exports.startWorker();
    const documents = { timeline_data: { videos: [{ file_field: 'clip', duration: 0.3 }] } };
    const { id } = await exports.api.submit(exports.submission(documents, { clip: clip.file }), uncancelled);
    await exports.api.waitFor(id, 'preset_one', uncancelled);
    assert.equal((await exports.api.get('default', id))?.state, 'completed', exports.logged.join('\n'));
    assert.ok(refused > 0);
  });
}
