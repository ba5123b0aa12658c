#!/usr/bin/env node
import { ExportError } from '../errors.ts';
import { exitCode } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

/** Loaded when called for, so that printing a plan does not wait for the engine to load. */
const COMMANDS: Readonly<Record<string, { readonly usage: string; readonly load: () => Promise<Command> }>> = {
  plan: {
    usage: 'plan PROJECT.json --facts FACTS.json [--preset NAME] [--json]   print what will be rendered',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  config: {
    usage: 'config                                                           list every variable',
    load: async () => (await import('./config.ts')).configCommand,
  },
};

const terminal: Terminal = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
};

async function run([name = '', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const help = name === '' || name === 'help' || name === '--help';
    const write = help ? terminal.out : terminal.err;
    if (!help) write(`There is no command "${name}".`);
    write('tiercut COMMAND');
    for (const { usage } of Object.values(COMMANDS)) write(`  ${usage}`);
    return help ? 0 : 2;
  }
  try {
    return await (await command.load())(args, terminal);
  } catch (error) {
    return report(error);
  }
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
