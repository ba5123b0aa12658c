import { firstIndex } from '../../../collections.ts';
import type { Issue } from '../../../errors.ts';
import type { RenderPlan } from '../../../plan/model/render-plan.ts';
import { SUBTITLE_LENGTH } from './subtitle-layout.ts';
import { TITLE_LENGTH } from './title-layout.ts';
import { FAMILY, faceFor, type TextRole } from './typeface.ts';

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
function covers(ranges: Coverage, codePoint: number): boolean {
  const range = ranges[firstIndex(ranges.length, (index) => ranges[index]![1] >= codePoint)];
  return range !== undefined && range[0] <= codePoint;
}

/** The glyphs of a family. */
export interface CoveredFamily {
  readonly family: string;
  readonly coverage: Coverage;
}

/** The families of every plan's texts, for any text. */
export const ROLE_FAMILIES: readonly string[] = [FAMILY.display, FAMILY.strong, FAMILY.text];

const EVERY_ROLE: readonly TextRole[] = ['display', 'strong', 'text'];

/**
 * The families without which one of the texts would look different, those of the roles first. All fonts together are
 * 45 MB and a page loads them over the network: of the families for a text, only the first that has a character counts
 * for it. The role of a text does not matter: a script's weights are small, and a name is used in a label and in a
 * subtitle.
 */
export function neededFonts(texts: Iterable<string>, fonts: readonly CoveredFamily[]): string[] {
  const coverage = new Map(fonts.map((font) => [font.family, font.coverage]));
  const needed = new Set(ROLE_FAMILIES);
  const seen = new Set<string>();
  for (const text of texts) {
    const faces = EVERY_ROLE.map((role) => faceFor(text, role));
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

const NAMED_AT_MOST = 5;

/** A warning for every text of the plan in which a character comes out as an empty box, and for every one cut. (R14) */
export function textWarnings(plan: RenderPlan, coverage: () => Coverage): Issue[] {
  return [...cutWarnings(plan), ...glyphWarnings(plan, coverage)];
}

function cutWarnings({ painted }: RenderPlan): Issue[] {
  const cut = (path: string, text: string, max: number): Issue[] => {
    if (text.length <= max) return [];
    const message = `The text has ${text.length} characters; a canvas shows at most ${max}, the rest is cut.`;
    return [{ path, code: 'paint.text_cut', message }];
  };
  return [
    ...painted.subtitle.flatMap(({ path, text }) => cut(`${path}/text`, text, SUBTITLE_LENGTH)),
    ...painted.title.flatMap(({ path, text, subtext }) => [
      ...cut(`${path}/text`, text, TITLE_LENGTH),
      ...cut(`${path}/subtext`, subtext, TITLE_LENGTH),
    ]),
  ];
}

function glyphWarnings({ board, painted }: RenderPlan, coverage: () => Coverage): Issue[] {
  const texts: { path: string; text: string }[] = painted.subtitle.map(({ path, text }) => ({
    path: `${path}/text`,
    text,
  }));
  for (const { path, text, subtext } of painted.title) {
    texts.push({ path: `${path}/text`, text }, { path: `${path}/subtext`, text: subtext });
  }
  if (board !== null && painted.board.length > 0) {
    texts.push({ path: '/tier_list/title', text: board.title });
    board.rows.forEach(({ label }, row) => {
      texts.push({ path: `/tier_list/rows/${row}/label`, text: label });
    });
    board.items.forEach(({ name }, item) => {
      texts.push({ path: `/tier_list/items/${item}/name`, text: name });
    });
  }
  return texts.flatMap(({ path, text }) => {
    const missing = missingGlyphs(text, coverage);
    if (missing.length === 0) return [];
    const named = missing.slice(0, NAMED_AT_MOST).map((character) => `${character} (U+${hex(character)})`);
    const more = missing.length > NAMED_AT_MOST ? ` and ${missing.length - NAMED_AT_MOST} more` : '';
    return [
      { path, code: 'paint.glyph_missing', message: `No font has ${named.join(', ')}${more}: shown as empty boxes.` },
    ];
  });
}

function hex(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
}
