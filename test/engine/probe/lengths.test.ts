import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { type ClipOptions, clipFolder, makeClip } from '../../fixtures/clips.ts';

const LIMITS = DEFAULT_MEDIA_LIMITS;
const SMALL: ClipOptions = { frames: 30, width: 64, height: 64 };
let made = 0;

async function lengthOf(bytes: Buffer): Promise<number> {
  return (await probe(await written(bytes), LIMITS)).duration;
}

/** Gives the last frame of an MP4 another duration, in ticks, and changes nothing else. */
function withLastDelta(bytes: Buffer, ticks: number): Buffer {
  const changed = Buffer.from(bytes);
  const table = changed.indexOf('stts', 0, 'latin1');
  const entries = changed.readUInt32BE(table + 8);
  assert(entries > 1 && changed.readUInt32BE(table + 4 + entries * 8) === 1, 'the last entry is of one frame');
  changed.writeUInt32BE(ticks, table + 8 + entries * 8);
  return changed;
}

test('[H13] a last frame that lasts longer than edit list and movie header say is as long as they say', async () => {
  // The last frame has an entry of its own.
  const timeOf = (n: number) => (n < 29 ? n / 30 : 1);
  const { file } = await makeClip({ ...SMALL, timeOf });
  const bytes = await readFile(file);
  const length = await lengthOf(bytes);
  for (const ticks of [4_000_000, 0x7fff_ffff]) {
    const wrong = await lengthOf(withLastDelta(bytes, ticks));
    assert(Math.abs(wrong - length) < 0.05, `${wrong} s instead of ${length}`);
  }
  const unlisted = Buffer.from(withLastDelta(bytes, 90_000));
  unlisted.write('skip', unlisted.indexOf('edts', 0, 'latin1'), 'latin1');
  // Without an edit list nothing contradicts it.
  assert((await lengthOf(unlisted)) > 2);
});

test('[H13] one frame is a length: that of the file, or of a frame at its rate', async () => {
  for (const container of ['webm', 'matroska', 'mp4', 'avi', 'mpegts']) {
    const codec = container === 'webm' ? 'libvpx' : container === 'avi' ? 'mpeg4' : 'libx264';
    const { file } = await makeClip({ ...SMALL, frames: 1, container, codec });
    const { duration, facts } = await probe(file, LIMITS);
    assert.equal(facts.kind, 'video');
    assert(duration > 0.02 && duration < 0.1, `${container}: ${duration} s`);
  }
});

test('[H13] the shortest MP3 is as long as what can be heard of it', async () => {
  const { file } = await makeClip({ frames: 0, container: 'mp3', sound: { seconds: 0.05, codec: 'libmp3lame' } });
  const bytes = await readFile(file);
  // The tag cuts off more than the file has.
  const cut = bytes.indexOf('Lavf', bytes.indexOf('Info')) + 21;
  for (const padding of [2000, 2500, 3500]) {
    bytes.writeUIntBE((1105 << 12) | padding, cut, 3);
    const { kind, duration, problem } = await probe(await written(bytes), LIMITS);
    if (kind === 'unreadable') assert.equal(problem, 'media.no_frames');
    else assert(duration > 0, `${duration} s`);
  }
});

async function written(bytes: Buffer): Promise<string> {
  const file = join(clipFolder(), `length-${made++}`);
  await writeFile(file, bytes);
  return file;
}

test('[H9] a HEIC file of a sequence alone is an animation', async () => {
  const { file } = await makeClip({
    ...SMALL,
    frames: 9,
    codec: 'libx265',
    codecOptions: { 'x265-params': 'log-level=none' },
  });
  const bytes = await readFile(file);
  const length = bytes.readUInt32BE(0);
  bytes.write('msf1', 8, 'latin1');
  bytes.write('msf1hevciso8'.padEnd(length - 16, 'iso8'), 16, 'latin1');
  bytes.write('pict', bytes.indexOf('vide', 0, 'latin1'), 'latin1');
  const { container, facts, video, duration } = await probe(await written(bytes), LIMITS);
  assert.deepEqual([container, facts.kind, facts.width, video!.frames], ['heic_animation', 'animation', 64, 9]);
  assert(Math.abs(duration - 0.3) < 0.01);
});
