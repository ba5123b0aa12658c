import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { startTestChild } from '../sandbox/host/start-test-child.ts';
import { ScratchFolder } from '../sandbox/scratch-folder.ts';

test("a child lowers the priority of all its threads below the service's", async () => {
  using folder = new ScratchFolder();
  await using child = await startTestChild(folder, { niceness: 7 });
  const pid = child.pid!;
  assert.equal(getPriority(pid), 7);
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync(`/proc/${pid}/task`)) assert.equal(getPriority(Number(thread)), 7);
  const session = `/proc/${pid}/autogroup`;
  // Sessions do not share processors by themselves on every kernel, nor in most containers.
  // Ordinary users may have to wait until they may say so.
  if (existsSync(session) && process.getuid?.() === 0) assert.match(readFileSync(session, 'utf8'), /nice 7\n$/);
});

test('a child keeps its priority unless asked to lower it', async () => {
  using folder = new ScratchFolder();
  await using child = await startTestChild(folder);
  assert.equal(getPriority(child.pid!), getPriority());
});

test('a thread lowers its priority, and never raises it', {
  skip: process.platform !== 'linux' && 'only Linux lets a thread',
}, async () => {
  const address = import.meta.resolve('../../src/platform/process-priority.ts');
  const program = `const { getPriority } = await import('node:os');
    const { lowerOwnPriority } = await import(${JSON.stringify(address)});
    lowerOwnPriority(5);
    console.log(getPriority(0));`;
  const under = (niceness: number) => {
    const run = spawnSync('nice', ['-n', String(niceness - getPriority()), process.execPath, '-e', program], {
      encoding: 'utf8',
    });
    return run.stdout.trim();
  };
  assert.deepEqual([under(Math.max(getPriority(), 0)), under(15)], [String(Math.max(getPriority(), 5)), '15']);
});
