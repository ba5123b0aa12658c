import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { findSpeech } from '../../src/engine/speech/find-speech.ts';
import { pausesBetween } from '../../src/speech/find-pauses.ts';
import { REAL_MEDIA } from '../fixtures/real-media.ts';

const { signal } = new AbortController();
const RULES = { minPause: 0.4, padding: 0.1 };

for (const name of ['jfk', 'esp1', 'esp2', 'two_cities_16k']) {
  const file = join(REAL_MEDIA, 'speech', `${name}.flac`);
  const skip = existsSync(file) ? false : `no ${name} in the folder of real media`;
  test(`[C78] recorded speech: no word of ${name} loses more than a quarter to a removed pause`, { skip }, async () => {
    const { duration, speech } = await findSpeech(file, DEFAULT_MEDIA_LIMITS, signal);
    const pauses = pausesBetween(speech, duration, RULES);
    const words = JSON.parse(readFileSync(file.replace('.flac', '.json'), 'utf8')) as Word[];
    assert.ok(pauses.length > 0);
    for (const [index, { w, t, e = words[index + 1]?.t ?? duration }] of words.entries()) {
      const lost = pauses.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, e) - Math.max(start, t)), 0);
      // Where only starts are known, a word lasts until the next one at the most.
      const most = words[index]!.e === undefined ? 0.9 : 0.25;
      assert.ok(lost <= most * (e - t), `"${w}" at ${t} s loses ${lost} s`);
    }
  });
}

interface Word {
  readonly w: string;
  readonly t: number;
  readonly e?: number;
}
