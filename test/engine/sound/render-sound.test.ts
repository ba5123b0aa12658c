import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { renderSound } from '../../../src/engine/sound/render-sound.ts';
import { ExportError } from '../../../src/errors.ts';
import { micros, samples } from '../../../src/time.ts';
import { clipFolder, makeClip } from '../../fixtures/clips.ts';
import { findBursts } from '../../fixtures/tone-bursts.ts';
import { audioPlan, clipAt, rendering } from './sound-plan.ts';
import { samplesOf, tone, wavFile } from './wav-file.ts';

const SECOND = 48_000;

test('[R16] the track begins at 0 and lasts to the sample, whatever the length', async () => {
  const file = wavFile([samplesOf(3 * SECOND, tone(440))]);
  for (const length of [1, 1023, 1024, 1025, SECOND, 100_001]) {
    const { result, track } = await rendering(audioPlan([clipAt(0, length)]), [file]);
    assert.equal(result.samples, length);
    assert.equal(track.firstAt, 0);
    assert.equal(track.left.length, length);
    assert.equal(track.toldLength, length);
    assert.equal(track.profile, 1, 'AAC-LC');
  }
});

test('[R16] a timeline without sound has a silent track', async () => {
  const { result, track } = await rendering(audioPlan([], { totalSamples: samples(123_456) }), []);
  assert.equal(track.left.length, 123_456);
  assert(track.left.every((sample) => sample === 0));
  assert.equal(result.peakDb, -120);
});

test('[R15] onsets land within a millisecond, whatever the cut, the trim and the speed', async () => {
  const bursts = [0.5, 1, 1.5, 2, 2.5, 3];
  const { file } = await makeClip({ frames: 0, sound: { seconds: 4, bursts } });
  for (const speed of [0.25, 0.5, 0.9, 1, 1.7, 4]) {
    const start = 12_347;
    const from = 700_000;
    const length = Math.round((2.6 * SECOND) / speed);
    const clip = clipAt(start, start + length, {
      trim: { start: micros(from), end: micros(4_000_000) },
      speed: speed * 1_000_000,
    });
    const { track } = await rendering(audioPlan([clip]), [file]);
    const expected = [1, 1.5, 2, 2.5, 3].map((second) => start / SECOND + (second - 0.7) / speed);
    assertOnsets(findBursts(track.left, SECOND), expected);
  }
});

test('[R15] the mix is not scaled down, and the limiter holds it at −1.5 dB', async () => {
  const file = wavFile([samplesOf(2 * SECOND, tone(440, 0.2))]);
  for (const [count, peak] of [
    [1, 0.2],
    [2, 0.4],
    [4, 0.8],
    [12, 10 ** (-1.5 / 20)],
  ] as const) {
    const clips = Array.from({ length: count }, () => clipAt(0, 2 * SECOND));
    const { result, track } = await rendering(audioPlan(clips), [file]);
    assert(Math.abs(10 ** (result.peakDb / 20) - peak) < 0.01, `${count} clips: ${result.peakDb} dB`);
    const heard = track.left.subarray(SECOND / 2, SECOND).reduce((most, sample) => Math.max(most, sample), 0);
    assert(Math.abs(heard - peak) < 0.03, `${count} clips: ${heard}`);
  }
});

test('[R15] the requested loudness is reached; if peaks prevent it, a warning gives the loudness reached', async () => {
  const file = wavFile([samplesOf(10 * SECOND, (n) => tone(300, 0.1)(n) * (1 + Math.sin(n / 9000)))]);
  for (const target of [-30, -20, -14]) {
    const { result } = await rendering(audioPlan([clipAt(0, 10 * SECOND)], { loudness: target }), [file]);
    assert(Math.abs(result.loudness! - target) <= 0.5, `${target}: ${result.loudness}`);
    assert.deepEqual(result.warnings, []);
  }
  const clicks = wavFile([samplesOf(10 * SECOND, (n) => (n % 9600 < 4 ? 0.5 : tone(300, 0.001)(n)))]);
  const { result } = await rendering(audioPlan([clipAt(0, 10 * SECOND)], { loudness: -10 }), [clicks]);
  assert(result.loudness! < -10.5);
  assert.deepEqual(
    result.warnings.map(({ path, code }) => [path, code]),
    [['/settings/loudness', 'sound.loudness_missed']],
  );
  const silent = await rendering(audioPlan([], { totalSamples: samples(SECOND), loudness: -14 }), []);
  assert.equal(silent.result.loudness, undefined);
  assert.equal(silent.result.warnings[0]?.code, 'sound.loudness_missed');
});

test('[R16] a loud pure tone, which the fast encoder would clip, is unchanged', async () => {
  const file = wavFile([samplesOf(3 * SECOND, tone(110, 0.83))]);
  const { track } = await rendering(audioPlan([clipAt(0, 3 * SECOND)]), [file]);
  let noise = 0;
  let signal = 0;
  for (let n = SECOND; n < 2 * SECOND; n++) {
    noise += (track.left[n]! - tone(110, 0.83)(n)) ** 2;
    signal += track.left[n]! ** 2;
  }
  assert(10 * Math.log10(signal / noise) > 30, `${10 * Math.log10(signal / noise)} dB`);
});

test('[R18] the same plan gives the same bytes', async () => {
  const { file } = await makeClip({ frames: 0, sound: { seconds: 4 } });
  const clips = [clipAt(0, 3 * SECOND, { speed: 1_300_000 }), clipAt(1000, 2 * SECOND, { loop: true })];
  const first = await rendering(audioPlan(clips), [file]);
  const second = await rendering(audioPlan(clips), [file]);
  assert.deepEqual(readFileSync(first.file), readFileSync(second.file));
});

test('[R16] progress rises from 0 to 1', async () => {
  const shares: number[] = [];
  const file = wavFile([samplesOf(SECOND, tone(440))]);
  const audio = audioPlan([clipAt(0, 20 * SECOND, { loop: true })], { loudness: -20 });
  await rendering(audio, [file], { onProgress: (share) => shares.push(share) });
  assert(shares.length >= 10);
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  assert.equal(shares.at(-1), 1);
});

test('[C34] an unreadable file fails at its entry and leaves no file', async () => {
  const file = join(clipFolder(), 'not-media.mp3');
  writeFileSync(file, 'this is no sound at all');
  const out = join(clipFolder(), 'never.mp4');
  await assert.rejects(
    renderSound({
      plan: { audio: audioPlan([clipAt(0, SECOND, { path: '/timeline_data/soundtracks/3' })]) },
      files: new Map([[0, file]]),
      out,
      limits: DEFAULT_MEDIA_LIMITS,
      signal: new AbortController().signal,
    }),
    (error) =>
      error instanceof ExportError &&
      error.path === '/timeline_data/soundtracks/3' &&
      error.code === 'media.unsupported',
  );
  assert(!existsSync(out) && !existsSync(`${out}.part`));
});

test('[R16] a missing folder has its own error', async () => {
  await assert.rejects(
    rendering(audioPlan([], { totalSamples: samples(SECOND) }), [], { out: join(clipFolder(), 'nowhere', 'x.mp4') }),
    (error) => error instanceof ExportError && error.code === 'sound.unwritable',
  );
});

test('[C34] damage in the middle is silent, with a warning at the entry, and the rest plays on time', async () => {
  const { file } = await makeClip({ frames: 0, sound: { seconds: 10 } });
  const bytes = readFileSync(file);
  bytes.fill(0xff, Math.floor(bytes.length * 0.4), Math.floor(bytes.length * 0.5));
  const damaged = join(clipFolder(), 'damaged.mp4');
  writeFileSync(damaged, bytes);
  const clip = clipAt(0, 10 * SECOND, { path: '/timeline_data/audios/7', lane: 'audios' });
  const { track, result } = await rendering(audioPlan([clip]), [damaged]);
  assert.equal(track.left.length, 10 * SECOND);
  const found = findBursts(track.left, SECOND);
  for (const second of [1, 2, 7, 8, 9]) {
    assert(
      found.some((at) => Math.abs(at - second) < 0.001),
      `no burst at ${second} among ${found}`,
    );
  }
  assert.deepEqual(
    result.warnings.map(({ path, code }) => [path, code]),
    [['/timeline_data/audios/7', 'sound.damaged']],
  );
});

test('[C19] an undecodable sound is silence in a video clip and an error in a sound lane', async () => {
  const { file } = await makeClip({
    frames: 30,
    width: 64,
    height: 64,
    sound: { seconds: 1, codec: 'flac' },
    container: 'matroska',
  });
  const bytes = readFileSync(file);
  const name = bytes.indexOf('A_FLAC', 0, 'latin1');
  bytes.write('A_QDM2', name, 'latin1');
  const strange = join(clipFolder(), 'strange.mkv');
  writeFileSync(strange, bytes);
  const inVideo = await rendering(audioPlan([clipAt(0, SECOND, { lane: 'videos', path: '/timeline_data/videos/0' })]), [
    strange,
  ]);
  assert(inVideo.track.left.every((sample) => sample === 0));
  assert.deepEqual(
    inVideo.result.warnings.map(({ path, code }) => [path, code]),
    [['/timeline_data/videos/0', 'sound.undecodable']],
  );
  await assert.rejects(
    rendering(audioPlan([clipAt(0, SECOND, { lane: 'audios', path: '/timeline_data/audios/0' })]), [strange]),
    (error) =>
      error instanceof ExportError && error.code === 'sound.undecodable' && error.path === '/timeline_data/audios/0',
  );
});

function assertOnsets(found: readonly number[], expected: readonly number[]): void {
  assert.equal(found.length, expected.length, `found ${found.slice(0, 8)} …, expected ${expected.slice(0, 8)} …`);
  for (const [n, at] of expected.entries()) {
    assert(Math.abs(found[n]! - at) < 0.001, `onset ${n}: ${found[n]} instead of ${at}`);
  }
}
