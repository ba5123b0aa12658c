import { lookup } from 'node:dns/promises';
import { BlockList } from 'node:net';
import { parseArgs } from 'node:util';
import { ATTACKS } from './attack/attacks.ts';
import { attackAddress, attackOwnService } from './attack/run-attacks.ts';

/** Of all attacks together. */
const LONGEST_MINUTES = 15;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * `npm run attack [-- URL --key KEY --key KEY --only WORDS]`: attacks a service and prints `held` or `broken` for each
 * attack, with the figure that it measured. Without a URL it starts services of its own and runs every attack. With a
 * URL it runs those that a client can do; only loopback addresses are accepted. Fails if anything is broken.
 */
async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { key: { type: 'string', multiple: true, default: [] }, only: { type: 'string', default: '' } },
  });
  const attacks = ATTACKS.filter(({ name }) => name.includes(values.only));
  if (attacks.length === 0 || positionals.length > 1) {
    console.error(
      `Usage: npm run attack [-- URL --key KEY --key KEY --only WORDS]; no attack has the words ${values.only}`,
    );
    return 2;
  }
  const [url] = positionals;
  const base = url === undefined ? null : await loopbackBase(url);
  if (url !== undefined && base === null) {
    console.error(`${url} is not an http address of this machine: only 127.0.0.0/8 and ::1 are attacked.`);
    return 2;
  }
  const stop = AbortSignal.timeout(LONGEST_MINUTES * 60_000);
  const outcomes =
    base === null ? attackOwnService(attacks, stop) : attackAddress(attacks, { base, keys: values.key }, stop);
  let broken = 0;
  for await (const { attack, verdict, figure } of outcomes) {
    console.log(`${verdict.padEnd(8)} ${attack.name.padEnd(20)} ${attack.rule.padEnd(4)} ${figure}`);
    if (verdict === 'broken') broken += 1;
  }
  return broken === 0 ? 0 : 1;
}

/** The origin with the address that its name has now; null if that is not a loopback address. */
async function loopbackBase(text: string): Promise<string | null> {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:') return null;
  const found = await lookup(url.hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  const [first] = found;
  if (first === undefined) return null;
  if (!found.every(({ address, family }) => loopback.check(address, family === 6 ? 'ipv6' : 'ipv4'))) return null;
  return `http://${first.family === 6 ? `[${first.address}]` : first.address}:${url.port || 80}`;
}

// An attack that is broken may leave sockets open.
if (import.meta.main) process.exit(await run(process.argv.slice(2)));
