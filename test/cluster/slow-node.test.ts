import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { movingRequest } from '../load/requests.ts';
import { createAsync, reached, seen, statusOf } from '../service/export-client.ts';
import { ClusterFixture } from './cluster-fixture.ts';

/** Six chunks, each its own job. */
const SECONDS = 60;

interface JobState {
  readonly state: string;
  readonly tries: number;
}

test('[H41] the last chunk does not wait for a stopped node: another node renders a copy, with the same bytes', async (t) => {
  await using cluster = await ClusterFixture.start({
    apis: 1,
    workers: 2,
    settings: { TIERCUT_PRERENDER: 'selected' },
  });
  const [slow, quick] = cluster.workers as [(typeof cluster.workers)[0], (typeof cluster.workers)[0]];
  const client = new pg.Client({ connectionString: cluster.databaseUrl });
  await client.connect();
  t.after(() => client.end());
  const chunksOf = async (id: string): Promise<JobState[]> => {
    const { rows } = await client.query<JobState>(
      `select state::text, retry_count + 1 as tries from pgboss.job
       where name like 'render-%' and singleton_key = $1 and data ->> 'kind' = 'chunks'`,
      [id],
    );
    return rows;
  };
  const isCompleted = async ({ export_id }: { export_id: string }) =>
    (await statusOf(cluster, export_id)).state === 'completed';
  // The same sound is in the cache afterwards: both nodes have chunks.
  const first = await createAsync(cluster, movingRequest('Both nodes', SECONDS));
  await reached('the first video', () => isCompleted(first), 120);
  const made = await createAsync(cluster, movingRequest('One node stops', SECONDS));
  const id = made.export_id;
  await seen('both nodes at work', async () => {
    const states = (await chunksOf(id)).map(({ state }) => state);
    return states.includes('completed') && states.filter((state) => state === 'active').length === 2;
  });
  slow.signal('SIGSTOP');
  await reached('the video', () => isCompleted(made), 120);
  const jobs = await chunksOf(id);
  // An expired lease would make it a second try.
  assert.deepEqual(new Set(jobs.map(({ state, tries }) => `${state} ${tries}`)), new Set(['completed 1']));
  const { rows: copies } = await client.query(
    `select id from pgboss.job where name = 'copies' and singleton_key = $1`,
    [id],
  );
  assert.equal(copies.length, 1, 'the node stopped in the middle of a job');

  slow.signal('SIGCONT');
  const { sha256 } = (await statusOf(cluster, id)).outputs[made.settings.preset]!;
  const download = async (url: string) => Buffer.from(await (await fetch(`${cluster.base}${url}`)).arrayBuffer());
  const bytes = await download(made.download_url);
  assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
  // The late node has given up its try and takes new work; nothing failed.
  quick.signal('SIGSTOP');
  t.after(() => quick.signal('SIGCONT'));
  const next = await createAsync(cluster, movingRequest('The late node goes on', 6));
  await reached('the next video', () => isCompleted(next), 120);
  const failures = [...slow.lines, ...quick.lines].filter((line) => line.includes('job failed'));
  assert.deepEqual(failures, []);
});
