import { nearestName } from '../../timeline/json/nearest-name.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { type CommandSpec, usageOf } from './command-spec.ts';
import { COMMANDS, COMMON_OPTIONS, type CommandName, isCommand } from './commands.ts';
import { productVersion } from './product-version.ts';
import { readArguments } from './read-arguments.ts';
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

const WIDTH = 100;

/** All commands, one line each. */
export function overviewText(version: string): string {
  const commands = Object.entries(COMMANDS).map(([name, { does }]) => [name, does] as const);
  return [
    `Tiercut ${version} renders tier-list videos.`,
    '',
    'usage: tiercut COMMAND [OPTION …]',
    '',
    'Commands:',
    ...columns(commands),
    '',
    'Options:',
    ...columns([
      ['-h, --help', 'print this help, or the help of a command'],
      ['-V, --version', 'print the version'],
    ]),
    '',
    '"tiercut help COMMAND" explains a command.',
  ].join('\n');
}

/** The help of one command. */
export function commandText(name: CommandName): string {
  const spec: CommandSpec = COMMANDS[name];
  const options = Object.entries({ ...spec.options, ...COMMON_OPTIONS }).map(([option, described]) => {
    const { short, value, does } = described as CommandSpec['options'][string];
    const called = `${short === undefined ? '    ' : `-${short}, `}--${option}${value === undefined ? '' : ` ${value}`}`;
    return [called, does] as const;
  });
  const sentence = `${spec.does[0]!.toUpperCase()}${spec.does.slice(1)}.`;
  return [
    ...wrapped(`usage: ${usageOf(name, spec)}`, WIDTH, OUTSIDE_BRACKETS).map((line, i) =>
      i === 0 ? line : `  ${line}`,
    ),
    '',
    ...wrapped([sentence, spec.more ?? ''].join(' ').trim(), WIDTH),
    '',
    'Options:',
    ...columns(options),
    '',
    'Examples:',
    ...columns(spec.examples.map(([line, does]) => [`tiercut ${line}`, does] as const)),
  ].join('\n');
}

function columns(rows: readonly (readonly [first: string, second: string])[]): string[] {
  const first = Math.max(...rows.map(([text]) => text.length));
  return rows.flatMap(([name, text]) => {
    const lines = wrapped(text, Math.max(30, WIDTH - first - 4));
    return lines.map((line, i) => `  ${(i === 0 ? name : '').padEnd(first)}  ${line}`.trimEnd());
  });
}

const OUTSIDE_BRACKETS = / (?![^[]*\])/;

/** Wraps at spaces; at least one line. */
function wrapped(text: string, width: number, spaces: string | RegExp = ' '): string[] {
  const lines = [''];
  for (const word of text.split(spaces)) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
