import { endsPhrase, isJapanese, isKanaOrKanji } from '../words/japanese-phrases.ts';
import { isSpaceless } from '../words/spaceless-text.ts';
import type { MeasureText } from './text-measure.ts';
import type { Face } from './typeface.ts';

/** A stretch no line may end within, and the space that follows it. Widths are in ems. */
interface Fragment {
  readonly text: string;
  readonly width: number;
  readonly space: string;
  readonly spaceWidth: number;
}

/** The text between two line ends, cut where lines may break. */
interface Paragraph {
  readonly fragments: readonly Fragment[];
  readonly rightToLeft: boolean;
}

/** One line of set text. `width` is in ems. */
export interface TextLine {
  readonly text: string;
  readonly width: number;
  readonly rightToLeft: boolean;
}

/** Where words are broken that are wider than a line, from the best to the worst; null: nowhere. */
export const BREAKS = [null, 'between syllables', 'between letters'] as const;
type Break = (typeof BREAKS)[number];

/** Lines, and where words had to be broken for them. */
interface Wrapped {
  readonly lines: readonly TextLine[];
  readonly broken: Break;
}

/** A line's share of a word that is wider than a line. */
type Part = Pick<TextLine, 'text' | 'width'>;

/** A longer one is broken wherever a line is full. */
const LONGEST_WORD = 80;

/** Line breaking for one text in one face; measuring happens once, wrapping to any width is arithmetic. */
export class LineBreaker {
  readonly #paragraphs: readonly Paragraph[];
  readonly #width: (text: string) => number;
  readonly #measure: MeasureText;

  constructor(text: string, face: Face, measure: MeasureText) {
    this.#width = (part) => measure(part, face);
    this.#measure = measure;
    this.#paragraphs = text.split('\n').map((paragraph) => cutParagraph(paragraph, this.#width, measure));
  }

  /**
   * As many words to a line as fit `maxWidth` ems. A word wider than a line is broken between syllables where it can be, or else between
   * graphemes, with a hyphen where readers know it.
   */
  wrap(maxWidth: number, mayBreak: Break = 'between syllables'): Wrapped {
    const lines: TextLine[] = [];
    let broken: Break = null;
    for (const { fragments, rightToLeft } of this.#paragraphs) {
      let line: Fragment | null = null;
      for (const fragment of fragments) {
        const joined: number = line === null ? fragment.width : line.width + line.spaceWidth + fragment.width;
        if (line !== null && joined <= maxWidth + EPSILON_EM) {
          line = { ...fragment, text: line.text + line.space + fragment.text, width: joined };
          continue;
        }
        if (line !== null) lines.push({ text: line.text, width: line.width, rightToLeft });
        line = fragment;
        if (fragment.width <= maxWidth + EPSILON_EM) continue;
        const spoken = mayBreak === 'between letters' ? null : this.#syllables(fragment.text, maxWidth);
        if (broken !== 'between letters') broken = spoken === null ? 'between letters' : 'between syllables';
        const parts = spoken ?? this.#letters(fragment.text, maxWidth);
        for (const part of parts.slice(0, -1)) lines.push({ ...part, rightToLeft });
        line = { ...fragment, ...parts.at(-1)! };
      }
      lines.push({ text: line?.text ?? '', width: line?.width ?? 0, rightToLeft });
    }
    return { lines, broken };
  }

  /** Like `wrap`, but the lines of about one length: the narrowest width that takes no more lines. */
  wrapEvenly(maxWidth: number, mayBreak?: Break): Wrapped {
    const greedy = this.wrap(maxWidth, mayBreak);
    if (greedy.lines.length <= this.#paragraphs.length || greedy.broken !== null) return greedy;
    let low = maxWidth / 2;
    let high = maxWidth;
    let best = greedy;
    for (let step = 0; step < 7; step += 1) {
      const middle = (low + high) / 2;
      const tried = this.wrap(middle);
      if (tried.lines.length > greedy.lines.length || tried.broken !== null) low = middle;
      else {
        best = tried;
        high = middle;
      }
    }
    return best;
  }

  /** A word in parts of whole syllables; null if it has none, or one is too wide. */
  #syllables(word: string, maxWidth: number): Part[] | null {
    const graphemes = graphemesOf(word);
    return hasHyphens(graphemes) ? this.#evenParts(graphemes, syllableEnds(graphemes), maxWidth) : null;
  }

  /**
   * Never empty; every part fits `maxWidth`, except a single wide grapheme. If there is room for two letters, none is
   * alone.
   */
  #letters(word: string, maxWidth: number): Part[] {
    const graphemes = graphemesOf(word);
    const anywhere = Array.from({ length: Math.max(0, graphemes.length - 3) }, (_, at) => at + 2);
    const even = hasHyphens(graphemes) ? this.#evenParts(graphemes, anywhere, maxWidth) : null;
    return even ?? this.#filledParts(graphemes, maxWidth);
  }

  /** As few parts as there can be that end at some of `ends`, of about one width; null if one is too wide. */
  #evenParts(graphemes: readonly string[], ends: readonly number[], maxWidth: number): Part[] | null {
    const widths = graphemes.map(this.#width);
    const hyphen = this.#width('-');
    const bounds = [0, ...ends, graphemes.length];
    // Of each bound the best way to it: the fewest parts, then those of the most even widths.
    const ways: { readonly parts: number; readonly squares: number; readonly from: number }[] = [
      { parts: 0, squares: 0, from: 0 },
    ];
    for (let end = 1; end < bounds.length; end += 1) {
      let width = bounds[end] === graphemes.length ? 0 : hyphen;
      let best = { parts: Number.POSITIVE_INFINITY, squares: 0, from: 0 };
      for (let from = end - 1; from >= 0; from -= 1) {
        for (let at = bounds[from]!; at < bounds[from + 1]!; at += 1) width += widths[at]!;
        if (width > maxWidth + EPSILON_EM) break;
        const way = ways[from]!;
        const [parts, squares] = [way.parts + 1, way.squares + width ** 2];
        if (parts < best.parts || (parts === best.parts && squares < best.squares)) best = { parts, squares, from };
      }
      ways.push(best);
    }
    if (ways.at(-1)!.parts === Number.POSITIVE_INFINITY) return null;
    const parts: Part[] = [];
    for (let end = bounds.length - 1; end > 0; end = ways[end]!.from) {
      const text = graphemes.slice(bounds[ways[end]!.from], bounds[end]).join('');
      parts.unshift(this.#part(bounds[end] === graphemes.length ? text : `${text}-`));
    }
    // The width of a text is not always the sum of the widths of its letters.
    return parts.every(({ width }) => width <= maxWidth + EPSILON_EM) ? parts : null;
  }

  #part(text: string): Part {
    return { text, width: this.#width(text) };
  }

  /** As many graphemes to a part as fit. */
  #filledParts(graphemes: readonly string[], maxWidth: number): Part[] {
    const parts: Part[] = [];
    const partTo = (from: number, count: number) => {
      const text = graphemes.slice(from, from + count).join('');
      return takesHyphen(graphemes, from + count, from) ? `${text}-` : text;
    };
    let from = 0;
    while (from < graphemes.length) {
      // No `firstIndex`: each question measures text, so the search doubles from the start instead of halving from the end.
      let fits = 1;
      let tooMany = graphemes.length - from + 1;
      while (tooMany - fits > 1) {
        const middle = Math.min((fits + tooMany) >>> 1, fits * 2);
        if (this.#width(partTo(from, middle)) <= maxWidth + EPSILON_EM) fits = middle;
        else tooMany = middle;
      }
      fits = kinsokuCut(graphemes, from, fits, this.#measure);
      parts.push(this.#part(partTo(from, fits)));
      from += fits;
    }
    return parts;
  }
}

/**
 * How many graphemes a line gives up at most, so that it does not begin or end with a forbidden one; at least one
 * stays. Syllables of Myanmar have up to five, since a vowel behind its letter is one, and in older browsers a letter
 * below another is one too.
 */
const MAX_GIVEN_BACK = 5;

function kinsokuCut(graphemes: readonly string[], from: number, fits: number, measure: MeasureText): number {
  for (let count = fits; count >= 1 && count > fits - MAX_GIVEN_BACK; count -= 1) {
    const [last, next] = [graphemes[from + count - 1]!, graphemes[from + count]];
    if (next === undefined) return count;
    if (NOT_AT_START.test(next) || NOT_AT_END.test(last)) continue;
    if (isSyllableEnd(last, next, measure)) return count;
  }
  return fits;
}

/** Vowels and signs behind a letter are separate graphemes in some scripts, but not words. */
const MARK = /^\p{M}/u;

/** Whether a visual syllable may end between two graphemes. */
export function isSyllableEnd(last: string, next: string, measure: MeasureText): boolean {
  const both = last + next;
  return !MARK.test(next) && (!isSpaceless(both) || measure.spaceless().isSyllableBound(both, last.length));
}

/** Summed widths differ from measured ones in the last digits only. */
const EPSILON_EM = 1e-6;

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The characters as a reader sees them. */
export function graphemesOf(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}

/** Whether the first character that has a direction runs from right to left (UAX #9, P2 and P3). */
export function startsRightToLeft(text: string): boolean {
  const strong = /\p{L}/u.exec(text)?.[0];
  return strong !== undefined && RIGHT_TO_LEFT.test(strong);
}

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

function cutParagraph(paragraph: string, width: (text: string) => number, measure: MeasureText): Paragraph {
  const fragments: Fragment[] = [];
  let word: string[] = [];
  let space = '';
  const flush = () => {
    const text = word.join('');
    fragments.push({ text, width: width(text), space, spaceWidth: space === '' ? 0 : width(space) });
    word = [];
    space = '';
  };
  const words = isSpaceless(paragraph) ? measure.spaceless().wordStarts(paragraph) : null;
  const japanese = isJapanese(paragraph);
  let place = 0;
  for (const grapheme of graphemesOf(paragraph)) {
    const at = place;
    place += grapheme.length;
    if (BREAKING_SPACE.test(grapheme)) {
      if (word.length > 0) space += grapheme;
      continue;
    }
    if (word.length > 0 && (space !== '' || words?.has(at) || mayBreakBetween(word, grapheme, japanese))) flush();
    word.push(grapheme);
  }
  flush();
  return { fragments, rightToLeft: startsRightToLeft(paragraph) };
}

const BREAKING_SPACE = /^(?![\u00a0\u202f\u2007])[\s\u200b]/u;
const NO_BREAK = /^[\u00a0\u202f\u2007\u2060]/u;

/** East Asian characters and emoji, before and after which a line may end. Korean breaks at its spaces. */
const IDEOGRAPHIC =
  /^(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]|\p{RI}|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;

/** Kinsoku: characters that must not begin a line. Closing marks, small kana, sound marks, in ASCII and full width. */
const NOT_AT_START =
  /^[)\]}!?.,:;%\u2019\u201d\u00bb\u203a\u2026\u2025\u3001\u3002\u3005\u3009\u300b\u300d\u300f\u3011\u3015\u3017\u301c\u301f\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u308e\u309d\u309e\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\u30ee\u30f5\u30f6\u30fb-\u30fe\uff01\uff05\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff3d\uff5d\uff5e]/u;

/** Characters that must not end a line: opening marks and signs before an amount. */
const NOT_AT_END =
  /^[([{$#\u00a1\u00bf\u00a3\u00a5\u20ac\u2018\u201c\u00ab\u2039\u3008\u300a\u300c\u300e\u3010\u3014\u3016\u301d\uff04\uff08\uff3b\uff5b\uffe1\uffe5]/u;

function mayBreakBetween(word: readonly string[], after: string, japanese: boolean): boolean {
  const last = word.at(-1)!;
  if (NOT_AT_START.test(after) || NOT_AT_END.test(last)) return false;
  if (NO_BREAK.test(last) || NO_BREAK.test(after)) return false;
  if (/^[-\u2010\u2013\u2014/\u0f0b\u1361]/.test(last)) return word.length > 2 && /^\p{L}/u.test(after);
  if (!IDEOGRAPHIC.test(last) && !IDEOGRAPHIC.test(after)) return false;
  return japanese && isKanaOrKanji(last) && isKanaOrKanji(after) ? endsPhrase(word, after) : true;
}

/** Letters of alphabets in which hyphens are usual. */
const HYPHENATED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]/u;

/** Whether a word is of letters alone that take hyphens, and not too long to weigh every way to break it. */
function hasHyphens(graphemes: readonly string[]): boolean {
  return graphemes.length <= LONGEST_WORD && graphemes.every((grapheme) => HYPHENATED.test(grapheme));
}

const VOWEL = /^[aeiouyæœøαεηιουωаеёиоуыэюяіїє]/iu;
/** Letters for one sound. */
const ONE_SOUND = new Set(['ch', 'ck', 'gh', 'ph', 'qu', 'sch', 'sh', 'th']);

/**
 * Where a syllable may end, by a rule of thumb that holds for many languages: before the last consonant in front of a
 * vowel, together with letters of the same sound. Each side has at least two letters, one of them a vowel.
 */
function syllableEnds(graphemes: readonly string[]): number[] {
  const plain = graphemes.map((grapheme) => grapheme.normalize('NFD')[0]!.toLocaleLowerCase('und'));
  const isVowel = (at: number) => VOWEL.test(plain[at] ?? '');
  const isOneSound = (from: number, end: number) => ONE_SOUND.has(plain.slice(from, end).join(''));
  const ends: number[] = [];
  let hasVowel = false;
  for (let at = 0; at < plain.length - 1; at += 1) {
    if (isVowel(at)) hasVowel = true;
    else if (isVowel(at + 1)) {
      const end = at + 1 - ([3, 2].find((letters) => isOneSound(at + 1 - letters, at + 1)) ?? 1);
      if (hasVowel && end >= 2) ends.push(end);
    }
  }
  return ends;
}

/** Whether a word broken before `at` gets a hyphen: not with a single letter on either side. */
function takesHyphen(graphemes: readonly string[], at: number, from: number): boolean {
  return at - from >= 2 && [-2, -1, 0, 1].every((place) => HYPHENATED.test(graphemes[at + place] ?? ''));
}
