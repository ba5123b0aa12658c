import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { spacelessRules } from '../../../src/paint/fonts/word-files.ts';
import { graphemesOf } from '../../../src/paint/layout/text/break-rules.ts';
import {
  isSyllableBound,
  ListedWords,
  readWordList,
  type WordList,
  writeWordList,
} from '../../../src/paint/layout/words/listed-words.ts';
import {
  SPACELESS_SCRIPTS,
  type SpacelessScript,
  spacelessStretches,
} from '../../../src/paint/layout/words/spaceless-text.ts';
import { SENTENCES } from './declaration-of-rights.ts';

const { wordStarts } = spacelessRules();

/** A text with a stroke before every word. */
function marked(text: string): string {
  const starts = wordStarts(text);
  return Array.from({ length: text.length }, (_, at) => (starts.has(at) ? '|' : '') + text[at]!).join('');
}

describe('words of scripts without spaces', () => {
  test('[R14] are found with the shipped lists', () => {
    assert.equal(marked('ภาษาไทยไม่มีช่องว่างระหว่างคำ'), 'ภาษา|ไทย|ไม่มี|ช่อง|ว่าง|ระหว่าง|คำ');
    assert.equal(marked('ສະບາຍດີຊາວໂລກ'), 'ສະບາຍດີ|ຊາວໂລກ');
    assert.equal(marked('ភាសាខ្មែរមិនមានចន្លោះរវាងពាក្យទេ'), 'ភាសាខ្មែរ|មិន|មាន|ចន្លោះ|រវាង|ពាក្យ|ទេ');
    assert.equal(marked('မြန်မာဘာသာစကားတွင်'), 'မြန်မာဘာသာ|စကား|တွင်');
  });

  test('[R14] a word is not split because a shorter one starts it, nor because the one before could be longer', () => {
    assert.equal(marked('ได้รับตามรัฐธรรมนูญ'), 'ได้|รับ|ตาม|รัฐธรรมนูญ');
    assert.equal(marked('การกระทำ'), 'การ|กระทำ', 'and not การก|ระ|ทำ');
    assert.equal(marked('រដ្ឋជាសមាជិក'), 'រដ្ឋ|ជា|សមាជិក');
  });

  test('[R14] marks of repetition and of the end stay with their word, and so do particles of one mark', () => {
    assert.equal(marked('ดีมากๆเลย'), 'ดี|มากๆ|เลย');
    assert.equal(marked('សន្តិភាព។ក្នុងពិភពលោក'), 'សន្តិភាព។|ក្នុង|ពិភពលោក');
    assert.equal(marked('လူခပ်သိမ်း၏လွတ်လပ်မှု၊တရား'), 'လူ|ခပ်သိမ်း၏|လွတ်လပ်|မှု၊|တရား');
    assert.equal(marked('စကား၎င်း'), 'စကား|၎င်း', 'though one mark begins a word');
  });

  test('[R14] an unknown word is not split, and a single letter stays with the text before it', () => {
    assert.equal(marked('ซี่งเป็น'), 'ซี่ง|เป็น', 'a word that is misspelt');
    assert.equal(marked('ดูสตาร์วอร์สกัน'), 'ดู|สตาร์วอร์ส|กัน');
  });

  test('[R14] adjacent scripts each use their own list, and joiners and spaces use none', () => {
    assert.equal(marked('ไทยລາວខ្មែរ'), 'ไทยລາວខ្មែរ');
    assert.equal(marked('กินข้าว\u200cแล้ว ສະບາຍດີຊາວໂລກ'), 'กิน|ข้าว\u200c|แล้ว ສະບາຍດີ|ຊາວໂລກ');
    assert.equal(marked('👩\u200d🚀 และ naïve'), '👩\u200d🚀 และ naïve');
    assert.deepEqual(spacelessStretches('\u200d\u200d 👩\u200d\u200d🚀'), []);
  });

  // Node's own ICU, which lines were broken by before, has the same words and goes about them in another way.
  const least: Readonly<Record<SpacelessScript, number>> = { thai: 0.98, lao: 0.96, khmer: 0.98, myanmar: 0.98 };
  for (const script of SPACELESS_SCRIPTS) {
    test(`[R14] in sentences of the script ${script} words start where ICU has them, with few exceptions`, (t) => {
      const icu = new Intl.Segmenter('und', { granularity: 'word' });
      const [theirs, ours] = [new Set<string>(), new Set<string>()];
      for (const { text, index } of SENTENCES[script].flatMap(spacelessStretches)) {
        for (const { index: at } of icu.segment(text)) {
          // Where no line may end it had to be looked at before, too.
          if (at > 0 && isSyllableBound(text, at)) theirs.add(`${text} ${index + at}`);
        }
        for (const at of wordStarts(text)) ours.add(`${text} ${index + at}`);
      }
      const both = theirs.intersection(ours).size;
      t.diagnostic(`${theirs.size} of ICU, ${ours.size} of ours, ${both} the same`);
      assert.ok(ours.size > 100);
      assert.ok(both / theirs.size >= least[script] && both / ours.size >= least[script], `${both} the same`);
    });
  }

  for (const script of SPACELESS_SCRIPTS) {
    test(`[R14] never start within a grapheme of ${script}, whatever the text`, () => {
      const blocks = { thai: 0xe00, lao: 0xe80, khmer: 0x1780, myanmar: 0x1000 };
      const letter = fc.integer({ min: 1, max: 0x7d }).map((at) => String.fromCodePoint(blocks[script] + at));
      const word = fc.constantFrom(...SENTENCES[script].flatMap((text) => text.split(/[ .,:;()]+/)).filter(Boolean));
      const joiner = fc.constantFrom('\u200c', '\u200d');
      const text = fc
        .array(
          fc.oneof({ weight: 4, arbitrary: letter }, { weight: 1, arbitrary: word }, { weight: 1, arbitrary: joiner }),
        )
        .map((parts) => parts.join(''));
      fc.assert(
        fc.property(text, (value) => {
          const starts = [...wordStarts(value)];
          assert.deepEqual(
            starts,
            starts.toSorted((a, b) => a - b),
          );
          const bounds = new Set([0]);
          for (const grapheme of graphemesOf(value)) bounds.add([...bounds].at(-1)! + grapheme.length);
          for (const at of starts) assert.ok(at > 0 && at < value.length && bounds.has(at), `${at} in “${value}”`);
        }),
        // A sign between a letter and the one below it, which keyboards allow.
        { numRuns: 300, examples: script === 'khmer' ? [['ខ្ិខ']] : [] },
      );
    });
  }

  test('[H17] a long text takes time in proportion to its length, whatever its content', () => {
    const list = readWordList(writeWordList(['กา', 'กากา', 'กากากา', 'กากากากา'], 'thai'), 'thai');
    for (const part of ['กา', 'ก', 'เ', 'ๆ', 'กๆ', '่', 'กากากากาๆ']) {
      const stepsOf = (length: number) => {
        let steps = 0;
        const counted: WordList = {
          lengthsAt(text, from) {
            const lengths = list.lengthsAt(text, from);
            steps += 1 + lengths.length;
            return lengths;
          },
        };
        const text = part.repeat(length / part.length);
        const starts = new ListedWords(counted).startsIn(text);
        assert.ok(starts.length <= text.length);
        return steps;
      };
      assert.ok(stepsOf(20_000) <= 2 * stepsOf(10_000) + 16, part);
    }
  });
});

describe('lists of words', () => {
  test('are read back as written', () => {
    const words = ['ก', 'กา', 'การ', 'ขา', 'ข้าว', 'ก\u200dา'];
    const list = readWordList(writeWordList([...words, 'กa'], 'thai'), 'thai');
    for (const word of words) assert.equal(list.lengthsAt(`|${word}|`, 1).at(-1), word.length, word);
    assert.deepEqual(list.lengthsAt('การ', 0), [1, 2, 3]);
    assert.deepEqual(list.lengthsAt('ขาว', 0), [2]);
    assert.deepEqual(list.lengthsAt('ค', 0), []);
    assert.deepEqual(list.lengthsAt('กa', 0), [1], 'what has a foreign letter is left out');
    assert.deepEqual(readWordList(new Uint8Array(), 'lao').lengthsAt('ກ', 0), []);
  });
});
