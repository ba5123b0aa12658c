import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesFault, tryBlobs } from '../../src/compose/try-parts.ts';
import { BLOB_BACKENDS, type BlobPlace, backendOf } from '../../src/config/blob-backends.ts';
import { readConfig } from '../../src/config/config.ts';
import { deploymentOf } from '../../src/config/deployment.ts';
import { ExportError } from '../../src/errors.ts';
import { corruptBlob, failed } from '../../src/store/store-error.ts';
import { tempFolder } from '../store/temp-folder.ts';

const SETTINGS = { s3Endpoint: 'http://s3.example', s3Region: null, s3PathStyle: false };
const PLACES: readonly BlobPlace[] = [
  { scheme: 's3', bucket: 'videos', prefix: 'a/' },
  { scheme: 'file', path: '/srv/shared' },
];

test('each backend has its own scheme, and reads its example URL', () => {
  assert.deepEqual(
    BLOB_BACKENDS.map(({ scheme }) => scheme),
    PLACES.map(({ scheme }) => scheme),
    'PLACES has an example of each',
  );
  for (const { scheme, example, parse } of BLOB_BACKENDS) {
    const place = parse(new URL(example));
    assert.equal(place?.scheme, scheme);
    assert.equal(backendOf(place!).scheme, scheme);
  }
});

test('a backend names its location and explains every error; an unknown error keeps its own text', () => {
  for (const place of PLACES) {
    const reported = filesFault(failed(new Error('it broke')), place, SETTINGS);
    assert.match(reported, /it broke/);
    assert.ok(
      backendOf(place)
        .describe(place)
        .includes(place.scheme === 's3' ? 'videos/a/' : place.path),
    );
  }
  const away = new ExportError('unavailable', 'store.unreachable', 'away', { cause: new Error('ECONNREFUSED') });
  assert.match(filesFault(away, PLACES[0]!, SETTINGS), /S3 server cannot be reached at http:\/\/s3\.example \(ECONN/);
  assert.match(filesFault(corruptBlob(new Error()), PLACES[0]!, SETTINGS), /is it an S3 server\?/);
});

test('doctor: an unusable shared folder is reported with its variable, a usable one is used once', async (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'letter'), '');
  const tried = (shared: string) => {
    const config = readConfig({ TIERCUT_BLOBS_URL: `file://${join(folder, shared)}`, TIERCUT_DATA_DIR: folder });
    return tryBlobs(deploymentOf(config, 'serve'), config);
  };
  assert.match(
    (await tried('letter'))!.detail,
    /^The shared folder .*letter cannot be used: it is not a folder\. TIERCUT_BLOBS_URL names it\./,
  );
  const good = await tried('shared');
  assert.equal(good!.state, 'ok');
  assert.ok(good!.detail.startsWith(`${join(folder, 'shared')}: written, read and removed in `), good!.detail);
  assert.equal(await tried('.'), null, 'the data folder is this node’s own');
});
