import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { PostgresServer } from '../test/postgres/postgres-server.ts';
import { emptyDatabase } from './cluster/empty-database.ts';
import { exportCost } from './cluster/export-cost.ts';
import { type FanOut, fanOut } from './cluster/fan-out.ts';
import { drain, firstClaims } from './cluster/queue-alone.ts';

const RENDER_MS = 200;
/**
 * One worker alone would need longer for a thousand jobs than the rest of the bench, and a third of them gives the same
 * result.
 */
const MAX_JOBS_PER_WORKER = 300;

/**
 * `npm run bench -- cluster [queue|claims|cost|fanout] [--jobs 1000 --workers 1,8,32 --creates 200 --seconds 300]`, on
 * its own PostgreSQL: the queue and the records with stub renders of 200 ms; how soon an idle worker gets a new export;
 * the PostgreSQL cost of one export of a minute; the chunks of one export on one and on two workers of one core each.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      jobs: { type: 'string', default: '1000' },
      workers: { type: 'string', default: '1,8,32' },
      creates: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '300' },
    },
  });
  const wanted = (part: string) => positionals.length === 0 || positionals.includes(part);
  await using server = await PostgresServer.create();
  console.log(`${cpus().length} cores (${cpus()[0]?.model}), load ${loadavg()[0]!.toFixed(1)} at the start\n`);
  console.log('| what | measured | wanted |\n|---|---|---|');
  if (wanted('queue')) {
    for (const [turn, workers] of values.workers.split(',').map(Number).entries()) {
      const url = await emptyDatabase(server, `queue_${turn}`);
      const most = Math.min(Number(values.jobs), workers * MAX_JOBS_PER_WORKER);
      const { jobs, wallSeconds, efficiency } = await drain(url, workers, most, RENDER_MS);
      const what = `${jobs} jobs of ${RENDER_MS} ms, ${workers} workers: efficiency`;
      row(what, `${efficiency.toFixed(3)} (${wallSeconds.toFixed(1)} s)`, workers === 32 ? '0.9' : '');
    }
  }
  if (wanted('claims')) {
    const timesMs = (await firstClaims(await emptyDatabase(server, 'claims'), Number(values.creates))).toSorted(
      (a, b) => a - b,
    );
    const within = (share: number) => `${timesMs[Math.floor((timesMs.length - 1) * share)]!.toFixed(1)} ms`;
    row(`from create to first claim (${timesMs.length} times): median`, within(0.5), '');
    row('… 99 of 100 within', within(0.99), '50 ms');
  }
  if (wanted('cost')) {
    for (const [what, count] of await exportCost(server, 'cost')) row(`an export of a minute: ${what}`, count, '');
  }
  if (wanted('fanout')) await compareFanOut(server, Number(values.seconds));
  console.log(`\nload ${loadavg()[0]!.toFixed(1)} at the end`);
}

async function compareFanOut(server: PostgresServer, seconds: number): Promise<void> {
  const runs: FanOut[] = [];
  for (const workers of [1, 2]) {
    const run = await fanOut(server, `fan_out_${workers}`, workers, seconds);
    runs.push(run);
    const { wall, busy, tail, cpu } = run;
    row(`the chunks of ${seconds} s at 640×360, ${workers} of one core each`, `${wall.toFixed(1)} s`, '');
    const idle = workers * wall - busy - tail;
    row('… jobs added up; one job alone at the end; other waiting', [busy, tail, idle].map(inSeconds).join('; '), '');
    row(
      '… CPU of the workers; of PostgreSQL and the API node',
      [cpu.workers, cpu.others].map(inSeconds).join('; '),
      '',
    );
  }
  const [one, two] = runs as [FanOut, FanOut];
  row('… times as fast with two', (one.wall / two.wall).toFixed(2), '1.85');
  // By the shares of one run, which a busy machine changes less than the time of two.
  const inJobs = two.busy / two.wall;
  row('… by the share of time in jobs, on cores of their own (computed)', inJobs.toFixed(2), '');
  const ofWorkers = two.cpu.workers / (two.cpu.workers + two.cpu.others);
  row('… with PostgreSQL and the API node on the same cores (computed)', (inJobs * ofWorkers).toFixed(2), '');
}

function inSeconds(time: number): string {
  return `${time.toFixed(1)} s`;
}

function row(what: string, measured: string, target: string): void {
  console.log(`| ${what} | ${measured} | ${target} |`);
}
