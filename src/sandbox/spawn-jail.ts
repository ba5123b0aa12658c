import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { ExportError } from '../errors.ts';

const LAUNCHER = join(import.meta.dirname, 'jail-main.ts');
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
  // Without pipes, and the reason follows as an event that would take the whole process down if nobody heard it.
  if (child.stdin === undefined) throw noDescriptors(child);
  return child;
}

function noDescriptors(child: Pick<ChildProcessWithoutNullStreams, 'on'>): ExportError {
  child.on('error', () => {});
  return new ExportError(
    'unavailable',
    'render.busy',
    'Too much is going on at once to start a render. Try again later.',
  );
}
