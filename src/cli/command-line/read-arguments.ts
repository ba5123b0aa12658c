import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ExportError } from '../../errors.ts';
import { nearestName } from '../../timeline/json/nearest-name.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { type CommandSpec, type OptionSpec, type OptionValues, usageOf } from './command-spec.ts';
import { COMMANDS, type CommandName } from './commands.ts';

/** The arguments of a command: its options by name, and its operands. */
interface Arguments<S extends CommandSpec> {
  readonly options: OptionValues<S>;
  /** The argument after the operand. */
  readonly second?: string;
  readonly operand: S extends { operand: { required: true } } ? string : string | undefined;
}

type Spec<N extends CommandName> = (typeof COMMANDS)[N];

/**
 * Parses the arguments of a command by its specification.
 *
 * @throws `cli.usage` with all errors, suggestions, and the usage of the command.
 */
export function readArguments<N extends CommandName>(name: N, args: readonly string[]): Arguments<Spec<N>> {
  const spec: CommandSpec = COMMANDS[name];
  const wrong: string[] = [];
  const { tokens } = parseArgs({
    args: [...args],
    options: parserOptions(spec),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const today = new Map(Object.entries(spec.options).map(([option, { formerly }]) => [formerly, option]));
  const given: Record<string, string | boolean> = {};
  const lists = new Map<string, string[]>(namesOf(spec, ({ many }) => many === true).map((option) => [option, []]));
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const name = today.get(token.name) ?? token.name;
    const option = Object.hasOwn(spec.options, name) ? spec.options[name] : undefined;
    if (option === undefined) wrong.push(unknownOption(token.rawName, spec));
    else if (option.value === undefined) {
      if (token.value === undefined) given[name] = true;
      else wrong.push(`${token.rawName} takes no value.`);
    } else if (token.value === undefined || (!token.inlineValue && looksLikeOption(token.value))) {
      wrong.push(`${token.rawName} needs a value: ${token.rawName} ${option.value}.`);
    } else if (option.many) lists.get(name)!.push(token.value);
    else if (Object.hasOwn(given, name)) wrong.push(`${token.rawName} is given twice.`);
    else given[name] = token.value;
  }
  // The word after an unknown option may be its value, so it is not reported.
  wrong.push(...lacking(spec, given, wrong.length === 0 ? operands : operands.slice(0, 1)));
  if (wrong.length > 0) throw usageError(name, wrong);
  const switches = namesOf(spec, ({ value }) => value === undefined).map((option) => [option, false]);
  const options = { ...Object.fromEntries([...switches, ...lists]), ...given };
  const second = operands.length > 1 && { second: operands[1] };
  return { options, operand: operands[0], ...second } as unknown as Arguments<Spec<N>>;
}

function namesOf({ options }: CommandSpec, wanted: (option: OptionSpec) => boolean): string[] {
  return Object.keys(options).filter((name) => wanted(options[name]!));
}

/** A usage error, with the usage of the command. */
export function usageError(name: CommandName, wrong: readonly string[]): ExportError {
  const usage = [`usage: ${usageOf(name, COMMANDS[name])}`, `"tiercut help ${name}" explains it.`];
  return new ExportError('invalid', 'cli.usage', [...wrong, ...usage].join('\n'));
}

function parserOptions({ options }: CommandSpec): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([option, { short, value, formerly }]) => {
      const type = value === undefined ? 'boolean' : 'string';
      const today = [option, { type, ...(short !== undefined && { short }) }] as const;
      return formerly === undefined ? [today] : [today, [formerly, { type }] as const];
    }),
  );
}

function unknownOption(rawName: string, { options }: CommandSpec): string {
  const names = Object.keys(options).map((option) => `--${option}`);
  const near = nearestName(rawName, names);
  return `There is no option ${shownText(rawName)}.${near === null ? '' : ` Did you mean ${near}?`}`;
}

/** A negative number is a value. */
function looksLikeOption(value: string): boolean {
  return /^-[^\d.]/.test(value);
}

function lacking(
  { operand, second, options }: CommandSpec,
  given: Readonly<Record<string, unknown>>,
  operands: readonly string[],
): string[] {
  const wrong: string[] = [];
  if (operand?.required && operands.length === 0) wrong.push(`${operand.name} is missing.`);
  const max = [operand, second].filter((one) => one !== undefined).length;
  if (operands.length > max) {
    wrong.push(`Unexpected argument: ${operands.slice(max).map(shownText).join(', ')}.`);
  }
  for (const [option, { required, short, value }] of Object.entries(options)) {
    if (!required || Object.hasOwn(given, option)) continue;
    wrong.push(`${short === undefined ? `--${option}` : `-${short}`} ${value} is missing.`);
  }
  return wrong;
}

/** Only the notations of numbers that people use. */
const SECONDS = /^(\d{1,9}(\.\d*)?|\.\d+)$/;

/** The value of `--at`. @throws `cli.usage` */
export function secondsOption(text: string): number {
  if (SECONDS.test(text.trim())) return Number(text);
  throw new ExportError('invalid', 'cli.usage', `--at must be seconds from 0 up, not ${shownText(text)}.`);
}
