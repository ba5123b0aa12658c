import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTranscript } from '../../../src/sandbox/transcript-schema.ts';
import { alignTokens, TokenTable } from '../../../src/speech/captions/align-tokens.ts';
import {
  type CaptionWord,
  captionRows,
  captionSegments,
  captionsAsSrt,
  captionsAsVtt,
  cleanWord,
} from '../../../src/speech/captions/caption-words.ts';
import { listeningChunks, snapWords } from '../../../src/speech/captions/listening-parts.ts';
import { quietSpans } from '../../../src/speech/find-pauses.ts';
import { fastFolder } from '../../store/temp-folder.ts';

const LONGEST_WORD = 200;

const word = (text: string, start: number, end: number): CaptionWord => ({ text, start, end, confidence: 1 });
const textsOf = (words: readonly CaptionWord[]) => captionSegments(words).map(({ text }) => text);

test('[C77] a segment ends with a sentence, at a pause, and before it is too long to read', () => {
  assert.deepEqual(textsOf([word('One.', 0, 0.4), word('Two', 0.5, 0.8), word('three', 1.5, 2)]), [
    'One.',
    'Two',
    'three',
  ]);
  assert.deepEqual(textsOf([word('He', 0, 0.4), word('said', 0.4, 0.8), word('no', 0.9, 1.2)]), ['He said no']);
  const even = Array.from({ length: 60 }, (_, n) => word('seven77', n * 0.3, n * 0.3 + 0.3));
  for (const { text, start, end } of captionSegments(even)) {
    assert.ok(captionRows(text).length <= 2 && captionRows(text).every((row) => row.length <= 42));
    assert.ok(end - start <= 6.001, `${text} from ${start} to ${end}`);
  }
});

/** All ways to break a text, each in full. */
function bestRows(text: string): string[] {
  const words = text.split(' ');
  const breaks = words.slice(1).map((_, n) => {
    const rows = [words.slice(0, n + 1).join(' '), words.slice(n + 1).join(' ')];
    const [longer, shorter] = rows.map(({ length }) => length).sort((a, b) => b - a) as [number, number];
    const cost = longer - shorter - (/[,.]$/.test(words[n]!) ? 10.5 : 0) + (longer > 42 ? text.length : 0);
    return { rows, cost };
  });
  return breaks.sort((a, b) => a.cost - b.cost)[0]?.rows ?? [text];
}

test('[C77] a long text is broken at the best place, in time proportional to its length', () => {
  const text = fc.array(fc.stringMatching(/^[a-z]{0,9}[,.]?$/), { maxLength: 30 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(text, (each) => {
      assert.deepEqual(captionRows(each), each.length <= 42 ? [each] : bestRows(each));
    }),
  );
  // Quadratic work would take minutes and gigabytes.
  const long = 'a '.repeat(200_000);
  assert.deepEqual(
    captionRows(long).map(({ length }) => length),
    [199_999, 200_000],
  );
});

test('[C77] a transcript with more or longer texts than its sound can hold is refused', async (t) => {
  const path = join(fastFolder(t), 'transcript.json');
  const spoken = { text: 'a', start: 0, end: 1, confidence: 1 };
  const said = (segment: object, word: object = {}) => ({
    duration: 1,
    segments: [{ text: 'a', start: 0, end: 1, words: [{ ...spoken, ...word }], ...segment }],
  });
  const isBelieved = async (value: unknown, duration = 1) => {
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
    return (await readTranscript(path, duration)) !== null;
  };
  assert.equal(await isBelieved(said({ text: 'a'.repeat(500) }, { text: 'a'.repeat(LONGEST_WORD) })), true);
  assert.equal(await isBelieved(said({ text: 'a'.repeat(501) })), false);
  assert.equal(await isBelieved(said({}, { text: 'a'.repeat(LONGEST_WORD + 1) })), false);
  const [segment] = said({}).segments;
  const many = { duration: 100, segments: Array(2000).fill(segment) };
  assert.equal(await isBelieved(many, 100), true, '20 segments a second');
  assert.equal(await isBelieved(many), false, 'of one second');
  assert.equal(await isBelieved('{ "duration": 1'), false);
  const long = captionSegments(Array.from({ length: 40 }, (_, n) => word('w'.repeat(n % 3 ? 200 : 1), n / 10, n / 10)));
  assert.equal(await isBelieved({ duration: 4, segments: long }), true, 'whatever a model repeats');
});

const spans = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 100, max: 30_000 })), { maxLength: 30 })
  .map((pairs) => {
    let at = 0;
    return pairs.map(([gap, length]) => {
      const start = at + gap;
      at = start + length;
      return { start: start / 1000, end: at / 1000 };
    });
  });

test("[C77] chunks cover all speech, in order, without overlap, and none is longer than the model's limit", () => {
  fc.assert(
    fc.property(spans, (speech) => {
      const duration = (speech.at(-1)?.end ?? 0) + 1;
      const chunks = listeningChunks(speech, duration);
      for (const [index, { start, end }] of chunks.entries()) {
        assert.ok(start >= (chunks[index - 1]?.end ?? 0) - 1e-9 && end > start && end <= duration);
        assert.ok(end - start <= 14 * 1.6 + 1e-9);
      }
      const seconds = (from: number, to: number) =>
        chunks.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0);
      for (const { start, end } of speech) assert.ok(Math.abs(seconds(start, end) - (end - start)) < 1e-6);
    }),
  );
});

test('[C77] words start where silence ends, and end where it starts', () => {
  const silences = [
    { start: 0, end: 0.3 },
    { start: 1, end: 1.5 },
  ];
  const snapped = snapWords([word('one', 0.2, 1.1), word('two', 1.3, 2)], silences);
  assert.deepEqual(
    snapped.map(({ start, end }) => [start, end]),
    [
      [0.3, 1],
      [1.5, 2],
    ],
  );
});

test('[C77] three steps without speech count as quiet', () => {
  const likely = [0.1, 0.1, 0.1, 0.9, 0.1, 0.1, 0.9, 0.2, 0.2, 0.2, 0.2];
  assert.deepEqual(quietSpans({ likely, levels: likely.map(() => -20) }, 0.032), [
    { start: 0, end: 0.096 },
    { start: 0.224, end: 0.352 },
  ]);
});

/** Steps of 0.1 s: likelihood, level. */
const quietOf = (...steps: readonly (readonly [likely: number, level: number])[]) =>
  quietSpans({ likely: steps.map(([share]) => share), levels: steps.map(([, level]) => level) }, 0.1).map(
    ({ start, end }) => [start, end].map((seconds) => Number(seconds.toFixed(1))),
  );
const [SPOKEN, LATE, SILENT, BREATH] = [[1, -20] as const, [1, -60] as const, [0.1, -60] as const, [0.9, -40] as const];

test('[C77] a gap begins where the sound ends, though its likelihood falls later', () => {
  assert.deepEqual(quietOf(SPOKEN, SPOKEN, LATE, LATE, SILENT, SPOKEN, SPOKEN), [[0.2, 0.5]]);
  // A closed consonant is as faint, but never unlikely.
  assert.deepEqual(quietOf(SPOKEN, SPOKEN, LATE, SPOKEN, SPOKEN), []);
});

test('[C77] a breath between words is quiet, a soft word is not', () => {
  assert.deepEqual(quietOf(SPOKEN, SPOKEN, SILENT, BREATH, BREATH, SILENT, SPOKEN), [[0.2, 0.6]]);
  const soft = [1, -40] as const;
  assert.deepEqual(quietOf(SPOKEN, SPOKEN, SILENT, soft, soft, SILENT, SPOKEN), [
    [0.2, 0.3],
    [0.5, 0.6],
  ]);
});

test('[C77] tokens are placed where the attention is, in order', () => {
  const frames = 40;
  const looksAt = (from: number, to: number) =>
    Float32Array.from({ length: 2 * frames }, (_, n) => (n % frames >= from && n % frames < to ? 1 : 0));
  const heard = alignTokens([[looksAt(0, 10)], [looksAt(10, 25)], [looksAt(25, 40)]], 2);
  for (const [index, at] of [0, 10, 25, 40].entries()) {
    if (index > 0) assert.ok(Math.abs(heard[index - 1]!.end + 1 - at) <= 1, `${JSON.stringify(heard)}`);
    if (index < 3) assert.ok(Math.abs(heard[index]!.start - at) <= 1, `${JSON.stringify(heard)}`);
  }
  assert.deepEqual(alignTokens([], 2), []);
});

test('[C77] tokens become text: words by their mark, bytes by their number', () => {
  const token = (text: string) => [Buffer.byteLength(text), ...Buffer.from(text)];
  const long = 'x'.repeat(300);
  const table = new TokenTable(
    Uint8Array.from([
      ...token('▁He'),
      ...token('y'),
      ...token('<0xC3>'),
      ...token('<0xA9>'),
      172,
      2,
      ...Buffer.from(long),
    ]),
  );
  assert.equal(table.text([0, 1, 2, 3, 0]), 'Heyé He');
  assert.deepEqual([table.beginsWord(0), table.beginsWord(1)], [true, false]);
  assert.equal(table.text([4]), long);
});

test('[C77] captions break at clauses, into rows of about the same length', () => {
  assert.deepEqual(captionRows('what your country can do for you, ask what you can do for your country.'), [
    'what your country can do for you,',
    'ask what you can do for your country.',
  ]);
  assert.deepEqual(captionRows('Short enough for one row.'), ['Short enough for one row.']);
  const said =
    'We choose to go to the moon in this decade and do the other things, not because they are easy, but because they are hard, as we said.';
  const words = said.split(' ').map((text, n) => word(text, n * 0.25, n * 0.25 + 0.2));
  assert.deepEqual(
    captionSegments(words).map(({ text }) => text),
    [
      'We choose to go to the moon in this decade and do the other things,',
      'not because they are easy, but because they are hard, as we said.',
    ],
  );
});

test('[C77] repetitions of a model within a word are left out', () => {
  assert.equal(cleanWord('short,,'), 'short,');
  assert.equal(cleanWord('well...'), 'well...');
  assert.equal(cleanWord('w'.repeat(300)).length, LONGEST_WORD);
});

test('[C77] captions as subtitle files', () => {
  const segments = captionSegments([word('A', 0.5, 0.9), word('<b>', 0.9, 1.25)]);
  assert.equal(captionsAsVtt(segments), 'WEBVTT\n\n00:00:00.500 --> 00:00:01.250\nA &lt;b&gt;\n');
  assert.equal(captionsAsSrt(segments), '1\n00:00:00,500 --> 00:00:01,250\nA <b>\n');
});
