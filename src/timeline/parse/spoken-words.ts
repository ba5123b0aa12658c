import type { IssueList } from '../issue-list.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText } from '../json/shown-value.ts';
import type { SpokenWord } from '../request/text-entries.ts';
import type { RawSubtitle } from '../schema.ts';

/** Finds each word in the text, in order; a word that is not found lights nothing, with a warning. (C43) */
export function spokenWords({ text, words = [] }: RawSubtitle, path: string, issues: IssueList): SpokenWord[] {
  const found: SpokenWord[] = [];
  let from = 0;
  let earliest = 0;
  for (const [index, word] of words.entries()) {
    const place = pointer(path, 'words', index);
    if (word.start < earliest) {
      const message = `Words are spoken one after the other: this one at ${word.start} s comes after one at ${earliest} s.`;
      issues.error(pointer(place, 'start'), 'subtitle.words_order', message);
    }
    earliest = word.start;
    const spoken = word.text.trim();
    const at = spoken === '' ? -1 : text.indexOf(spoken, from);
    if (at < 0) {
      const message = `The text does not continue with ${shownText(word.text)}; the word is not highlighted.`;
      issues.warn(pointer(place, 'text'), 'subtitle.word_missing', message);
      continue;
    }
    from = at + spoken.length;
    found.push({ from: at, to: from, start: word.start });
  }
  return found;
}
