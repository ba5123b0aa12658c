import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultScenes } from './fault-scenes.ts';
import { FaultyCluster } from './faulty-cluster.ts';

const CUT_SECONDS = 5;
/** One of each kind, those that kill first, while everybody is at work; `npm run faults` has them all, again and again. */
const CHOSEN = [
  'a worker is killed while a chunk is rendered',
  'a node is killed right after it has acknowledged',
  'PostgreSQL crashes while exports are made and acknowledged',
  'a worker is stopped past its lease, and goes on afterwards',
  `a worker's network is away for ${CUT_SECONDS} s`,
];

test('[faults] nodes die, stop and lose touch: what was acknowledged completes, once, and no part of a video is served', async (t) => {
  const scenes = faultScenes(CUT_SECONDS);
  await using cluster = await FaultyCluster.start();
  // While one waits for a lease to run out, the next goes on.
  const rest = new Map<string, () => Promise<void>>();
  for (const name of CHOSEN) {
    await t.test(name, async () => {
      const after = await scenes[name]!(cluster, name);
      if (after !== undefined) rest.set(name, after);
    });
  }
  // These come one after the other: the network is away for that long at the least.
  await Promise.all([...rest].map(([name, after]) => t.test(`afterwards: ${name}`, after)));
  await t.test('all is whole', () => cluster.assertWhole());
  assert.ok(cluster.served > 0);
});
