import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import pg from 'pg';
import { ClusterFixture } from '../../test/cluster/cluster-fixture.ts';
import { movingRequest } from '../../test/load/requests.ts';
import { madeOf } from './made-export.ts';

const PRESETS = [
  { name: 'preset_one', width: 640, height: 360, aliases: ['landscape'] },
  { name: 'preset_two', width: 360, height: 640, aliases: ['portrait'] },
  { name: 'preset_three', width: 360, height: 360, aliases: ['square'] },
];

/**
 * How long the pictures of one export took, from the first claim to the last chunk, on this many workers of one core
 * each; seconds.
 */
export async function chunkPhase(databaseUrl: string, workers: number, seconds: number): Promise<number> {
  const settings = { TIERCUT_PRERENDER: 'selected', TIERCUT_PRESETS: JSON.stringify(PRESETS) };
  await using cluster = await ClusterFixture.start({ databaseUrl, apis: 1, workers, settings });
  for (const [core, { pid }] of cluster.workers.entries()) bind(pid, core % availableParallelism());
  const { export_id } = await madeOf(cluster, movingRequest('Fan-out', seconds));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ seconds: number }>(
      `select extract(epoch from max(j.completed_on) - min(j.started_on))::float8 as seconds
       from pgboss.job j join jobs k on k.engine_id = j.id where k.export_id = $1 and k.kind = 'chunks'`,
      [export_id],
    );
    return rows[0]!.seconds;
  } finally {
    await client.end();
  }
}

/** To one core, with all it starts from now on. */
function bind(pid: number, core: number): void {
  execFileSync('taskset', ['-apc', `${core}`, `${pid}`], { stdio: 'ignore' });
}
