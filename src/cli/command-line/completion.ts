import { readConfig } from '../../config/config.ts';
import { nearestName } from '../../timeline/json/nearest-name.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { presetNames } from '../../timeline/presets.ts';
import type { CommandSpec, ValueKind } from './command-spec.ts';
import { COMMANDS, COMMON_OPTIONS } from './commands.ts';
import { readArguments, usageError } from './read-arguments.ts';
import type { Terminal } from './terminal.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `tiercut completion bash`: a script that makes the shell complete `tiercut`, including this deployment's presets. */
export async function completionCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { operand: shell } = readArguments('completion', args);
  if (!Object.hasOwn(SHELLS, shell)) {
    const near = nearestName(shell, Object.keys(SHELLS));
    const meant = near === null ? '' : ` Did you mean ${near}?`;
    throw usageError('completion', [`The shell must be bash, zsh or fish, not ${shownText(shell)}.${meant}`]);
  }
  const presets = presetNames(readConfig().presets);
  terminal.out(SHELLS[shell as keyof typeof SHELLS](completionModel(presets)).trimEnd());
  return 0;
}

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
function completionModel(presets: readonly string[]): CompletedCommand[] {
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

const BASH_HEAD = `# Completion of tiercut for bash, printed by "tiercut completion bash".
_tiercut_words() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "\${1// /$'\\n'}" -- "$2"))
}
# Files by their ending, and the folders on the way to them.
_tiercut_files() {
  local word=$1 ending file
  shift
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    if [[ -d $file || $# -eq 0 ]]; then COMPREPLY+=("$file"); continue; fi
    for ending; do [[ $file == *."$ending" ]] && COMPREPLY+=("$file"); done
  done < <(compgen -f -- "$word")
}
_tiercut_folders() {
  local folder
  compopt -o filenames 2>/dev/null
  while IFS= read -r folder; do COMPREPLY+=("$folder"); done < <(compgen -d -- "$1")
}
`;

/** A completion script for bash. */
function bashCompletion(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap(({ name: option, short, value }) => {
      if (value === undefined) return [];
      const patterns = [`--${option}`, ...(short === undefined ? [] : [`-${short}`])].map((o) => `'${name} ${o}'`);
      return [`    ${patterns.join('|')}) ${bashOffer(value.offer)}return ;;`];
    }),
  );
  const rest = commands.map(({ name, operand, options }) => {
    const all = options.map((option) => `--${option.name}`).join(' ');
    return `    ${name}) if [[ $word == -* ]]; then _tiercut_words '${all}' "$word"; else ${bashOffer(operand?.offer ?? null)}:; fi ;;`;
  });
  return `${BASH_HEAD}_tiercut() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then _tiercut_words '${names} --help --version' "$word"; return; fi
  case "$command $before" in
${values.join('\n')}
  esac
  case $command in
${rest.join('\n')}
  esac
}
complete -F _tiercut tiercut
`;
}

function bashOffer(offer: Offer): string {
  if (offer === null) return '';
  if ('words' in offer) return `_tiercut_words '${offer.words.join(' ')}' "$word"; `;
  if ('folders' in offer) return '_tiercut_folders "$word"; ';
  return `_tiercut_files "$word" ${offer.files.join(' ')}; `;
}

/** A completion script for zsh, to source or to install on its path as `_tiercut`. */
function zshCompletion(commands: readonly CompletedCommand[]): string {
  const list = commands.map(({ name, does }) => `    ${zshQuoted(`${name}:${does}`)}`);
  const cases = commands.map(({ name, operand, options }) => {
    const words = options.flatMap(zshOption);
    if (operand !== undefined) words.push(zshQuoted(`1:${operand.name}:${zshAction(operand.offer)}`));
    return `    ${name}) _arguments ${words.join(' ')} ;;`;
  });
  return `#compdef tiercut
# Completion of tiercut for zsh, printed by "tiercut completion zsh".
_tiercut() {
  local -a commands
  commands=(
${list.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    _arguments '(-h --help)'{-h,--help}'[print help]' '(-V --version)'{-V,--version}'[print the version]'
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _tiercut ]]; then _tiercut "$@"; else compdef _tiercut tiercut; fi
`;
}

function zshOption({ name, short, many, value, does }: CompletedOption): string[] {
  const described = `[${does.replaceAll(/[[\]\\:]/g, '\\$&')}]${value === undefined ? '' : `:${value.name}:${zshAction(value.offer)}`}`;
  if (short === undefined) return [zshQuoted(`${many ? '*' : ''}--${name}${described}`)];
  return [`${zshQuoted(`(-${short} --${name})`)}{-${short},--${name}}${zshQuoted(described)}`];
}

function zshAction(offer: Offer): string {
  if (offer === null) return ' ';
  if ('words' in offer) return `(${offer.words.join(' ')})`;
  if ('folders' in offer) return '_files -/';
  if (offer.files.length === 0) return '_files';
  return `_files -g "*.(${offer.files.join('|')})"`;
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A completion script for fish. */
function fishCompletion(commands: readonly CompletedCommand[]): string {
  const lines = [
    '# Completion of tiercut for fish, printed by "tiercut completion fish".',
    'complete -c tiercut -f',
    'complete -c tiercut -n __fish_use_subcommand -s h -l help -d "print help"',
    'complete -c tiercut -n __fish_use_subcommand -s V -l version -d "print the version"',
  ];
  for (const { name, does, operand, options } of commands) {
    lines.push(`complete -c tiercut -n __fish_use_subcommand -a ${name} -d ${fishQuoted(does)}`);
    const here = `complete -c tiercut -n ${fishQuoted(`__fish_seen_subcommand_from ${name}`)}`;
    for (const option of options) lines.push(`${here} ${fishOption(option)}`);
    const offered = fishOffer(operand?.offer ?? null);
    if (offered !== '') lines.push(`${here} ${offered}`);
  }
  return `${lines.join('\n')}\n`;
}

function fishOption({ name, short, value, does }: CompletedOption): string {
  const words = [`-l ${name}`, ...(short === undefined ? [] : [`-s ${short}`]), `-d ${fishQuoted(does)}`];
  if (value !== undefined) words.push('-x', fishOffer(value.offer));
  return words.join(' ').trimEnd();
}

function fishOffer(offer: Offer): string {
  if (offer === null) return '';
  if ('words' in offer) return `-a ${fishQuoted(offer.words.join(' '))}`;
  if ('folders' in offer) return `-a '(__fish_complete_directories)'`;
  if (offer.files.length === 0) return `-a '(__fish_complete_path)'`;
  return `-a ${fishQuoted(`(${offer.files.map((ending) => `__fish_complete_suffix .${ending}`).join('; ')})`)}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
