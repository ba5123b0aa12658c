import { box, pictureEntry } from './movie-bytes.ts';

/** Writes bit by bit, as H.264's headers are written. */
class BitWriter {
  #bits = '';

  fixed(value: number, width: number): this {
    this.#bits += value.toString(2).padStart(width, '0');
    return this;
  }

  /** Exponential Golomb. */
  golomb(value: number): this {
    const bits = (value + 1).toString(2);
    this.#bits += '0'.repeat(bits.length - 1) + bits;
    return this;
  }

  /** The bytes, ended as a header ends and kept free of start codes. */
  bytes(): Buffer {
    const bits = `${this.#bits}1`;
    const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
    const plain = Buffer.from(padded.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
    const kept: number[] = [];
    for (const byte of plain) {
      if (byte <= 3 && kept.at(-1) === 0 && kept.at(-2) === 0) kept.push(3);
      kept.push(byte);
    }
    return Buffer.from(kept);
  }
}

/** A sample entry with one size in its header, and another in its sequence parameters. */
export function avcEntry(said: { width: number; height: number }, coded: { width: number; height: number }): Buffer {
  const sps = new BitWriter()
    .fixed(0x67, 8) // a sequence parameter set
    .fixed(66, 8) // baseline
    .fixed(0, 8)
    .fixed(62, 8) // the highest level there is
    .golomb(0)
    .golomb(0) // frame numbers of four bits
    .golomb(2) // output in coding order
    .golomb(1)
    .fixed(0, 1)
    .golomb(coded.width / 16 - 1)
    .golomb(coded.height / 16 - 1)
    .fixed(1, 1) // whole frames
    .fixed(1, 1)
    .fixed(0, 1) // no cropping
    .fixed(0, 1)
    .bytes();
  const pps = new BitWriter().fixed(0x68, 8).golomb(0).golomb(0).fixed(0, 2).golomb(0).golomb(0).golomb(0).fixed(0, 3);
  const parameters = pps.golomb(0).golomb(0).golomb(0).fixed(0, 3).bytes();
  const sized = (unit: Buffer) => Buffer.concat([Buffer.from([unit.length >> 8, unit.length & 0xff]), unit]);
  const avcC = Buffer.concat([
    Buffer.from([1, 66, 0, 62, 0xff, 0xe1]),
    sized(sps),
    Buffer.from([1]),
    sized(parameters),
  ]);
  return pictureEntry('avc1', said.width, said.height, box('avcC', avcC));
}

/** A picture that promises to be a key frame and then is one macroblock of nothing. */
export function emptyKeyFrame(): Buffer {
  const slice = new BitWriter()
    .fixed(0x65, 8)
    .golomb(0)
    .golomb(7) // only intra
    .golomb(0)
    .fixed(0, 4)
    .golomb(0)
    .fixed(0, 2)
    .golomb(0)
    .golomb(25) // a macroblock of plain samples
    .bytes();
  const size = Buffer.alloc(4);
  size.writeUInt32BE(slice.length + 400);
  return Buffer.concat([size, slice, Buffer.alloc(400, 0x55)]);
}
