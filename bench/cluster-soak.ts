import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { account } from '../test/cluster/fault-account.ts';
import { FaultyCluster } from '../test/cluster/faulty-cluster.ts';
import { type Load, LoadLedger, patientCreator, patientDeleter, patientReader } from '../test/load/patient-clients.ts';
import { residentBytes } from '../test/service/process-tree.ts';
import type { ServiceFixture } from '../test/service/service-fixture.ts';
import { printTable } from './soak/print-table.ts';

const CREATORS = 3;
const READERS = 3;
const SAMPLE_EVERY_MS = 1_000;
/** A node has done everything once by then. */
const SETTLED_SECONDS = 30;
const MEGABYTE = 2 ** 20;

/** The memory of a node, from when it had settled to its end. */
interface Life {
  readonly role: 'answers' | 'renders';
  readonly megabytes: number[];
  readonly begunMs: number;
}

/**
 * `npm run soak:cluster [-- --minutes 20 --kill-every 60]`: two API nodes and three workers under load, one of them
 * killed each minute, in turn; then checks that everything promised was done. Exits with 1 if anything was lost, done
 * twice or left behind.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: 'string', default: '20' }, 'kill-every': { type: 'string', default: '60' } },
  });
  await using cluster = await FaultyCluster.start();
  await cluster.add('worker');
  const ledger = new LoadLedger();
  const stop = new AbortController();
  const soak: Load = { service: cluster.nodes, ledger, random: Math.random, signal: stop.signal };
  const clients = Promise.all([
    ...Array.from({ length: CREATORS }, () => patientCreator(soak)),
    ...Array.from({ length: READERS }, () => patientReader(soak)),
    patientDeleter(soak),
  ]);
  const lives = new Map<number, Life>();
  let killed = 0;
  const killing = killInTurn(cluster, Number(values['kill-every']), stop.signal, () => {
    killed += 1;
  });
  for (const end = performance.now() + Number(values.minutes) * 60_000; performance.now() < end; ) {
    sample(cluster, lives);
    await Promise.race([delay(SAMPLE_EVERY_MS), clients]);
  }
  stop.abort();
  await Promise.all([clients, killing]);
  cluster.promised.push(...ledger.kept.values());
  const { exports, orphans } = await account(cluster);
  const table = {
    'minutes of load': values.minutes,
    'nodes killed': killed,
    'exports accepted': ledger.counts.get('accepted') ?? 0,
    'deleted by clients': ledger.counts.get('deleted') ?? 0,
    'there at the end, whole': exports,
    lost: ledger.faults.filter((fault) => fault.startsWith('lost')).length,
    'reads / downloads': `${ledger.counts.get('reads') ?? 0} / ${ledger.counts.get('downloads') ?? 0}`,
    'requests asked again at another node': ledger.counts.get('asked again') ?? 0,
    'files left to the sweep': orphans,
    ...memoryOf(lives),
    'other faults': ledger.faults.length,
  };
  printTable(table);
  for (const fault of ledger.faults) console.error(fault);
  if (ledger.faults.length > 0) process.exitCode = 1;
}

/** Nodes of both kinds, one after the other. */
async function killInTurn(
  cluster: FaultyCluster,
  everySeconds: number,
  signal: AbortSignal,
  onKilled: () => void,
): Promise<void> {
  const begunMs = performance.now();
  for (let turn = 0; ; turn += 1) {
    const dueMs = begunMs + (turn + 1) * everySeconds * 1000;
    await delay(Math.max(0, dueMs - performance.now()), undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const { apis, workers } = cluster.nodes;
    const all = [workers[0], apis[0], workers[1], apis[1], workers[2]] as ServiceFixture[];
    await cluster.strike(all[turn % all.length]!);
    await cluster.settled();
    onKilled();
  }
}

function sample({ nodes: { apis, workers } }: FaultyCluster, lives: Map<number, Life>): void {
  for (const [role, nodes] of [['answers', apis] as const, ['renders', workers] as const]) {
    for (const { pid } of nodes) {
      const life = lives.get(pid) ?? { role, megabytes: [], begunMs: performance.now() };
      lives.set(pid, life);
      if (performance.now() - life.begunMs < SETTLED_SECONDS * 1000) continue;
      try {
        const megabytes = residentBytes(pid) / MEGABYTE;
        if (megabytes > 0) life.megabytes.push(megabytes); // a node that was just killed has none
      } catch {}
    }
  }
}

/** By role: medians of the nodes' memory after settling and at the end, and the maximum. */
function memoryOf(lives: ReadonlyMap<number, Life>): Record<string, string> {
  const roles = ['answers', 'renders'] as const;
  return Object.fromEntries(
    roles.map((role) => {
      const long = [...lives.values()].filter((life) => life.role === role && life.megabytes.length >= 60);
      const ends = [long.map(({ megabytes }) => median(megabytes.slice(0, 10)))];
      ends.push(long.map(({ megabytes }) => median(megabytes.slice(-10))));
      const most = Math.max(...long.flatMap(({ megabytes }) => megabytes));
      const reported = [...ends.map(median), most].map((mb) => mb.toFixed(0)).join(' / ');
      return [`memory MB of a node that ${role}: settled / at its end / most, of ${long.length} lives`, reported];
    }),
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

if (import.meta.main) await run(process.argv.slice(2));
