import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';

const LAUNCHER = join(import.meta.dirname, 'jail-main.ts');
const LAUNCHER_FLAGS = ['--disable-sigusr1', '--disable-warning=ExperimentalWarning'];

/**
 * Starts the launcher, which waits for its terms on stdin. No environment goes along. It has a session of its own: a
 * terminal's Ctrl-C reaches the parent, which then ends the child in order.
 */
export function spawnJail(workDir: string, compileCacheDir: string | undefined): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...LAUNCHER_FLAGS, LAUNCHER], {
    cwd: workDir,
    detached: true,
    env: compileCacheDir === undefined ? {} : { NODE_COMPILE_CACHE: compileCacheDir },
    stdio: 'pipe',
  });
}
