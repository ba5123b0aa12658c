import { setTimeout as delay } from 'node:timers/promises';
import { JOBS_BESIDE_CHUNKS, StubStore } from './stub-store.ts';

const WORKERS_PER_NODE = 8;
const CHUNKS = 8;
const JOBS_AN_EXPORT = CHUNKS + JOBS_BESIDE_CHUNKS;
const TENANTS = 4;
const [WARM_UP_JOBS, WARM_UP_MS] = [6, 20];

export interface QueueRun {
  readonly jobs: number;
  readonly wallSeconds: number;
  /** The share of the workers' time spent in renders. */
  readonly efficiency: number;
}

/**
 * Runs this many waiting jobs on this many workers, eight to a node, that have worked before: their connections are
 * open.
 */
export async function drain(url: string, workers: number, jobs: number, renderMs: number): Promise<QueueRun> {
  await using held = new AsyncDisposableStack();
  const front = held.use(await StubStore.open(url));
  const nodes: StubStore[] = [];
  for (let n = 0; n < workers; n += WORKERS_PER_NODE) nodes.push(held.use(await StubStore.open(url)));
  const of = (worker: number) => nodes[Math.floor(worker / WORKERS_PER_NODE)]!;
  const created = async (wanted: number) => {
    const exports = Math.max(1, Math.round(wanted / JOBS_AN_EXPORT));
    for (let n = 0; n < exports; n += 1) await front.create(CHUNKS, `tenant-${n % TENANTS}`);
    return exports * JOBS_AN_EXPORT;
  };
  await until(await created(workers * WARM_UP_JOBS), workers, of, WARM_UP_MS);
  const wanted = await created(jobs);
  const beganMs = performance.now();
  await until(wanted, workers, of, renderMs);
  const wallSeconds = (performance.now() - beganMs) / 1000;
  return { jobs: wanted, wallSeconds, efficiency: (wanted * renderMs) / 1000 / (workers * wallSeconds) };
}

/** Lets all workers claim jobs until this many are done. */
async function until(jobs: number, workers: number, of: (worker: number) => StubStore, renderMs: number) {
  const stop = new AbortController();
  let left = jobs;
  const heard = {
    claimed: () => {},
    ended: () => {
      left -= 1;
      if (left === 0) stop.abort();
    },
  };
  await Promise.all(Array.from({ length: workers }, (_, n) => of(n).work(() => renderMs, heard, stop.signal)));
}

/** From the call that creates an export to the first of its jobs in the hands of an idle worker of another node; milliseconds. */
export async function firstClaims(url: string, creates: number): Promise<number[]> {
  await using front = await StubStore.open(url);
  await using node = await StubStore.open(url);
  const stop = new AbortController();
  let left = 0;
  let claimed = Promise.withResolvers<number>();
  let idle = Promise.withResolvers<void>();
  const heard = {
    claimed: () => claimed.resolve(performance.now()),
    ended: () => {
      left -= 1;
      if (left === 0) idle.resolve();
    },
  };
  const working = Promise.all(Array.from({ length: WORKERS_PER_NODE }, () => node.work(() => 0, heard, stop.signal)));
  const timesMs: number[] = [];
  for (let n = 0; n < creates; n += 1) {
    [claimed, idle, left] = [Promise.withResolvers(), Promise.withResolvers(), 1 + JOBS_BESIDE_CHUNKS];
    const beganMs = performance.now();
    await front.create(1, 'one');
    timesMs.push((await claimed.promise) - beganMs);
    await idle.promise;
    // Until the workers have looked once more and found nothing, like workers that have been idle for a while.
    await delay(20);
  }
  stop.abort();
  await working;
  return timesMs;
}
