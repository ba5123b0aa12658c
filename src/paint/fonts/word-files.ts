import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { listedRules, readListedWords } from '../layout/words/listed-words.ts';
import type { SpacelessRules } from '../layout/words/spaceless-text.ts';
import { SPACELESS_SCRIPTS, type SpacelessScript, type Words } from '../layout/words/spaceless-text.ts';

const FOLDER = join(import.meta.dirname, '..', 'layout', 'words', 'lists');

/** The packed word list of each script. */
export const WORD_FILES: ReadonlyMap<string, string> = new Map(
  SPACELESS_SCRIPTS.map((script) => [script, join(FOLDER, `${script}.words.gz`)]),
);

const read = new Map<SpacelessScript, Words>();

/** Read when the first text comes that has the script, as its font is: a few milliseconds, and up to 3 MB, that most never need. */
function wordsOf(script: SpacelessScript): Words {
  let words = read.get(script);
  if (words === undefined) {
    words = readListedWords(gunzipSync(readFileSync(WORD_FILES.get(script)!)), script);
    read.set(script, words);
  }
  return words;
}

const rules = listedRules(wordsOf);

/** How lines end in scripts without spaces. */
export function spacelessRules(): SpacelessRules {
  return rules;
}
