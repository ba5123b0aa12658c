import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { filesBelow } from '../../service/service-fixture.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { refusingHost } from '../refusing-host.ts';

const LONG = { timeline_data: { subtitles: [{ text: 'a word', start: 0, duration: 60 }] } };
const SHORT = { timeline_data: { subtitles: [{ text: 'a word', start: 0, duration: 1 }] } };

test('[C34] a preset that fails beside a working one cancels its own jobs, and reports the reason', async () => {
  const tried: string[] = [];
  await using exports = await ExportsFixture.open({}, undefined, ({ host }) => ({
    // Too little memory for two at once.
    presetsMemoryBytes: 0,
    host: refusingHost(host, (operation, [preset]) => {
      tried.push(`${operation} ${preset}`);
      if (operation !== 'render_chunks' || preset !== 'preset_two') return null;
      return new ExportError('invalid', 'media.broken', 'The clip is broken.');
    }),
  }));
  exports.startWorker();
  const { id } = await exports.api.submit(exports.submission(LONG), uncancelled);
  const { state, failure, outputs } = (await Array.fromAsync(exports.api.follow(id, uncancelled))).at(-1)!;
  assert.deepEqual(
    [state, failure, ...outputs.map((output) => output.state)],
    ['completed', null, 'completed', 'failed', 'completed'],
    exports.logged.join('\n'),
  );
  assert.equal(outputs[1]!.failure?.code, 'media.broken');
  assert.equal(tried.filter((what) => what === 'render_chunks preset_two').length, 1, 'nobody goes on for nothing');
  const left = await exports.ports.database.query(
    `select id, state from jobs where state <> 'done' and id like '%preset_two%'`,
  );
  assert.deepEqual(left, []);
  assert.doesNotMatch(exports.logged.join('\n'), /not under way|worker failed|store failed/);
});

test('[C28] a poster that cannot be made does not fail the video', async () => {
  await using exports = await ExportsFixture.open({}, undefined, ({ host }) => ({
    host: refusingHost(host, (operation) =>
      operation === 'render_still' ? new ExportError('internal', 'render.crashed', 'It ended.') : null,
    ),
  }));
  exports.startWorker();
  const { id } = await exports.api.submit(exports.submission(LONG), uncancelled);
  const { state, warnings, outputs } = (await Array.fromAsync(exports.api.follow(id, uncancelled))).at(-1)!;
  assert.deepEqual(
    [state, ...outputs.map((output) => output.state)],
    ['completed', 'completed', 'completed', 'completed'],
    exports.logged.join('\n'),
  );
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['poster.failed'],
  );
  assert.equal(await exports.api.poster(id), null);
  assert.ok((await exports.api.openOutput(id, 'preset_one')) !== null);
});

for (const [what, change] of [
  [
    'in which a byte has changed',
    (bytes: Buffer) => bytes.map((byte, at) => (at === bytes.length >> 1 ? ~byte : byte)),
  ],
  ['that lost their end', (bytes: Buffer) => bytes.subarray(0, 100)],
] as const) {
  test(`[H24] cached parts ${what} are rendered again for the next export`, async () => {
    await using exports = await ExportsFixture.open({ prerender: 'selected' });
    exports.startWorker();
    const render = async () => {
      const { id } = await exports.api.submit(exports.submission(SHORT), uncancelled);
      return (await Array.fromAsync(exports.api.follow(id, uncancelled))).at(-1)!;
    };
    const first = await render();
    const folder = join(exports.folder, 'blobs', 'parts');
    for (const part of filesBelow(folder, '')) {
      await writeFile(join(folder, part), change(await readFile(join(folder, part))));
    }
    const second = await render();
    assert.deepEqual([second.state, second.outputs[0]!.sha256], ['completed', first.outputs[0]!.sha256]);
    const failed = await exports.ports.database.query('select id from jobs where failures > 0');
    assert.deepEqual(failed, [], exports.logged.join('\n'));
  });
}
