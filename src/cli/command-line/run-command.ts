import { ExportError } from '../../errors.ts';
import { helpCommand, unknownCommand } from '../help.ts';
import type { WorkTerminal } from '../terminal.ts';
import { type CommandName, isCommand } from './commands.ts';
import { errorLines } from './error-lines.ts';
import { exitCode } from './exit-code.ts';
import { processTerminal } from './process-terminal.ts';
import { productVersion } from './product-version.ts';

type Command = (args: readonly string[], terminal: WorkTerminal) => Promise<number>;

/** Loaded on demand, so that printing a plan does not load everything. */
const PROGRAMS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  serve: async () => (await import('../serve.ts')).serveCommand,
  work: async () => (await import('../serve.ts')).workCommand,
  migrate: async () => (await import('../migrate.ts')).migrateCommand,
  render: async () => (await import('../render.ts')).renderCommand,
  watch: async () => (await import('../watch.ts')).watchCommand,
  frame: async () => (await import('../frame.ts')).frameCommand,
  board: async () => (await import('../board.ts')).boardCommand,
  plan: async () => (await import('../plan.ts')).planCommand,
  probe: async () => (await import('../media/probe.ts')).probeCommand,
  pauses: async () => (await import('../media/pauses.ts')).pausesCommand,
  captions: async () => (await import('../media/captions.ts')).captionsCommand,
  usage: async () => (await import('../service/print-usage.ts')).usageCommand,
  projects: async () => (await import('../service/projects-command.ts')).projectsCommand,
  mcp: async () => (await import('../service/mcp.ts')).mcpCommand,
  doctor: async () => (await import('../doctor.ts')).doctorCommand,
  config: async () => (await import('../print-config.ts')).configCommand,
  completion: async () => (await import('../completion.ts')).completionCommand,
  help: async () => helpCommand,
};

const terminal = processTerminal();

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
