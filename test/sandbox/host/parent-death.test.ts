import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ScratchFolder } from '../scratch-folder.ts';

const SCRIPT = join(import.meta.dirname, 'sandbox-script.ts');

for (const [command, mode] of [
  ['spin', 'auto'],
  ['idle', 'auto'],
  ['idle', 'off'],
] as const) {
  test(`[H4] killing the parent of a child (${command}, sandbox ${mode}) leaves no child`, async (t) => {
    if (process.platform !== 'linux') return t.skip('looks for processes in /proc');
    using folder = new ScratchFolder();
    const parent = spawn(process.execPath, [SCRIPT, command, mode, folder.workDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(String(text));
    assert.ok(isRunning(pid));
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    const deadlineMs = performance.now() + 5_000;
    while (isRunning(pid) && performance.now() < deadlineMs) await delay(5);
    assert.ok(!isRunning(pid));
  });
}

/** An unreaped zombie has ended too: its new parent reaps it. */
function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}
