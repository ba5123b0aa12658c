import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cleanLine, cleanText } from '../../../src/paint/layout/clean-text.ts';
import { graphemesOf, LineBreaker, startsRightToLeft } from '../../../src/paint/layout/line-breaker.ts';
import type { MeasureText } from '../../../src/paint/layout/text-measure.ts';
import { faceFor } from '../../../src/paint/layout/typeface.ts';

/** Every character is one em wide, so that widths can be counted by eye. */
const counting: MeasureText = (text) => graphemesOf(text).length;

function wrapped(text: string, width: number, evenly = false): string[] {
  const breaker = new LineBreaker(text, faceFor(text, 'text'), counting);
  return (evenly ? breaker.wrapEvenly(width) : breaker.wrap(width)).lines.map((line) => line.text);
}

describe('wrapping', () => {
  test('[R14] lines break at spaces, which hang', () => {
    assert.deepEqual(wrapped('the quick brown fox', 9), ['the quick', 'brown fox']);
    assert.deepEqual(wrapped('the  quick   brown', 6), ['the', 'quick', 'brown']);
  });

  test('[R14] explicit newlines are kept, empty lines too', () => {
    assert.deepEqual(wrapped('one\n\ntwo', 9), ['one', '', 'two']);
  });

  test('[R14] a word longer than a line is broken between graphemes, never within one', () => {
    assert.deepEqual(wrapped('abcdefghij', 4), ['abcd', 'efgh', 'ij']);
    assert.deepEqual(wrapped('👩‍👩‍👧‍👦👩‍🚀🇩🇪🇫🇷', 2), ['👩‍👩‍👧‍👦👩‍🚀', '🇩🇪🇫🇷']);
    assert.deepEqual(wrapped('go abcdefgh', 4), ['go', 'abcd', 'efgh']);
  });

  test('[R14] hyphens and dashes end a line, no-break spaces do not', () => {
    assert.deepEqual(wrapped('well-known fact', 7), ['well-', 'known', 'fact']);
    assert.deepEqual(wrapped('10\u00a0km away', 6), ['10\u00a0km', 'away']);
    assert.deepEqual(wrapped('minus -5', 6), ['minus', '-5']);
  });

  test('[R14] Chinese and Japanese break anywhere but before closing and after opening marks', () => {
    assert.deepEqual(wrapped('漢字漢字漢字', 4), ['漢字漢字', '漢字']);
    assert.deepEqual(wrapped('漢字漢字。漢字', 4), ['漢字漢', '字。漢字']);
    assert.deepEqual(wrapped('漢字漢「漢」字', 4), ['漢字漢', '「漢」字']);
    assert.deepEqual(wrapped('カラーテレビ', 2), ['カ', 'ラー', 'テレ', 'ビ']);
  });

  test('[R14] Korean breaks at its spaces', () => {
    assert.deepEqual(wrapped('한국어 자막은 길어요', 7), ['한국어 자막은', '길어요']);
  });

  test('[R14] lines of one paragraph come out about equally long', () => {
    assert.deepEqual(wrapped('aaaa bbbb cccc dddd', 16), ['aaaa bbbb cccc', 'dddd']);
    assert.deepEqual(wrapped('aaaa bbbb cccc dddd', 16, true), ['aaaa bbbb', 'cccc dddd']);
  });

  test('[R14] nothing is lost and nothing is too wide, whatever the text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 }).map((raw) => cleanText(raw, 1000));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), fc.boolean(), (value, width, evenly) => {
        const lines = wrapped(value, width, evenly);
        const bare = (parts: readonly string[]) => parts.join('').replace(/[\s\u200b]/gu, '');
        assert.equal(bare(lines), bare([value]));
        for (const line of lines) assert.ok(counting(line, faceFor('', 'text')) <= width, `“${line}” is too wide`);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('direction', () => {
  test('[R14] is that of the first letter', () => {
    assert.equal(startsRightToLeft('1. שלום abc'), true);
    assert.equal(startsRightToLeft('(abc) שלום'), false);
    assert.equal(startsRightToLeft('… مرحبا'), true);
    assert.equal(startsRightToLeft('123'), false);
  });
});

describe('cleaning', () => {
  test('controls become spaces, line ends become one kind, overrides and lone surrogates go', () => {
    assert.equal(cleanText('a\tb\r\nc\rd\u0000e', 100), 'a b\nc\nd e');
    assert.equal(cleanText('safe\u202egpj.exe', 100), 'safegpj.exe');
    assert.equal(cleanText('x\ud800y', 100), 'x\ufffdy');
    assert.equal(cleanLine('  two\n lines ', 100), 'two lines');
  });

  test('what is too long ends in an ellipsis, and no pair is torn', () => {
    assert.equal(cleanText('abcdef', 3), 'abc…');
    assert.equal(cleanText('ab👍', 3), 'ab…');
  });
});
