import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILT } from '../src/platform/program-files.ts';
import { PostgresServer } from '../test/postgres/postgres-server.ts';
import { emptyDatabase } from './cluster/empty-database.ts';
import { assemblyTime, jobTimes } from './cluster/job-times.ts';
import { computeRun } from './cluster/many-cores.ts';
import { type Cost, measureProcess } from './peers/measured-process.ts';
import { writeProject } from './render/project.ts';

const MAIN = join(BUILT, 'main.js');
/** Long enough that every pipeline of a small machine has several chunks; with many cores there is more of it. */
const SHORTEST_SECONDS = 60;
const SECONDS_PER_PIPELINE = 30;
const FPS = 30;
/** Ten minutes, in chunks of four seconds. */
const COMPUTED_CHUNKS = 150;
const COMPUTED_SECONDS = 600;

/** A number of pipelines on a number of cores. */
interface Way {
  readonly name: string;
  readonly pipelines: number;
  readonly cores: number;
}

/**
 * `npm run bench -- cores [--rounds N] [--seconds N]`: frames a second of 1080p with 1, 2, 4 … pipelines up to the
 * machine's cores, as in `tiercut render`; with `taskset`, also two pipelines against one on two cores. In turns and in
 * fresh processes; prints medians.
 *
 * `npm run bench -- cores --compute 2,4,8,16 [--seconds N]`: measures the jobs of one export and the assembly of ten
 * minutes on one worker, and computes utilisation and serial share of ten minutes on so many cores.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string' }, compute: { type: 'string' } },
  });
  if (values.compute !== undefined) return compute(Number(values.seconds ?? 60), values.compute.split(',').map(Number));
  const cores = availableParallelism();
  const seconds = Number(values.seconds ?? Math.max(SHORTEST_SECONDS, cores * SECONDS_PER_PIPELINE));
  const folder = await mkdtemp(join(tmpdir(), 'tiercut-cores-'));
  try {
    const project = await writeProject(folder, seconds);
    const ways = waysOf(cores);
    const costs = new Map<Way, Cost[]>(ways.map((way) => [way, []]));
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const way of ways) {
        const load = loadavg()[0]!.toFixed(1);
        const cost = await render(project, join(folder, 'out.mp4'), way);
        costs.get(way)!.push(cost);
        console.error(
          `${way.name}: ${cost.wallSeconds.toFixed(1)} s, CPU ${cost.cpuSeconds.toFixed(1)} s, load ${load}`,
        );
      }
    }
    await print(costs, seconds * FPS);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures jobs on one worker, and computes ten minutes of them on many cores. */
async function compute(seconds: number, allCores: readonly number[]): Promise<void> {
  await using server = await PostgresServer.create();
  const times = await jobTimes(await emptyDatabase(server, 'job_times'), seconds);
  const said = times.chunks.map((time) => time.toFixed(1)).join(', ');
  console.log(
    `measured on one worker, load ${loadavg()[0]!.toFixed(1)}: chunks ${said} s, sound ${times.sound.toFixed(1)} s,`,
  );
  console.log(
    `assembly ${times.assembly.toFixed(1)} s; the worker and its child ${times.peakMegabytes.toFixed(0)} MB at most;`,
  );
  const whole = await assemblyTime(await emptyDatabase(server, 'assembly_time'), COMPUTED_SECONDS);
  console.log(`assembly of ten minutes, ${whole.megabytes.toFixed(0)} MB: ${whole.seconds.toFixed(1)} s\n`);
  console.log(
    '| computed: ten minutes on | workers | s | utilisation | … until the last chunk | serial share |\n|---|---|---|---|---|---|',
  );
  for (const cores of allCores) {
    const run = computeRun(times, whole.seconds, COMPUTED_CHUNKS, cores);
    const shares = [run.utilisation, run.whileChunks, run.serialShare].map((share) => share.toFixed(3));
    console.log(`| ${[`${cores} cores`, run.workers, run.seconds.toFixed(0), ...shares].join(' | ')} |`);
  }
}

function waysOf(cores: number): Way[] {
  const counts: number[] = [];
  for (let count = 1; count < cores; count *= 2) counts.push(count);
  const ways = [...counts, cores].map((pipelines) => ({ name: `${pipelines} of ${cores} cores`, pipelines, cores }));
  // What decides how many pipelines there are; on two cores the same has been measured already.
  if (cores <= 2) return ways;
  return [...ways, ...[1, 2].map((pipelines) => ({ name: `${pipelines} on two cores`, pipelines, cores: 2 }))];
}

async function render(project: string, out: string, { pipelines, cores }: Way): Promise<Cost> {
  const command = [process.execPath, MAIN, 'render', project, '-o', out, '--json'];
  const environment = { TIERCUT_RENDERS_AT_ONCE: String(pipelines) };
  if (cores === availableParallelism()) return measureProcess(command[0]!, command.slice(1), environment);
  return measureProcess('taskset', ['-c', `0-${cores - 1}`, ...command], environment);
}

async function print(costs: ReadonlyMap<Way, readonly Cost[]>, frames: number): Promise<void> {
  const model = /model name\s*: (.*)/.exec(await readFile('/proc/cpuinfo', 'utf8').catch(() => ''))?.[1];
  console.log(`\n${cpus().length} cores${model === undefined ? '' : ` (${model})`}; ${frames} frames of 1920×1080\n`);
  console.log('| pipelines | frames a second | wall s | CPU s |\n|---|---|---|---|');
  const wall = new Map<Way, number>();
  for (const [way, all] of costs) {
    const [seconds, cpu] = [median(all.map((cost) => cost.wallSeconds)), median(all.map((cost) => cost.cpuSeconds))];
    wall.set(way, seconds);
    console.log(`| ${way.name} | ${(frames / seconds).toFixed(1)} | ${seconds.toFixed(1)} | ${cpu.toFixed(1)} |`);
  }
  const onTwo = [1, 2].map((pipelines) =>
    [...wall].findLast(([way]) => way.cores === 2 && way.pipelines === pipelines),
  );
  if (onTwo[0] !== undefined && onTwo[1] !== undefined) {
    console.log(`\ntwo pipelines / one, on two cores, wall: ${(onTwo[1][1] / onTwo[0][1]).toFixed(3)} (at most 1.0)`);
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
