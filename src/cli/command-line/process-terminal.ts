import { ExportError } from '../../errors.ts';
import { statusLine, type WorkTerminal } from '../terminal.ts';
import { exitCode } from './exit-code.ts';

/** What a shell shows for a program that was writing to a pipe nobody reads: 128 and SIGPIPE. */
const CUT_OFF = 141;
/** One Ctrl-C may arrive twice: from the terminal, and forwarded by the parent process (the launcher, npm). */
const ONE_KEYSTROKE_MS = 500;

/**
 * The terminal this process was started from. Whoever read its output may leave (`tiercut config | head`): then there is
 * nothing left to tell, and what is under way is stopped in order and without a word.
 */
export function processTerminal(): WorkTerminal {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new ExportError('cancelled', 'cli.interrupted', 'Interrupted.'));
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    // The first Ctrl-C asks to stop and clean up; a later one finds no listener and ends the process.
    process.on(name, () => {
      interrupt();
      setTimeout(() => process.removeAllListeners(name), ONE_KEYSTROKE_MS).unref();
    });
  }
  let isCutOff = false;
  let endsWith = CUT_OFF;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!isCutOff && error.code !== 'EPIPE') {
        // A full disk, say. Where errors are written may be no better: then there is nobody to tell.
        endsWith = exitCode('invalid');
        if (stream === process.stdout) process.stderr.write(`cli.unwritable: ${unwritten(error)}\n`);
      }
      isCutOff = true;
      interrupt();
    });
  }
  process.once('exit', () => {
    if (isCutOff) process.exitCode = endsWith;
  });
  const write = (stream: NodeJS.WriteStream, text: string): void => {
    if (!isCutOff) stream.write(text);
  };
  const { stdout, stderr } = process;
  return {
    out: (line) => write(stdout, `${line}\n`),
    err: (line) => write(stderr, `${line}\n`),
    status: statusLine({ isTTY: stderr.isTTY, write: (text) => write(stderr, text) }, () => performance.now()),
    signal: stop.signal,
  };
}

/** "ENOSPC: no space left on device, write" without what only programs read. */
function unwritten({ message }: Error): string {
  return `The output cannot be written: ${message.replace(/^[A-Z]+: |, \w+$/g, '')}.`;
}
