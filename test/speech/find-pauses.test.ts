import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { findSpeech } from '../../src/engine/speech/find-speech.ts';
import { pausesBetween, speechSpans } from '../../src/speech/find-pauses.ts';
import { samplesOf, tone, wavFile } from '../engine/sound/wav-file.ts';

const SECOND = 48_000;
const { signal } = new AbortController();
const RULES = { minPause: 0.4, padding: 0.1 };

test('[C78] speech starts where it is likely and ends after a while without it; clicks are not speech', () => {
  const likely = [0, 0.1, 0.6, 0.4, 0.9, 0.3, 0.4, 0.9, 0.2, 0.1, 0.1, 0.1, 0.9, 0, 0, 0, 0];
  assert.deepEqual(speechSpans(likely, 0.05), [{ start: 0.1, end: 0.4 }]);
  assert.deepEqual(speechSpans([0.9, 0.9, 0.9], 0.05), [{ start: 0, end: 0.15000000000000002 }]);
});

test('[C78] pauses have at least the requested length, and padding stays only beside speech', () => {
  const spans = [
    { start: 1, end: 2 },
    { start: 2.3, end: 3 },
    { start: 4, end: 5 },
  ];
  assert.deepEqual(pausesBetween(spans, 6, { minPause: 0.4, padding: 0.25 }), [
    { start: 0, end: 0.75 },
    { start: 3.25, end: 3.75 },
    { start: 5.25, end: 6 },
  ]);
  assert.deepEqual(pausesBetween([], 2, RULES), [{ start: 0, end: 2 }]);
  assert.deepEqual(pausesBetween([{ start: 0, end: 2 }], 2, RULES), []);
});

test('[C78] tones and silence are not speech', async () => {
  const file = wavFile([samplesOf(3 * SECOND, (n) => (n % SECOND < 20_000 ? tone(440)(n) : 0))]);
  const { duration, speech } = await findSpeech(file, DEFAULT_MEDIA_LIMITS, signal);
  assert.deepEqual([duration, speech], [3, []]);
});
