import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { openInput } from '../../../src/engine/input/open-input.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { SoundReader } from '../../../src/engine/sound/sound-reader.ts';
import { SoundStream } from '../../../src/engine/sound/sound-stream.ts';
import { silentStereo } from '../../../src/sound/dsp/stereo.ts';
import { clipFolder, makeClip } from '../../fixtures/clips.ts';
import { REAL_MEDIA } from '../../fixtures/real-media.ts';
import { findBursts } from '../../fixtures/tone-bursts.ts';
import { timesLonger } from '../../processor-time.ts';

const RATE = 48_000;
const BURSTS = [0.5, 1.37, 2.91, 3.3, 4.77];
const LIMITS = DEFAULT_MEDIA_LIMITS;

for (const [codec, sampleRate, lead] of [
  ['libmp3lame', 44_100, 1105],
  ['ac3', 48_000, 256],
  ['pcm_s16le', 48_000, 0],
] as const) {
  test(`[R21] Matroska whose blocks share one timestamp, with ${codec}: as long as its samples, the same after every seek`, async () => {
    const { file } = await makeClip({
      frames: 0,
      container: 'matroska',
      sound: { seconds: 6, codec, sampleRate, bursts: BURSTS },
    });
    const shared = join(clipFolder(), `shared-${codec}.mkv`);
    await writeFile(shared, withoutTimes(await readFile(file)));
    const { duration } = await probe(shared, LIMITS);
    assert(Math.abs(duration - 6) < 0.1, `${duration} s`);
    await using reader = (await SoundReader.open(shared, LIMITS))!;
    for (const from of [0, 4, 1, 2.5]) {
      const sound = silentStereo(Math.round((6 - from) * RATE));
      reader.read(from * RATE, sound);
      const expected = BURSTS.filter((at) => at >= from);
      const found = findBursts(sound.left, RATE).map((at) => at + from);
      assert.equal(found.length, expected.length, `bursts at ${found}`);
      // The delay of the encoder, where the file hides it, counts from its first packet.
      for (const [n, at] of found.entries())
        assert(at - expected[n]! > -0.001 && at - expected[n]! < lead / sampleRate + 0.001);
    }
  });
}

test('[H13] Matroska whose blocks share one timestamp is read in time that grows with its size', async () => {
  const ofSeconds = async (seconds: number) => {
    const sound = { seconds, codec: 'pcm_s16le', sampleRate: 48_000, bursts: [0] };
    const { file } = await makeClip({ frames: 0, container: 'matroska', sound });
    const shared = join(clipFolder(), `shared-${seconds}.mkv`);
    await writeFile(shared, withoutTimes(await readFile(file)));
    return shared;
  };
  const [first, second] = [await ofSeconds(60), await ofSeconds(120)];
  const longer = await timesLonger(
    () => probe(first, LIMITS),
    () => probe(second, LIMITS),
    3,
  );
  assert.ok(longer < 3, `twice the blocks take ${longer.toFixed(1)} times as long`);
});

for (const [container, codec, muxOptions] of [
  ['mp4', 'libopus', { movflags: 'frag_keyframe+empty_moov+default_base_moof+delay_moov' }],
  ['mp4', 'libopus', { movflags: 'frag_keyframe+empty_moov+default_base_moof' }],
  ['mp4', 'libmp3lame', { movflags: 'frag_keyframe+empty_moov+default_base_moof+delay_moov' }],
  ['webm', 'libopus', {}],
  ['webm', 'libvorbis', {}],
] as const) {
  test(`[R16] ${codec} in ${container} ${muxOptions.movflags ?? ''}: its first sample is at 0`, async () => {
    const sampleRate = codec === 'libmp3lame' ? 44_100 : 48_000;
    const sound = { seconds: 4, codec, sampleRate, bursts: [0.2, 1, 3] };
    const { file } = await makeClip({ frames: 0, container, muxOptions, sound });
    assert.deepEqual(await burstsIn(file), [0.2, 1, 3]);
    if (codec !== 'libvorbis') return;
    // Most programs do not write how many samples a decoder leaves out.
    const plain = join(clipFolder(), 'without-delay.webm');
    await writeFile(plain, withoutDelay(await readFile(file)));
    assert.deepEqual(await burstsIn(plain), [0.2, 1, 3]);
  });
}

async function burstsIn(file: string): Promise<number[]> {
  await using reader = (await SoundReader.open(file, LIMITS))!;
  const sound = silentStereo(4 * RATE);
  reader.read(0, sound);
  return findBursts(sound.left, RATE).map((at) => Math.round(at * 2000) / 2000);
}

const wma = join(REAL_MEDIA, 'faults/wmav2.wma');
test('[R21] a WMA plays without a cut', { skip: existsSync(wma) ? false : `no ${wma}` }, async () => {
  const stream = (await SoundStream.open(await openInput(wma, LIMITS)))!;
  await using _ = stream;
  stream.seek(0);
  let next: number | null = null;
  for (let frame = stream.next(); frame !== null; frame = stream.next()) {
    // Its clock counts milliseconds.
    if (frame.ptsSamples === null) continue;
    assert(next === null || Math.abs(frame.ptsSamples - next) < 50, `${frame.ptsSamples} instead of ${next}`);
    next = frame.ptsSamples + frame.sound.left.length;
  }
  assert(Math.abs(next! / 44_100 - 4.226) < 0.05);
});

/** Sets the times of all clusters and blocks of a Matroska file to 0. */
function withoutTimes(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  eachElement(changed, (id, start, end) => {
    if (id === CLUSTER_TIME || id === CUE_TIME) changed.fill(0, start, end);
    if (id === SIMPLE_BLOCK) changed.fill(0, start + 1, start + 3);
  });
  return changed;
}

/** Makes the codec's delay an element that no reader knows. */
function withoutDelay(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  eachElement(changed, (id, start) => {
    if (id === CODEC_DELAY) changed.writeUInt16BE(UNKNOWN, start - 3);
  });
  return changed;
}

const CLUSTER_TIME = 0xe7;
const CUE_TIME = 0xb3;
const SIMPLE_BLOCK = 0xa3;
const CODEC_DELAY = 0x56aa;
const UNKNOWN = 0x56ab;
/** Segment, cluster, tracks, a track, cues, a cue. */
const PARENTS: ReadonlySet<number> = new Set([0x18538067, 0x1f43b675, 0x1654ae6b, 0xae, 0x1c53bb6b, 0xbb]);

function eachElement(bytes: Buffer, use: (id: number, start: number, end: number) => void): void {
  for (let at = 0; at < bytes.length; ) {
    const idBytes = Math.clz32(bytes[at]!) - 23;
    const id = bytes.readUIntBE(at, idBytes);
    const sizeBytes = Math.clz32(bytes[at + idBytes]!) - 23;
    const size = Number(
      bytes
        .subarray(at + idBytes, at + idBytes + sizeBytes)
        .reduce((sum, byte, n) => sum * 256 + (n === 0 ? byte & (0xff >> sizeBytes) : byte), 0),
    );
    const start = at + idBytes + sizeBytes;
    use(id, start, Math.min(bytes.length, start + size));
    at = PARENTS.has(id) ? start : start + size;
  }
}

test('[R16] Vorbis that fits on one page of Ogg begins at 0 and keeps its end', async () => {
  for (const sampleRate of [44_100, 48_000]) {
    // The last burst lasts to the end.
    const sound = { seconds: 0.5, codec: 'libvorbis', sampleRate, bursts: [0.13, 0.3, 0.46] };
    const { file } = await makeClip({ frames: 0, container: 'ogg', sound });
    assert.deepEqual(await burstsIn(file), [0.13, 0.3, 0.46]);
    await using reader = (await SoundReader.open(file, LIMITS))!;
    const end = silentStereo(RATE / 10);
    reader.read(0.45 * RATE, end);
    const last = end.left.findLastIndex((sample) => Math.abs(sample) > 0.1) / RATE + 0.45;
    assert.ok(Math.abs(last - 0.5) < 0.001, `the sound ends at ${last} s`);
    const alone = silentStereo(RATE / 10);
    await using sought = (await SoundReader.open(file, LIMITS))!;
    sought.read(0.45 * RATE, alone);
    assert.deepEqual(alone.left, end.left, 'the same after a seek');
  }
});
