import { type BoxContent, box, fullBox, u8, u16, u32, zeros } from '../box.ts';
import { type Bytes, joinBytes } from '../bytes.ts';

/** H.264 with square BT.709 pixels in limited range. `avcC` is the decoder's configuration record. */
export function h264Entry(width: number, height: number, avcC: Uint8Array, rates: BitRates): Bytes {
  const bt709 = 1;
  return box(
    'avc1',
    zeros(6),
    u16(1),
    zeros(16),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    zeros(32),
    u16(24, 0xffff),
    box('avcC', avcC),
    box('colr', 'nclx', u16(bt709, bt709, bt709), u8(0)),
    box('pasp', u32(1, 1)),
    box('btrt', u32(rates.bufferBytes, rates.highest, rates.average)),
  );
}

/** Stereo AAC. `config` is its AudioSpecificConfig. */
export function aacEntry(sampleRate: number, channels: number, config: Uint8Array, rates: BitRates): Bytes {
  const aac = 0x40;
  const audioStream = 0x15;
  const decoder = descriptor(
    4,
    u8(aac, audioStream),
    // 24 bits of it.
    u32(rates.bufferBytes).subarray(1),
    u32(rates.highest, rates.average),
    descriptor(5, config),
  );
  return box(
    'mp4a',
    zeros(6),
    u16(1),
    zeros(8),
    u16(channels, 16, 0, 0),
    u32(sampleRate * 0x10000),
    fullBox('esds', 0, 0, descriptor(3, u16(0), u8(0), decoder, descriptor(6, u8(2)))),
  );
}

/** QuickTime text, the format of chapter tracks; it is never drawn. */
export function textEntry(): Bytes {
  return box(
    'text',
    zeros(6),
    u16(1),
    u32(1, 1),
    zeros(6),
    zeros(8),
    zeros(8),
    u16(0, 0),
    u8(0),
    u16(0),
    zeros(6),
    u8(0),
  );
}

/** A chapter's title as a sample of such a track. */
export function textSample(title: Uint8Array): Bytes {
  const utf8 = 0x100;
  return joinBytes([u16(title.length), title, box('encd', u32(utf8))]);
}

export const VIDEO_HEADER: BoxContent = fullBox('vmhd', 0, 1, zeros(8));
export const SOUND_HEADER: BoxContent = fullBox('smhd', 0, 0, zeros(4));
export const TEXT_HEADER: BoxContent = box(
  'gmhd',
  fullBox('gmin', 0, 0, u16(0x40, 0x8000, 0x8000, 0x8000, 0, 0)),
  box('text', u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)),
);

/** A descriptor of ISO/IEC 14496-1; ours are short. */
function descriptor(tag: number, ...content: readonly Uint8Array[]): Bytes {
  const body = joinBytes(content);
  if (body.length > 127) throw new Error(`a descriptor of ${body.length} bytes`);
  return joinBytes([u8(tag, body.length), body]);
}

/** What a player may need to allocate buffers for a track. Rates in bits a second. */
interface BitRates {
  readonly average: number;
  /** Of the second with the most bits. */
  readonly highest: number;
  /** How much has to be buffered where bytes arrive at the highest rate, no sooner than they are needed. */
  readonly bufferBytes: number;
}

/** The rates of a track whose samples have equal durations. `sizes` in bytes. */
export function bitRates(sizes: readonly number[], samplesASecond: number): BitRates {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const window = Math.max(1, Math.min(sizes.length, Math.round(samplesASecond)));
  let [within, busiest] = [0, 0];
  for (const [index, size] of sizes.entries()) {
    within += size - (sizes[index - window] ?? 0);
    busiest = Math.max(busiest, within);
  }
  const bitsPerByte = 8;
  const perSecond = (bytes: number, samples: number) =>
    samples === 0 ? 0 : Math.ceil((bytes * bitsPerByte * samplesASecond) / samples);
  return {
    average: perSecond(total, sizes.length),
    highest: perSecond(busiest, window),
    bufferBytes: bufferFor(sizes, busiest / window),
  };
}

/** The most by which the bytes needed so far exceed those that have arrived, at this many a sample. */
function bufferFor(sizes: readonly number[], bytesASample: number): number {
  let [waiting, max] = [0, 0];
  for (const size of sizes) {
    waiting += size;
    max = Math.max(max, waiting);
    waiting = Math.max(0, waiting - bytesASample);
  }
  return Math.ceil(max);
}

/** The parameters of our AAC-LC: samples in a packet, and channels. */
export const AAC_FRAME_SAMPLES = 1024;
export const AAC_CHANNELS = 2;
