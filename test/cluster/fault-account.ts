import assert from 'node:assert/strict';
import { Orphans } from '../../src/exports/retention/orphans.ts';
import { Uploads } from '../../src/exports/uploads.ts';
import { ChunkRecords } from '../../src/store/chunks/chunk-records.ts';
import { PostgresDatabase } from '../../src/store/postgres/postgres-database.ts';
import { ContentRecords } from '../../src/store/records/content-records.ts';
import { DraftRecords } from '../../src/store/records/draft-records.ts';
import { ExportRecords } from '../../src/store/records/export-records.ts';
import { MediaRecords } from '../../src/store/records/media-records.ts';
import { assertCountedOnce, assertNoRows, assertWhole } from '../load/whole-export.ts';
import { reached } from '../service/export-client.ts';
import { descendantsOf } from '../service/process-tree.ts';
import { workOf } from './fault-stages.ts';
import type { FaultyCluster } from './faulty-cluster.ts';
import { tomorrow } from './shared-files.ts';

/** Orphans older than this are removed; the test's clock is a day ahead. */
const ORPHAN_AGE_MS = 6 * 3_600_000;
const REST_SECONDS = 30;

export interface Accounted {
  readonly exports: number;
  /** Exports whose create got no response. */
  readonly unacknowledged: number;
  /** Files without a record, which the hourly sweep of a later hour removes. */
  readonly orphans: number;
}

/**
 * Waits for the end of all acknowledged exports and checks them: nothing is lost, nothing is done twice. Then
 * everything is deleted, and nothing may be left.
 */
export async function account(cluster: FaultyCluster): Promise<Accounted> {
  await cluster.settled();
  const database = await PostgresDatabase.open(cluster.databaseUrl);
  try {
    const rows = await database.query<{ id: string }>('select id from exports');
    const promised = new Set(cluster.promised.map(({ export_id }) => export_id));
    const others = rows.filter(({ id }) => !promised.has(id));
    assert.ok(others.length <= cluster.unanswered, `${others.length} exports that no response has confirmed`);
    for (const { id } of [...rows, ...cluster.promised.map(({ export_id }) => ({ id: export_id }))]) {
      await assertWhole(cluster.nodes, id, 'selected');
    }
    await assertDoneOnce(database);
    assert.deepEqual(cluster.servedInPart.splice(0), [], 'part of a video was served');
    for (const { id } of rows) {
      const reply = await fetch(`${cluster.nodes.base}/video/exports/${id}`, { method: 'DELETE' });
      assert.equal(reply.status, 204);
    }
    cluster.promised.length = 0;
    cluster.unanswered = 0;
    return {
      exports: rows.length,
      unacknowledged: others.length,
      orphans: await assertNothingLeft(cluster, database),
    };
  } finally {
    await database.close();
  }
}

/** After a failed round: the next one starts empty, as far as possible. */
export async function startAnew(cluster: FaultyCluster): Promise<void> {
  await cluster.settled();
  cluster.promised.length = 0;
  cluster.unanswered = 0;
  const database = await PostgresDatabase.open(cluster.databaseUrl);
  try {
    for (const { id } of await database.query<{ id: string }>('select id from exports')) {
      await fetch(`${cluster.nodes.base}/video/exports/${id}`, { method: 'DELETE' });
    }
    await sweep(cluster, database);
  } finally {
    await database.close();
  }
}

/** The jobs of tenants, and notes about their copies. Raises of jobs expire later. */
const JOBS = `pgboss.job where (name like '%-%' or name = 'copies')`;

async function assertDoneOnce(database: PostgresDatabase): Promise<void> {
  await assertCountedOnce((sql) => database.query(sql));
  const jobs = await database.query(
    `select data ->> 'id' as id, state from ${JOBS} and name <> 'copies' and state <> 'completed'`,
  );
  assert.deepEqual(jobs, [], 'nothing is left to do');
}

/** Neither rows nor files nor processes; how many files only a sweep finds. */
async function assertNothingLeft(cluster: FaultyCluster, database: PostgresDatabase): Promise<number> {
  await assertNoRows((sql) => database.query(sql), JOBS);
  const orphans = await sweep(cluster, database);
  assert.deepEqual(await cluster.files.names(), []);
  // Beside copies of files that are kept for the next job.
  const work = () => cluster.nodes.nodes.flatMap((node) => workOf(node).filter((file) => file.includes('/')));
  await reached('empty work folders', () => work().length === 0, REST_SECONDS).catch(() =>
    assert.deepEqual(work(), []),
  );
  const children = () => cluster.nodes.nodes.flatMap(({ pid }) => descendantsOf(pid));
  await reached('the end of all children', () => children().length === 0, REST_SECONDS);
  return orphans;
}

/** Housekeeping when everything is a day old. */
async function sweep({ files: { blobs } }: FaultyCluster, database: PostgresDatabase): Promise<number> {
  const common = { database, records: new ExportRecords(), now: tomorrow, log: () => {} };
  const local = { hold: () => Promise.reject(new Error('a sweep reads nothing')) };
  const [media, contents] = [new MediaRecords(), new ContentRecords()];
  const uploads = new Uploads({ ...common, blobs, media, contents, local, alone: false });
  // Data that exports share stays for some minutes after the last one: it is not an orphan.
  await uploads.drop(await contents.listUnneeded(common.now(), database));
  // Every export is deleted by now: no worker is active.
  const jobs = { isRunning: async () => false };
  return new Orphans({
    ...common,
    drafts: new DraftRecords(),
    blobs,
    chunkRecords: new ChunkRecords(),
    jobs,
    uploads,
  }).sweep(ORPHAN_AGE_MS);
}
