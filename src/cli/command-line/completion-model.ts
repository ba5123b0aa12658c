import type { CommandSpec, ValueKind } from './command-spec.ts';
import { COMMANDS, COMMON_OPTIONS } from './commands.ts';

/** What a shell can offer for a value: these words, files with these endings (none: all), folders, or nothing. */
export type Offer =
  | { readonly words: readonly string[] }
  | { readonly files: readonly string[] }
  | { readonly folders: true }
  | null;

export interface CompletedOption {
  readonly name: string;
  readonly short: string | undefined;
  readonly many: boolean;
  /** undefined for a switch. */
  readonly value: { readonly name: string; readonly offer: Offer } | undefined;
  readonly does: string;
}

export interface CompletedCommand {
  readonly name: string;
  readonly does: string;
  readonly operand: { readonly name: string; readonly offer: Offer } | undefined;
  readonly options: readonly CompletedOption[];
}

/** The part of the commands that completion needs. */
export function completionModel(presets: readonly string[]): CompletedCommand[] {
  return Object.entries(COMMANDS).map(([name, spec]: [string, CommandSpec]) => ({
    name,
    does: spec.does,
    operand: spec.operand && { name: spec.operand.name, offer: offerOf(spec.operand.takes, presets) },
    options: Object.entries({ ...spec.options, ...COMMON_OPTIONS } as CommandSpec['options']).map(
      ([option, { short, value, takes, many = false, does }]) => ({
        name: option,
        short,
        many,
        value: value === undefined ? undefined : { name: value, offer: offerOf(takes ?? 'other', presets) },
        does,
      }),
    ),
  }));
}

function offerOf(kind: ValueKind, presets: readonly string[]): Offer {
  if (kind === 'other') return null;
  if (kind === 'folder') return { folders: true };
  if (kind === 'preset') return { words: presets };
  if (kind === 'preset or all') return { words: [...presets, 'all'] };
  if (kind === 'command') return { words: Object.keys(COMMANDS) };
  return 'files' in kind ? kind : { words: kind };
}
