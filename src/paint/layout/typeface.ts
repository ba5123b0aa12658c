/** The three weights we speak in: titles and labels, subtitles, names. */
export type Voice = 'display' | 'strong' | 'text';

/** Families are named by us and registered from our own files, so the output never depends on what a machine has. */
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
} as const;

/** A font at no size yet: the families a text is set in, in the order in which they are asked for a glyph. */
export interface Face {
  readonly families: string;
}

/** The height of capitals above the baseline, in ems. Centring them is what looks centred. */
export const CAP_HEIGHT_EM = 0.714;

/**
 * The families for a text. Japanese, Korean and Chinese draw the same code points differently; kana and Hangul tell
 * which one a text is in, and what has neither is taken for Chinese.
 */
export function faceFor(text: string, voice: Voice): Face {
  const { japanese, korean, chinese } = FAMILY;
  let eastAsian: string[] = [chinese, japanese, korean];
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) eastAsian = [japanese, chinese, korean];
  else if (/\p{Script=Hangul}/u.test(text)) eastAsian = [korean, chinese, japanese];
  const families = [FAMILY[voice], FAMILY.arabic, FAMILY.hebrew, ...eastAsian, FAMILY.emoji];
  return { families: families.map((family) => `"${family}"`).join(', ') };
}

/** What to put into `ctx.font`. */
export function fontAt(face: Face, sizePx: number): string {
  return `${sizePx}px ${face.families}`;
}
