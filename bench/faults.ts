import { parseArgs } from 'node:util';
import { account, startAnew } from '../test/cluster/fault-account.ts';
import { NODE_SCENES, POSTGRES_SCENES, type Scene } from '../test/cluster/fault-scenes.ts';
import { StageMissed } from '../test/cluster/fault-stages.ts';
import { FaultyCluster } from '../test/cluster/faulty-cluster.ts';
import { databaseWireScenes, filesWireScenes, resetScenes } from '../test/cluster/wire-scenes.ts';
import { Random } from '../test/hostile/random.ts';
import { runSingle } from './faults/single.ts';
import { type Outcome, Tally } from './faults/tally.ts';

/** A short cut comes as often as every other fault, the long one now and then. */
const SHORT_CUT_SECONDS = 5;
const LONG_CUT_EVERY = 4;
/** More than one call tries. */
const RESETS = 7;
/** What a round may take beside a cut. */
const ROUND_SECONDS = 45;

interface Planned {
  readonly name: string;
  readonly scene: Scene;
  /** One round of it counts as this many. */
  readonly weight: number;
  readonly seconds: number;
}

/**
 * `npm run faults [-- --rounds 200 --cut 120 --only WORDS --seed 1 --tally FILE --minutes 6]`: kills, stops and
 * disconnects nodes of a cluster, in turn, during exports, and checks after each round that everything promised was
 * done. Fails if anything was lost, done twice, served in part, or left behind. With `TIERCUT_TEST_S3`, on an S3 server
 * that is disconnected as well. With a tally, rounds of several calls add up, and the least frequent fault comes next;
 * with `--minutes` no round begins that may not end in time.
 */
export async function run(args: readonly string[]): Promise<void> {
  const beganMs = performance.now();
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '200' },
      cut: { type: 'string', default: '120' },
      only: { type: 'string', default: '' },
      seed: { type: 'string', default: '1' },
      tally: { type: 'string' },
      minutes: { type: 'string', default: 'Infinity' },
    },
  });
  const seed = Number(values.seed);
  const tally = new Tally(values.tally);
  const before = tally.count('failed');
  await using cluster = await FaultyCluster.start({ mayBeS3: true });
  const onS3 = cluster.files.server !== null;
  const planned = plan(onS3, Number(values.cut)).filter(({ name }) => name.includes(values.only));
  if (planned.length === 0) throw new Error(`no fault has the words ${values.only}`);
  const order = shuffled(planned, seed);
  const wanted = () =>
    tally.rounds.filter(({ outcome, fault }) => outcome === 'valid' && fault.includes(values.only)).length;
  while (wanted() < Number(values.rounds)) {
    const leftSeconds = Number(values.minutes) * 60 - (performance.now() - beganMs) / 1000;
    const inTime = order.filter(({ seconds }) => seconds <= leftSeconds);
    if (inTime.length === 0) break;
    const next = inTime.reduce((a, b) => (share(tally, b) < share(tally, a) ? b : a));
    await round(cluster, next, seed, tally);
  }
  console.log(`\n${tally.summary()}`);
  if (tally.count('failed') > before) process.exitCode = 1;
}

function plan(onS3: boolean, cutSeconds: number): Planned[] {
  const wires = (seconds: number) => ({ ...databaseWireScenes(seconds), ...(onS3 ? filesWireScenes(seconds) : {}) });
  const all = (scenes: Readonly<Record<string, Scene>>, weight: number, seconds: number) =>
    Object.entries(scenes).map(([name, scene]) => ({ name, scene, weight, seconds }));
  return [
    ...all({ ...NODE_SCENES, ...POSTGRES_SCENES, ...wires(SHORT_CUT_SECONDS) }, 1, ROUND_SECONDS),
    ...all(onS3 ? { ...resetScenes(1), ...resetScenes(RESETS) } : {}, 1, ROUND_SECONDS),
    ...all(wires(cutSeconds), LONG_CUT_EVERY, cutSeconds + ROUND_SECONDS),
  ];
}

async function round(cluster: FaultyCluster, { name, scene }: Planned, seed: number, tally: Tally): Promise<void> {
  const beganMs = performance.now();
  const servedBefore = cluster.served;
  let counted = { exports: 0, unacknowledged: 0, orphans: 0 };
  let outcome: Outcome = 'valid';
  let error: unknown;
  try {
    const after = await scene(cluster, `${name}, seed ${seed}, round ${tally.rounds.length + 1}`);
    await after?.();
    counted = await account(cluster);
  } catch (cause) {
    outcome = cause instanceof StageMissed ? 'invalid' : 'failed';
    error = cause;
    await startAnew(cluster);
  }
  const seconds = Number(((performance.now() - beganMs) / 1000).toFixed(1));
  const on = cluster.files.server === null ? 'folder' : 's3';
  const at = new Date().toISOString();
  const served = cluster.served - servedBefore;
  const reported = error === undefined ? {} : { error: String(error) };
  tally.add({ at, seed, on, fault: name, outcome, seconds, ...counted, served, ...reported });
  const said = error instanceof Error ? `\n${error.stack}` : '';
  console.log(
    `${String(tally.rounds.length).padStart(3)}  ${`${seconds}`.padStart(5)} s  ${outcome.padEnd(7)}  ${name}${said}`,
  );
}

/** How often it has been run, by its weight; the fault with the least comes next. */
function share(tally: Tally, { name, weight }: Planned): number {
  return (tally.rounds.filter(({ fault }) => fault === name).length + 0.5) * weight;
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = new Random(seed);
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0]!);
}

if (import.meta.main) {
  const [deployment, ...args] = process.argv.slice(2);
  await (deployment === 'single' ? runSingle(args) : run(process.argv.slice(2)));
}
