import type { MediaContainer } from './sniff-media.ts';

/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The size a picture file's header declares, read without decoding anything: a bomb is refused before a decoder sees it.
 * Null where the container is no picture, or the size is not within the given first bytes.
 */
export function imageSize(container: MediaContainer, head: Uint8Array): PixelSize | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  try {
    return readSize(container, bytes);
  } catch (error) {
    // Reading past the end of a truncated header.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readSize(container: MediaContainer, bytes: Buffer): PixelSize | null {
  switch (container) {
    case 'png':
    case 'apng':
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    case 'gif':
      return gifSize(bytes);
    case 'bmp':
      if (bytes.readUInt32LE(14) === 12) return { width: bytes.readUInt16LE(18), height: bytes.readUInt16LE(20) };
      return { width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) };
    case 'jpeg':
      return jpegSize(bytes);
    case 'webp':
    case 'webp_animation':
      return webpSize(bytes);
    default:
      return null;
  }
}

/** The logical screen; a frame reaching beyond it is refused by the decoder. */
function gifSize(bytes: Buffer): PixelSize {
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** From the first start-of-frame segment. */
function jpegSize(bytes: Buffer): PixelSize | null {
  for (let at = 2; ; ) {
    while (bytes.readUInt8(at) === 0xff && bytes.readUInt8(at + 1) === 0xff) at++; // padding
    if (bytes.readUInt8(at) !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    const startOfFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (startOfFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
}

function webpSize(bytes: Buffer): PixelSize | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return null;
  }
}
