import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ClusterFixture } from '../../test/cluster/cluster-fixture.ts';
import { writeProject } from '../render/project.ts';
import { treeMegabytes } from '../render/tree-memory.ts';
import { madeOf } from './made-export.ts';

const LOOK_EVERY_MS = 250;
const PRESETS = [
  { name: 'preset_one', width: 1920, height: 1080, aliases: ['landscape'] },
  { name: 'preset_two', width: 1080, height: 1920, aliases: ['portrait'] },
  { name: 'preset_three', width: 1080, height: 1080, aliases: ['square'] },
];

/** How long each job of an export took on one worker, and the peak memory of that worker and its child. */
export interface JobTimes {
  /** Seconds of each chunk; the first with the start of the render child. */
  readonly chunks: readonly number[];
  readonly sound: number;
  readonly assembly: number;
  readonly peakMegabytes: number;
}

/** Renders this many seconds of the minute of clips, one preset of 1080p, on one worker. */
export async function jobTimes(databaseUrl: string, seconds: number): Promise<JobTimes> {
  const folder = await mkdtemp(join(tmpdir(), 'tiercut-jobs-'));
  const settings = { TIERCUT_PRERENDER: 'selected', TIERCUT_PRESETS: JSON.stringify(PRESETS) };
  await using cluster = await ClusterFixture.start({ databaseUrl, apis: 1, workers: 1, settings });
  const client = new pg.Client({ connectionString: databaseUrl });
  let peakMegabytes = 0;
  const timer = setInterval(async () => {
    peakMegabytes = Math.max(peakMegabytes, await treeMegabytes(cluster.workers[0]!.pid));
  }, LOOK_EVERY_MS);
  try {
    await client.connect();
    const { media, ...documents } = JSON.parse(await readFile(await writeProject(folder, seconds), 'utf8'));
    const { export_id } = await madeOf(cluster, { documents, files: media });
    const { rows } = await client.query<{ kind: string; seconds: number }>(
      `select k.kind, extract(epoch from j.completed_on - j.started_on)::float8 as seconds
       from pgboss.job j join jobs k on k.engine_id = j.id where k.export_id = $1 order by j.started_on`,
      [export_id],
    );
    const of = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.seconds);
    return { chunks: of('chunks'), sound: of('sound')[0]!, assembly: of('assembly')[0]!, peakMegabytes };
  } finally {
    clearInterval(timer);
    await client.end();
    await rm(folder, { recursive: true, force: true });
  }
}
