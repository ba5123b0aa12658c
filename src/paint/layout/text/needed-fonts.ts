import { type Coverage, covers } from './glyph-coverage.ts';
import { FAMILY, faceFor, type Voice } from './typeface.ts';

/** The glyphs of a family. */
export interface CoveredFamily {
  readonly family: string;
  readonly coverage: Coverage;
}

/** The families of every plan's texts, for any text. */
export const VOICES: readonly string[] = [FAMILY.display, FAMILY.strong, FAMILY.text];

const EVERY_VOICE: readonly Voice[] = ['display', 'strong', 'text'];

/**
 * The families without which one of the texts would look different, those of the voices first. All fonts together are
 * 45 MB and a page loads them over the network: of the families for a text, only the first that has a character counts
 * for it. The voice of a text does not matter: a script's weights are small, and a name is used in a label and in a
 * subtitle.
 */
export function neededFonts(texts: Iterable<string>, fonts: readonly CoveredFamily[]): string[] {
  const coverage = new Map(fonts.map((font) => [font.family, font.coverage]));
  const needed = new Set(VOICES);
  const seen = new Set<string>();
  for (const text of texts) {
    const faces = EVERY_VOICE.map((voice) => faceFor(text, voice));
    for (const character of text) {
      const key = `${faces[0]!.families} ${character}`;
      if (character <= '~' || seen.has(key)) continue;
      seen.add(key);
      for (const { names } of faces) {
        const family = names.find((name) => covers(coverage.get(name) ?? [], character.codePointAt(0)!));
        if (family !== undefined) needed.add(family);
      }
      // Text by default, and a picture with a selector behind it: a browser may use the coloured font as well.
      if (character === '\ufe0f' || character === '\u20e3') needed.add(FAMILY.emoji);
    }
  }
  return [...needed];
}

/** Every text in plain data, at any depth. */
export function textsIn(data: unknown): Set<string> {
  const texts = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value);
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) walk(inner);
  };
  walk(data);
  return texts;
}
