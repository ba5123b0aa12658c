import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import pg from 'pg';
import { ClusterFixture } from '../../test/cluster/cluster-fixture.ts';
import { movingRequest } from '../../test/load/requests.ts';
import type { PostgresServer } from '../../test/postgres/postgres-server.ts';
import { cpuSeconds } from '../../test/service/process-tree.ts';
import { emptyDatabase } from './empty-database.ts';
import { madeOf } from './made-export.ts';
import { postgresCpuSeconds } from './postgres-cpu.ts';

const PRESETS = [
  { name: 'preset_one', width: 640, height: 360, aliases: ['landscape'] },
  { name: 'preset_two', width: 360, height: 640, aliases: ['portrait'] },
  { name: 'preset_three', width: 360, height: 360, aliases: ['square'] },
];

/** How the chunks and the sound of one export ran, in seconds. */
export interface FanOut {
  /** From the first claim to the last chunk. */
  readonly wall: number;
  /** The time of all jobs, added up. */
  readonly busy: number;
  /** The time at the end in which a single job ran. */
  readonly tail: number;
  /** CPU from the create to the end: of the workers, and of PostgreSQL and the API node. */
  readonly cpu: { readonly workers: number; readonly others: number };
}

/** Renders the pictures of one export on this many workers of one core each. */
export async function fanOut(server: PostgresServer, name: string, workers: number, seconds: number): Promise<FanOut> {
  const databaseUrl = await emptyDatabase(server, name);
  const settings = { TIERCUT_PRERENDER: 'selected', TIERCUT_PRESETS: JSON.stringify(PRESETS) };
  await using cluster = await ClusterFixture.start({ databaseUrl, apis: 1, workers, settings });
  for (const [core, { pid }] of cluster.workers.entries()) bind(pid, core % availableParallelism());
  const cpuNow = () => ({ workers: cpuOf(cluster.workers), others: cpuOf(cluster.apis) + postgresCpuSeconds(server) });
  const before = cpuNow();
  const { export_id } = await madeOf(cluster, movingRequest('Fan-out', seconds));
  const after = cpuNow();
  const jobs = await jobTimes(databaseUrl, export_id);
  const ends = jobs.map(({ end }) => end).toSorted((a, b) => b - a);
  const wall = ends[0]! - Math.min(...jobs.map(({ start }) => start));
  return {
    wall,
    busy: jobs.reduce((sum, { start, end }) => sum + end - start, 0),
    tail: workers === 1 ? 0 : ends[0]! - ends[1]!,
    cpu: { workers: after.workers - before.workers, others: after.others - before.others },
  };
}

async function jobTimes(databaseUrl: string, exportId: string): Promise<{ start: number; end: number }[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ start: number; end: number }>(
      `select extract(epoch from started_on)::float8 as "start", extract(epoch from completed_on)::float8 as "end"
       from pgboss.job where name like 'render-%' and singleton_key = $1 and data ->> 'kind' <> 'assembly'`,
      [exportId],
    );
    return rows;
  } finally {
    await client.end();
  }
}

function cpuOf(nodes: readonly { readonly pid: number }[]): number {
  return nodes.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
}

/** To one core, with all it starts from now on. */
function bind(pid: number, core: number): void {
  execFileSync('taskset', ['-apc', `${core}`, `${pid}`], { stdio: 'ignore' });
}
