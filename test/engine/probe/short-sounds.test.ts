import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { clipFolder, makeClip } from '../../fixtures/clips.ts';
import { Random } from '../../hostile/random.ts';

interface Short {
  readonly container: string;
  readonly codec: string;
  readonly rates: readonly number[];
  /** How many samples a file says that it has, where they are not those that were written. */
  readonly reported?: (bytes: Buffer) => number;
}

const SHORTS: readonly Short[] = [
  { container: 'ogg', codec: 'libvorbis', rates: [32_000, 44_100, 48_000] },
  { container: 'ogg', codec: 'libopus', rates: [16_000, 24_000, 48_000] },
  { container: 'mp3', codec: 'libmp3lame', rates: [8000, 16_000, 44_100, 48_000], reported: mp3Samples },
  { container: 'adts', codec: 'aac', rates: [22_050, 44_100, 48_000], reported: adtsSamples },
  { container: 'ipod', codec: 'aac', rates: [22_050, 44_100, 48_000] },
  { container: 'flac', codec: 'flac', rates: [8000, 44_100, 96_000] },
  { container: 'ogg', codec: 'flac', rates: [8000, 44_100, 96_000] },
  { container: 'wav', codec: 'pcm_s16le', rates: [8000, 44_100, 48_000] },
];

for (const { container, codec, rates, reported } of SHORTS) {
  test(`[H13] 25 short sounds, ${codec} in ${container}, have their declared length, to the sample`, async () => {
    const random = new Random(25);
    for (let n = 0; n < 25; n++) {
      const sampleRate = random.of(rates);
      const samples = 1 + random.below(n % 3 === 0 ? 2000 : sampleRate);
      // What begins and ends in a file makes an encoder change the length of its packets.
      const bursts = Array.from({ length: random.below(6) }, () => random.below(1000) / 1000);
      const channels = 1 + random.below(2);
      const sound = { seconds: samples / sampleRate, codec, sampleRate, channels, bursts };
      const { file } = await makeClip({ frames: 0, container, sound });
      const { kind, audio } = await probe(file, DEFAULT_MEDIA_LIMITS);
      assert.equal(kind, 'audio');
      const expected = reported === undefined ? samples : reported(await readFile(file));
      assert.equal(Math.round(audio!.end * sampleRate), expected, `${samples} samples at ${sampleRate}, ${bursts}`);
    }
  });
}

test('[H13] an MP3 of four frames lasts as long as they do if its tag counts fewer samples than it cuts off', async () => {
  const sound = { seconds: 2500 / 48_000, codec: 'libmp3lame' };
  const clip = await makeClip({ frames: 0, container: 'mp3', sound });
  const bytes = await readFile(clip.file);
  const tag = bytes.indexOf('Info');
  assert.equal(bytes.readUInt32BE(tag + 8), 4);
  bytes.writeUInt32BE(1, tag + 8);
  const file = join(clipFolder(), 'few-frames.mp3');
  await writeFile(file, bytes);
  const { duration } = await probe(file, DEFAULT_MEDIA_LIMITS);
  // Less the delay of encoder and decoder.
  assert.equal(Math.round(duration * 48_000), 4 * 1152 - 576 - 529);
});

/** By the tag that LAME writes: frames, less the encoder's delay and its padding. */
function mp3Samples(bytes: Buffer): number {
  const tag = bytes.indexOf('Info');
  const cut = bytes.readUIntBE(bytes.indexOf('Lavf', tag) + 21, 3);
  const isMpeg1 = ((bytes[bytes.indexOf(0xff, bytes.readUInt8(9) + 10) + 1]! >> 3) & 3) === 3;
  return bytes.readUInt32BE(tag + 8) * (isMpeg1 ? 1152 : 576) - (cut >> 12) - (cut & 4095);
}

/** By its frames. */
function adtsSamples(bytes: Buffer): number {
  let frames = 0;
  for (let at = 0; at < bytes.length; frames++) at += (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
  return frames * 1024;
}
