import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { PostgresServer } from '../test/postgres/postgres-server.ts';
import { deepQueue } from './cluster/deep-queue.ts';
import { emptyDatabase } from './cluster/empty-database.ts';
import { connectionsOf, manyWorkers } from './cluster/many-workers.ts';

const TENANTS = 50;
/** For the nodes of the deep queue, which are more than those of a few workers, and for the migration. */
const SPARE_CONNECTIONS = 100;

/**
 * `npm run bench -- scale [--workers 50,100,200,500 --waiting 1000,20000 --render 2000 --seconds 15]`, on its
 * own PostgreSQL: the real queue and the real records with stub renders, to show the limits of claims and turns. All
 * simulated nodes run in this process, so with many workers the process itself is the limit.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      workers: { type: 'string', default: '50,100,200,500' },
      waiting: { type: 'string', default: '1000,20000' },
      render: { type: 'string', default: '2000' },
      seconds: { type: 'string', default: '15' },
    },
  });
  const [renderMs, seconds] = [Number(values.render), Number(values.seconds)];
  const maxConnections = Math.max(...numbers(values.workers).map(connectionsOf)) + SPARE_CONNECTIONS;
  await using server = await PostgresServer.create(undefined, maxConnections);
  console.log(`${cpus().length} cores (${cpus()[0]?.model}), load ${loadavg()[0]!.toFixed(1)} at the start\n`);
  console.log(
    `| jobs waiting, of ${TENANTS} tenants | nodes, with 8 workers in all | a claim: median | 99 of 100 within |\n|---|---|---|---|`,
  );
  for (const waiting of numbers(values.waiting)) {
    for (const nodes of [1, 8]) {
      const url = await emptyDatabase(server, `deep_${waiting}_${nodes}`);
      const timesMs = await deepQueue(url, { waiting, tenants: TENANTS, nodes });
      console.log(`| ${waiting} | ${nodes} | ${within(timesMs, 0.5)} | ${within(timesMs, 0.99)} |`);
    }
  }
  console.log(
    `\n| workers, renders of ${renderMs} ms | jobs a second | busy | a claim: median, 99 of 100 | a newcomer's first claim: median, 99 of 100 | CPU a job: PostgreSQL, nodes | no answer in 10 s |\n|---|---|---|---|---|---|---|`,
  );
  for (const workers of numbers(values.workers)) {
    const url = await emptyDatabase(server, `workers_${workers}`);
    const ran = await manyWorkers(server, url, { workers, renderMs, seconds });
    const cells = [
      `${workers}`,
      ran.jobsASecond.toFixed(0),
      ran.busy.toFixed(3),
      `${within(ran.claimMs, 0.5)}, ${within(ran.claimMs, 0.99)}`,
      `${within(ran.guestMs, 0.5)}, ${within(ran.guestMs, 0.99)}`,
      `${ran.databaseMs.toFixed(1)} ms, ${ran.nodesMs.toFixed(1)} ms`,
      `${ran.delayed}`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  console.log(`\nload ${loadavg()[0]!.toFixed(1)} at the end`);
}

function numbers(text: string): number[] {
  return text.split(',').map(Number);
}

function within(timesMs: readonly number[], share: number): string {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return `${sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(1)} ms`;
}
