import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { findParts } from '../../../src/engine/input/find-parts.ts';
import type { MediaContainer } from '../../../src/engine/input/media-containers.ts';
import { type ClipOptions, clipFolder, makeClip } from '../../fixtures/clips.ts';
import { timesLonger } from '../../processor-time.ts';

const sound = (codec: string) => ({ frames: 0, sound: { seconds: 1, codec, sampleRate: 44_100 } });
const LIVE = { muxOptions: { live: 1 } };

const MADE: readonly [MediaContainer, ClipOptions][] = [
  ['mpegps', { container: 'vob', codec: 'mpeg2video', ...sound('ac3'), frames: 30, width: 64, height: 36 }],
  ['mpegps', { container: 'mpeg', codec: 'mpeg1video', ...sound('mp2'), frames: 30, width: 64, height: 36 }],
  ['avi', { container: 'avi', codec: 'mpeg4', ...sound('pcm_s16le'), frames: 10, width: 64, height: 36 }],
  ['wav', { container: 'wav', ...sound('pcm_s16le') }],
  ['aiff', { container: 'aiff', ...sound('pcm_s16be') }],
  ['ogg', { container: 'ogg', ...sound('libvorbis') }],
  ['flv', { container: 'flv', ...sound('aac'), frames: 10, width: 64, height: 36 }],
  ['matroska', { container: 'matroska', ...sound('flac') }],
  ['matroska', { container: 'matroska', ...sound('flac'), ...LIVE }],
  ['mp3', { container: 'mp3', ...sound('libmp3lame') }],
  ['flac', { container: 'flac', ...sound('flac') }],
];

const SCANNED: readonly MediaContainer[] = [
  ...(['mp4', 'mpegps', 'avi', 'wav', 'aiff'] as const),
  ...(['ogg', 'flv', 'matroska', 'mp3', 'adts', 'flac'] as const),
];

for (const [container, options] of MADE) {
  test(`[R21] joined files of ${container} are found, ${JSON.stringify(options.muxOptions ?? {})}`, async () => {
    const bytes = await readFile((await makeClip(options)).file);
    const at = (n: number) => ({ from: n * bytes.length, to: (n + 1) * bytes.length });
    assert.deepEqual(await findParts(await fileOf([bytes]), container), [at(0)]);
    assert.deepEqual(await findParts(await fileOf([bytes, bytes, bytes]), container), [at(0), at(1), at(2)]);
    // A truncated part ends where the next one starts; bytes between two parts belong to the first.
    const torn = bytes.subarray(0, bytes.length - 100);
    for (const between of [0, 99, 5000]) {
      const start = torn.length + between;
      const file = await fileOf([torn, Buffer.alloc(between, 'x'), bytes]);
      assert.deepEqual(await findParts(file, container), [
        { from: 0, to: start },
        { from: start, to: start + bytes.length },
      ]);
    }
  });
}

test('[R21] joined MP4s are found where they are complete; fragments continue the same file', async () => {
  const of = async (movflags: string) => {
    const clip = await makeClip({ frames: 10, width: 64, height: 36, gop: 5, muxOptions: { movflags } });
    return readFile(clip.file);
  };
  const [whole, fragmented] = [await of('+faststart'), await of('+frag_keyframe+empty_moov')];
  const starts = async (parts: readonly Buffer[]) =>
    (await findParts(await fileOf(parts), 'mp4')).map(({ from }) => from);
  assert.deepEqual(await starts([whole]), [0]);
  assert.deepEqual(await starts([whole, whole, fragmented]), [0, whole.length, whole.length * 2]);
  assert.deepEqual(await starts([fragmented, fragmented]), [0]);
});

test('[R21] one pack with a wrong clock does not start a new part of a program stream', async () => {
  const clip = await makeClip({ container: 'vob', codec: 'mpeg2video', ...sound('ac3'), frames: 30 });
  const bytes = await readFile(clip.file);
  const packs: number[] = [];
  for (let at = 0; at !== -1; at = bytes.indexOf('\0\0\x01\xba', at + 1, 'latin1')) packs.push(at);
  const stray = packs[Math.floor(packs.length / 2)]!;
  bytes[stray + 4]! |= 0x38;
  assert.equal((await findParts(await fileOf([bytes]), 'mpegps')).length, 1);
});

test('[R21] ADTS frames of one kind are one stream, and tags between them do not end it', async () => {
  const of = async (sampleRate: number) => {
    const clip = await makeClip({ frames: 0, container: 'adts', sound: { seconds: 1, sampleRate } });
    return readFile(clip.file);
  };
  const [one, other] = [await of(44_100), await of(48_000)];
  const tag = Buffer.from('ID3\x04\0\0\0\0\0\x20'.padEnd(42, '\xff'), 'latin1');
  assert.equal((await findParts(await fileOf([one, tag, one]), 'adts')).length, 1);
  const parts = await findParts(await fileOf([one, tag, other]), 'adts');
  assert.deepEqual(
    parts.map(({ from }) => from),
    [0, one.length],
  );
});

test('[R21, H13] a file of more than a hundred parts is refused', async () => {
  const bytes = await readFile((await makeClip({ container: 'ogg', ...sound('libvorbis') })).file);
  const file = await fileOf(Array.from({ length: 101 }, () => bytes));
  await assert.rejects(findParts(file, 'ogg'), { code: 'media.too_many_streams' });
});

test('[H13] the search for parts ends for any bytes', async () => {
  const magic = fc.constantFrom(
    'OggS',
    'FLV\x01',
    '\x1a\x45\xdf\xa3',
    '\x18\x53\x80\x67',
    'fLaC',
    'ID3',
    'RIFF\x20\0\0\0WAVEfmt ',
    'RIFF\xff\xff\xff\xffAVI LIST',
    'FORM\0\0\0\x20AIFF',
    '\0\0\0\x10ftypisom\0\0\0\0',
    '\0\0\0\x08moov',
    '\0\0\x01\xba\x44\0\x04\0\x04\x01\0\0\x03\xf8',
    '\xff\xfb\x90\x64',
    '\xff\xf1\x50\x80',
  );
  const part = fc.oneof(
    magic.map((text) => Buffer.from(text, 'latin1')),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 40 }), async (parts) => {
      const file = await fileOf(parts);
      for (const container of SCANNED) {
        const parts = await findParts(file, container);
        for (const [index, { from, to }] of parts.entries()) {
          assert.equal(from, parts[index - 1]?.to ?? 0);
          assert(to >= from);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('[H13] bytes that look like the start of frames or tags but are not are examined once', async () => {
  const bytes = await readFile((await makeClip({ container: 'mp3', ...sound('libmp3lame') })).file);
  for (const filling of ['\xff', 'ID3\x04\0\0\x80\x80\x80\x80']) {
    const scan = async (size: number) => {
      const parts = await findParts(await fileOf([bytes, Buffer.alloc(size, filling, 'latin1'), bytes]), 'mp3');
      assert.equal(parts.length, 2);
    };
    const longer = await timesLonger(
      () => scan(2 ** 17),
      () => scan(2 ** 19),
      9,
    );
    assert(longer < 9, `four times the bytes take ${longer.toFixed(1)} times as long`);
  }
});

async function fileOf(parts: readonly Buffer[]): Promise<string> {
  const file = join(clipFolder(), 'parts');
  await writeFile(file, Buffer.concat(parts));
  return file;
}
