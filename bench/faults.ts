import { parseArgs } from 'node:util';
import { faultScenes } from '../test/cluster/fault-scenes.ts';
import { FaultyCluster } from '../test/cluster/faulty-cluster.ts';

/** After so many faults everything that was promised is waited for and looked at. */
const ROUNDS_A_LOOK = 11;

/**
 * `npm run faults [-- --rounds 200 --cut 120 --only WORDS]`: nodes of a cluster are killed, stopped and cut off while exports are made; then an
 * account of what was promised. Fails where anything was lost, done twice, or served in part.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '200' },
      cut: { type: 'string', default: '120' },
      only: { type: 'string', default: '' },
    },
  });
  const scenes = Object.entries(faultScenes(Number(values.cut))).filter(([name]) => name.includes(values.only));
  await using cluster = await FaultyCluster.start();
  let rest: (() => Promise<void>)[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const [name, scene] = scenes[round % scenes.length]!;
    console.log(`${round + 1}  ${name}`);
    const after = await scene(cluster, `${name}, round ${round}`);
    if (after !== undefined) rest.push(after);
    if ((round + 1) % ROUNDS_A_LOOK !== 0 && round + 1 < Number(values.rounds)) continue;
    await Promise.all(rest.map((end) => end()));
    rest = [];
    await cluster.assertWhole();
    console.log(
      `   ${cluster.promised.length} exports promised, all whole; ${cluster.served} videos served meanwhile, all whole`,
    );
  }
}

if (import.meta.main) await run(process.argv.slice(2));
