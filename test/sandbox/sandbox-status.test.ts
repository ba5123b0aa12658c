import assert from 'node:assert/strict';
import { execFile, type StdioOptions, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { landlockAbi } from '../../src/sandbox/jail/landlock.ts';
import { type SandboxStatus, sandboxStatus } from '../../src/sandbox/sandbox-status.ts';

const SCRIPT = join(import.meta.dirname, 'host', 'sandbox-script.ts');
const run = promisify(execFile);

/** Reports what is missing, and skips, if the machine has no complete jail. */
function skipWithoutJail(t: TestContext): boolean {
  if (landlockAbi() > 0) return false;
  t.skip('this kernel has no Landlock (or this is no Linux on x64 or arm64), so there is no whole jail to test');
  return true;
}

function assertComplete(status: SandboxStatus): void {
  assert.deepEqual(status.missing, []);
  assert.deepEqual(
    status.selfTest.filter(({ passed }) => !passed),
    [],
  );
  assert.deepEqual(
    status.selfTest.map(({ name, expected }) => `${expected}: ${name}`),
    [
      'allowed: read an input',
      'allowed: read a cached chunk',
      'allowed: write to the work folder',
      "refused: read another export's upload",
      "refused: read another export's upload from a thread",
      'refused: read what the service has open',
      "refused: read the system's files",
      "refused: read the machine's connections",
      'refused: block readers of an input with a lease',
      'refused: change a cached chunk',
      'refused: empty a cached chunk',
      'refused: write outside the work folder',
      'refused: link out of the work folder',
      'refused: change the mode of a file',
      'refused: start a process',
      'refused: execute a program',
      'refused: signal another process',
      'refused: open a TCP connection',
      'refused: send a UDP packet',
      'refused: reach a local socket',
    ],
  );
  assert.equal(status.complete, true);
}

test('[H2, H3] in the jail, inputs can be read and the work folder written; everything else is refused', async (t) => {
  if (skipWithoutJail(t)) return;
  assertComplete(await sandboxStatus('required'));
});

test('[H3] the same holds for an ordinary user', async (t) => {
  if (skipWithoutJail(t)) return;
  if (process.getuid?.() !== 0) return t.skip('already an ordinary user');
  const { stdout } = await run(
    'setpriv',
    ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, SCRIPT, 'status', 'required'],
    { cwd: '/', env: {} },
  );
  assertComplete(JSON.parse(stdout));
});

test('[H4] inherited descriptors are closed, also on a kernel without close_range', async (t) => {
  if (skipWithoutJail(t)) return;
  const { stdout } = await run(process.execPath, [SCRIPT, 'status', 'required', 'close_range']);
  assertComplete(JSON.parse(stdout));
});

test('[H4] a file that the service was started with is not open inside', async (t) => {
  if (skipWithoutJail(t)) return;
  await using file = await open(SCRIPT);
  // Node keeps only the first few numbers from its children by itself.
  const beforeIt = Array<'ignore'>(37).fill('ignore');
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', ...beforeIt, file.fd];
  const service = spawn(process.execPath, [SCRIPT, 'open-inside', 'auto'], { stdio });
  const files: string[] = JSON.parse(await text(service.stdout!));
  assert.ok(files.length > 3);
  assert.ok(!files.includes(SCRIPT), files.join(' '));
});

test('[H3] the self-test can fail: without a jail, forbidden operations succeed', async () => {
  const status = await sandboxStatus('off');
  assert.equal(status.complete, false);
  assert.deepEqual(status.missing.map(({ name }) => name).sort(), ['landlock', 'rlimits', 'seccomp']);
  const wrong = status.selfTest.filter(({ passed }) => !passed);
  assert.deepEqual(
    wrong.map(({ expected }) => expected),
    status.selfTest.filter(({ expected }) => expected === 'refused').map(({ expected }) => expected),
  );
});

test('[H3] auto on a kernel without Landlock reports it and keeps the rest; required refuses to start', async (t) => {
  if (skipWithoutJail(t)) return;
  const auto = await run(process.execPath, [SCRIPT, 'status', 'auto', 'landlock_create_ruleset']);
  const status: SandboxStatus = JSON.parse(auto.stdout);
  assert.deepEqual(
    [status.layers.map(({ name }) => name), status.missing.map(({ name }) => name)],
    [['rlimits', 'seccomp'], ['landlock']],
  );
  assert.match(status.missing[0]!.reason, /no Landlock/);
  assert.equal(status.complete, false);
  const refusals = status.selfTest.filter(({ passed, outcome }) => passed && outcome !== 'done').length;
  assert.equal(refusals, 11, 'without Landlock everything but opening files is refused; emptying and leasing them is');

  const required = await run(process.execPath, [SCRIPT, 'status', 'required', 'landlock_create_ruleset']);
  const error = JSON.parse(required.stdout);
  assert.deepEqual([error.kind, error.code], ['unavailable', 'sandbox.incomplete']);
  assert.match(error.message, /landlock missing/);
});
