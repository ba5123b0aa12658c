/** The tags that both formats know. Anything else in angle brackets is text. */
const TAG =
  /<\/?(?:b|i|u|s|c|v|lang|ruby|rt|font|span|em|strong)(?:[.\s][^<>]*)?>|<(?:\d{1,4}:)?\d{1,2}:\d{2}\.\d{3}>/gi;
/** Ruby text repeats the pronunciation of a word and is not part of the sentence. */
const RUBY_TEXT = /<rt(?:[.\s][^<>]*)?>.*?(?:<\/rt>|(?=<\/ruby>)|$)/gis;
/** Commands of another format that SRT files carry along: `{\an8}`, `{\pos(…)}`, `{\i1}`. */
const OVERRIDE = /\{\\[^{}]*\}/g;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi;

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
};

/**
 * The plain text of a cue: no tags, no commands, entities resolved. Letters have one weight, so style tags have no
 * effect.
 */
export function cueText(lines: readonly string[]): string {
  const plain = lines.join('\n').replace(RUBY_TEXT, '').replace(OVERRIDE, '').replace(TAG, '');
  return plain
    .replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      return character(decimal !== undefined ? Number(decimal) : Number.parseInt(hex!, 16)) ?? whole;
    })
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}

/** Null for a code that is not a character, or for an invisible, harmful one. */
function character(code: number): string | null {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code < 0x20 || code > 0x10ffff || isSurrogate ? null : String.fromCodePoint(code);
}
