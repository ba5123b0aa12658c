import { join } from 'node:path';
import { AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P } from 'node-av/constants';
import { avChannelLayoutDefault, Frame, Rational } from 'node-av/lib';
import { ClipWriter } from '../../fixtures/clip-writer.ts';
import { clipFolder } from '../../fixtures/clips.ts';

/** A recording whose samples do not match its timestamps. */
export interface Drift {
  readonly container: string;
  readonly codec: 'alac' | 'flac' | 'aac' | 'libopus';
  readonly sampleRate: number;
  readonly seconds: number;
  /** How much longer a sample lasts by the timestamps than by its rate, in millionths. */
  readonly ppm: number;
  /** The largest error of a single timestamp, in seconds. */
  readonly jitter?: number;
}

const TONE_HZ = 50;
const LEVEL = 0.5;

/** Mono, a tone that gives the position within its 20 ms. */
export function toneAt(seconds: number): number {
  return LEVEL * Math.sin(2 * Math.PI * TONE_HZ * seconds);
}

let made = 0;

export async function driftingFile({ container, codec, sampleRate, seconds, ppm, jitter = 0 }: Drift): Promise<string> {
  const file = join(clipFolder(), `drift-${made++}.${container}`);
  await using writer = new ClipWriter(container, file);
  const format = {
    alac: AV_SAMPLE_FMT_S16P,
    flac: AV_SAMPLE_FMT_S16,
    aac: AV_SAMPLE_FMT_FLTP,
    libopus: AV_SAMPLE_FMT_S16,
  }[codec];
  const track = await writer.add(codec, {}, (context) => {
    context.sampleRate = sampleRate;
    context.timeBase = new Rational(1, sampleRate);
    context.sampleFormat = format;
    context.channelLayout = avChannelLayoutDefault(1);
    context.bitRate = 96_000n;
  });
  await writer.start({});
  const total = Math.round(seconds * sampleRate);
  const step = track.context.frameSize || 1024;
  for (let at = 0; at < total; at += step) {
    const count = Math.min(step, total - at);
    const wave = Float32Array.from({ length: count }, (_, n) => toneAt((at + n) / sampleRate));
    const samples = format === AV_SAMPLE_FMT_FLTP ? wave : Int16Array.from(wave, (value) => Math.round(value * 32_767));
    // Up and down by turns that repeat only after a while.
    const off = jitter * sampleRate * Math.sin((at / step) * 2.4);
    using frame = Frame.fromAudioBuffer(Buffer.from(samples.buffer), {
      nbSamples: count,
      format,
      sampleRate,
      channelLayout: avChannelLayoutDefault(1),
      timeBase: track.context.timeBase,
      pts: BigInt(Math.round(at * (1 + ppm / 1e6) + off)),
    });
    await writer.encode(track, frame);
  }
  await writer.finish();
  return file;
}
