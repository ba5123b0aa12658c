import { isJapanese } from '../words/japanese-phrases.ts';
import { isSpaceless } from '../words/spaceless-text.ts';
import {
  graphemesOf,
  hasHyphens,
  kinsokuCut,
  mayBreakBetween,
  startsRightToLeft,
  syllableEnds,
  takesHyphen,
} from './break-rules.ts';
import type { MeasureText } from './text-measure.ts';
import type { Face } from './typeface.ts';

/** Text that no line break divides, and the space after it. Widths are in ems. */
interface Fragment {
  readonly text: string;
  readonly width: number;
  readonly space: string;
  readonly spaceWidth: number;
}

/** The text between two newlines, cut where a line may end. */
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

/** How to break a word that is wider than a line, from best to worst; null: not at all. */
export const BREAKS = [null, 'between syllables', 'between letters'] as const;
type Break = (typeof BREAKS)[number];

/** Lines, and the worst break among them. */
interface Wrapped {
  readonly lines: readonly TextLine[];
  readonly broken: Break;
}

/** A line's share of a word that is wider than a line. */
type Part = Pick<TextLine, 'text' | 'width'>;

/** Summed widths differ from measured ones in the last digits only. */
const EPSILON_EM = 1e-6;
const BREAKING_SPACE = /^(?![\u00a0\u202f\u2007])[\s\u200b]/u;

/** Breaks one text in one face. It measures the text once; wrapping to a width is arithmetic. */
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
   * Puts as many words on a line as fit `maxWidth` ems. A word wider than a line is broken between syllables if possible, else between
   * graphemes, with a hyphen in scripts that use hyphens.
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

  /** Like `wrap`, with lines of similar length: it uses the narrowest width that needs no more lines. */
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

  /** Splits a word between syllables; null if that is not possible, or a part is too wide. */
  #syllables(word: string, maxWidth: number): Part[] | null {
    const graphemes = graphemesOf(word);
    return hasHyphens(graphemes) ? this.#evenParts(graphemes, syllableEnds(graphemes), maxWidth) : null;
  }

  /**
   * Splits a word between graphemes. Each part fits `maxWidth`, except a single wide grapheme. No letter is alone if two
   * fit.
   */
  #letters(word: string, maxWidth: number): Part[] {
    const graphemes = graphemesOf(word);
    const anywhere = Array.from({ length: Math.max(0, graphemes.length - 3) }, (_, at) => at + 2);
    const even = hasHyphens(graphemes) ? this.#evenParts(graphemes, anywhere, maxWidth) : null;
    return even ?? this.#filledParts(graphemes, maxWidth);
  }

  /** The fewest parts that end at some of `ends`, with similar widths; null if a part is too wide. */
  #evenParts(graphemes: readonly string[], ends: readonly number[], maxWidth: number): Part[] | null {
    const widths = graphemes.map(this.#width);
    const hyphen = this.#width('-');
    const bounds = [0, ...ends, graphemes.length];
    // The best way to each bound: the fewest parts, then the most even widths.
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
    // The width of a text can differ from the sum of the widths of its letters.
    return parts.every(({ width }) => width <= maxWidth + EPSILON_EM) ? parts : null;
  }

  #part(text: string): Part {
    return { text, width: this.#width(text) };
  }

  /** Puts as many graphemes into each part as fit. */
  #filledParts(graphemes: readonly string[], maxWidth: number): Part[] {
    const parts: Part[] = [];
    const partTo = (from: number, count: number) => {
      const text = graphemes.slice(from, from + count).join('');
      return takesHyphen(graphemes, from + count, from) ? `${text}-` : text;
    };
    let from = 0;
    while (from < graphemes.length) {
      // Not `firstIndex`: measuring a long text is slow, so the search doubles from the start instead of halving from the end.
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
