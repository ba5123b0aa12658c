/** Picture files made by hand, for what no encoder would write. */

/** A 24-bit BMP; the pixels are there only if they are few. */
export function bmpOf(width: number, height: number): Buffer {
  const stride = Math.ceil((width * 3) / 4) * 4;
  const pixels = width * height < 100_000 ? stride * height : 0;
  const bytes = Buffer.alloc(54 + pixels, 0xc0);
  bytes.fill(0, 0, 54);
  bytes.write('BM', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

/** A JPEG with an Exif block that says how to turn it put in front. */
export function jpegTurned(jpeg: Buffer, orientation: number, order: 'II' | 'MM'): Buffer {
  const little = order === 'II';
  const exif = Buffer.alloc(6 + 8 + 2 + 12 + 4);
  const u16 = (value: number, at: number) => (little ? exif.writeUInt16LE(value, at) : exif.writeUInt16BE(value, at));
  const u32 = (value: number, at: number) => (little ? exif.writeUInt32LE(value, at) : exif.writeUInt32BE(value, at));
  exif.write(`Exif\0\0${order}`, 0, 'latin1');
  u16(42, 8);
  u32(8, 10);
  u16(1, 14);
  u16(0x0112, 16);
  u16(3, 18);
  u32(1, 20);
  u16(orientation, 24);
  const marker = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)]);
}

/** The head of a PNG, or of an APNG with so many frames. */
export function pngClaiming(width: number, height: number, frames = 1): Buffer {
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(width, 0);
  ihdr.writeUInt32BE(height, 4);
  ihdr.set([8, 6], 8);
  const actl = Buffer.alloc(8);
  actl.writeUInt32BE(frames, 0);
  const chunks = [
    pngChunk('IHDR', ihdr),
    ...(frames > 1 ? [pngChunk('acTL', actl)] : []),
    pngChunk('IDAT', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function pngChunk(type: string, body: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + body.length);
  chunk.writeUInt32BE(body.length, 0);
  chunk.write(type, 4, 'latin1');
  body.copy(chunk, 8);
  return chunk;
}

/** A GIF whose frames have no real pixels. Frames are x, y, width, height. */
export function gifOf({
  screen,
  frames,
}: {
  screen: [number, number];
  frames: [number, number, number, number][];
}): Buffer {
  const head = Buffer.alloc(13);
  head.write('GIF89a', 0, 'latin1');
  head.writeUInt16LE(screen[0], 6);
  head.writeUInt16LE(screen[1], 8);
  const blocks = frames.map((frame) => {
    const block = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0]);
    frame.forEach((value, index) => {
      block.writeUInt16LE(value, 1 + index * 2);
    });
    return block;
  });
  return Buffer.concat([head, ...blocks, Buffer.from([0x3b])]);
}

/** An animated WebP whose one frame may be larger than its declared canvas. */
export function webpClaiming({ canvas, frame }: { canvas: [number, number]; frame: [number, number] }): Buffer {
  const extended = Buffer.alloc(10);
  extended.writeUIntLE(canvas[0] - 1, 4, 3);
  extended.writeUIntLE(canvas[1] - 1, 7, 3);
  const animation = Buffer.alloc(16);
  animation.writeUIntLE(frame[0] - 1, 6, 3);
  animation.writeUIntLE(frame[1] - 1, 9, 3);
  const body = Buffer.concat([Buffer.from('WEBP'), riffChunk('VP8X', extended), riffChunk('ANMF', animation)]);
  return riffChunk('RIFF', body);
}

function riffChunk(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}
