/**
 * Runs tests by group: `node test/run.ts quick|all|slow|long|golden [--require=FOLDER] [PART OF A PATH …]`. Which file is in which
 * group, and which files share a process, says test/run/groups.ts. Those that look at the clock come last, one at a time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { built } from '../build/built.ts';
import { groupOf, isLong, isSerial, placeOf, sharesProcess, unusedPatterns } from './run/groups.ts';
import type { TestLine } from './run/tally-reporter.ts';
import { LONG, type TestFile, testFiles } from './run/test-files.ts';
import { endWithMe } from './service/end-with-me.ts';

/** In one process, without one more for each file. A test that fails may leave a server open; the process would wait for it. */
const ONE_PROCESS = ['--test-isolation=none', '--test-force-exit'];
/** The most that a test or a suite may take, all of its tests together. */
const TEST_LIMIT_MS = 300_000;
/** A process that reports nothing for this long hangs where the limit of its test cannot end it. */
const SILENCE_LIMIT_MS = TEST_LIMIT_MS + 60_000;
const LOOK_EVERY_MS = 5_000;
/** For what a process wrote before it ended. */
const OUTPUT_GRACE_MS = 10_000;
const ROOT = resolve(import.meta.dirname, '..');
const COMMANDS: Readonly<Record<string, (file: TestFile) => boolean>> = {
  quick: (file) => groupOf(file) === 'quick',
  all: (file) => groupOf(file) === 'all',
  slow: (file) => groupOf(file) === 'slow',
  long: (file) => file.goesFurther,
  golden: (file) => file.hasGoldens,
};
/** How often `long` repeats, each time from another seed. */
const LONG_ROUNDS = 5;
/** More at a time would measure the machine's memory. */
const JOBS = Math.min(4, availableParallelism() + 1);
/** The most files of a process: they load code once, and no process runs long after the others. */
const MOST_SHARING = 20;

/** The files of a process. */
type Run = readonly TestFile[];

process.chdir(ROOT);
process.exitCode = await main();

async function main(): Promise<number> {
  const options = { require: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  const [command = '', ...parts] = positionals;
  const isMeant = COMMANDS[command];
  if (isMeant === undefined) return fault(`There is no group "${command}": ${Object.keys(COMMANDS).join(', ')}`);
  const all = testFiles();
  const unused = unusedPatterns(all);
  if (unused.length > 0) return fault(`test/run/groups.ts names what is not there: ${unused.join(', ')}`);
  const files = all.filter((file) => isMeant(file) && (parts.length === 0 || parts.some((p) => file.path.includes(p))));
  if (files.length === 0) return fault('No test file matches.');

  // Services and render children run what is built.
  await built();
  const beganMs = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-tests-'));
  const tally = join(folder, 'tests.jsonl');
  const seeds = command === 'long' ? longSeeds() : [null];
  const lines: TestLine[] = [];
  let failed = false;
  try {
    for (const seed of seeds) {
      const env = environment(command, seed);
      for (const together of schedule(files)) {
        const left = [...together];
        const runNext = async (job: number): Promise<void> => {
          for (let run = left.shift(); run !== undefined; run = left.shift()) {
            const file = `${tally}.${job}`;
            const end = await runTests(run, file, env, together.length > 1);
            const own = readTally(file);
            if (end !== 0) failed = true;
            if (end !== 0 && own.every(({ outcome }) => outcome !== 'failed')) own.push(crash(run, end, own));
            lines.push(...own);
            rmSync(file, { force: true });
          }
        };
        await Promise.all(Array.from({ length: JOBS }, (_, job) => runNext(job)));
      }
      if (seed === null || !failed) continue;
      say(`SEED=${seed} npm run test:long repeats this.`);
      break;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  sumUp(lines, performance.now() - beganMs);
  const missing = values.require === undefined ? null : untested(values.require, lines);
  if (missing !== null) return fault(missing);
  return failed || lines.length === 0 ? 1 : 0;
}

/** What runs side by side, `JOBS` at a time in this order, and then what runs alone: each entry waits for the one before. */
function schedule(files: readonly TestFile[]): Run[][] {
  const serial = files.filter(isSerial);
  const others = files.filter((file) => !isSerial(file));
  // Of the others, long files tend to run long. Node's runner would sort them by name.
  const apart = others.filter((file) => !sharesProcess(file));
  const inOrder = apart.sort((a, b) => placeOf(a) - placeOf(b) || b.bytes - a.bytes).map((file) => [file]);
  const [long, short] = [true, false].map((is) => inOrder.filter(([file]) => isLong(file!) === is));
  const together = [...long!, ...dealt(others.filter(sharesProcess)), ...short!];
  const alone = [
    ...dealt(serial.filter(sharesProcess)),
    ...serial.filter((file) => !sharesProcess(file)).map((file) => [file]),
  ];
  return [together, ...alone.map((run) => [run])].filter((runs) => runs.length > 0);
}

/** Files that share processes, distributed in turn: neighbours take about as long. */
function dealt(files: readonly TestFile[]): Run[] {
  const processes = Math.ceil(files.length / MOST_SHARING);
  return Array.from({ length: processes }, (_, process) => files.filter((_, n) => n % processes === process));
}

/** Runs Node's test runner. @param held whether its output is shown when it has ended, not before. @returns its exit code or signal. */
async function runTests(run: Run, tally: string, env: NodeJS.ProcessEnv, held: boolean): Promise<number | string> {
  const args = [
    ...['--import', './test/fixed-seed.ts', '--import', './test/compile-cache.ts'],
    ...['--test', `--test-timeout=${TEST_LIMIT_MS}`, ...ONE_PROCESS],
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=./test/run/tally-reporter.ts', `--test-reporter-destination=${tally}`],
    ...run.map(({ path }) => path),
  ];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', held ? 'pipe' : 'inherit', 'inherit'] });
  endWithMe(child);
  const output: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  const closed = once(child, 'close');
  const silence = endWhenSilent(child, tally);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearInterval(silence);
  // A program that a test left behind may hold the output open.
  await Promise.race([closed, setTimeout(OUTPUT_GRACE_MS, null, { ref: false })]);
  child.stdout?.destroy();
  process.stdout.write(Buffer.concat(output));
  return code ?? signal!;
}

/** Kills a process that reports no tests any more: while its event loop is held, no limit of its own ends it. */
function endWhenSilent(child: ChildProcess, tally: string): NodeJS.Timeout {
  let [bytes, silentMs] = [0, 0];
  return setInterval(() => {
    const now = statSync(tally, { throwIfNoEntry: false })?.size ?? 0;
    silentMs = now === bytes ? silentMs + LOOK_EVERY_MS : 0;
    bytes = now;
    if (silentMs < SILENCE_LIMIT_MS) return;
    say(`A process of tests reported nothing for ${SILENCE_LIMIT_MS / 1000} s, and is killed.`);
    child.kill('SIGKILL');
  }, LOOK_EVERY_MS);
}

/** The line of a process that ended early: the tests that it did not report are neither passed nor failed. */
function crash(files: Run, end: number | string, reported: readonly TestLine[]): TestLine {
  const file = reported.at(-1)?.file ?? files[0]!.path;
  const name = `the process of ${files.length} test files ended with ${end}; the last that reported a test is this one`;
  return { file, name, outcome: 'failed', reason: '', ms: 0 };
}

function environment(command: string, seed: number | null): NodeJS.ProcessEnv {
  // The servers that all tests of a run share end with this process.
  const own = { ...process.env, TEST_RUN_PID: String(process.pid) };
  if (command === 'golden') return { ...own, UPDATE_GOLDEN: '1' };
  if (seed === null) return own;
  return { ...LONG, ...own, SEED: String(seed), HOSTILE_SEED: String(seed) };
}

/** Random, or the requested one. */
function longSeeds(): number[] {
  const { SEED } = process.env;
  if (SEED !== undefined) return [Number(SEED)];
  const first = randomInt(2 ** 31 - LONG_ROUNDS);
  return Array.from({ length: LONG_ROUNDS }, (_, n) => first + n);
}

function readTally(file: string): TestLine[] {
  // A process that crashed has written nothing, or half of its last line.
  const rows = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return rows.map((row) => JSON.parse(row)).map((line: TestLine) => ({ ...line, file: relative(ROOT, line.file) }));
}

/** Why the tests of a folder do not count as run; null where they do. */
function untested(folder: string, lines: readonly TestLine[]): string | null {
  const own = lines.filter(({ file }) => file.startsWith(folder));
  if (own.some(({ outcome }) => outcome === 'skipped')) return `Tests in ${folder} were skipped; they must run here.`;
  return own.some(({ outcome }) => outcome === 'passed') ? null : `No test in ${folder} was run.`;
}

/** What failed and what was skipped, with the reason, and the figures in the words of Node's own runner. */
function sumUp(lines: readonly TestLine[], ms: number): void {
  const are = (outcome: TestLine['outcome']) => lines.filter((line) => line.outcome === outcome);
  const [passed, failures, skipped] = [are('passed'), are('failed'), are('skipped')];
  for (const [file, seconds] of slowest(lines)) say(`${seconds.toFixed(1).padStart(6)} s  ${file}`);
  for (const { file, name } of failures) say(`failed: ${file}: ${name}`);
  const reasons = Map.groupBy(skipped, ({ reason }) => reason || 'no reason given');
  for (const [reason, tests] of reasons) {
    const names = new Set(tests.map(({ file }) => file));
    say(`skipped ${tests.length}: ${reason}: ${[...names].join(', ')}`);
  }
  const figures = { tests: lines.length, pass: passed.length, fail: failures.length, cancelled: 0 };
  for (const [what, count] of Object.entries({ ...figures, skipped: skipped.length, todo: 0 }))
    say(`ℹ ${what} ${count}`);
  say(`ℹ duration_ms ${ms.toFixed()}`);
  say(`${passed.length} passed, ${failures.length} failed, ${skipped.length} skipped`);
}

/** The files that took longest, by what their tests took. */
function slowest(lines: readonly TestLine[]): [string, number][] {
  const files = Map.groupBy(lines, ({ file }) => file);
  const times = [...files].map(([file, own]): [string, number] => [
    file,
    own.reduce((sum, { ms }) => sum + ms, 0) / 1000,
  ]);
  return times.sort(([, a], [, b]) => b - a).slice(0, 10);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fault(message: string): number {
  process.stderr.write(`${message}\n`);
  return 2;
}
