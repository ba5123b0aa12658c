import { type ErrorKind, ExportError } from '../errors.ts';
import { type CommandName, isCommand } from './command-line/commands.ts';
import { helpCommand, unknownCommand } from './command-line/help.ts';
import { productVersion } from './command-line/product-version.ts';
import { errorLines, statusLine, type WorkTerminal } from './command-line/terminal.ts';

type Command = (args: readonly string[], terminal: WorkTerminal) => Promise<number>;

/** Loaded on demand, so that printing a plan does not load everything. */
const PROGRAMS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  serve: async () => (await import('./node/serve.ts')).serveCommand,
  work: async () => (await import('./node/serve.ts')).workCommand,
  migrate: async () => (await import('./node/migrate.ts')).migrateCommand,
  render: async () => (await import('./render/render.ts')).renderCommand,
  batch: async () => (await import('./batch/batch.ts')).batchCommand,
  watch: async () => (await import('./watch/watch.ts')).watchCommand,
  frame: async () => (await import('./render/frame.ts')).frameCommand,
  thumbnail: async () => (await import('./render/thumbnail.ts')).thumbnailCommand,
  publish: async () => (await import('./render/publish.ts')).publishCommand,
  board: async () => (await import('./render/board.ts')).boardCommand,
  plan: async () => (await import('./render/plan.ts')).planCommand,
  probe: async () => (await import('./media/probe.ts')).probeCommand,
  pauses: async () => (await import('./media/pauses.ts')).pausesCommand,
  captions: async () => (await import('./media/captions.ts')).captionsCommand,
  usage: async () => (await import('./service/print-usage.ts')).usageCommand,
  projects: async () => (await import('./service/projects-command.ts')).projectsCommand,
  mcp: async () => (await import('./service/mcp.ts')).mcpCommand,
  schema: async () => (await import('./project/print-schema.ts')).schemaCommand,
  studio: async () => (await import('./node/write-studio.ts')).studioCommand,
  doctor: async () => (await import('./node/doctor.ts')).doctorCommand,
  config: async () => (await import('./node/print-config.ts')).configCommand,
  secret: async () => (await import('./node/print-secret.ts')).secretCommand,
  completion: async () => (await import('./command-line/completion.ts')).completionCommand,
  help: async () => helpCommand,
};

/** Runs a command line; returns the exit code. */
export async function runCommand([name = 'help', ...args]: readonly string[]): Promise<number> {
  try {
    if (name === '--version' || name === '-V') {
      terminal.out(productVersion());
      return 0;
    }
    if (name === '--help' || name === '-h') return await helpCommand(args, terminal);
    if (!isCommand(name)) return unknownCommand(name, terminal);
    if (asksForHelp(args)) return await helpCommand([name], terminal);
    return await (await PROGRAMS[name]())(args, terminal);
  } catch (error) {
    return report(error);
  }
}

/** Anywhere before `--`, even if the line has errors. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}

/** Prints the message of an expected failure. Anything else is a bug and keeps its stack. */
function report(error: unknown): number {
  if (!(error instanceof ExportError)) {
    terminal.err(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }
  for (const line of errorLines(error)) terminal.err(line);
  return exitCode(error.kind);
}

/** The exit code of each kind of failure. */
const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  malformed: 2,
  invalid: 2,
  unsupported: 2,
  too_large: 2,
  missing: 3,
  unavailable: 4,
  cancelled: 130, // as after Ctrl-C
};

/** The exit code for a failure of that kind. */
export function exitCode(kind: ErrorKind): number {
  return EXIT_CODES[kind];
}

/** The exit code of a program whose pipe was closed: 128 and SIGPIPE. */
const CUT_OFF = 141;
/** One Ctrl-C can arrive twice: from the terminal, and forwarded by the parent process (the launcher, npm). */
const ONE_KEYSTROKE_MS = 500;

/**
 * The terminal of this process. If the reader of its output ends (`tiercut config | head`), the command is stopped in
 * order and without a message.
 */
function processTerminal(): WorkTerminal {
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

// Last, because it uses the constants above.
const terminal = processTerminal();
