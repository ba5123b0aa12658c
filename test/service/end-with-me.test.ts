import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { seen } from './export-client.ts';
import { isRunning } from './process-tree.ts';

/** Starts two processes, one of which ends, stops the other, prints their ids, and stays. */
const PROGRAM = `
  import { spawn } from 'node:child_process';
  import { once } from 'node:events';
  import { endWithMe } from '${join(import.meta.dirname, 'end-with-me.ts')}';
  const [ended, stopped] = ['0', '600'].map((seconds) => spawn('sleep', [seconds], { detached: true, stdio: 'ignore' }));
  for (const child of [ended, stopped]) endWithMe(child);
  stopped.kill('SIGSTOP');
  if (ended.exitCode === null) await once(ended, 'exit');
  console.log(stopped.pid);
  setInterval(() => {}, 1000);
`;

test('a node ends with the process that started it, even if that was killed and the node was stopped', {
  skip: process.platform !== 'linux' && 'looks for processes in /proc',
  timeout: 30_000,
}, async () => {
  const owner = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(owner.stdout), 'line')) as [string];
  assert.ok(isRunning(Number(line)));
  owner.kill('SIGKILL');
  await seen('the end of the node', () => !isRunning(Number(line)), 20);
});
