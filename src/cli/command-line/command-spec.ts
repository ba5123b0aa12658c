/** The kind of a value, for shell completion. */
export type ValueKind =
  | { readonly files: readonly string[] } // by ending, without the dot; none: any file
  | 'folder'
  | 'preset'
  | 'preset or all'
  | 'command'
  | readonly string[]
  | 'other';

/** One option of a command. */
export interface OptionSpec {
  /** Its letter: `o` is `-o`. */
  readonly short?: string;
  /** The name of its value; an option without one is a switch. */
  readonly value?: string;
  readonly takes?: ValueKind;
  readonly required?: true;
  /** Can be repeated; its value is then a list. */
  readonly many?: true;
  /** A former name: still accepted, no longer documented. */
  readonly formerly?: string;
  readonly does: string;
}

/** The argument without a dash. */
export interface OperandSpec {
  readonly name: string;
  readonly takes: ValueKind;
  readonly required: boolean;
}

/** How a command is called; help, completion and parsing use it. */
export interface CommandSpec {
  /** Its line in the list of commands. */
  readonly does: string;
  /** More help, a sentence or two. */
  readonly more?: string;
  readonly operand?: OperandSpec;
  /** The argument after it. */
  readonly second?: OperandSpec;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Arguments after `tiercut`, and what they do. */
  readonly examples: readonly (readonly [line: string, does: string])[];
}

/** Options by name: a text, or undefined if absent; a list of texts for `many`; a boolean for a switch. */
export type OptionValues<S extends CommandSpec> = {
  readonly [name in keyof S['options']]: S['options'][name] extends { readonly value: string }
    ? S['options'][name] extends { readonly many: true }
      ? readonly string[]
      : S['options'][name] extends { readonly required: true }
        ? string
        : string | undefined
    : boolean;
};

/** `tiercut render PROJECT.json -o OUT.mp4 [--preset NAME] [--json]` */
export function usageOf(name: string, { operand, second, options }: CommandSpec): string {
  const words = ['tiercut', name];
  if (operand !== undefined) words.push(operand.required ? operand.name : `[${operand.name}]`);
  if (second !== undefined) words.push(second.required ? second.name : `[${second.name}]`);
  // Required options come first.
  const sorted = Object.entries(options).sort(([, a], [, b]) => Number(b.required ?? 0) - Number(a.required ?? 0));
  for (const [option, { short, value, required, many }] of sorted) {
    const called = short === undefined ? `--${option}` : `-${short}`;
    const word = value === undefined ? called : `${called} ${value}${many ? ' …' : ''}`;
    words.push(required ? word : `[${word}]`);
  }
  return words.join(' ');
}
