import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { SoundReader } from '../../../src/engine/sound/sound-reader.ts';
import { type Stereo, silentStereo, stereoView } from '../../../src/sound/dsp/stereo.ts';
import { type AviOptions, aviFile } from '../../fixtures/avi-file.ts';
import { clipFolder, makeClip } from '../../fixtures/clips.ts';
import { burstSampleAt, findBursts } from '../../fixtures/tone-bursts.ts';

const RATE = 48_000;
const SECONDS = 9;
const BURSTS = [0.5, 1.37, 2.91, 3.3, 4.77, 6.02, 7.61, 8.4];

interface Coded {
  readonly sound: AviOptions['sound'];
  /** Samples that the encoder puts in front. */
  readonly lead: number;
}

/** Frames of a constant length, without the tag that libavformat's muxer of MP3 writes. */
async function coded(container: string, codec: string, formatTag: number, lead: number): Promise<Coded> {
  const sound = { seconds: SECONDS, codec, sampleRate: 44_100, bursts: BURSTS };
  const muxOptions = container === 'mp3' ? { write_xing: 0, id3v2_version: 0 } : {};
  const { file } = await makeClip({ frames: 0, container, muxOptions, sound });
  const form = { formatTag, channels: 2, sampleRate: 44_100, bytesPerSecond: 16_000, blockAlign: 1, bits: 0 };
  return { sound: { ...form, sampleSize: 1, data: await readFile(file) }, lead };
}

function pcm(bits: 8 | 16, channels: number, sampleSize: number): Coded {
  const sampleRate = 11_025;
  const blockAlign = (bits / 8) * channels;
  const data = Buffer.alloc(SECONDS * sampleRate * blockAlign);
  for (let n = 0; n < SECONDS * sampleRate * channels; n++) {
    const value = burstSampleAt(Math.floor(n / channels) / sampleRate, BURSTS);
    if (bits === 8) data.writeUInt8(Math.round(128 + value * 127), n);
    else data.writeInt16LE(Math.round(value * 32_767), n * 2);
  }
  const bytesPerSecond = sampleRate * blockAlign;
  return { sound: { formatTag: 1, channels, sampleRate, bytesPerSecond, blockAlign, bits, sampleSize, data }, lead: 0 };
}

const SOUNDS: Readonly<Record<string, () => Promise<Coded> | Coded>> = {
  MP3: () => coded('mp3', 'libmp3lame', 0x55, 1105),
  MP2: () => coded('mp2', 'mp2', 0x50, 481),
  'AC-3': () => coded('ac3', 'ac3', 0x2000, 256),
  'PCM of 16 bits': () => pcm(16, 1, 2),
  'PCM of 16 bits, stereo, counted in bytes': () => pcm(16, 2, 1),
  'PCM of 8 bits': () => pcm(8, 1, 1),
};

for (const [name, make] of Object.entries(SOUNDS)) {
  for (const index of ['keys', 'no keys', 'none'] as const) {
    test(`[R21] AVI with ${name}, an index with ${index}: the whole sound, on time, the same after every seek`, async () => {
      const { sound, lead } = await make();
      const picture = { width: 64, height: 48, codec: 'mjpeg', pixelFormat: 'yuvj420p', container: 'image2pipe' };
      const jpeg = await readFile((await makeClip({ frames: 1, ...picture })).file);
      for (const [n, chunkBytes] of [276, 4412, 40_000].entries()) {
        const file = join(clipFolder(), `${name}-${index}-${n}.avi`);
        await writeFile(file, aviFile({ sound, chunkBytes, index, ...(n === 1 && { jpeg }) }));
        const { audio } = await probe(file, DEFAULT_MEDIA_LIMITS);
        assert(Math.abs(audio!.end - SECONDS) < 0.1, `${audio!.end} s`);
        await using reader = (await SoundReader.open(file, DEFAULT_MEDIA_LIMITS))!;
        const whole = read(reader, 0, SECONDS * RATE);
        const found = findBursts(whole.left, RATE);
        assert.equal(found.length, BURSTS.length, `bursts at ${found}`);
        for (const [burst, at] of found.entries()) {
          const apart = at - BURSTS[burst]! - lead / sound.sampleRate;
          assert(Math.abs(apart) < 0.001, `burst ${burst}: ${apart * 1000} ms late, chunks of ${chunkBytes} bytes`);
        }
        for (let seek = 0; seek < 12; seek++) {
          const at = (seek * 7919 * 31) % (SECONDS * RATE - 3000);
          const apart = difference(read(reader, at, 3000), stereoView(whole, at, at + 3000));
          assert(apart < (name === 'AC-3' ? 0.15 : 1e-4), `${apart} apart from sample ${at} on`);
        }
      }
    });
  }
}

function read(reader: SoundReader, at: number, count: number): Stereo {
  const sound = silentStereo(count);
  for (let from = 0; from < count; from += 1000) {
    reader.read(at + from, stereoView(sound, from, Math.min(count, from + 1000)));
  }
  return sound;
}

function difference(a: Stereo, b: Stereo): number {
  let worst = 0;
  for (const side of ['left', 'right'] as const) {
    for (const [n, sample] of a[side].entries()) worst = Math.max(worst, Math.abs(sample - b[side][n]!));
  }
  return worst;
}
