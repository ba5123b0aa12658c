import { type Bytes, joinBytes } from '../bytes.ts';
import { BitWriter, escaped, NAL_TYPE } from './nal-units.ts';
import { POC_LSB_BITS, type SliceParameters } from './parameter-sets.ts';

/** Which picture is shown again, and where. */
interface Repetition {
  /** The number of the reference picture that is repeated, and of the last one decoded. */
  readonly frameNum: number;
  readonly lastFrameNum: number;
  readonly place: number;
}

/** The quantiser of a picture without residuals can be any; at this one skipping is likely from the first bit on. */
const QP = 51;
const P_SLICES_ONLY = 5;

/**
 * Makes pictures that show an earlier one again: every macroblock is skipped, which costs 66 bytes at 1080p and no
 * work. No other picture refers to them, so the encoder of the others need not know them. (R22)
 */
export class RepeatedPictures {
  readonly #shape: SliceParameters;
  /** Made for the first repeated picture: it takes longer than a frame, and films need none. */
  #macroblocks: Bytes | null = null;

  constructor(shape: SliceParameters) {
    this.#shape = shape;
  }

  /** One NAL unit. */
  picture({ frameNum, lastFrameNum, place }: Repetition): Uint8Array {
    const { frameNumBits, ppsId, cabac, weightedP, initialQp, deblockingControl, macroblocks } = this.#shape;
    const numbers = 2 ** frameNumBits;
    const own = (lastFrameNum + 1) % numbers;
    const writer = new BitWriter();
    writer.bits(NAL_TYPE.slice, 8);
    writer.unsigned(0);
    writer.unsigned(P_SLICES_ONLY);
    writer.unsigned(ppsId);
    writer.bits(own, frameNumBits);
    writer.bits(place % 2 ** POC_LSB_BITS, POC_LSB_BITS);
    // One reference, and exactly this one, even if others were decoded since.
    writer.bit(1);
    writer.unsigned(0);
    writer.bit(1);
    writer.unsigned(0);
    writer.unsigned(((own - frameNum + numbers) % numbers) - 1);
    writer.unsigned(3);
    if (weightedP) {
      writer.unsigned(0);
      writer.unsigned(0);
      writer.bits(0, 2);
    }
    if (cabac) writer.unsigned(0);
    writer.signed(QP - initialQp);
    if (deblockingControl) writer.unsigned(1);
    if (cabac) {
      while (!writer.isAligned) writer.bit(1);
    } else {
      writer.unsigned(macroblocks);
      writer.bit(1);
    }
    this.#macroblocks ??= cabac ? skippedMacroblocks(macroblocks) : new Uint8Array(0);
    return escaped(joinBytes([writer.toBytes(), this.#macroblocks]));
  }
}

/** Where the probability of `mb_skip_flag` starts in a P slice at `QP`, its likelier value being 1. (9.3.1.1, table 9-13) */
const FIRST_STATE = ((23 * QP) >> 4) + 33 - 64;
const LAST_STATE = 62;

/** How much of the range the unlikelier value takes, from `FIRST_STATE` on. (Table 9-44) */
const UNLIKELIER: readonly (readonly number[])[] = [
  [16, 20, 23, 27],
  [15, 19, 22, 25],
  [14, 18, 21, 24],
  [14, 17, 20, 23],
  [13, 16, 19, 22],
  [12, 15, 18, 21],
  [12, 14, 17, 20],
  [11, 14, 16, 19],
  [11, 13, 15, 18],
  [10, 12, 15, 17],
  [10, 12, 14, 16],
  [9, 11, 13, 15],
  [9, 11, 12, 14],
  [8, 10, 12, 14],
  [8, 9, 11, 13],
  [7, 9, 11, 12],
  [7, 9, 10, 12],
  [7, 8, 10, 11],
  [6, 8, 9, 11],
  [6, 7, 9, 10],
  [6, 7, 8, 9],
];

/** The arithmetic code of this many skipped macroblocks; only the last one ends the slice. (9.3.4) */
function skippedMacroblocks(count: number): Bytes {
  const coder = new LikelyCoder();
  for (let left = count; left > 0; left -= 1) {
    coder.likely();
    if (left > 1) coder.goOn();
    else coder.end();
  }
  return coder.toBytes();
}

/** The part of an arithmetic encoder that is needed if only the likelier value occurs. */
class LikelyCoder {
  readonly #writer = new BitWriter();
  #low = 0;
  #range = 510;
  #outstanding = 0;
  #isFirst = true;
  #state = FIRST_STATE;

  likely(): void {
    this.#range -= UNLIKELIER[this.#state - FIRST_STATE]![(this.#range >> 6) & 3]!;
    this.#state = Math.min(this.#state + 1, LAST_STATE);
    this.#renormalise();
  }

  goOn(): void {
    this.#range -= 2;
    this.#renormalise();
  }

  end(): void {
    this.#low += this.#range - 2;
    this.#range = 2;
    this.#renormalise();
    this.#put((this.#low >> 9) & 1);
    this.#writer.bits(((this.#low >> 7) & 3) | 1, 2);
  }

  toBytes(): Bytes {
    return this.#writer.toBytes();
  }

  #renormalise(): void {
    while (this.#range < 256) {
      if (this.#low < 256) this.#put(0);
      else if (this.#low >= 512) {
        this.#low -= 512;
        this.#put(1);
      } else {
        this.#low -= 256;
        this.#outstanding += 1;
      }
      this.#range <<= 1;
      this.#low <<= 1;
    }
  }

  #put(bit: number): void {
    if (this.#isFirst) this.#isFirst = false;
    else this.#writer.bit(bit);
    for (; this.#outstanding > 0; this.#outstanding -= 1) this.#writer.bit(1 - bit);
  }
}
