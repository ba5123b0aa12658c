import type { CompletedCommand, Offer } from './completion-model.ts';

const HEAD = `# Completion of tiercut for bash, printed by "tiercut completion bash".
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
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap(({ name: option, short, value }) => {
      if (value === undefined) return [];
      const patterns = [`--${option}`, ...(short === undefined ? [] : [`-${short}`])].map((o) => `'${name} ${o}'`);
      return [`    ${patterns.join('|')}) ${completing(value.offer)}return ;;`];
    }),
  );
  const rest = commands.map(({ name, operand, options }) => {
    const all = options.map((option) => `--${option.name}`).join(' ');
    return `    ${name}) if [[ $word == -* ]]; then _tiercut_words '${all}' "$word"; else ${completing(operand?.offer ?? null)}:; fi ;;`;
  });
  return `${HEAD}_tiercut() {
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

function completing(offer: Offer): string {
  if (offer === null) return '';
  if ('words' in offer) return `_tiercut_words '${offer.words.join(' ')}' "$word"; `;
  if ('folders' in offer) return '_tiercut_folders "$word"; ';
  return `_tiercut_files "$word" ${offer.files.join(' ')}; `;
}
