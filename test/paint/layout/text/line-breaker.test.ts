import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { spacelessRules } from '../../../../src/paint/fonts/word-files.ts';
import { nameOnCard, nameUnderPicture } from '../../../../src/paint/layout/card-words.ts';
import { graphemesOf, startsRightToLeft } from '../../../../src/paint/layout/text/break-rules.ts';
import { LineBreaker } from '../../../../src/paint/layout/text/line-breaker.ts';
import { cleanLine, cleanText } from '../../../../src/paint/layout/text/text-block.ts';
import type { MeasureText } from '../../../../src/paint/layout/text/text-measure.ts';
import { faceFor } from '../../../../src/paint/layout/text/typeface.ts';

/** Every character is one em wide, so that widths can be counted by eye. */
const counting: MeasureText = Object.assign((text: string) => graphemesOf(text).length, {
  own: null,
  spaceless: spacelessRules,
});

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
    assert.deepEqual(wrapped('1234567890', 4), ['1234', '5678', '90']);
    assert.deepEqual(wrapped('👩‍👩‍👧‍👦👩‍🚀🇩🇪🇫🇷', 2), ['👩‍👩‍👧‍👦👩‍🚀', '🇩🇪🇫🇷']);
    assert.deepEqual(wrapped('go 12345678', 4), ['go', '1234', '5678']);
  });

  test('[R14] a word of letters that must be broken gets a hyphen', () => {
    assert.deepEqual(wrapped('abcdefghij', 4), ['abc-', 'def-', 'ghij']);
    assert.deepEqual(wrapped('Превосходительство', 8), ['Превос-', 'ходи-', 'тельство']);
    assert.deepEqual(wrapped('ab', 1), ['a', 'b'], 'of so few letters it would say nothing');
  });

  test('[R14] it is broken between syllables, into as few parts as possible, none of them much longer than the others', () => {
    const word = 'Donaudampfschifffahrtsgesellschaft';
    assert.deepEqual(wrapped(word, 12), ['Donaudampf-', 'schiff-', 'fahrtsge-', 'sellschaft']);
    assert.deepEqual(wrapped(word, 7), ['Donau-', 'dampf-', 'schiff-', 'fahrts-', 'gesell-', 'schaft']);
    assert.deepEqual(wrapped('Internationalization', 8), ['Interna-', 'tionali-', 'zation']);
    assert.deepEqual(wrapped('Étonnamment', 8), ['Éton-', 'namment']);
    assert.deepEqual(wrapped('Strengths', 5), ['Stre-', 'ngths'], 'where it has one syllable, between letters');
  });

  test('[R14] no letter of a broken word is alone on a line', () => {
    const word = fc.string({ unit: fc.constantFrom(...'aeinrstlochßéжио'), minLength: 5, maxLength: 40 });
    fc.assert(
      fc.property(word, fc.integer({ min: 4, max: 12 }), (text, width) => {
        for (const line of wrapped(text, width)) assert.ok(line.replace('-', '').length >= 2, `${line} of ${text}`);
      }),
    );
  });

  test('[R14] a line can end after hyphens and dashes, not at no-break spaces', () => {
    assert.deepEqual(wrapped('well-known fact', 7), ['well-', 'known', 'fact']);
    assert.deepEqual(wrapped('10\u00a0km away', 6), ['10\u00a0km', 'away']);
    assert.deepEqual(wrapped('minus -5', 6), ['minus', '-5']);
  });

  test('[R14] Japanese breaks between phrases: neither katakana words nor stems and their endings are split', () => {
    assert.deepEqual(wrapped('ゲームのランクを決める', 6), ['ゲームの', 'ランクを', '決める']);
    assert.deepEqual(wrapped('最高のお菓子を食べよう', 6), ['最高の', 'お菓子を', '食べよう']);
    assert.deepEqual(wrapped('私はきのう寿司を食べました', 8), ['私はきのう寿司を', '食べました']);
    assert.deepEqual(wrapped('すごい！ランキング、発表', 7), ['すごい！', 'ランキング、', '発表']);
    assert.deepEqual(wrapped('ウルトラスーパーランク', 6), ['ウルトラスー', 'パーランク'], 'unless it has no room');
  });

  test('[R14] Thai, Lao, Khmer and Myanmar break between words', () => {
    assert.deepEqual(wrapped('ภาษาไทยง่ายมาก', 7), ['ภาษาไทย', 'ง่ายมาก']);
    assert.deepEqual(wrapped('ສະບາຍດີຊາວໂລກ', 8), ['ສະບາຍດີ', 'ຊາວໂລກ']);
    assert.deepEqual(wrapped('ភាសាខ្មែរល្អណាស់', 6), ['ភាសាខ្មែរល្អ', 'ណាស់']);
    assert.deepEqual(wrapped('မြန်မာဘာသာစကား', 9), ['မြန်မာဘာသာ', 'စကား']);
    assert.deepEqual(wrapped('မြန်မာဘာသာ', 5), ['မြန်မာ', 'ဘာသာ'], 'a vowel does not begin a line');
    assert.deepEqual(wrapped('ดีมากๆ', 4), ['ดี', 'มากๆ'], 'a sign of repetition stays with its word');
  });

  test('[R14] a word of these scripts that must be broken is broken between written syllables', () => {
    assert.deepEqual(wrapped('เกมเกมเกม', 4), ['เกม', 'เกม', 'เกม']);
    assert.deepEqual(wrapped('สตาร์วอร์สแฮร์', 4), ['สตาร์', 'วอร์ส', 'แฮร์'], 'what is silent stays with its syllable');
    assert.deepEqual(wrapped('ไฮไฮไฮไฮ', 3), ['ไฮ', 'ไฮ', 'ไฮ', 'ไฮ'], 'a vowel does not stand without its letter');
    assert.deepEqual(wrapped('ទទួលស្គាល់', 3), ['ទទួល', 'ស្គាល់']);
    assert.deepEqual(wrapped('အခွင့်အရေး', 3), ['အခွင့်', 'အရေး']);
  });

  test('[R14] no line ends between Thai and Latin, except beside emoji, and where the text has a break', () => {
    assert.deepEqual(wrapped('ดูYouTubeทุกวัน', 11), ['ดูYouTubeทุก', 'วัน']);
    assert.deepEqual(wrapped('สนุกมาก😀สนุกมาก', 6), ['สนุกมาก', '😀สนุก', 'มาก']);
    assert.deepEqual(wrapped('ภาษา\u2060ไทยง่ายมาก', 8), ['ภาษา\u2060ไทย', 'ง่ายมาก'], 'a word joiner');
    assert.deepEqual(wrapped('มา\u200bริโอ', 3), ['มา', 'ริโอ'], 'a space of no width');
    assert.deepEqual(wrapped('“ภาษาไทย” (ดีมาก)', 6), ['“ภาษา', 'ไทย”', '(ดีมาก)']);
  });

  test('[R14] Chinese breaks anywhere, and Japanese where it must, but not before closing or after opening marks', () => {
    assert.deepEqual(wrapped('漢字漢字漢字', 4), ['漢字漢字', '漢字']);
    assert.deepEqual(wrapped('漢字漢字。漢字', 4), ['漢字漢', '字。漢字']);
    assert.deepEqual(wrapped('漢字漢「漢」字', 4), ['漢字漢', '「漢」字']);
    assert.deepEqual(wrapped('カラーテレビ', 2), ['カ', 'ラー', 'テレ', 'ビ']);
  });

  test('[R14] Tibetan breaks after the mark that ends a syllable, Ethiopic after the mark that ends a word', () => {
    assert.deepEqual(wrapped('བོད་སྐད་ཡིག་རིགས།', 6), ['བོད་སྐད་', 'ཡིག་', 'རིགས།']);
    assert.deepEqual(wrapped('ሰላም፡ለዓለም፡ሁሉ', 8), ['ሰላም፡', 'ለዓለም፡ሁሉ']);
  });

  test('[R14] Korean breaks at its spaces', () => {
    assert.deepEqual(wrapped('한국어 자막은 길어요', 7), ['한국어 자막은', '길어요']);
  });

  test('[R14] lines of one paragraph have about equal lengths', () => {
    assert.deepEqual(wrapped('aaaa bbbb cccc dddd', 16), ['aaaa bbbb cccc', 'dddd']);
    assert.deepEqual(wrapped('aaaa bbbb cccc dddd', 16, true), ['aaaa bbbb', 'cccc dddd']);
  });

  test('[R14] no text is lost and no line is too wide, whatever the text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 }).map((raw) => cleanText(raw, 1000));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), fc.boolean(), (value, width, evenly) => {
        const lines = wrapped(value, width, evenly);
        const bare = (parts: readonly string[]) => parts.join('').replace(/[\s\u200b-]/gu, '');
        assert.equal(bare(lines), bare([value]));
        for (const line of lines) assert.ok(counting(line, faceFor('', 'text')) <= width, `“${line}” is too wide`);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('cutting', () => {
  const onCard = (name: string, px: number) =>
    nameOnCard(name, { width: px, height: px }, 12, counting)?.lines.map((line) => line.text);
  const under = (name: string, widthPx: number) =>
    nameUnderPicture(name, { width: widthPx, height: 20 }, 12, counting)!.lines.map((line) => line.text);

  test('[R14] no half of a syllable stays before an ellipsis', () => {
    assert.deepEqual(under('เกมไฮโซเวลาเธอ', 70), ['เกม…'], 'a vowel more would fit, without its letter');
    assert.deepEqual(under('ကြောင့်ကြောင့်ကြောင့်', 87), ['ကြောင့်…']);
  });

  test('[R14] initials are complete graphemes', () => {
    assert.deepEqual(onCard('Half Life', 40), ['HL']);
    assert.deepEqual(onCard('เกมคอมพิวเตอร์ โปเกมอน', 60), ['เกโป']);
    assert.deepEqual(onCard('ខ្មែរភាសា', 30), ['ខ្មែ']);
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
  test('controls become spaces, line ends become one kind, overrides and lone surrogates are removed', () => {
    assert.equal(cleanText('a\tb\r\nc\rd\u0000e', 100), 'a b\nc\nd e');
    assert.equal(cleanText('safe\u202egpj.exe', 100), 'safegpj.exe');
    assert.equal(cleanText('x\ud800y', 100), 'x\ufffdy');
    assert.equal(cleanLine('  two\n lines ', 100), 'two lines');
  });

  test('a text that is too long ends in an ellipsis, and no surrogate pair is split', () => {
    assert.equal(cleanText('abcdef', 3), 'abc…');
    assert.equal(cleanText('ab👍', 3), 'ab…');
  });
});
