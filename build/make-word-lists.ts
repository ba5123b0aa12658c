import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { WORD_FILES } from '../src/paint/fonts/word-files.ts';
import { writeWordList } from '../src/paint/layout/words/listed-words.ts';
import type { SpacelessScript } from '../src/paint/layout/words/spaceless-text.ts';
import { icuDictionary } from './icu-dictionary.ts';

/**
 * `node build/make-word-lists.ts`: the words of scripts without spaces, and the licences they are under, taken out of the ICU of the Node
 * that comes with the install. Kept in the repository, so that other versions of Node and browsers break lines at the same words.
 */

const DICTIONARIES: Readonly<Record<SpacelessScript, string>> = {
  thai: 'thaidict',
  lao: 'laodict',
  khmer: 'khmerdict',
  myanmar: 'burmesedict',
};

const node = readFileSync(process.execPath);
for (const script of Object.keys(DICTIONARIES) as SpacelessScript[]) {
  const words = icuDictionary(node, DICTIONARIES[script]);
  const packed = gzipSync(writeWordList(words, script), { level: 9 });
  writeFileSync(WORD_FILES.get(script)!, packed);
  process.stdout.write(`${script}: ${words.length} words, ${packed.length} bytes\n`);
}
writeFileSync(join(dirname(WORD_FILES.get('thai')!), 'LICENSE'), licences());

/** Node's licence texts of ICU and of the third-party dictionaries in it. */
function licences(): string {
  const folder = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'node_modules');
  const text = readFileSync(join(folder, `node-${process.platform}-${process.arch}`, 'LICENSE'), 'utf8');
  const part = (from: string, to: string) => {
    const begins = text.indexOf(from);
    return text.slice(begins, text.indexOf(to, begins)).replace(/^ {4}/gm, '').trim();
  };
  return [
    `The words of these lists are those of the dictionaries of ICU ${process.versions.icu} (https://icu.unicode.org), in another form.`,
    part('UNICODE LICENSE V3', '\n    ----------------------------------'),
    part('Lao Word Break Dictionary Data', '\n    ----------------------------------'),
    part('Burmese Word Break Dictionary Data', '\n    ----------------------------------'),
    '',
  ].join('\n\n');
}
