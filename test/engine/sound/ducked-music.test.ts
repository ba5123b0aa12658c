import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { findVoice } from '../../../src/engine/sound/find-voice.ts';
import { Mixer } from '../../../src/engine/sound/mixer.ts';
import type { AudioPlan } from '../../../src/plan/model/audio-plan.ts';
import { type Stereo, silentStereo, stereoView } from '../../../src/sound/dsp/stereo.ts';
import { micros } from '../../../src/time.ts';
import { REAL_MEDIA } from '../../fixtures/real-media.ts';
import { audioPlan, clipAt } from './sound-plan.ts';
import { samplesOf, tone, wavFile } from './wav-file.ts';

const SECOND = 48_000;
const BLOCK = 4096;
/** The gate does not depend on it: what is left in the mix is the music. */
const UNHEARD = 1e-6;
const { signal } = new AbortController();

/** Music at a level of 0.5 under a voice, as the plan has them. */
function plan(seconds: number, voice: Parameters<typeof clipAt>[2] = {}): AudioPlan {
  const whole = { start: micros(0), end: micros(seconds * 1e6) };
  return audioPlan(
    [
      clipAt(0, seconds * SECOND, { bus: 'music', trim: whole }),
      clipAt(0, seconds * SECOND, { bus: 'voice', source: 1, gain: UNHEARD, trim: whole, ...voice }),
    ],
    { duckDb: 12 },
  );
}

function music(seconds: number): string {
  return wavFile([samplesOf(seconds * SECOND, () => 0.5)]);
}

async function mixed(audio: AudioPlan, files: readonly string[], from = 0, to = audio.totalSamples as number) {
  const paths = new Map(files.entries());
  const voice = await findVoice(audio, paths, DEFAULT_MEDIA_LIMITS, signal);
  await using mixer = new Mixer(audio, voice, paths, DEFAULT_MEDIA_LIMITS, signal);
  const bus: Stereo = silentStereo(to - from);
  for (let at = from; at < to; at += BLOCK) {
    await mixer.addTo(stereoView(bus, at - from, Math.min(at + BLOCK, to) - from), at);
  }
  return bus.left;
}

/** By how many decibels the music is down. */
function down(left: Float32Array, seconds: number): number {
  return -20 * Math.log10(left[Math.round(seconds * SECOND)]! / 0.5);
}

const near = (a: number, b: number, by: number) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b} ± ${by}`);

/** Loud from 2 to 3 s, silent else. */
const burst = () => wavFile([samplesOf(6 * SECOND, (n) => (n >= 2 * SECOND && n < 3 * SECOND ? tone(300)(n) : 0))]);

test('[C57, R28] music is down when the voice begins, stays down for 250 ms after it, and is back 400 ms later', async () => {
  const left = await mixed(plan(6), [music(6), burst()]);
  near(down(left, 1.8), 0, 0.01);
  near(down(left, 2), 12, 0.01);
  near(down(left, 2.5), 12, 0.01);
  near(down(left, 3.2), 12, 0.01);
  near(down(left, 3.75), 0, 0.01);
});

test('[C57] only music is lowered', async () => {
  const audio = plan(6);
  const plain = {
    ...audio,
    clips: audio.clips.map((clip) => (clip.bus === 'music' ? { ...clip, bus: 'plain' as const } : clip)),
  };
  const left = await mixed(plain, [music(6), burst()]);
  near(down(left, 2.5), 0, 0.01);
});

test('[R28] a voice at another speed, in a loop and from the middle of its source lowers music where it is heard', async () => {
  const slow = await mixed(plan(6, { speed: 2_000_000 }), [music(6), burst()]);
  near(down(slow, 1.25), 12, 0.01);
  near(down(slow, 2.4), 0, 0.01);
  const loop = { loop: true, trim: { start: micros(1_000_000), end: micros(3_000_000) } };
  const looped = await mixed(plan(6, loop), [music(6), burst()]);
  for (const at of [1.5, 3.5, 5.5]) near(down(looped, at), 12, 0.01);
  near(down(looped, 0.7), 0, 0.01);
  const late = await mixed(plan(6, { trim: { start: micros(1_500_000), end: micros(6_000_000) } }), [
    music(6),
    burst(),
  ]);
  near(down(late, 1), 12, 0.01);
  near(down(late, 2.3), 0, 0.01);
});

test('[R28] a range mixed alone equals the same range of the whole mix', async () => {
  const [audio, files] = [plan(6), [music(6), burst()]];
  const whole = await mixed(audio, files);
  const part = await mixed(audio, files, 90_000, 160_000);
  assert.deepEqual(part, whole.slice(90_000, 160_000));
});

test('[R28] room noise, a click and hum are not a voice', async () => {
  let seed = 1;
  const noise = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  const room = wavFile([samplesOf(6 * SECOND, (n) => 0.006 * noise() + tone(50, 0.05)(n))]);
  const clicks = wavFile([samplesOf(6 * SECOND, (n) => (n % SECOND < 200 ? noise() : 0.0001 * noise()))]);
  for (const file of [room, clicks]) {
    const left = await mixed(plan(6), [music(6), file]);
    for (let at = 0.1; at < 5.9; at += 0.05) near(down(left, at), 0, 0.01);
  }
});

/** Sentences of each recording, separated by its clear pauses. */
for (const name of ['jfk', 'two_cities_16k']) {
  const file = join(REAL_MEDIA, 'speech', `${name}.flac`);
  const skip = existsSync(file) ? false : `no ${name} in the folder of real media`;
  test(`[C57, R28] recorded speech: music is 12 dB down at every word of ${name}, and does not pump`, {
    skip,
  }, async () => {
    const words = JSON.parse(readFileSync(file.replace('.flac', '.json'), 'utf8')) as { t: number; e: number }[];
    const seconds = Math.ceil(words.at(-1)!.e) + 2;
    const left = await mixed(plan(seconds), [music(seconds), file]);
    for (const { t, e } of words) {
      near(down(left, t + 0.02), 12, 0.05);
      near(down(left, (t + e) / 2), 12, 0.05);
    }
    for (const [index, { e }] of words.slice(0, -1).entries()) {
      const next = words[index + 1]!.t;
      // Within a sentence people pause for less than half a second.
      if (next - e < 0.5) for (let at = e; at < next; at += 0.01) near(down(left, at), 12, 0.05);
    }
    near(down(left, seconds - 0.1), 0, 0.05);
  });
}

const REAL = [join(REAL_MEDIA, 'bbb_6ch_8kHz_opus.ogg'), join(REAL_MEDIA, 'speech', 'jfk.flac')];

test('[C57, R28] recorded speech over recorded music: the music is 12 dB down from the first syllable to the end of the sentence', {
  skip: REAL.every((file) => existsSync(file)) ? false : 'no recorded music or speech in the folder of real media',
}, async () => {
  const words = JSON.parse(readFileSync(REAL[1]!.replace('.flac', '.json'), 'utf8')) as { t: number; e: number }[];
  const audio = plan(11);
  const [bed, voice] = audio.clips;
  const looped = { ...bed!, loop: true, trim: { start: micros(0), end: micros(3_000_000) } };
  const clips = [looped, voice!];
  const lowered = await mixed({ ...audio, clips }, REAL);
  const whole = await mixed({ ...audio, clips, duckDb: 0 }, REAL);
  const sentence = words.findIndex(({ e }, index) => (words[index + 1]?.t ?? Infinity) - e >= 0.5);
  for (let at = words[0]!.t; at < words[sentence]!.e; at += 0.02) {
    near(decibels(whole, at) - decibels(lowered, at), 12, 0.1);
  }
});

/** The level of 20 ms. */
function decibels(left: Float32Array, seconds: number): number {
  const from = Math.round(seconds * SECOND);
  const sum = left.subarray(from, from + SECOND / 50).reduce((energy, value) => energy + value * value, 0);
  return 10 * Math.log10(sum + 1e-12);
}
