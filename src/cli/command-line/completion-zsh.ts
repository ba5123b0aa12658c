import type { CompletedCommand, CompletedOption, Offer } from './completion-model.ts';

/** A completion script for zsh, to source or to install on its path as `_tiercut`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const list = commands.map(({ name, does }) => `    ${quoted(`${name}:${does}`)}`);
  const cases = commands.map(({ name, operand, options }) => {
    const words = options.flatMap(optionWords);
    if (operand !== undefined) words.push(quoted(`1:${operand.name}:${action(operand.offer)}`));
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

function optionWords({ name, short, many, value, does }: CompletedOption): string[] {
  const described = `[${does.replaceAll(/[[\]\\:]/g, '\\$&')}]${value === undefined ? '' : `:${value.name}:${action(value.offer)}`}`;
  if (short === undefined) return [quoted(`${many ? '*' : ''}--${name}${described}`)];
  return [`${quoted(`(-${short} --${name})`)}{-${short},--${name}}${quoted(described)}`];
}

function action(offer: Offer): string {
  if (offer === null) return ' ';
  if ('words' in offer) return `(${offer.words.join(' ')})`;
  if ('folders' in offer) return '_files -/';
  if (offer.files.length === 0) return '_files';
  return `_files -g "*.(${offer.files.join('|')})"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
