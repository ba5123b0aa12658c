import { nearestName } from '../timeline/json/nearest-name.ts';
import { shownText } from '../timeline/json/shown-value.ts';
import { COMMANDS, isCommand } from './command-line/commands.ts';
import { commandText, overviewText } from './command-line/help-text.ts';
import { productVersion } from './command-line/product-version.ts';
import { readArguments } from './command-line/read-arguments.ts';
import type { Terminal } from './terminal.ts';

/** `tiercut help [COMMAND]`: the help. */
export async function helpCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { operand: name } = readArguments('help', args);
  if (name === undefined) terminal.out(overviewText(productVersion()));
  else if (isCommand(name)) terminal.out(commandText(name));
  else return unknownCommand(name, terminal);
  return 0;
}

/** Reports an unknown command, with a suggestion. */
export function unknownCommand(name: string, terminal: Terminal): number {
  const near = nearestName(name, Object.keys(COMMANDS));
  terminal.err(`There is no command ${shownText(name)}.`);
  if (near !== null) terminal.err(`Did you mean "tiercut ${near}"?`);
  terminal.err('"tiercut help" lists all commands.');
  return 2;
}
