import type { ByteReader } from '../iso/byte-reader.ts';
import type { ImageHeader } from './image-header.ts';
import { tiffOrientation } from './tiff-header.ts';

/** JPEG: the frame header has the size, an Exif segment before it may have the orientation. */
export function readJpeg(reader: ByteReader): ImageHeader {
  let at = 2;
  let orientation = 1;
  for (;;) {
    if (reader.u8(at) !== 0xff) throw new RangeError('a JPEG marker is missing');
    const marker = reader.u8(at + 1);
    if (marker === 0xff) {
      at += 1; // Padding before a marker.
      continue;
    }
    const length = reader.u16(at + 2);
    if (length < 2) throw new RangeError('a JPEG segment is too short');
    if (marker === 0xe1 && reader.startsWith('Exif\0\0', at + 4)) orientation = tiffOrientation(reader, at + 10);
    if (isFrameHeader(marker)) {
      const [height, width] = [reader.u16(at + 5), reader.u16(at + 7)];
      const turned = orientation >= 5;
      return { format: 'jpeg', width: turned ? height : width, height: turned ? width : height, frames: 1 };
    }
    if (marker === 0xda || marker === 0xd9) throw new RangeError('a JPEG has pixels before it has a size');
    at += 2 + length;
  }
}

/** SOF0 to SOF15 without the three numbers that mean something else. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
