import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BusAdder } from '../../../src/engine/sound/mixer.ts';
import type { AudioClip } from '../../../src/plan/model/audio-plan.ts';
import { ClipSound } from '../../../src/sound/clip-sound.ts';
import { type Stereo, silentStereo, stereoView } from '../../../src/sound/dsp/stereo.ts';
import { duckings } from '../../../src/sound/ducking.ts';
import { PreviewMixer, type ReadySource } from '../../../src/studio/preview/sound/preview-mixer.ts';
import { micros, samples } from '../../../src/time.ts';

const BLOCK = 9600;

/** Two tones that swell, known at every position; reports how far it was prepared. */
function tones(): ReadySource & { readonly asked: { from: number; to: number } } {
  const asked = { from: Number.MAX_SAFE_INTEGER, to: 0 };
  const toneAt = (at: number, pitch: number) => Math.sin(at * pitch) * (0.4 + 0.3 * Math.sin(at / 9000));
  return {
    asked,
    async ready(from, to) {
      asked.from = Math.min(asked.from, from);
      asked.to = Math.max(asked.to, to);
    },
    read(at, { left, right }) {
      for (let i = 0; i < left.length; i += 1) {
        left[i] = toneAt(at + i, 0.031);
        right[i] = toneAt(at + i, 0.047);
      }
    },
  };
}

function clip(changes: Partial<AudioClip>): AudioClip {
  return {
    id: 'a',
    path: '/timeline_data/audios/0',
    lane: 'audios',
    bus: 'plain',
    source: 0,
    slot: { start: samples(4800), end: samples(4800 + 96_000) },
    trim: { start: micros(500_000), end: micros(2_500_000) },
    speed: 1_000_000,
    gain: 0.8,
    loop: false,
    volumePoints: [],
    denoise: false,
    fadeIn: samples(12_000),
    fadeOut: samples(24_000),
    ...changes,
  };
}

async function mixed(clips: readonly AudioClip[], at: number, count: number): Promise<Stereo> {
  const source = tones();
  const mixer = new PreviewMixer({ clips, duckDb: 0 }, at, async () => source, Promise.resolve([]));
  const all = silentStereo(count);
  for (let done = 0; done < count; done += BLOCK) {
    const block = await mixer.next(BLOCK);
    all.left.set(block.left.subarray(0, count - done), done);
    all.right.set(block.right.subarray(0, count - done), done);
  }
  return all;
}

/** The very same by the sounds of clips that exports are mixed of. */
function exported(clips: readonly AudioClip[], count: number): Stereo {
  const bus = silentStereo(count);
  for (const each of clips) {
    using sound = new ClipSound(each, new BusAdder(each.gain));
    for (let at = 0; at < count; at += BLOCK) {
      sound.addTo(stereoView(bus, at, Math.min(count, at + BLOCK)), at, tones());
    }
  }
  return bus;
}

function farthest(a: Stereo, b: Stereo): number {
  let most = 0;
  for (const side of ['left', 'right'] as const) {
    for (let i = 0; i < a[side].length; i += 1) most = Math.max(most, Math.abs(a[side][i]! - b[side][i]!));
  }
  return most;
}

const CASES: readonly (readonly [name: string, clips: readonly AudioClip[]])[] = [
  ['a trim, a level and fades', [clip({})]],
  ['half and double speed', [clip({ speed: 500_000 }), clip({ speed: 2_000_000 })]],
  ['a loop that starts over in its slot', [clip({ loop: true, trim: { start: micros(0), end: micros(450_000) } })]],
  ['a trim that is shorter than its slot', [clip({ trim: { start: micros(0), end: micros(900_000) } })]],
  ['two at once', [clip({}), clip({ slot: { start: samples(40_000), end: samples(90_000) }, gain: 0.5 })]],
];

for (const [name, clips] of CASES) {
  test(`[R15] the preview sounds like the export: ${name}`, async () => {
    const count = 115_200;
    const difference = farthest(await mixed(clips, 0, count), exported(clips, count));
    assert.ok(difference < 1e-5, `off by ${difference}`);
  });
}

test('[R15] playback from the middle sounds like playback from the start', async () => {
  const whole = exported([clip({})], 115_200);
  const rest = await mixed([clip({})], 50_000, 60_000);
  assert.ok(farthest(rest, stereoView(whole, 50_000, 110_000)) < 1e-5);
});

test('[R28, C80] ducked music and volume points sound in the preview as in the export', async () => {
  const points = [
    { at: samples(0), gain: 1 },
    { at: samples(40_000), gain: 0.1 },
  ];
  const audio = {
    clips: [clip({ bus: 'music', volumePoints: points }), clip({ bus: 'voice', gain: 0.2, fadeIn: samples(0) })],
    duckDb: 12,
  };
  const voice = [{ start: 20_000, end: 50_000 }];
  const source = tones();
  const mixer = new PreviewMixer(audio, 0, async () => source, Promise.resolve(voice));
  const { left } = await mixer.next(115_200);
  const expected = exported([audio.clips[0]!], 115_200);
  duckings(audio.clips, voice, 12).music!.lower(expected, 0);
  const above = exported([audio.clips[1]!], 115_200);
  let most = 0;
  for (const [n, sample] of left.entries())
    most = Math.max(most, Math.abs(sample - expected.left[n]! - above.left[n]!));
  assert.ok(most < 1e-5, `off by ${most}`);
});

test('sound is prepared only as far as the time stretch looks ahead', async () => {
  const source = tones();
  const mixer = new PreviewMixer(
    { clips: [clip({ speed: 2_000_000 })], duckDb: 0 },
    4800,
    async () => source,
    Promise.resolve([]),
  );
  await mixer.next(BLOCK);
  assert.ok(source.asked.to <= 24_000 + 2 * BLOCK + 24_000, `${source.asked.to}`);
});
