import { parseArgs } from 'node:util';
import { KilledService } from '../../test/faults/killed-service.ts';
import { Random } from '../../test/hostile/random.ts';
import { printTable } from '../soak/print-table.ts';

/** After this many kills, everything promised is checked. */
const KILLS_PER_ROUND = 30;
/** With its start, nine seconds a kill on average. */
const UP_MS = 13_000;

/**
 * `npm run faults -- single [--kills 300 --seed 1]`: one service is killed again and again while exports are made, rendered and deleted.
 * Ends with 1 where an export was lost, doubled or failed, or where anything was left behind.
 */
export async function runSingle(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { kills: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
  });
  const [kills, random] = [Number(values.kills), new Random(Number(values.seed))];
  const beganMs = performance.now();
  await using service = await KilledService.start(() => random.fraction(), UP_MS);
  const sums = new Map<string, number>();
  const add = (name: string, count: number) => sums.set(name, (sums.get(name) ?? 0) + count);
  const faults: string[] = [];
  for (let done = 0; done < kills; ) {
    let killed = 0;
    const round = await service.round(Math.min(KILLS_PER_ROUND, kills - done), (moments) => {
      killed += 1;
      console.log(`${String(done + killed).padStart(3)}  ${moments.join(', ')}`);
    });
    done += killed;
    for (const [moment, count] of Object.entries(round.moments)) add(`killed while ${moment}`, count);
    for (const [name, count] of round.counts) add(name, count);
    add('whole', round.whole);
    add('interrupted', round.interrupted);
    faults.push(...round.faults);
    for (const fault of round.faults) console.error(fault);
    console.log(`after ${done} kills: ${round.whole} exports accounted for, ${round.faults.length} faults`);
  }
  const sum = (name: string) => sums.get(name) ?? 0;
  const faultsOf = (kind: string) => faults.filter((fault) => fault.startsWith(`${kind}:`)).length;
  const named = ['lost', 'doubled', 'failed', 'broken', 'left'];
  printTable({
    kills,
    minutes: ((performance.now() - beganMs) / 60_000).toFixed(1),
    ...Object.fromEntries([...sums].filter(([name]) => name.startsWith('killed while')).sort()),
    'exports accepted': sum('accepted'),
    'deleted by clients': sum('deleted'),
    'there at the end, whole': sum('whole'),
    'jobs of these that were interrupted': sum('interrupted'),
    'reads / downloads': `${sum('reads')} / ${sum('downloads')}`,
    'requests asked again': sum('asked again'),
    [named.join(' / ')]: named.map(faultsOf).join(' / '),
    'other faults': faults.length - named.reduce((all, kind) => all + faultsOf(kind), 0),
  });
  if (faults.length > 0) process.exitCode = 1;
}
