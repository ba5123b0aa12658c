import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { databaseFault, tryBlobs, tryDatabase } from '../../src/compose/try-parts.ts';
import { readConfig } from '../../src/config/config.ts';
import { deploymentOf } from '../../src/config/deployment.ts';
import { migrateStore } from '../../src/store/postgres/postgres-store.ts';
import { testDatabase } from '../postgres/test-database.ts';
import { NO_S3, testPlace } from '../store/s3/test-bucket.ts';
import { tempFolder } from '../store/temp-folder.ts';

const url = await testDatabase();

const tried = (databaseUrl: string, now?: () => number) =>
  tryDatabase({ role: 'serve', databaseUrl, blobs: null, dataDir: '/' }, now);

async function ask(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** The address, with another user, or database. */
function other(change: (address: URL) => void): string {
  const address = new URL(url);
  change(address);
  return address.href;
}

test('doctor: a database without tables, or with those of another release, gets instructions', async () => {
  assert.match((await tried(url))!.detail, /has no tables yet.*tiercut migrate/);
  await migrateStore(url);
  const good = await tried(url);
  assert.equal(good!.state, 'ok');
  assert.match(good!.detail, /^PostgreSQL \d+.*responds in \d+ ms$/);
  await ask('update schema_version set version = 1');
  assert.match((await tried(url))!.detail, /has schema 1\. This release can migrate schema 19/);
  await ask('drop schema pgboss cascade');
  await ask('update schema_version set version = 19');
  assert.match((await tried(url))!.detail, /Tables are missing.*tiercut migrate/);
});

test('doctor: a read-only database and one with a different clock are reported', async () => {
  const mine = await testDatabase();
  await migrateStore(mine);
  const late = await tried(mine, () => Date.now() - 60_000);
  assert.deepEqual(late!.state, 'weak');
  assert.match(late!.detail, /its clock is (59|60|61) s ahead of this machine's/);
  const name = new URL(mine).pathname.slice(1);
  await ask(`alter database ${name} set default_transaction_read_only = on`);
  const standby = await tried(mine);
  assert.equal(standby!.state, 'missing');
  assert.match(standby!.detail, /is read-only/);
});

test('doctor: a refused login and a missing database are reported without the password', async () => {
  const nobody = await tried(other((address) => Object.assign(address, { username: 'nobody', password: 'secret' })));
  assert.match(nobody!.detail, /does not let user "nobody" in/);
  const nowhere = await tried(other((address) => Object.assign(address, { pathname: '/nowhere', password: 'secret' })));
  assert.match(nowhere!.detail, /no database "nowhere".*tiercut migrate/);
  const gone = await tried('postgres://someone:secret@127.0.0.1:1/tiercut');
  assert.match(gone!.detail, /PostgreSQL cannot be reached on 127\.0\.0\.1:1/);
  const wrong = Object.assign(new Error('password authentication failed'), { code: '28P01' });
  const reported = databaseFault(wrong, 'postgres://someone:secret@127.0.0.1:1/tiercut');
  assert.match(reported, /password of user "someone"/);
  for (const { detail } of [nobody!, nowhere!, gone!, { detail: reported }]) assert.doesNotMatch(detail, /secret/);
});

test('doctor: a missing bucket and wrong credentials are reported', { skip: NO_S3 }, async (t) => {
  const { bucket, prefix, endpoint, credentials } = await testPlace(t);
  const attempt = (blobsUrl: string, secret: string, id = credentials!.accessKeyId) => {
    const [before, env] = [process.env, { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret }];
    process.env = { ...before, ...env };
    t.after(() => {
      process.env = before;
    });
    const config = readConfig({
      TIERCUT_DATABASE_URL: url,
      TIERCUT_BLOBS_URL: blobsUrl,
      TIERCUT_S3_ENDPOINT: endpoint!,
      TIERCUT_S3_PATH_STYLE: 'on',
      TIERCUT_DATA_DIR: tempFolder(t),
    });
    return tryBlobs(deploymentOf(config, 'serve'), config);
  };
  const { secretAccessKey } = credentials!;
  assert.equal((await attempt(`s3://${bucket}/${prefix}`, secretAccessKey))!.state, 'ok');
  assert.match((await attempt('s3://no-such-bucket/x', secretAccessKey))!.detail, /no bucket "no-such-bucket"/);
  assert.match((await attempt(`s3://${bucket}/x`, 'wrong'))!.detail, /does not accept the secret/);
  assert.match((await attempt(`s3://${bucket}/x`, 'wrong', 'nobody'))!.detail, /does not know the access key/);
});
