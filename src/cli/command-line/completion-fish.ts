import type { CompletedCommand, CompletedOption, Offer } from './completion-model.ts';

/** A completion script for fish. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const lines = [
    '# Completion of tiercut for fish, printed by "tiercut completion fish".',
    'complete -c tiercut -f',
    'complete -c tiercut -n __fish_use_subcommand -s h -l help -d "print help"',
    'complete -c tiercut -n __fish_use_subcommand -s V -l version -d "print the version"',
  ];
  for (const { name, does, operand, options } of commands) {
    lines.push(`complete -c tiercut -n __fish_use_subcommand -a ${name} -d ${quoted(does)}`);
    const here = `complete -c tiercut -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
    for (const option of options) lines.push(`${here} ${optionWords(option)}`);
    const offered = offerWords(operand?.offer ?? null);
    if (offered !== '') lines.push(`${here} ${offered}`);
  }
  return `${lines.join('\n')}\n`;
}

function optionWords({ name, short, value, does }: CompletedOption): string {
  const words = [`-l ${name}`, ...(short === undefined ? [] : [`-s ${short}`]), `-d ${quoted(does)}`];
  if (value !== undefined) words.push('-x', offerWords(value.offer));
  return words.join(' ').trimEnd();
}

function offerWords(offer: Offer): string {
  if (offer === null) return '';
  if ('words' in offer) return `-a ${quoted(offer.words.join(' '))}`;
  if ('folders' in offer) return `-a '(__fish_complete_directories)'`;
  if (offer.files.length === 0) return `-a '(__fish_complete_path)'`;
  return `-a ${quoted(`(${offer.files.map((ending) => `__fish_complete_suffix .${ending}`).join('; ')})`)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
