import { ByteReader } from '../../iso/byte-reader.ts';
import type { MediaContainer } from '../input/media-containers.ts';

/**
 * A picture file that libavcodec decodes, made of one that it refuses though nothing that matters is missing. Null if it
 * is as good as it was.
 */
export function mendedPicture(container: MediaContainer, bytes: Buffer | null): Buffer | null {
  if (bytes === null) return null;
  try {
    if (container === 'png') return withoutTexts(bytes);
    return container === 'tiff' ? withRowsPerStrip(bytes) : null;
  } catch (error) {
    // A file that ends early is decoded as far as it goes.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Chunks of text: one whose Exif is malformed makes the decoder give the picture up. */
const TEXTS: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt']);
/** Exif is a TIFF. */
const EXIF_MARKS: readonly string[] = ['II*\0', 'MM\0*'];
/** No decoder knows this chunk; by its first letter it may be skipped. */
const SKIPPED = 'skIp';

/** Renames what describes the picture in words. Decoders do not check the sums of chunks. */
function withoutTexts(bytes: Buffer): Buffer | null {
  let mended: Buffer | null = null;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const isBroken = type === 'eXIf' && !EXIF_MARKS.includes(bytes.toString('latin1', at + 8, at + 12));
    if (!TEXTS.has(type) && !isBroken) continue;
    mended ??= Buffer.from(bytes);
    mended.write(SKIPPED, at + 4, 'latin1');
  }
  return mended;
}

const [ROWS_PER_STRIP, STRIP_OFFSETS, HEIGHT] = [0x116, 0x111, 0x101];
const ENTRY_BYTES = 12;

/** Without rows per strip, all rows are in one (TIFF 6.0, section 8): a copy of the directory behind the file says so. */
function withRowsPerStrip(bytes: Buffer): Buffer | null {
  const reader = new ByteReader(bytes);
  const little = reader.startsWith('II');
  const directory = reader.u32(4, little);
  const count = reader.u16(directory, little);
  const tags = Array.from({ length: count }, (_, n) => reader.u16(directory + 2 + n * ENTRY_BYTES, little));
  if (tags.includes(ROWS_PER_STRIP) || !tags.includes(STRIP_OFFSETS) || !tags.includes(HEIGHT)) return null;
  const heightAt = directory + 2 + tags.indexOf(HEIGHT) * ENTRY_BYTES;
  const entries = bytes.subarray(directory + 2, directory + 2 + count * ENTRY_BYTES);
  const added = Buffer.from(bytes.subarray(heightAt, heightAt + ENTRY_BYTES));
  const u16 = (into: Buffer, value: number) => (little ? into.writeUInt16LE(value) : into.writeUInt16BE(value));
  u16(added, ROWS_PER_STRIP);
  const behind = tags.filter((tag) => tag < ROWS_PER_STRIP).length * ENTRY_BYTES;
  const counted = Buffer.alloc(2);
  u16(counted, count + 1);
  const padding = Buffer.alloc(bytes.length % 2);
  const mended = Buffer.concat([
    bytes,
    padding,
    counted,
    entries.subarray(0, behind),
    added,
    entries.subarray(behind),
    Buffer.alloc(4),
  ]);
  const place = bytes.length + padding.length;
  if (little) mended.writeUInt32LE(place, 4);
  else mended.writeUInt32BE(place, 4);
  return mended;
}
