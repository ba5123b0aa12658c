import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '../../src/store/job-queue.ts';
import { NODE_CONNECTIONS } from '../../src/store/postgres/postgres-store.ts';
import type { PostgresServer } from '../../test/postgres/postgres-server.ts';
import { postgresCpuSeconds } from './postgres-cpu.ts';
import { JOBS_BESIDE_CHUNKS, StubStore } from './stub-store.ts';

/** As many as a machine of 32 cores renders at once. */
const WORKERS_PER_NODE = 16;
const [CROWD, CROWD_CHUNKS] = ['crowd', 500];
const [GUESTS, GUEST_CHUNKS] = [20, 4];
/** Their share of all work. */
const GUEST_SHARE = 0.2;
const SETTLE_MS = 4_000;

export interface ManyWorkersRun {
  /** The share of the workers' time spent in renders. */
  readonly busy: number;
  readonly jobsASecond: number;
  /** From asking for a job to having one, where there are enough. */
  readonly claimMs: readonly number[];
  /** From an export of a tenant with no other waiting exports to the claim of its first job by a worker. */
  readonly guestMs: readonly number[];
  /** What a job costs the database, and all nodes together; milliseconds of CPU. */
  readonly databaseMs: number;
  readonly nodesMs: number;
  /** How often a worker got no answer from the database in time and tried again. */
  readonly delayed: number;
}

/** The connections that PostgreSQL must allow: each node has as many as in production, and the one that creates exports. */
export function connectionsOf(workers: number): number {
  return (Math.ceil(workers / WORKERS_PER_NODE) + 1) * NODE_CONNECTIONS;
}

/**
 * This many workers with renders of `renderMs` (half to one and a half of it) on a queue that never runs dry, because
 * one tenant has far more waiting jobs than are done meanwhile; others come with one small export each, one after the
 * other.
 */
export async function manyWorkers(
  server: PostgresServer,
  url: string,
  { workers, renderMs, seconds }: { workers: number; renderMs: number; seconds: number },
): Promise<ManyWorkersRun> {
  await using held = new AsyncDisposableStack();
  const front = held.use(await StubStore.open(url));
  const jobs = (workers * (seconds * 1000 + SETTLE_MS)) / renderMs;
  for (let n = 0; n < jobs * 1.5; n += CROWD_CHUNKS) await front.create(CROWD_CHUNKS, CROWD);
  const nodes: StubStore[] = [];
  for (let n = 0; n < workers; n += WORKERS_PER_NODE) nodes.push(held.use(await StubStore.open(url)));
  const stop = new AbortController();
  const seen = { ended: 0, claimMs: [] as number[], guestMs: [] as number[], renderedMs: 0, delayed: 0 };
  let counts = false;
  const created = new Map<string, number>();
  const heard = {
    claimed: ({ exportId }: Job, askedMs: number) => {
      const nowMs = performance.now();
      if (counts) seen.claimMs.push(nowMs - askedMs);
      const createdMs = created.get(exportId);
      created.delete(exportId);
      if (createdMs !== undefined) seen.guestMs.push(nowMs - createdMs);
    },
    ended: (_job: Job, tookMs: number) => {
      if (!counts) return;
      seen.ended += 1;
      seen.renderedMs += tookMs;
    },
    delayed: () => {
      seen.delayed += 1;
    },
  };
  const each = () => renderMs * (0.5 + Math.random());
  const working = Promise.all(
    Array.from({ length: workers }, (_, n) => nodes[Math.floor(n / WORKERS_PER_NODE)]!.work(each, heard, stop.signal)),
  );
  await delay(SETTLE_MS);
  counts = true;
  const [beganMs, database, own] = [performance.now(), postgresCpuSeconds(server), process.cpuUsage()];
  const guestEveryMs = ((GUEST_CHUNKS + JOBS_BESIDE_CHUNKS) * renderMs) / (workers * GUEST_SHARE);
  const guests = async () => {
    for (let n = 0; !stop.signal.aborted; n += 1) {
      const createdMs = performance.now();
      created.set(await front.create(GUEST_CHUNKS, `guest-${n % GUESTS}`), createdMs);
      await delay(guestEveryMs, undefined, { signal: stop.signal }).catch(() => {});
    }
  };
  const coming = guests();
  await delay(seconds * 1000);
  counts = false;
  const wallMs = performance.now() - beganMs;
  const { user, system } = process.cpuUsage(own);
  const databaseMs = ((postgresCpuSeconds(server) - database) * 1000) / seen.ended;
  stop.abort();
  await Promise.all([working, coming]);
  return {
    busy: seen.renderedMs / (workers * wallMs),
    jobsASecond: seen.ended / (wallMs / 1000),
    claimMs: seen.claimMs,
    guestMs: seen.guestMs,
    databaseMs,
    nodesMs: (user + system) / 1000 / seen.ended,
    delayed: seen.delayed,
  };
}
