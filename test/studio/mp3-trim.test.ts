import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { probe } from '../../src/engine/probe/probe-media.ts';
import { mp3Trim } from '../../src/studio/media/mp3-trim.ts';
import { makeClip } from '../fixtures/clips.ts';

for (const sampleRate of [44_100, 48_000, 24_000, 22_050, 11_025]) {
  test(`[R15] the studio plays of an MP3 at ${sampleRate} Hz what the engine plays`, async () => {
    const sound = { seconds: 2, codec: 'libmp3lame', sampleRate } as const;
    const { file } = await makeClip({ frames: 0, container: 'mp3', sound });
    const trim = await mp3Trim(new Blob([readFileSync(file)]));
    assert(trim !== null && trim.end !== null);
    const { duration } = await probe(file, DEFAULT_MEDIA_LIMITS);
    assert(trim.start > 0.02);
    assert(
      Math.abs(trim.end - trim.start - duration) < 1.5 / sampleRate,
      `${trim.end - trim.start} s, not ${duration}`,
    );
  });
}

test('an MP3 without a declared delay, and what is no MP3, are not trimmed', async () => {
  const { file } = await makeClip({ frames: 0, container: 'mp3', sound: { seconds: 0.2, codec: 'libmp3lame' } });
  const bytes = readFileSync(file);
  const tag = Math.max(bytes.indexOf('Info'), bytes.indexOf('Xing'));
  for (const cut of [tag + 5, tag + 20, tag + 130])
    assert.equal(await mp3Trim(new Blob([bytes.subarray(0, cut)])), null);
  const other = Buffer.from(bytes);
  other.write('none', tag, 'latin1');
  assert.equal(await mp3Trim(new Blob([other])), null);
  assert.equal(await mp3Trim(new Blob([])), null);
  // A tag in front that is longer than the file.
  assert.equal(await mp3Trim(new Blob(['ID3\x04\x00\x00\x7f\x7f\x7f\x7f'])), null);
});
