import assert from 'node:assert/strict';
import { test } from 'node:test';
import { account } from './fault-account.ts';
import { NODE_SCENES, POSTGRES_SCENES, type Scenes } from './fault-scenes.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { databaseWireScenes } from './wire-scenes.ts';

const SCENES: Scenes = { ...NODE_SCENES, ...POSTGRES_SCENES, ...databaseWireScenes(5) };
/** Eleven, of every kind; `npm run faults` has them all, and S3 disconnected, repeatedly. */
const CHOSEN = [
  'every node is killed in the middle of a batch',
  'a worker is killed while a chunk is rendered',
  'a node that answers is killed while a file is uploaded',
  'a worker is killed while its output is assembled',
  'a node is killed right after it has acknowledged',
  'a worker is killed while its video is put in its place',
  'PostgreSQL crashes while a node commits what it has taken in, and the client asks again',
  'PostgreSQL crashes while a worker commits what it has done',
  'a worker is started while others work',
  "a worker's network to PostgreSQL is away for 5 s",
  'a worker is stopped past its lease, and goes on afterwards',
];
test('[C85, H23, H24, H25] nodes die, stop and lose their connection: acknowledged exports complete once, no partial video is served, and no files are left', async (t) => {
  await using cluster = await FaultyCluster.start();
  // While one waits for a lease to expire, the next goes on.
  const rest: (() => Promise<void>)[] = [];
  for (const name of CHOSEN) {
    await t.test(name, async () => {
      const after = await SCENES[name]!(cluster, name);
      if (after !== undefined) rest.push(after);
    });
  }
  await t.test('stopped and disconnected nodes come back', async () => {
    await Promise.all(rest.map((after) => after()));
  });
  await t.test('all exports are complete, and no files are left', async () => void (await account(cluster)));
  assert.ok(cluster.served > 0);
});
