import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { openInput } from '../../../src/engine/input/open-input.ts';
import { presentationStart } from '../../../src/engine/input/presentation-start.ts';
import { type ClipOptions, makeClip } from '../../fixtures/clips.ts';

test('[R16] source time starts with the picture, whatever its first timestamp', async () => {
  assert.equal(await startOf({ frames: 5 }), 0);
  assert.equal(await startOf({ frames: 5, bFrames: 2 }), 0);
  assert.equal(await startOf({ frames: 5, firstSeconds: 10 }), 10_000_000);
  assert.equal(await startOf({ frames: 5, container: 'matroska', firstSeconds: 7.5 }), 7_500_000);
});

test("[R16] the encoder's priming does not shift the sound", async () => {
  for (const container of ['mpegts', 'flv', 'matroska', 'mp4']) {
    const bare = await startOf({ frames: 30, container, firstSeconds: 2 });
    const sounding = await startOf({ frames: 30, container, firstSeconds: 2, sound: { seconds: 1 } });
    assert(Math.abs(sounding - bare) < 50_000, `${container}: ${bare}, with sound ${sounding}`);
  }
});

test('[R16] sound that starts well before the picture does shift it', async () => {
  const sound = { seconds: 2, delaySeconds: -1 };
  const start = await startOf({ frames: 30, container: 'matroska', firstSeconds: 3, sound });
  assert(Math.abs(start - 2_000_000) < 25_000, `${start}`);
});

test('[R16] a file with sound alone starts after its priming', async () => {
  assert.equal(await startOf({ frames: 0, container: 'ipod', sound: { seconds: 1 } }), 0);
  assert.equal(await startOf({ frames: 0, container: 'wav', sound: { seconds: 1, codec: 'pcm_s16le' } }), 0);
  const mp3 = await startOf({ frames: 0, container: 'mp3', sound: { seconds: 1, codec: 'libmp3lame' } });
  assert(mp3 > 20_000 && mp3 < 30_000, `an MP3’s encoder delay is about 25 ms, not ${mp3} µs`);
});

async function startOf(options: ClipOptions): Promise<number> {
  await using input = await openInput((await makeClip(options)).file, DEFAULT_MEDIA_LIMITS);
  return presentationStart(input);
}
