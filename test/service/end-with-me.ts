import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Reads `+ PID` and `- PID` until their writer is gone, then ends the remaining processes. */
const SCRIPT = `
  pids=
  while read -r sign pid; do
    others=
    for other in $pids; do [ "$other" = "$pid" ] || others="$others $other"; done
    pids=$others
    [ "$sign" = - ] || pids="$pids $pid"
  done
  for pid in $pids; do kill -KILL "$pid"; done`;

let watcher: Socket | null = null;

/**
 * Makes a process end with this one, however this one ends. A third process does that, because a stopped one could not:
 * the system closes the pipe from here to there.
 */
export function endWithMe(child: Pick<ChildProcess, 'pid' | 'once'>): void {
  const { pid } = child;
  if (pid === undefined || process.platform === 'win32') return;
  watcher ??= startWatcher();
  const reported = watcher;
  reported.write(`+ ${pid}\n`);
  // Another process may get its number later.
  child.once('exit', () => reported.write(`- ${pid}\n`));
}

function startWatcher(): Socket {
  // In its own process group: a signal to the group of this process spares the watcher.
  const shell = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.on('error', () => {}); // without it nodes have to be ended by hand, where a run was killed
  shell.unref();
  const pipe = shell.stdin as unknown as Socket;
  pipe.on('error', () => {});
  pipe.unref();
  return pipe;
}
