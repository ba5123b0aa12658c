/** AVI files written by hand: JPEG pictures, and a subtitle track that contains a file. */

type Bytes = Uint8Array | string;

function chunk(type: string, ...content: readonly Bytes[]): Buffer {
  const body = Buffer.concat(content.map((bytes) => Buffer.from(bytes as Uint8Array)));
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [n, value] of values.entries()) bytes.writeUInt32LE(value, n * 4);
  return bytes;
}

/** The file, 30 frames a second. `subtitles` is the content of the subtitle track, such as a playlist. */
export function aviWithSubtitles(frames: readonly Buffer[], width: number, height: number, subtitles: string): Buffer {
  const stream = (type: string, codec: string, length: number) =>
    chunk('strh', type, codec, u32(0, 0, 0, 1, 30, 0, length, 0, 0xffffffff, 0, 0, 0));
  const bitmap = chunk('strf', u32(40, width, height, 0x180001), 'MJPG', u32(width * height * 3, 0, 0, 0, 0));
  const gab2 = Buffer.concat([
    Buffer.from('GAB2\0\x02\0', 'latin1'),
    u32(0),
    Buffer.from([4, 0]),
    u32(subtitles.length),
    Buffer.from(subtitles),
  ]);
  const hdrl = chunk(
    'LIST',
    'hdrl',
    chunk('avih', u32(33_333, 0, 0, 0x10, frames.length, 0, 2, 0, width, height, 0, 0, 0, 0)),
    chunk('LIST', 'strl', stream('vids', 'MJPG', frames.length), bitmap),
    chunk('LIST', 'strl', stream('txts', '\0\0\0\0', 1), chunk('strf', '')),
  );
  const movi = chunk('LIST', 'movi', chunk('01tx', gab2), ...frames.map((bytes) => chunk('00dc', bytes)));
  return chunk('RIFF', 'AVI ', hdrl, movi);
}
