/** Matroska files written by hand: JPEG pictures, and whatever else a file may carry along. */

type Bytes = Uint8Array | string;

/** One element: its id in hex, then its content. */
function element(id: string, ...content: readonly Bytes[]): Buffer {
  const body = Buffer.concat(content.map((bytes) => Buffer.from(bytes as Uint8Array)));
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE((1n << 56n) | BigInt(body.length));
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}

function uint(id: string, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return element(id, bytes);
}

/** What a file carries beside its pictures. */
export interface MatroskaOptions {
  readonly frames: readonly Buffer[];
  readonly width: number;
  readonly height: number;
  readonly attachments?: readonly { readonly name: string; readonly type: string; readonly data: Buffer }[];
  /** The header of a subtitle track, which then has one line of text. */
  readonly ass?: string;
  /** A track of bytes that are nothing in particular. */
  readonly data?: boolean;
}

/** The file, 30 frames a second. */
export function matroska({ frames, width, height, attachments = [], ass, data = false }: MatroskaOptions): Buffer {
  const picture = element(
    'ae',
    uint('d7', 1),
    uint('73c5', 1),
    uint('83', 1),
    element('86', 'V_MJPEG'),
    element('e0', uint('b0', width), uint('ba', height)),
  );
  const text =
    ass === undefined
      ? []
      : [
          element(
            'ae',
            uint('d7', 2),
            uint('73c5', 2),
            uint('83', 0x11),
            element('86', 'S_TEXT/ASS'),
            element('63a2', ass),
          ),
        ];
  const other = data
    ? [element('ae', uint('d7', 3), uint('73c5', 3), uint('83', 0x21), element('86', 'D_WEBVTT/METADATA'))]
    : [];
  const files = attachments.map(({ name, type, data: bytes }, n) =>
    element('61a7', element('466e', name), element('4660', type), element('465c', bytes), uint('46ae', n + 1)),
  );
  const block = (track: number, ms: number, bytes: Bytes) =>
    element('a3', Buffer.from([0x80 | track, ms >> 8, ms & 0xff, 0x80]), bytes);
  const cluster = element(
    '1f43b675',
    uint('e7', 0),
    ...(ass === undefined ? [] : [block(2, 0, '0,0,Default,,0,0,0,,{\\fnPlanted}drawn by nobody')]),
    ...(data ? [block(3, 0, 'id\n\nplanted')] : []),
    ...frames.map((bytes, n) => block(1, Math.round((n * 1000) / 30), bytes)),
  );
  return Buffer.concat([
    element('1a45dfa3', element('4282', 'matroska'), uint('4287', 4), uint('4285', 2)),
    element(
      '18538067',
      element('1549a966', uint('2ad7b1', 1_000_000)),
      element('1654ae6b', picture, ...text, ...other),
      ...(files.length === 0 ? [] : [element('1941a469', ...files)]),
      cluster,
    ),
  ]);
}
