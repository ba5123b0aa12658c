import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CaptionSegment } from '../../../src/speech/captions/caption-words.ts';
import { captionWarnings, requireWords } from '../../../src/speech/captions/language-clarity.ts';

const spoken = (text: string, confidence: number): CaptionSegment[] => {
  const words = text.split(' ').map((each, nth) => ({ text: each, start: nth, end: nth + 0.5, confidence }));
  return [{ start: 0, end: words.length, text, words }];
};
const codes = (segments: CaptionSegment[], language = 'en') =>
  captionWarnings({ segments }, language).map(({ code }) => code);
const UNCLEAR = ['captions.language_unclear'];
const SENTENCE = 'We left at six in the morning and came home long after dark.';

test('[C77] words of which a model is unsure have an unclear language', () => {
  assert.deepEqual(codes(spoken(SENTENCE, 0.8)), []);
  assert.deepEqual(codes(spoken(SENTENCE, 0.4)), UNCLEAR);
  assert.deepEqual(codes(spoken('Ciao a tutti', 0.1)), [], 'a few words say nothing');
});

test('[C77] a model in a loop has an unclear language, however sure it is; a refrain is no loop', () => {
  assert.deepEqual(codes(spoken('the first one is the first one is the first one is the first one', 0.99)), UNCLEAR);
  const verse = Array.from({ length: 40 }, (_, nth) => `word${nth}`).join(' ');
  assert.deepEqual(codes(spoken(Array(4).fill(verse).join(' '), 0.9)), []);
});

test('[C77] the warning names the language that was written', () => {
  const [english, any] = ['en', 'und'].map(
    (language) => captionWarnings({ segments: spoken(SENTENCE, 0.1) }, language)[0]!.message,
  );
  assert.match(english!, /may not be in the language en,/);
  assert.match(any!, /a language that the model knows/);
});

test('[C77] captions without words say so: there is no speech, or speech that the model does not know', () => {
  const silent = captionWarnings({ segments: [], voice: 0.4 }, 'en');
  assert.deepEqual(silent, [{ path: '', code: 'captions.no_speech', message: 'No speech found.' }]);
  assert.throws(() => requireWords({ segments: [] }, silent), { code: 'captions.no_speech', kind: 'invalid' });
  const [foreign] = captionWarnings({ segments: [], voice: 12 }, 'en');
  assert.equal(foreign!.code, 'captions.language_unclear');
  assert.match(foreign!.message, /heard for 12 s, and the model found no words/);
  requireWords({ segments: spoken(SENTENCE, 0.1) }, [foreign!]);
});
