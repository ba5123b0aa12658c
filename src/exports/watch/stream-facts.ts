import { chunkShare } from '../../iso/h264/level-buffer.ts';
import type { SampleTable } from '../../iso/mp4/sample-table.ts';
import type { StreamFacts } from '../api/streams-api.ts';
import type { StreamCut, StreamedPlan } from './stream-cuts.ts';

/** The overhead of a segment, for each sample and once. */
const BYTES_PER_SAMPLE = 16;
const BYTES_PER_SEGMENT = 200;
const BITS_PER_BYTE = 8;

/** The known samples of a stream. */
interface KnownSamples {
  /** Of the finished video; null until it exists. */
  readonly pictures: SampleTable | null;
  readonly sound: SampleTable;
  /** `avcC` */
  readonly config: Buffer;
}

/** The properties of a stream in its playlists. */
export function streamFacts(plan: StreamedPlan, cuts: readonly StreamCut[], known: KnownSamples): StreamFacts {
  const { pictures, sound, config } = known;
  const seen = cuts.map((cut) => ({
    seconds: cut.pictureSeconds,
    bits: pictures === null ? maxBits(plan, cut) : sentBits(pictures, cut.frames),
  }));
  const heard = cuts.map(({ packets, soundSeconds }) => ({ seconds: soundSeconds, bits: sentBits(sound, packets) }));
  return {
    codecs: [avcCodec(config), 'mp4a.40.2'],
    width: plan.canvas.width,
    height: plan.canvas.height,
    rate: plan.rate,
    peakBitRate: Math.ceil(peak(seen) + peak(heard)),
    averageBitRate: pictures === null ? null : Math.ceil(average(seen) + average(heard)),
  };
}

interface Sent {
  readonly bits: number;
  readonly seconds: number;
}

function sentBits({ sizes }: SampleTable, { start, end }: { readonly start: number; readonly end: number }): number {
  const bytes = sizes.subarray(start, end).reduce((sum, size) => sum + size, 0);
  return (bytes + aroundSamples(end - start)) * BITS_PER_BYTE;
}

/** The most that the encoder may put into a chunk, for any content. (R24) */
function maxBits({ canvas, rate }: StreamedPlan, { frames, pictureSeconds }: StreamCut): number {
  const { kbps, kbits } = chunkShare(canvas, rate);
  return (kbps * pictureSeconds + kbits) * 1000 + aroundSamples(frames.end - frames.start) * BITS_PER_BYTE;
}

function aroundSamples(samples: number): number {
  return samples * BYTES_PER_SAMPLE + BYTES_PER_SEGMENT;
}

function peak(segments: readonly Sent[]): number {
  return segments.reduce((max, { bits, seconds }) => Math.max(max, bits / seconds), 0);
}

function average(segments: readonly Sent[]): number {
  const [bits, seconds] = segments.reduce(([all, long], each) => [all + each.bits, long + each.seconds], [0, 0]);
  return bits! / seconds!;
}

/** Profile, constraints and level, as in the configuration (ISO/IEC 14496-15, 5.3.3.1). */
function avcCodec(config: Buffer): string {
  return `avc1.${config.toString('hex', 1, 4)}`;
}
