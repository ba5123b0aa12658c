import type { PixelSize } from './image-header.ts';

/**
 * The sizes that the frames of a VP8 or VP9 packet declare; frames that reuse an earlier frame's size are left out.
 * libvpx allocates what a frame declares before libavcodec's limit on pixels applies, and only libvpx decodes WebM's
 * alpha: 1,300 bytes took a gigabyte.
 */
export function vpxSizes(codec: 'vp8' | 'vp9', packet: Uint8Array): PixelSize[] {
  const sizes = codec === 'vp8' ? [vp8Size(packet)] : vp9Frames(packet).map(vp9Size);
  return sizes.filter((size) => size !== null);
}

/** The size of a VP8 key frame. RFC 6386, 9.1: three bytes, and for key frames a start code and the size with two bits of scaling each. */
export function vp8Size(frame: Uint8Array): PixelSize | null {
  if (frame.length < 10 || (frame[0]! & 1) !== 0) return null;
  return { width: littleEndian(frame, 6, 2) & 0x3fff, height: littleEndian(frame, 8, 2) & 0x3fff };
}

/** VP9's Annex B: several frames in one packet are followed by an index of their lengths. */
function vp9Frames(packet: Uint8Array): Uint8Array[] {
  const marker = packet.at(-1) ?? 0;
  const [bytes, count] = [((marker >> 3) & 3) + 1, (marker & 7) + 1];
  const index = packet.length - 2 - bytes * count;
  if (marker >> 5 !== 0b110 || index < 0 || packet[index] !== marker) return [packet];
  let at = 0;
  return Array.from({ length: count }, (_, n) => {
    const length = littleEndian(packet, index + 1 + n * bytes, bytes);
    at += length;
    return packet.subarray(at - length, at);
  });
}

/** As far into VP9's uncompressed header (6.2) as its size. */
function vp9Size(frame: Uint8Array): PixelSize | null {
  const bits = new BitReader(frame);
  if (bits.read(2) !== 0b10) return null;
  const profile = bits.read(1) + 2 * bits.read(1);
  if (profile === 3) bits.read(1);
  const showsExisting = bits.read(1) === 1;
  if (showsExisting) return null;
  const isKey = bits.read(1) === 0;
  const isShown = bits.read(1) === 1;
  const resilient = bits.read(1) === 1;
  if (isKey) {
    bits.read(24);
    skipColors(bits, profile);
    return size(bits);
  }
  const isIntra = !isShown && bits.read(1) === 1;
  if (!resilient) bits.read(2);
  if (isIntra) {
    bits.read(24);
    if (profile > 0) skipColors(bits, profile);
    bits.read(8);
    return size(bits);
  }
  // Which frames it replaces, and the three it refers to; then whether one of those lends it its size.
  bits.read(8 + 3 * 4);
  for (let reference = 0; reference < 3; reference++) if (bits.read(1) === 1) return null;
  return size(bits);
}

const SRGB = 7;

function skipColors(bits: BitReader, profile: number): void {
  if (profile >= 2) bits.read(1);
  const hasSubsampling = profile % 2 === 1;
  if (bits.read(3) !== SRGB) bits.read(hasSubsampling ? 4 : 1);
  else if (hasSubsampling) bits.read(1);
}

function size(bits: BitReader): PixelSize {
  return { width: bits.read(16) + 1, height: bits.read(16) + 1 };
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  return bytes.subarray(at, at + count).reduceRight((value, byte) => value * 256 + byte, 0);
}

/** Most significant bit first; zeros behind the end, where decoders give up anyway. */
class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Up to 24 bits. */
  read(count: number): number {
    let value = 0;
    for (let n = 0; n < count; n++, this.#at++) {
      const bit = ((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1;
      value = value * 2 + bit;
    }
    return value;
  }
}
