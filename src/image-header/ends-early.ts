import { ByteReader } from '../iso/byte-reader.ts';
import { colorTableBytes, GIF_EXTENSION, GIF_IMAGE, pictureMagic } from './read-image-header.ts';

/**
 * Whether the bytes of a whole picture file end inside the picture: a JPEG before its end mark, a GIF inside the pixels
 * of a frame, a PNG or a WebP inside a chunk. Other formats cannot be decoded then. Takes time in proportion to the
 * file.
 */
export function endsEarly(bytes: Buffer): boolean {
  const reader = new ByteReader(bytes);
  const magic = pictureMagic(bytes);
  if (magic === 'jpeg') return !hasJpegEnd(bytes);
  if (magic === 'gif') return gifEndsEarly(reader);
  if (magic === 'png') return pngEndsEarly(reader);
  return magic === 'webp' && webpEndsEarly(reader);
}

const EOI = 0xd9;
const SOS = 0xda;

/** Walks markers, and the coded pixels behind each start of a scan. A thumbnail in Exif has an end mark of its own. */
function hasJpegEnd(bytes: Buffer): boolean {
  for (let at = 2; ; ) {
    at = bytes.indexOf(0xff, at);
    if (at < 0 || at + 1 >= bytes.length) return false;
    const marker = bytes[at + 1]!;
    if (marker === EOI) return true;
    if (marker === 0xff) at += 1;
    else if (!hasLength(marker)) at += 2;
    else if (at + 3 >= bytes.length) return false;
    else at = marker === SOS ? afterScan(bytes, at) : at + 2 + bytes.readUInt16BE(at + 2);
  }
}

/** Escaped bytes, restarts and two others have nothing behind them. */
function hasLength(marker: number): boolean {
  return marker > 0x01 && (marker < 0xd0 || marker > 0xd8);
}

/** The next marker behind the coded pixels of a scan, or the end of the bytes. */
function afterScan(bytes: Buffer, scan: number): number {
  let at = scan + 2 + bytes.readUInt16BE(scan + 2);
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at < 0 || at + 1 >= bytes.length) return bytes.length;
    if (bytes[at + 1] !== 0xff && hasLength(bytes[at + 1]!)) return at;
    at += 1;
  }
}

/** Between frames a GIF may end: it is shown as far as it goes. */
function gifEndsEarly(reader: ByteReader): boolean {
  if (reader.length < 13) return true;
  for (let at = 13 + colorTableBytes(reader.u8(10)); at < reader.length; ) {
    const block = reader.u8(at);
    if (block !== GIF_EXTENSION && block !== GIF_IMAGE) return false;
    if (block === GIF_IMAGE && at + 10 >= reader.length) return true;
    at += block === GIF_IMAGE ? 11 + colorTableBytes(reader.u8(at + 9)) : 2;
    while (at < reader.length && reader.u8(at) > 0) at += 1 + reader.u8(at);
    if (at >= reader.length) return true;
    at += 1;
  }
  return false;
}

function pngEndsEarly(reader: ByteReader): boolean {
  let at = 8;
  while (at + 8 <= reader.length) {
    if (reader.tag(at + 4) === 'IEND') return false;
    at += 12 + reader.u32(at);
  }
  return at !== reader.length;
}

/** Bytes behind the declared length are not the picture's. */
function webpEndsEarly(reader: ByteReader): boolean {
  const end = Math.min(reader.length, 8 + reader.u32le(4));
  for (let at = 12; at + 8 <= end; ) {
    const size = reader.u32le(at + 4);
    if (at + 8 + size > reader.length) return true;
    at += 8 + size + (size & 1);
  }
  return false;
}
