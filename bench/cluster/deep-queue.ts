import { StubStore } from './stub-store.ts';

/** Enough for a percentile of 99. */
const CLAIMS = 1_500;
const CLAIMERS = 8;
/** So that eight nodes fit into one small server. */
const CONNECTIONS = { connections: 3, readers: 1 };

interface DeepQueue {
  readonly waiting: number;
  readonly tenants: number;
  readonly nodes: number;
}

/** How long claims take while this many jobs wait; milliseconds. Eight workers claim and end jobs at once, as often as they can. */
export async function deepQueue(url: string, { waiting, tenants, nodes }: DeepQueue): Promise<number[]> {
  await using held = new AsyncDisposableStack();
  const stores: StubStore[] = [];
  for (let n = 0; n < nodes; n += 1) stores.push(held.use(await StubStore.open(url, CONNECTIONS)));
  const chunks = Math.max(1, Math.round(waiting / tenants / 2));
  for (let n = 0; n < 2 * tenants; n += 1) await stores[0]!.create(chunks, `tenant-${n % tenants}`);
  const stop = new AbortController();
  const timesMs: number[] = [];
  const heard = {
    claimed: (_job: unknown, askedMs: number) => {
      timesMs.push(performance.now() - askedMs);
      if (timesMs.length === Math.min(CLAIMS, waiting)) stop.abort();
    },
    ended: () => {},
  };
  await Promise.all(Array.from({ length: CLAIMERS }, (_, n) => stores[n % nodes]!.work(() => 0, heard, stop.signal)));
  return timesMs;
}
