import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { avChannelLayoutDefault, Frame, Rational } from 'node-av/lib';
import { DEFAULT_MEDIA_LIMITS } from '../src/engine/input/media-limits.ts';
import { AacWriter, renderSound } from '../src/engine/sound/render-sound.ts';
import type { AudioClip, AudioPlan } from '../src/plan/model/audio-plan.ts';
import { type Stereo, silentStereo } from '../src/sound/dsp/stereo.ts';
import { micros, samples } from '../src/time.ts';
import { ClipWriter } from '../test/fixtures/clip-writer.ts';

const SECONDS = 600;
const TARGET = 60;

/** `npm run bench -- sound [seconds] [rounds]`: how much faster than it plays the sound of a timeline renders. */
export async function run([seconds = String(SECONDS), rounds = '3']: readonly string[]): Promise<void> {
  const length = Number(seconds);
  const folder = await mkdtemp(join(tmpdir(), 'tiercut-bench-'));
  try {
    const files = new Map([
      [0, await aacFile(join(folder, 'a.mp4'), length)],
      [1, await mp3File(join(folder, 'b.mp3'), length)],
    ]);
    const whole = { start: samples(0), end: samples(length * 48_000) };
    const tracks = Array.from({ length: 8 }, (_, n) => clip(whole, { source: n < 6 ? 0 : 1, gain: 0.12 }));
    const cuts = Array.from({ length: length * 2 }, (_, n) => {
      const from = ((n * 7919) % (length * 10)) * 100_000;
      const trim = { start: micros(from), end: micros(from + 500_000) };
      return clip({ start: samples(n * 24_000), end: samples((n + 1) * 24_000) }, { trim });
    });
    const rows: [string, Partial<AudioPlan>][] = [
      ['8 tracks', { clips: tracks }],
      ['1 track', { clips: tracks.slice(0, 1) }],
      [`${cuts.length} cuts`, { clips: cuts }],
      ['2 tracks at 1.25 times', { clips: tracks.slice(0, 2).map((track) => ({ ...track, speed: 1_250_000 })) }],
      ['silence', { clips: [] }],
      ['8 tracks to −14 LUFS', { clips: tracks, loudness: -14 }],
    ];
    console.log(`sound of ${length} s on ${cpus().length} cores, median of ${rounds} rounds`);
    console.log(`wanted of 8 tracks: ${TARGET} times real time\n`);
    const taken = rows.map(() => [] as Taken[]);
    for (let round = 0; round < Number(rounds); round++) {
      for (const [n, [, changes]] of rows.entries()) {
        const audio = {
          totalSamples: whole.end,
          bitrateKbps: 192,
          loudness: null,
          duckDb: 0,
          clips: [],
          key: '',
          voices: [],
          ...changes,
        };
        taken[n]!.push(await timed(audio, files, join(folder, 'out.mp4')));
      }
    }
    console.log('| timeline | times real time | wall s | CPU s |\n|---|---|---|---|');
    for (const [n, [name]] of rows.entries()) {
      const { wall, cpu } = taken[n]!.sort((a, b) => a.wall - b.wall)[Math.floor(taken[n]!.length / 2)]!;
      console.log(`| ${name} | ${(length / wall).toFixed(0)} | ${wall.toFixed(2)} | ${cpu.toFixed(2)} |`);
    }
    console.log(`\npeak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Taken {
  readonly wall: number;
  readonly cpu: number;
}

async function timed(audio: AudioPlan, files: ReadonlyMap<number, string>, out: string): Promise<Taken> {
  const begun = performance.now();
  const cpuBefore = process.cpuUsage();
  const { signal } = new AbortController();
  await renderSound({ plan: { audio }, files, out, limits: DEFAULT_MEDIA_LIMITS, signal });
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wall: (performance.now() - begun) / 1000, cpu: (user + system) / 1e6 };
}

function clip(slot: AudioClip['slot'], changes: Partial<AudioClip>): AudioClip {
  return {
    id: `${slot.start}`,
    path: '/timeline_data/audios/0',
    lane: 'audios',
    bus: 'plain',
    source: 0,
    slot,
    trim: { start: micros(0), end: micros(SECONDS * 2e6) },
    speed: 1_000_000,
    gain: 1,
    loop: false,
    volumePoints: [],
    denoise: false,
    fadeIn: samples(0),
    fadeOut: samples(0),
    ...changes,
  };
}

async function aacFile(file: string, seconds: number): Promise<string> {
  await using writer = new AacWriter({ file, bitrateKbps: 128, search: 'fast' });
  for (const block of music(seconds, 48_000, 4800)) await writer.write(block);
  await writer.finish();
  return file;
}

async function mp3File(file: string, seconds: number): Promise<string> {
  await using writer = new ClipWriter('mp3', file);
  const rate = 44_100;
  const layout = avChannelLayoutDefault(2);
  const track = await writer.add('libmp3lame', { compression_level: 9 }, (context) => {
    context.sampleRate = rate;
    context.timeBase = new Rational(1, rate);
    context.sampleFormat = AV_SAMPLE_FMT_FLTP;
    context.channelLayout = layout;
    context.bitRate = 128_000n;
  });
  await writer.start({});
  let at = 0;
  for (const { left, right } of music(seconds, rate, 1152)) {
    using frame = Frame.fromAudioBuffer(Buffer.concat([left, right].map((side) => Buffer.from(side.buffer))), {
      nbSamples: left.length,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate: rate,
      channelLayout: layout,
      timeBase: { num: 1, den: rate },
      pts: BigInt(at),
    });
    await writer.encode(track, frame);
    at += left.length;
  }
  await writer.finish();
  return file;
}

/** Something like music: a chord that moves on every second, a beat every half, and a hiss. */
function* music(seconds: number, rate: number, block: number): Generator<Stereo> {
  let random = 1;
  let low = 0;
  for (let at = 0; at < seconds * rate; at += block) {
    const { left, right } = silentStereo(block);
    for (let i = 0; i < block; i++) {
      const time = (at + i) / rate;
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) | 0;
      low += 0.2 * (random / 2 ** 31 - low);
      const beat = Math.exp(-8 * ((time * 2) % 1));
      const root = 110 * (1 + (Math.floor(time) % 4) / 4);
      const chord = Math.sin(2 * Math.PI * root * time) + 0.7 * Math.sin(2 * Math.PI * root * 1.5 * time);
      left[i] = 0.2 * chord + 0.3 * low * beat;
      right[i] = 0.15 * chord + 0.2 * low;
    }
    yield { left, right };
  }
}
