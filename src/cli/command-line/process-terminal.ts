import { ExportError } from '../../errors.ts';
import { statusLine, type WorkTerminal } from '../terminal.ts';
import { exitCode } from './exit-code.ts';

/** The exit code of a program whose pipe was closed: 128 and SIGPIPE. */
const CUT_OFF = 141;
/** One Ctrl-C can arrive twice: from the terminal, and forwarded by the parent process (the launcher, npm). */
const ONE_KEYSTROKE_MS = 500;

/**
 * The terminal of this process. If the reader of its output ends (`tiercut config | head`), the command is stopped in
 * order and without a message.
 */
export function processTerminal(): WorkTerminal {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new ExportError('cancelled', 'cli.interrupted', 'Interrupted.'));
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    // The first Ctrl-C stops the command and cleans up; a later one has no listener and ends the process.
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
        // For example a full disk. If stderr fails as well, the message is lost.
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

/** "ENOSPC: no space left on device, write" without the parts for programs. */
function unwritten({ message }: Error): string {
  return `The output cannot be written: ${message.replace(/^[A-Z]+: |, \w+$/g, '')}.`;
}
