import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ClusterFixture } from '../../test/cluster/cluster-fixture.ts';
import type { ExportRequest } from '../../test/service/export-client.ts';
import { benchClip } from '../render/media.ts';
import { writeProject } from '../render/project.ts';
import { treeMegabytes } from '../render/tree-memory.ts';
import { madeOf } from './made-export.ts';

const LOOK_EVERY_MS = 250;
const CLIP_SECONDS = 10;
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
  await using cluster = await startCluster(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'tiercut-jobs-'));
  let peakMegabytes = 0;
  const timer = setInterval(async () => {
    peakMegabytes = Math.max(peakMegabytes, await treeMegabytes(cluster.workers[0]!.pid));
  }, LOOK_EVERY_MS);
  try {
    const { media, ...documents } = JSON.parse(await readFile(await writeProject(folder, seconds), 'utf8'));
    const { of } = await timesByKind(cluster, { documents, files: media });
    return { chunks: of('chunks'), sound: of('sound')[0]!, assembly: of('assembly')[0]!, peakMegabytes };
  } finally {
    clearInterval(timer);
    await rm(folder, { recursive: true, force: true });
  }
}

/** The assembly of one preset. */
export interface AssemblyTime {
  readonly seconds: number;
  readonly megabytes: number;
}

/**
 * Assembles one preset of this length on one worker. The same ten seconds of a clip over and over have the same chunk
 * keys: one chunk is rendered, and the file has its full length and size.
 */
export async function assemblyTime(databaseUrl: string, seconds: number): Promise<AssemblyTime> {
  await using cluster = await startCluster(databaseUrl);
  const clip = await benchClip({ name: 'hd1', width: 1920, height: 1080, seconds: 20, seed: 1 });
  const videos = Array.from({ length: Math.ceil(seconds / CLIP_SECONDS) }, (_, n) => {
    return { file_field: 'clip', start: n * CLIP_SECONDS, duration: CLIP_SECONDS };
  });
  const documents = { tier_list: {}, timeline_data: { videos } };
  const { metadata, of } = await timesByKind(cluster, { documents, files: { clip } });
  const bytes = Object.values(metadata.outputs).reduce((sum, output) => sum + (output.bytes ?? 0), 0);
  return { seconds: of('assembly')[0]!, megabytes: bytes / 1e6 };
}

function startCluster(databaseUrl: string): Promise<ClusterFixture> {
  const settings = { TIERCUT_PRERENDER: 'selected', TIERCUT_PRESETS: JSON.stringify(PRESETS) };
  return ClusterFixture.start({ databaseUrl, apis: 1, workers: 1, settings });
}

/** Renders an export; `of` returns the seconds of its jobs of a kind, in the order in which they began. */
async function timesByKind(cluster: ClusterFixture, request: ExportRequest) {
  const metadata = await madeOf(cluster, request);
  const client = new pg.Client({ connectionString: cluster.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ kind: string; seconds: number }>(
      `select data ->> 'kind' as kind, extract(epoch from completed_on - started_on)::float8 as seconds
       from pgboss.job where name like 'render-%' and singleton_key = $1 order by started_on`,
      [metadata.export_id],
    );
    const of = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.seconds);
    return { metadata, of };
  } finally {
    await client.end();
  }
}
