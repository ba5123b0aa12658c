#!/usr/bin/env node
import { ExportError } from '../errors.ts';
import { exitCode } from './exit-code.ts';
import { statusLine, type WorkTerminal } from './terminal.ts';

type Command = (args: readonly string[], terminal: WorkTerminal) => Promise<number>;

interface CommandEntry {
  readonly usage: string;
  readonly does: string;
  load(): Promise<Command>;
}

/** Loaded when called for, so that printing a plan does not wait for what it does not need. */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve: {
    usage: '',
    does: 'run the service',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  render: {
    usage: 'PROJECT.json -o OUT.mp4 [--preset NAME] [--json]',
    does: 'make the video',
    load: async () => (await import('./render.ts')).renderCommand,
  },
  frame: {
    usage: 'PROJECT.json --at SECONDS -o OUT.png [--preset NAME]',
    does: 'make one frame of it',
    load: async () => (await import('./frame.ts')).frameCommand,
  },
  board: {
    usage: 'PROJECT.json -o OUT.png [--at SECONDS] [--preset NAME]',
    does: 'make a picture of the board alone',
    load: async () => (await import('./board.ts')).boardCommand,
  },
  plan: {
    usage: 'PROJECT.json [--preset NAME] [--facts FACTS.json] [--json]',
    does: 'print what will be rendered',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  probe: {
    usage: 'FILE [--json]',
    does: 'tell what is in a media file',
    load: async () => (await import('./probe.ts')).probeCommand,
  },
  doctor: {
    usage: '[--json]',
    does: 'tell what this machine offers',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  config: {
    usage: '',
    does: 'list every variable',
    load: async () => (await import('./config.ts')).configCommand,
  },
};

/** The first Ctrl-C asks to stop and clean up; a second one finds no listener and ends the process. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => stop.abort(new ExportError('cancelled', 'cli.interrupted', 'Interrupted.')));
  }
  return stop.signal;
}

const terminal: WorkTerminal = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  status: statusLine(process.stderr, () => performance.now()),
  signal: stopSignal(),
};

async function run([name = '', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return help(name);
  try {
    return await (await command.load())(args, terminal);
  } catch (error) {
    return report(error);
  }
}

function help(name: string): number {
  const asked = name === '' || name === 'help' || name === '--help';
  const write = asked ? terminal.out : terminal.err;
  if (!asked) write(`There is no command "${name}".`);
  write('tiercut COMMAND');
  for (const [command, { usage, does }] of Object.entries(COMMANDS))
    write(`  ${`${command} ${usage}`.padEnd(66)} ${does}`);
  return asked ? 0 : 2;
}

/** A foreseen failure is told in its own words; anything else is our bug and keeps its stack. */
function report(error: unknown): number {
  if (error instanceof ExportError) {
    if (error.issues.length === 0) terminal.err(`${error.code}: ${error.message}`);
    for (const { path, code, message } of error.issues) terminal.err(`${path || '(request)'} ${code}: ${message}`);
    return exitCode(error.kind);
  }
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
    terminal.err(error.message);
    return 2;
  }
  terminal.err(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 1;
}

process.exitCode = await run(process.argv.slice(2));
