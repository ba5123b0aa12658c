import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { besideModule } from '../../platform/beside-module.ts';
import type { SpawnedChild } from '../channel/child-channel.ts';
import { type Pipe, pipe } from '../jail/descriptors.ts';
import { isOutOfDescriptors, outOfDescriptors } from './out-of-descriptors.ts';
import { readyProgram } from './ready-program.ts';

const LAUNCHER = fileURLToPath(besideModule('../child/jail-main', import.meta.url));
const LAUNCHER_FLAGS = ['--disable-sigusr1', '--disable-warning=ExperimentalWarning'];

/**
 * Starts the launcher, which waits for its terms on stdin. No environment goes along. It has a session of its own: a
 * terminal's Ctrl-C reaches the parent, which then ends the child in order.
 *
 * Its stdio are pipes. What Node calls by that name are sockets, over which descriptors can be passed, and with which the
 * jail would have to leave the calls for sockets open.
 *
 * @throws `render.busy` where this process has no descriptors left.
 */
export function spawnJail(workDir: string, codeDir: string | undefined): SpawnedChild {
  using made = new DisposableStack();
  // Ours end here too unless the process has come up.
  const [stdin, stdout, stderr] = [openPipe(made), openPipe(made), openPipe(made)];
  const child = spawn(process.execPath, [...LAUNCHER_FLAGS, readyProgram(LAUNCHER, codeDir)], {
    cwd: workDir,
    detached: true,
    env: {},
    stdio: [stdin.readFd, stdout.writeFd, stderr.writeFd],
  });
  if (child.stdin === undefined) {
    // Not even started, and the reason follows as an event that would take the whole process down if nobody heard it.
    (child as ChildProcess).on('error', () => {});
    throw outOfDescriptors();
  }
  made.move();
  for (const fd of [stdin.readFd, stdout.writeFd, stderr.writeFd]) closeSync(fd);
  return {
    process: child,
    stdin: new Socket({ fd: stdin.writeFd, readable: false, writable: true }),
    stdout: new Socket({ fd: stdout.readFd, readable: true, writable: false }),
    stderr: new Socket({ fd: stderr.readFd, readable: true, writable: false }),
  };
}

function openPipe(made: DisposableStack): Pipe {
  try {
    return made.adopt(pipe(), ({ readFd, writeFd }) => {
      closeSync(readFd);
      closeSync(writeFd);
    });
  } catch (error) {
    throw isOutOfDescriptors(error) ? outOfDescriptors(error) : error;
  }
}
