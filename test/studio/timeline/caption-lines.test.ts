import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  acceptWord,
  captionLines,
  findCaptions,
  firstAhead,
  joinLine,
  joinWords,
  markedWords,
  nextUnsure,
  putCaptions,
  removeLine,
  setWord,
  splitLine,
} from '../../../src/studio/document/caption-lines.ts';
import type { TimeRules } from '../../../src/studio/document/entries.ts';
import { putLanes } from '../../../src/studio/document/lane-switches.ts';
import { moveEntries, startedAt } from '../../../src/studio/document/move-entries.ts';
import { EMPTY_PROJECT, type TimelineData } from '../../../src/studio/document/project.ts';
import { voiceRequest } from '../../../src/studio/document/service-requests.ts';
import { frameRate } from '../../../src/time.ts';
import { picture } from '../document/project-builder.ts';
import { timelineOf } from './timeline-of.ts';

const EVERYTHING = { start: 0, end: Number.POSITIVE_INFINITY };

/** Gives new entries names, as an edit does. */
function named(before: TimelineData, after: TimelineData): TimelineData {
  const draft: Record<string, unknown> = { ...before };
  putLanes(draft, before, after);
  return draft as unknown as TimelineData;
}

/** Segments of words that are spoken one after the other. */
const speech = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 0, max: 900 }),
      words: fc.array(
        fc.record({
          text: fc.constantFrom('so', 'a', 'Popcorn.', 'cinema', 'S!', 'naïve'),
          ms: fc.integer({ min: 20, max: 700 }),
          confidence: fc.constantFrom(0.2, 0.59, 0.6, 0.97),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((segments) => {
    let at = 0;
    return segments.map(({ gap, words }) => {
      at += gap;
      const spoken = words.map(({ text, ms, confidence }) => {
        const start = at / 1000;
        at += ms;
        return { text, confidence, start, end: at / 1000 };
      });
      return { start: spoken[0]!.start, end: at / 1000, words: spoken };
    });
  });

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('set', 'several', 'empty', 'split', 'join', 'joinWords', 'accept', 'remove'),
    line: fc.nat(9),
    index: fc.nat(5),
  }),
  { maxLength: 12 },
);

test('[C77] after any edit of captions, words keep their times and order, and lines do not overlap', () => {
  fc.assert(
    fc.property(speech, steps, (segments, edits) => {
      const empty = timelineOf({});
      let timeline = named(empty, putCaptions(empty, segments, EVERYTHING));
      const known = new Set(segments.flatMap(({ words }) => words.map(({ start }) => start)));
      for (const { kind, line: nth, index } of edits) {
        const lines = captionLines(timeline);
        const line = lines[nth % Math.max(1, lines.length)];
        if (line === undefined) break;
        const at = { line: line.id, index: index % line.words.length };
        const starts = (of: TimelineData) => captionLines(of).flatMap(({ words }) => words.map(({ start }) => start));
        const before = starts(timeline);
        const next = {
          set: () => setWord(timeline, at, 'corrected'),
          several: () => setWord(timeline, at, ' two words '),
          empty: () => setWord(timeline, at, ''),
          split: () => splitLine(timeline, at),
          join: () => joinLine(timeline, line.id),
          joinWords: () => joinWords(timeline, at),
          accept: () => acceptWord(timeline, at),
          remove: () => removeLine(timeline, line.id),
        }[kind]();
        timeline = named(timeline, next);
        const after = starts(timeline);
        if (['set', 'split', 'join', 'accept'].includes(kind)) assert.deepEqual(after, before, kind);
        if (kind === 'several') for (const start of after) known.add(start);
        else for (const start of after) assert.ok(before.includes(start), `${kind} keeps times`);
      }
      const lines = captionLines(timeline);
      const words = lines.flatMap((line) => line.words);
      for (const [i, word] of words.entries()) {
        assert.ok(known.has(word.start));
        assert.ok(i === 0 || word.start >= words[i - 1]!.start, 'in order');
      }
      for (const [i, line] of lines.entries()) {
        assert.equal(line.text, line.words.map(({ text }) => text).join(' '));
        assert.ok(line.duration > 0);
        const next = lines[i + 1];
        if (next !== undefined && next.start - line.start >= 0.05)
          assert.ok(line.start + line.duration <= next.start + 1e-6, 'no overlap');
      }
    }),
  );
});

test('[C77] words to check are reached one after the other, in both directions', () => {
  const words = (...confidence: number[]) =>
    confidence.map((sure, n) => ({ text: `w${n}`, start: n, end: n + 0.5, confidence: sure }));
  const timeline = timelineOf({
    subtitles: [
      { id: 'late', text: 'w0 w1', start: 10, duration: 2, words: words(0.4, 0.9) },
      { id: 'early', text: 'w0 w1', start: 1, duration: 2, words: words(0.9, 0.1) },
      { id: 'plain', text: 'No words', start: 0, duration: 1 },
    ],
  });
  const lines = captionLines(timeline);
  assert.deepEqual(
    lines.map(({ id }) => id),
    ['early', 'late'],
  );
  const first = nextUnsure(lines, null, 1);
  const second = nextUnsure(lines, first, 1);
  assert.deepEqual(
    [first, second, nextUnsure(lines, second, 1)],
    [{ line: 'early', index: 1 }, { line: 'late', index: 0 }, null],
  );
  assert.deepEqual(nextUnsure(lines, second, -1), first);
  assert.deepEqual(nextUnsure(captionLines(acceptWord(timeline, first!)), null, 1), second);
});

test('[C77] a search finds text across words, whatever its case and accents, and starts at the playhead', () => {
  const line = (id: string, start: number, text: string) => ({
    ...{ id, text, start, duration: 2 },
    words: text.split(' ').map((word, nth) => ({ text: word, start: start + nth * 0.25 })),
  });
  const subtitles = [line('b', 5, 'a caffè, a cat'), line('a', 1, 'The CAFFÈ at the cave')];
  const lines = captionLines(timelineOf({ subtitles }));
  const found = (text: string) => findCaptions(lines, text).map(({ line, index, count }) => [line, index, count]);
  assert.deepEqual(found('caffe'), [
    ['a', 1, 1],
    ['b', 1, 1],
  ]);
  assert.deepEqual(found(' E  at '), [['a', 1, 2]]);
  assert.deepEqual(found('a '), found('a'), 'white space at the ends does not count');
  assert.deepEqual(found('a ca'), [
    ['b', 0, 2],
    ['b', 2, 2],
  ]);
  assert.deepEqual([found('cat the'), found('   '), found('')], [[], [], []]);
  const ca = findCaptions(lines, 'ca');
  const from = (seconds: number) => firstAhead(ca, lines, (start) => start >= seconds);
  assert.deepEqual([ca.length, from(0), from(1.3), from(5.3), from(9)], [4, 0, 1, 3, 0]);
});

test('[C77] a search of any part of a line finds the fewest words that contain it', () => {
  const word = fc.stringMatching(/^[a-cé]{1,4}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (texts, from, length) => {
      const text = texts.join(' ');
      const begin = from % text.length;
      const part = text.slice(begin, begin + 1 + (length % (text.length - begin)));
      fc.pre(part.trim() !== '');
      const words = texts.map((each, nth) => ({ text: each, start: nth }));
      const lines = captionLines(timelineOf({ subtitles: [{ id: 'l', text, start: 0, duration: 9, words }] }));
      const [first] = findCaptions(lines, part);
      assert.ok(first !== undefined);
      const found = texts.slice(first.index, first.index + first.count);
      const wanted = part.trim().replaceAll('é', 'e');
      const has = (some: readonly string[]) => some.join(' ').replaceAll('é', 'e').includes(wanted);
      assert.deepEqual([has(found), has(found.slice(1)), has(found.slice(0, -1))], [true, false, false]);
    }),
  );
});

test('[C77] the shown match is marked, also if it shares a word with another match', () => {
  const words = ['banana', 'nab'].map((text, start) => ({ text, start }));
  const lines = captionLines(
    timelineOf({ subtitles: [{ id: 'l', text: 'banana nab', start: 0, duration: 9, words }] }),
  );
  const matches = findCaptions(lines, 'na');
  assert.deepEqual(
    matches.map(({ index }) => index),
    [0, 0, 1],
  );
  const marksOf = (shown: number) => [...markedWords(matches, shown).values()];
  assert.deepEqual([0, 1, 2].map(marksOf), [
    ['shown', 'found'],
    ['shown', 'found'],
    ['found', 'shown'],
  ]);
  assert.equal(markedWords([], -1).size, 0);
});

test('[C77] new captions replace those in their time range; other subtitles stay', () => {
  const line = (id: string, start: number) => ({
    id,
    text: 'old',
    start,
    duration: 1,
    words: [{ text: 'old', start }],
  });
  const before = timelineOf({
    subtitles: [line('a', 0), line('b', 5), { id: 'c', text: 'Mine', start: 5, duration: 1 }],
  });
  const heard = [{ start: 5.2, end: 6, words: [{ text: 'new', start: 5.2, end: 6, confidence: 0.9 }] }];
  const after = putCaptions(before, heard, { start: 4, end: 8 });
  assert.deepEqual(
    after.subtitles.map(({ text }) => text),
    ['old', 'Mine', 'new'],
  );
});

test('[C43, C77] a line that is moved takes its words along', () => {
  const line = { id: 'a', text: 'so', start: 1, duration: 1, words: [{ text: 'so', start: 1.25, end: 1.5 }] };
  const rules: TimeRules = { rate: frameRate(25), trimEndAs: 'out_point', sourceLength: () => null };
  const moved = moveEntries(timelineOf({ subtitles: [line] }), [{ lane: 'subtitles', index: 0 }], 50, rules);
  assert.deepEqual(moved.subtitles, [{ ...line, start: 3, words: [{ text: 'so', start: 3.25, end: 3.5 }] }]);
  assert.deepEqual(startedAt(line, 0).words, [{ text: 'so', start: 0.25, end: 0.5 }]);
});

test('[C77] the voice is transcribed: clips with sound and sounds that are voice, or one entry', () => {
  const file = (hash: string, sound = true) => ({ ...picture(hash), hash, sound });
  const project = {
    ...EMPTY_PROJECT,
    timeline_data: timelineOf({
      videos: [
        { id: 'v', file_field: 'talk', start: 0, duration: 5, transition: { kind: 'crossfade' } },
        { id: 'm', file_field: 'mute', start: 5, duration: 5 },
      ],
      soundtracks: [
        { id: 's', file_field: 'song', start: 0, duration: 5, role: 'music' },
        { id: 'o', file_field: 'over', start: 0, duration: 5, role: 'voice' },
      ],
    }),
    studio: { media: { talk: file('t'), mute: file('x', false), song: file('s'), over: file('o') } },
  };
  const all = voiceRequest(project, null)!;
  assert.deepEqual(all.media, { talk: { media: 't' }, over: { media: 'o' } });
  assert.deepEqual(
    all.timeline_data.videos.map((entry) => [entry.id, 'transition' in entry]),
    [['v', false]],
  );
  const song = voiceRequest(project, { lane: 'soundtracks', id: 's' })!;
  assert.deepEqual(song.timeline_data.soundtracks[0]?.role, 'voice', 'what is asked for is taken for voice');
  assert.equal(voiceRequest(project, { lane: 'videos', id: 'm' }), null);
});
