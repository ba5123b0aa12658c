import { test } from 'node:test';
import { NO_S3 } from '../store/s3/test-bucket.ts';
import { account } from './fault-account.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { resetScenes } from './wire-scenes.ts';

/** A call to S3 is tried five times. `npm run faults` covers the other moments. */
const SCENES = resetScenes(7);
const CHOSEN = [
  'connections to S3 are reset 7 times in a row while an upload is fetched',
  'connections to S3 are reset 7 times in a row while a chunk is published',
];

test('[C35, H33] seven connection resets in a row by S3 neither fail nor lose an export', {
  skip: NO_S3,
}, async (t) => {
  await using cluster = await FaultyCluster.start({ mayBeS3: true });
  for (const name of CHOSEN) await t.test(name, async () => void (await SCENES[name]!(cluster, name)));
  await t.test('all exports are complete, and no files are left', async () => void (await account(cluster)));
});
