import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { deploymentOf, type Role } from '../../src/config/deployment.ts';
import type { Environment } from '../../src/config/environment.ts';
import { ExportError } from '../../src/errors.ts';

const POSTGRES = { TIERCUT_DATABASE_URL: 'postgres://me:secret@db:5432/tiercut' };

function deployment(env: Environment, role: Role = 'serve') {
  return deploymentOf(readConfig(env), role);
}

/** The invalid variables. */
function refused(env: Environment, role: Role = 'serve'): string[] {
  try {
    deployment(env, role);
    return [];
  } catch (error) {
    assert.ok(error instanceof ExportError && error.code === 'config.invalid');
    return error.issues.map(({ path }) => path);
  }
}

test('without settings, everything is in the data folder', () => {
  const dataDir = resolve('./data');
  assert.deepEqual(deployment({}), {
    role: 'serve',
    databaseUrl: null,
    blobs: null,
    dataDir,
  });
});

test('files are stored in a bucket under a prefix, or in a folder that nodes share', () => {
  const blobs = (url: string) => deployment({ ...POSTGRES, TIERCUT_BLOBS_URL: url }, 'work').blobs;
  assert.deepEqual(blobs('s3://videos'), { scheme: 's3', bucket: 'videos', prefix: '' });
  assert.deepEqual(blobs('s3://videos/a/b/'), { scheme: 's3', bucket: 'videos', prefix: 'a/b/' });
  assert.deepEqual(blobs('file:///srv/shared%20files'), { scheme: 'file', path: '/srv/shared files' });
});

test('invalid addresses are refused with the allowed forms, and no password is printed', () => {
  for (const url of [
    'videos',
    's3:///x',
    's3://Videos',
    's3://videos?x',
    'https://videos',
    'file://host/x',
    'file:///',
  ]) {
    assert.throws(() => readConfig({ TIERCUT_BLOBS_URL: url }), /TIERCUT_BLOBS_URL must be s3:/, url);
  }
  for (const url of ['mysql://me:secret@db/x', 'postgres://db', 'secret']) {
    assert.throws(
      () => readConfig({ TIERCUT_DATABASE_URL: url }),
      (error) =>
        error instanceof ExportError && /must be an address/.test(error.message) && !/secret/.test(error.message),
      url,
    );
  }
});

test('a combination of settings that cannot work is refused with every reason', () => {
  const shared = { TIERCUT_BLOBS_URL: 'file:///srv/shared' };
  assert.deepEqual(refused(shared, 'work'), ['TIERCUT_DATABASE_URL']);
  assert.deepEqual(refused(shared, 'api'), ['TIERCUT_DATABASE_URL']);
  assert.deepEqual(refused({}, 'work'), ['TIERCUT_DATABASE_URL', 'TIERCUT_BLOBS_URL']);
  assert.deepEqual(refused(POSTGRES), ['TIERCUT_BLOBS_URL']);
  assert.deepEqual(refused({ ...POSTGRES, ...shared, TIERCUT_DATA_DIR: '/srv/shared' }), ['TIERCUT_BLOBS_URL']);
  assert.deepEqual(refused({ TIERCUT_DOWNLOADS: 'redirect' }), ['TIERCUT_DOWNLOADS']);
  assert.deepEqual(refused({ TIERCUT_S3_ENDPOINT: 'http://127.0.0.1:9000' }), ['TIERCUT_S3_ENDPOINT']);
  assert.deepEqual(refused({ TIERCUT_BLOBS_URL: 's3://videos', TIERCUT_DOWNLOADS: 'redirect' }), []);
  for (const role of ['serve', 'api', 'work'] as const) assert.deepEqual(refused({ ...POSTGRES, ...shared }, role), []);
});
