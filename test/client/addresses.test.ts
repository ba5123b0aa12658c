import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TiercutClient } from '../../packages/client/src/client.ts';
import { makeClip } from '../fixtures/clips.ts';
import { fileServer } from '../outbound/file-server.ts';
import { ServiceFixture } from '../service/service-fixture.ts';

test('[C66] a client passes media by URL and follows the export until it ends', async () => {
  const { file } = await makeClip({ frames: 30, width: 128, height: 72 });
  await using server = await fileServer((_, response) =>
    response.writeHead(200, { etag: '"1"' }).end(readFileSync(file)),
  );
  await using service = await ServiceFixture.start({
    TIERCUT_PRIVATE_ADDRESSES: 'on',
    TIERCUT_PRERENDER: 'selected',
  });
  const client = new TiercutClient({ url: service.base });
  const url = `${server.base}/clip.mp4`;
  const media = await client.fetchMedia(url);
  assert.equal(media.facts.kind, 'video');
  const request = {
    tier_list: {},
    timeline_data: { videos: [{ file_field: 'clip' }] },
    settings: { quality: 'draft', width: 128, height: 72 },
    media: { clip: { url } },
  } as const;
  const { export_id, phase } = await client.create(request);
  assert.equal(phase, 'fetching');
  const done = await client.wait(export_id);
  assert.deepEqual([done.state, done.phase, done.duration], ['completed', undefined, 1]);
});
