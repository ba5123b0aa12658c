import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { metadataOf, played, post } from '../export-client.ts';
import { longRequest } from '../sample-request.ts';
import { ServiceFixture } from '../service-fixture.ts';

const run = promisify(execFile);
const SECONDS = 200;
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);

test('[C7, C8, C27] a render longer than TIERCUT_WAIT_SECONDS: curl -L saves the video, a client of the seed gets 202', async (t) => {
  await using service = await ServiceFixture.start({
    TIERCUT_WAIT_SECONDS: '2',
    TIERCUT_PRERENDER: 'selected',
    TIERCUT_PRESETS: JSON.stringify([
      { name: 'preset_one', width: 640, height: 360, aliases: ['landscape'] },
      { name: 'preset_two', width: 360, height: 640, aliases: ['portrait'] },
      { name: 'preset_three', width: 360, height: 360, aliases: ['square'] },
    ]),
  });
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-curl-'));
  t.after(() => rmSync(folder, { recursive: true }));

  await t.test('curl', { skip: hasCurl ? false : 'curl is not installed' }, async () => {
    const { documents, files } = longRequest(SECONDS, { label: 'curl' });
    const parts = [
      ...Object.entries(documents).map(([name, value]) => {
        const file = join(folder, `${name}.json`);
        writeFileSync(file, JSON.stringify(value));
        return `${name}=<${file}`;
      }),
      ...Object.entries(files!).map(([name, file]) => `${name}=@${file}`),
    ];
    const video = join(folder, 'video.mp4');
    const { stdout } = await run('curl', [
      ...['-sSL', '--fail-with-body', `${service.base}/video/exports`, '-H', 'Accept: video/mp4', '-o', video],
      ...['-w', '%{http_code} %{content_type} %{num_redirects}'],
      ...parts.flatMap((part) => ['-F', part]),
    ]);
    const [status, type, redirects] = stdout.split(' ');
    assert.deepEqual([status, type], ['200', 'video/mp4']);
    assert.ok(Number(redirects) >= 1, stdout);
    assert.equal(Math.round((await played(readFileSync(video))).seconds), SECONDS);
  });

  await t.test('a client of the seed', async () => {
    const { state } = await metadataOf(await post(service, longRequest(SECONDS, { label: 'seed' })), 202);
    assert.ok(state === 'queued' || state === 'rendering', state);
  });
});
