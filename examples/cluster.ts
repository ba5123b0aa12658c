import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { PostgresServer } from '../test/postgres/postgres-server.ts';

/**
 * `npm run cluster [-- --apis N --workers N]`: a real PostgreSQL, a shared folder, nodes that answer and nodes that render, all
 * on this machine and all gone again after Ctrl-C. To try it out; for real see compose.cluster.yaml.
 */

const PROGRAM = join(import.meta.dirname, '..', 'build', 'run.ts');
const { values } = parseArgs({
  options: { apis: { type: 'string', default: '1' }, workers: { type: 'string', default: '2' } },
});
const [apis, workers] = [Number(values.apis), Number(values.workers)];

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

await using ends = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'tiercut-cluster-'));
ends.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
await chmod(folder, 0o700);
say('PostgreSQL starts …');
const postgres = ends.use(await PostgresServer.create());
const shared = {
  TIERCUT_DATABASE_URL: postgres.url('postgres'),
  TIERCUT_BLOBS_URL: pathToFileURL(join(folder, 'shared')).href,
};
await once(node('migrate', ['migrate'], {}), 'exit');
const firstPort = Number(process.env.PORT ?? 8080);
const nodes = [
  ...Array.from({ length: apis }, (_, n) =>
    node(`api-${n + 1}`, ['serve', '--no-render'], { PORT: `${firstPort === 0 ? 0 : firstPort + n}` }),
  ),
  ...Array.from({ length: workers }, (_, n) =>
    node(`worker-${n + 1}`, ['work'], { TIERCUT_RENDERS_AT_ONCE: process.env.TIERCUT_RENDERS_AT_ONCE ?? '1' }),
  ),
];
ends.defer(async () => void (await Promise.all(nodes.map(ended))));
// Ctrl-C reaches them from the terminal as well; one that ends by itself is an end for all.
await Promise.race([stop.signal.aborted || once(stop.signal, 'abort'), ...nodes.map((child) => once(child, 'exit'))]);
say('All of it ends …');

/** Starts a node. Its output is printed with its name in front. */
function node(name: string, command: readonly string[], settings: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, ...command], {
    env: {
      TIERCUT_LOG_LEVEL: 'warn',
      ...process.env,
      ...shared,
      TIERCUT_DATA_DIR: join(folder, name),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => say(`${name.padEnd(9)} ${line}`));
  }
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
