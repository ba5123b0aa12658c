import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { outOfDescriptors } from './out-of-descriptors.ts';

const LAUNCHER = join(import.meta.dirname, '..', 'child', 'jail-main.ts');
const LAUNCHER_FLAGS = ['--disable-sigusr1', '--disable-warning=ExperimentalWarning'];

/**
 * Starts the launcher, which waits for its terms on stdin. No environment goes along. It has a session of its own: a
 * terminal's Ctrl-C reaches the parent, which then ends the child in order.
 *
 * @throws `render.busy` where this process has no descriptors left for the pipes.
 */
export function spawnJail(workDir: string, compileCacheDir: string | undefined): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [...LAUNCHER_FLAGS, LAUNCHER], {
    cwd: workDir,
    detached: true,
    env: compileCacheDir === undefined ? {} : { NODE_COMPILE_CACHE: compileCacheDir },
    stdio: 'pipe',
  });
  if (child.stdin === undefined) {
    // Without pipes, and the reason follows as an event that would take the whole process down if nobody heard it.
    (child as ChildProcess).on('error', () => {});
    throw outOfDescriptors();
  }
  return child;
}
