import { parseArgs } from 'node:util';
import { account, startAnew } from '../test/cluster/fault-account.ts';
import { NODE_SCENES, POSTGRES_SCENES, type Scene } from '../test/cluster/fault-scenes.ts';
import { FaultyCluster } from '../test/cluster/faulty-cluster.ts';
import { databaseWireScenes, filesWireScenes } from '../test/cluster/wire-scenes.ts';

/** A short cut is there in every turn, the long one now and then. */
const SHORT_CUT_SECONDS = 5;
const LONG_CUT_EVERY = 4;

/**
 * `npm run faults [-- --rounds 200 --cut 120 --only WORDS]`: nodes of a cluster are killed, stopped and cut off while exports are
 * made, in turn; after each round an account of what was promised, and nothing may be left. Fails where anything was lost, done
 * twice, served in part, or left behind. With `TIERCUT_TEST_S3` on an S3 server that is cut off as well.
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
  await using cluster = await FaultyCluster.start({ mayBeS3: true });
  const onS3 = cluster.files.server !== null;
  const wires = (seconds: number) => ({ ...databaseWireScenes(seconds), ...(onS3 ? filesWireScenes(seconds) : {}) });
  const scenes = (turn: number): [string, Scene][] => {
    const isTheirTurn = turn % LONG_CUT_EVERY === 1 || values.only !== '';
    const long = isTheirTurn ? wires(Number(values.cut)) : {};
    const all = Object.entries({ ...NODE_SCENES, ...POSTGRES_SCENES, ...wires(SHORT_CUT_SECONDS), ...long });
    return all.filter(([name]) => name.includes(values.only));
  };
  if (scenes(0).length === 0) throw new Error(`no scene has the words ${values.only}`);
  const tally = { rounds: 0, failed: 0, exports: 0, unacknowledged: 0, orphans: 0 };
  for (let turn = 0; tally.rounds < Number(values.rounds); turn += 1) {
    for (const [name, scene] of scenes(turn).slice(0, Number(values.rounds) - tally.rounds)) {
      tally.rounds += 1;
      const begunMs = performance.now();
      let end = '';
      try {
        const after = await scene(cluster, `${name}, round ${tally.rounds}`);
        await after?.();
        const { exports, unacknowledged, orphans } = await account(cluster);
        tally.exports += exports;
        tally.unacknowledged += unacknowledged;
        tally.orphans += orphans;
      } catch (error) {
        tally.failed += 1;
        end = `FAILED\n${error instanceof Error ? error.stack : error}`;
        await startAnew(cluster);
      }
      const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
      console.log(`${String(tally.rounds).padStart(3)}  ${seconds.padStart(5)} s  ${name}  ${end}`);
    }
  }
  console.log(
    `${onS3 ? 'On S3' : 'On a shared folder'}: ${tally.rounds} rounds, ${tally.failed} failed; ${tally.exports} exports, all whole ` +
      `(${tally.unacknowledged} of them never acknowledged); ${cluster.served} videos served meanwhile, all whole; ` +
      `${tally.orphans} files were left to the sweep.`,
  );
  if (tally.failed > 0) process.exitCode = 1;
}

if (import.meta.main) await run(process.argv.slice(2));
