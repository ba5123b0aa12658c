import type { ByteReader } from '../iso/byte-reader.ts';
import type { ImageHeader } from './image-header.ts';

const CODESTREAM = '\xff\x0a';
const CONTAINER = '\0\0\0\x0cJXL \r\n\x87\n';

/** JPEG XL, as a bare codestream or in boxes. */
export function isJxl(reader: ByteReader): boolean {
  return reader.startsWith(CODESTREAM) || reader.startsWith(CONTAINER);
}

/** JPEG XL: the codestream begins with its size. An animation counts as its first frame. */
export function readJxl(reader: ByteReader): ImageHeader {
  const start = reader.startsWith(CODESTREAM) ? 0 : codestreamStart(reader);
  if (!reader.startsWith(CODESTREAM, start)) throw new RangeError('a JPEG XL without a codestream');
  const bits = new Bits(reader, start + CODESTREAM.length);
  const small = bits.read(1) === 1;
  const side = () => 1 + (small ? 8 * bits.read(5) + 7 : bits.read(SIDE_BITS[bits.read(2)]!));
  const height = side();
  const ratio = RATIOS[bits.read(3)];
  const width = ratio === null || ratio === undefined ? side() : Math.floor((height * ratio[0]) / ratio[1]);
  return { format: 'jxl', width, height, frames: 1 };
}

const SIDE_BITS = [9, 13, 18, 30];
/** Width to height, if the header gives nothing but the ratio. */
const RATIOS = [null, [1, 1], [12, 10], [4, 3], [3, 2], [16, 9], [5, 4], [2, 1]] as const;

/** Where the codestream begins in the boxes: in one, or in the first of several parts, each behind its number. */
function codestreamStart(reader: ByteReader): number {
  for (let at = CONTAINER.length; ; ) {
    const [length, type] = [reader.u32(at), reader.tag(at + 4)];
    const head = length === 1 ? 16 : 8;
    if (type === 'jxlc') return at + head;
    if (type === 'jxlp') return at + head + 4;
    const whole = length === 1 ? reader.uint(at + 8, 8) : length;
    if (whole < head) throw new RangeError('a JPEG XL without a codestream');
    at += whole;
  }
}

/** Numbers of any bits, the lowest first. */
class Bits {
  readonly #reader: ByteReader;
  #at: number;

  constructor(reader: ByteReader, byte: number) {
    this.#reader = reader;
    this.#at = byte * 8;
  }

  read(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, this.#at += 1) {
      value += ((this.#reader.u8(this.#at >> 3) >> (this.#at & 7)) & 1) * 2 ** bit;
    }
    return value;
  }
}
