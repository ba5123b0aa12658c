import { SHIPPED_FONTS } from '../../../plan/model/fonts.ts';
import type { PlanFont, TextRole } from '../../../plan/model/theme.ts';

export type { TextRole };

/**
 * We name the families and register them from our own files, so the output never depends on the machine's fonts. Those
 * of scripts exist in the weight of each role: `inRole`.
 */
export const FAMILY = {
  display: 'Tiercut Display',
  strong: 'Tiercut Strong',
  text: 'Tiercut Text',
  arabic: 'Tiercut Arabic',
  hebrew: 'Tiercut Hebrew',
  japanese: 'Tiercut Japanese',
  korean: 'Tiercut Korean',
  chinese: 'Tiercut Chinese',
  emoji: 'Tiercut Emoji',
  thai: 'Tiercut Thai',
  lao: 'Tiercut Lao',
  khmer: 'Tiercut Khmer',
  myanmar: 'Tiercut Myanmar',
  bengali: 'Tiercut Bengali',
  gujarati: 'Tiercut Gujarati',
  gurmukhi: 'Tiercut Gurmukhi',
  kannada: 'Tiercut Kannada',
  malayalam: 'Tiercut Malayalam',
  sinhala: 'Tiercut Sinhala',
  tamil: 'Tiercut Tamil',
  telugu: 'Tiercut Telugu',
  tibetan: 'Tiercut Tibetan',
  armenian: 'Tiercut Armenian',
  georgian: 'Tiercut Georgian',
  ethiopic: 'Tiercut Ethiopic',
  symbols: 'Tiercut Symbols',
  moreSymbols: 'Tiercut More Symbols',
} as const;

/** Scripts with a family to themselves. Latin, Greek, Cyrillic and Devanagari are in each role's own. */
const SCRIPTS: readonly (readonly [family: string, text: RegExp])[] = [
  [FAMILY.arabic, /[\p{scx=Arabic}\u0605\u06dd\u08e2]/u],
  [FAMILY.hebrew, /\p{scx=Hebrew}/u],
  [FAMILY.thai, /[\p{scx=Thai}\u0e3f]/u],
  [FAMILY.lao, /\p{scx=Lao}/u],
  [FAMILY.khmer, /\p{scx=Khmer}/u],
  [FAMILY.myanmar, /\p{scx=Myanmar}/u],
  [FAMILY.bengali, /\p{scx=Bengali}/u],
  [FAMILY.gujarati, /\p{scx=Gujarati}/u],
  [FAMILY.gurmukhi, /\p{scx=Gurmukhi}/u],
  [FAMILY.kannada, /\p{scx=Kannada}/u],
  [FAMILY.malayalam, /\p{scx=Malayalam}/u],
  [FAMILY.sinhala, /\p{scx=Sinhala}/u],
  [FAMILY.tamil, /\p{scx=Tamil}/u],
  [FAMILY.telugu, /\p{scx=Telugu}/u],
  [FAMILY.tibetan, /[\p{scx=Tibetan}\u0fd5-\u0fd8]/u],
  [FAMILY.armenian, /\p{scx=Armenian}/u],
  [FAMILY.georgian, /\p{scx=Georgian}/u],
  [FAMILY.ethiopic, /\p{scx=Ethiopic}/u],
];

/** A script's family in the weight of a role, so that it matches the Latin letters beside it. */
export function inRole(family: string, role: TextRole): string {
  return family + FAMILY[role].slice('Tiercut'.length);
}

/** Text that a role's own family covers completely. */
const PLAIN = /^[\n\t -\u017f\u2010-\u2027]*$/;

/** A font without a size: the families of a text, in the order in which they are searched for a glyph. */
export interface Face {
  /** As `ctx.font` takes them. */
  readonly families: string;
  readonly names: readonly string[];
  /** How tall its lines are, next to those of Latin. */
  readonly tallness: number;
  /** The height of capitals above the baseline, in ems. Text looks centred if its capitals are. */
  readonly capEm: number;
  /** Space after each letter, in ems. */
  readonly spacingEm: number;
}

/** Scripts whose letters join: apart, they could not be read. */
const JOINED =
  /[\p{scx=Arabic}\p{scx=Syriac}\p{scx=Mongolian}\p{scx=Nko}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Gurmukhi}]/u;

/** Thai, Lao, Tibetan, Myanmar, Khmer and Arabic with its vowels: signs are stacked above and below letters. */
const TALL = /[\u064b-\u065f\u0670\u0e00-\u109f\u1780-\u17ff]/;

/**
 * The families for a text: only those its characters can need, so that a font is loaded when a text needs it.
 *
 * Japanese, Korean and Chinese draw the same code points differently; kana and Hangul identify the language of a text,
 * and a text with neither counts as Chinese. Emoji come before symbols, so that they are shown in colour. A custom font
 * comes before all.
 */
export function faceFor(text: string, role: TextRole, own: PlanFont | null = null, spacingEm = 0): Face {
  const names: string[] = [...(own === null ? [] : [own.families[role]]), FAMILY[role]];
  if (!PLAIN.test(text)) {
    for (const [family, script] of SCRIPTS) if (script.test(text)) names.push(inRole(family, role));
    names.push(...eastAsian(text), FAMILY.emoji, FAMILY.symbols, FAMILY.moreSymbols);
  }
  return {
    families: names.map((name) => `"${name}"`).join(', '),
    names,
    tallness: TALL.test(text) ? 1.25 : 1,
    capEm: own === null ? SHIPPED_FONTS['Noto Sans'].capEm : own.capEm[role],
    spacingEm: spacingEm !== 0 && JOINED.test(text) ? 0 : spacingEm,
  };
}

function eastAsian(text: string): string[] {
  const { japanese, korean, chinese } = FAMILY;
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return [japanese, chinese, korean];
  if (/\p{Script=Hangul}/u.test(text)) return [korean, chinese, japanese];
  return [chinese, japanese, korean];
}

/** The value for `ctx.font`. */
export function fontAt(face: Face, sizePx: number): string {
  return `${sizePx}px ${face.families}`;
}

/** The value for `ctx.letterSpacing`. */
export function spacingAt({ spacingEm }: Face, sizePx: number): string {
  return `${spacingEm * sizePx}px`;
}

/** How far a line moves so that the space after its last letter, which is at its right, does not count; in ems. */
export function spacingShift({ spacingEm }: Face, align: 'left' | 'center' | 'right'): number {
  return spacingEm * { left: 0, center: 0.5, right: 1 }[align];
}
