import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ExportMetadata } from '../src/http/replies/export-replies.ts';
import { Random } from '../test/hostile/random.ts';
import { seen } from '../test/service/export-client.ts';
import { descendantsOf, openHandles } from '../test/service/process-tree.ts';
import { ServiceFixture } from '../test/service/service-fixture.ts';
import { ChildKiller } from './soak/child-killer.ts';
import { Client, KEY_SETTINGS } from './soak/client.ts';
import { creator, deleter, downloader, downloads, reader, type Soak, visitor } from './soak/clients.ts';
import { Ledger } from './soak/ledger.ts';
import { MemoryLog } from './soak/memory-log.ts';
import { printTable } from './soak/print-table.ts';

const PRESETS = [
  { name: 'preset_one', width: 320, height: 180, aliases: [] },
  { name: 'preset_two', width: 180, height: 320, aliases: [] },
  { name: 'preset_three', width: 240, height: 240, aliases: [] },
];
/** A small cache, so that it evicts; short waits, so that they end. */
const SETTINGS = {
  TIERCUT_PRESETS: JSON.stringify(PRESETS),
  TIERCUT_CHUNK_CACHE: '32MiB',
  TIERCUT_WAIT_SECONDS: '30',
  TIERCUT_LOG_LEVEL: 'warn',
  ...KEY_SETTINGS,
};
/** The codes of an export whose children were killed, the last one early or late in its life. */
const KILLED: ReadonlySet<string> = new Set(['render.crashed', 'render.start_failed']);
const CREATORS = 3;
const READERS = 3;
const SAMPLE_EVERY_MS = 1_000;
const SETTLE_MINUTES = 10;
/** Of less, a garbage collection that was or was not yet due is all one sees. */
const DRIFT_MINUTES = 10;
/** Connections that clients keep open for their next request close by themselves after some seconds. */
const QUIET_SECONDS = 20;

/**
 * `npm run soak [-- --minutes N --kill 0.2 --seed N --log FILE]`: the service under mixed load while its render
 * children are killed; then checks what it promised against what it did. Exits with 1 if anything was lost, duplicated,
 * broken or leaked.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '30' },
      kill: { type: 'string', default: '0.2' },
      seed: { type: 'string', default: '1' },
      log: { type: 'string' },
    },
  });
  const chance = new Random(Number(values.seed));
  const random = () => chance.fraction();
  await using service = await ServiceFixture.start(SETTINGS);
  const handlesAtRest = openHandles(service.pid);
  const ledger = new Ledger();
  const killer = new ChildKiller();
  const memory = new MemoryLog();
  const stop = new AbortController();
  const soak: Soak = { client: new Client('greedy', service), ledger, random, signal: stop.signal };
  const killing = killer.run(service.pid, Number(values.kill), random, stop.signal);
  const clients = [
    ...Array.from({ length: CREATORS }, () => creator(soak)),
    ...Array.from({ length: READERS }, () => reader(soak)),
    visitor(soak),
    visitor({ ...soak, client: new Client('modest', service) }),
    downloader(soak),
    deleter(soak),
  ];
  const failing = Promise.all(clients);
  for (const end = performance.now() + Number(values.minutes) * 60_000; performance.now() < end; ) {
    memory.sample(service.pid);
    await Promise.race([delay(SAMPLE_EVERY_MS), failing]);
  }
  stop.abort();
  await Promise.all([failing, killing]);

  await settled(soak);
  await account(ledger, service);
  const leaks = await leftovers(ledger, service, handlesAtRest);
  const { first, last, most } = memory.ends;
  const { seen: children, killed } = killer.tally;
  const table = {
    'minutes of load': values.minutes,
    'exports accepted': ledger.countOf('accepted'),
    completed: ledger.countOf('completed'),
    'failed, their children killed too often': ledger.countOf('failed'),
    'deleted by clients': ledger.countOf('deleted'),
    lost: ledger.countOf('lost'),
    duplicated: ledger.countOf('duplicated') + ledger.faults.filter((fault) => fault.startsWith('duplicated')).length,
    'creates refused since their probes were killed': ledger.countOf('probes killed too often'),
    'invalid requests refused': ledger.countOf('invalid requests'),
    'seconds to have 3 s of video, greedy tenant: median / p95 / most': ledger.waitsOf('greedy'),
    'the same, modest tenant': ledger.waitsOf('modest'),
    'reads / downloads': `${ledger.countOf('reads')} / ${ledger.countOf('downloads')}`,
    'render children / killed': `${children} / ${killed}`,
    'leaked files': leaks.files.length,
    'leaked processes': leaks.processes,
    'descriptors at rest, before / after / most': `${handlesAtRest} / ${leaks.handles} / ${memory.maxHandles}`,
    'memory MB, first / last / most': [first, last, most].map((mb) => mb.toFixed(0)).join(' / '),
    'memory drift MB an hour, second half':
      Number(values.minutes) < DRIFT_MINUTES ? 'too short to tell' : memory.driftAnHour.toFixed(0),
    'other faults': ledger.faults.length,
  };
  printTable(table);
  if (values.log !== undefined) await writeFile(values.log, `${service.lines.join('\n')}\n`);
  for (const fault of [...ledger.faults, ...leaks.files.map((file) => `left over: ${file}`)]) console.error(fault);
  const bad = ledger.countOf('lost') + ledger.countOf('duplicated') + ledger.faults.length + leaks.files.length;
  if (bad + leaks.processes > 0) process.exitCode = 1;
}

/** Waits until the service is idle. */
async function settled({ ledger }: Soak): Promise<void> {
  const waiting = new Set(ledger.entries.filter(({ deleted }) => !deleted));
  const over = async (): Promise<boolean> => {
    for (const entry of waiting) {
      const reply = await entry.client.fetch(entry.id);
      const { outputs = {} } = (await reply.json()) as Partial<ExportMetadata>;
      const busy = Object.values(outputs).some(({ state }) => state === 'queued' || state === 'rendering');
      if (busy) return false;
      waiting.delete(entry);
    }
    return true;
  };
  await seen('the end of all renders', over, SETTLE_MINUTES * 60);
}

/** Checks the result of every promised export. */
async function account(ledger: Ledger, { folder }: ServiceFixture): Promise<void> {
  for (const entry of ledger.entries) {
    const { id, client, deleted } = entry;
    if (deleted) continue;
    const reply = await client.fetch(id);
    const { state, outputs = {}, error } = (await reply.json()) as Partial<ExportMetadata>;
    if (reply.status !== 200) ledger.count('lost');
    else if (state !== 'completed') {
      ledger.count('failed');
      // Killing three children in a row is all that may make one fail.
      if (!KILLED.has(error?.code ?? '')) ledger.fault(`${id} failed with ${error?.code}`);
    } else {
      ledger.count('completed');
      for (const [preset, { state: output, sha256 }] of Object.entries(outputs)) {
        if (output === 'completed' && !(await downloads(entry, preset, sha256!, ledger))) {
          ledger.fault(`broken: ${preset} of ${id}`);
        }
      }
    }
  }
  using database = new DatabaseSync(join(folder, 'tiercut.db'), { readOnly: true });
  const known = new Set(ledger.entries.filter(({ deleted }) => !deleted).map(({ id }) => id));
  const recorded = database.prepare('select id from exports').all();
  ledger.count('duplicated', recorded.filter(({ id }) => !known.has(String(id))).length);
}

interface Leftovers {
  readonly files: readonly string[];
  readonly processes: number;
  readonly handles: number;
}

/** Deletes everything; the rest is leaked. The cache may keep any file. */
async function leftovers(ledger: Ledger, service: ServiceFixture, handlesAtRest: number): Promise<Leftovers> {
  for (const { id, client, deleted } of ledger.entries) {
    if (!deleted) await (await client.fetch(id, { method: 'DELETE' })).text();
  }
  const atRest = () => descendantsOf(service.pid).length === 0 && openHandles(service.pid) <= handlesAtRest;
  // If it never becomes idle, the numbers below show it.
  await seen('rest', atRest, QUIET_SECONDS).catch(() => undefined);
  const blobs = service.files('blobs').filter((file) => !file.startsWith('parts/'));
  const processes = descendantsOf(service.pid).length;
  return { files: [...blobs, ...service.files('work')], processes, handles: openHandles(service.pid) };
}

if (import.meta.main) await run(process.argv.slice(2));
