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
 * Starts the launcher, which waits for its terms on stdin. It gets no environment, and its own session: a terminal's
 * Ctrl-C reaches only the parent, which then ends the child in order.
 *
 * Its stdio are real pipes. Node's own "pipes" are sockets, which can pass descriptors, and for which the jail would
 * have to allow the calls for sockets.
 *
 * @throws `render.busy` if this process has no descriptors left.
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
    // The child did not start. The reason follows as an event, which would end the whole process without a listener.
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
