import { firstIndex } from '../../../collections/first-index.ts';
/** The code points fonts have glyphs for: pairs of first and last, ascending, without overlap. */
export type Coverage = readonly (readonly [first: number, last: number])[];

/**
 * Code points of `text` without a glyph, each once, in order of appearance. Joiners, selectors and other characters
 * without a glyph of their own are never missing. The coverage is loaded for the first text beyond ASCII, because
 * reading it is slow. (R14)
 */
export function missingGlyphs(text: string, coverage: () => Coverage): string[] {
  const missing = new Set<string>();
  for (const character of text) {
    if (character < '\u007f' || SHAPELESS.test(character)) continue;
    if (!covers(coverage(), character.codePointAt(0)!)) missing.add(character);
  }
  return [...missing];
}

const SHAPELESS = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/u;

/** Whether there is a glyph for a code point. */
export function covers(ranges: Coverage, codePoint: number): boolean {
  const range = ranges[firstIndex(ranges.length, (index) => ranges[index]![1] >= codePoint)];
  return range !== undefined && range[0] <= codePoint;
}
