import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { ExportMetadata } from '../../src/http/replies/export-replies.ts';
import { download, ended, formOf, metadataOf, played, post } from './export-client.ts';
import { CLIP, PICTURE, sampleRequest, TIER_LIST, TIMELINE } from './sample-request.ts';
import { type Deployment, SMALL_PRESETS } from './service-fixture.ts';

const run = promisify(execFile);
const SETTINGS = { preset: 'preset_two', fps: 30, quality: 'balanced' };
/** The documented example, on any deployment. */
export function walkSuite(start: () => Promise<Deployment>): void {
  let service: Deployment;
  before(async () => {
    service = await start();
  });
  after(() => service[Symbol.asyncDispose]());

  /** Checks all documented fields of the metadata. */
  function assertMetadata(metadata: ExportMetadata, preset: string): void {
    const { ok, export_id: id, download_url, downloads, settings } = metadata;
    assert.equal(ok, true);
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(
      downloads,
      Object.fromEntries(SMALL_PRESETS.map(({ name }) => [name, `/video/exports/${id}/download/${name}`])),
    );
    assert.equal(download_url, downloads[preset]);
    const { width, height } = SMALL_PRESETS.find(({ name }) => name === preset)!;
    const { preset: selected, width: wide, height: high, fps, quality } = settings;
    assert.deepEqual([selected, wide, high, fps, quality], [preset, width, height, 30, 'balanced']);
    assert.deepEqual(
      Object.keys(metadata).slice(0, 5),
      ['ok', 'export_id', 'download_url', 'downloads', 'settings'],
      'the documented keys come first',
    );
  }

  test('[seed] the walk with curl: one request, metadata, and three URLs that each return a playable MP4 of their size', async (t) => {
    if (spawnSync('curl', ['--version']).error !== undefined) return t.skip('there is no curl here');
    const fields = {
      tier_list: JSON.stringify(TIER_LIST),
      timeline_data: JSON.stringify(TIMELINE),
      settings: JSON.stringify(SETTINGS),
    };
    const { stdout } = await run('curl', [
      '--silent',
      '--show-error',
      '--fail',
      ...['--header', 'Accept: application/json'],
      ...Object.entries(fields).flatMap(([name, value]) => ['--form-string', `${name}=${value}`]),
      ...['--form', `clip=@${CLIP.file}`, '--form', `picture=@${PICTURE.file}`],
      `${service.base}/video/exports`,
    ]);
    const metadata: ExportMetadata = JSON.parse(stdout);
    assertMetadata(metadata, 'preset_two');
    for (const { name, width, height } of SMALL_PRESETS) {
      const { stdout: bytes } = await run(
        'curl',
        ['--silent', '--fail', `${service.base}${metadata.downloads[name]}`],
        {
          encoding: 'buffer',
          maxBuffer: 2 ** 24,
        },
      );
      assert.deepEqual(await played(bytes), { width, height, seconds: 3, sound: true, frames: 90 });
    }
  });

  test('[seed] the walk with FormData and fetch, JSON as texts and as blobs: the same videos, all three at once', async () => {
    const asTexts = formOf(sampleRequest({ settings: SETTINGS }));
    const asBlobs = new FormData();
    for (const [name, value] of asTexts) {
      if (typeof value === 'string') asBlobs.append(name, new Blob([value], { type: 'application/json' }), 'blob');
      else asBlobs.append(name, value);
    }
    const [first, second] = await Promise.all(
      [asTexts, asBlobs].map(async (form) => {
        const metadata = await metadataOf(await post(service, form, { accept: 'application/json' }), 201);
        assertMetadata(metadata, 'preset_two');
        return ended(service, metadata.export_id);
      }),
    );
    await Promise.all(SMALL_PRESETS.map(({ name }) => download(service, first!, name)));
    assert.deepEqual(first!.outputs, second!.outputs, 'the same request gives the same bytes');
  });

  test('[seed] settings are optional: the first preset is the default one', async () => {
    const metadata = await metadataOf(await post(service, sampleRequest(), { accept: 'application/json' }), 201);
    assertMetadata(metadata, 'preset_one');
  });
}
