import type { Bytes } from '../bytes.ts';
import { isReference, joinByteStream, NAL_TYPE, nalType, splitByteStream } from './nal-units.ts';
import { type ParameterSets, readParameterSets } from './parameter-sets.ts';
import { RepeatedPictures } from './repeated-picture.ts';
import { placeSlice } from './slice-header.ts';

/** One coded picture in the order of decoding. */
export interface CodedPicture {
  readonly bytes: Bytes;
  /** The frame it is shown as, counted from the stream's start. */
  readonly at: number;
  readonly isKey: boolean;
}

/** A picture as an encoder returns it: a byte stream, by the encoder's clock. */
interface EncodedPicture {
  readonly pts: bigint;
  readonly data: Uint8Array | null;
  readonly isKeyframe: boolean;
}

/** The decoder configuration of such a stream, made from the encoder's own parameter sets. */
export function streamConfig(parameterSets: Uint8Array): Bytes {
  return joinByteStream(readParameterSets(parameterSets).units);
}

/** Where a picture of the encoder's goes: the frame it is shown as, and how many frames after it look the same. */
interface Showing {
  readonly at: number;
  readonly repeats: number;
}

/**
 * Adds the frames that the encoder does not get because they equal the frame before: for each of them, a coded picture
 * that shows the last one again. (R22)
 *
 * The encoder must have made the picture before such a gap an anchor (I or P): one that is shown after all that were
 * decoded before it.
 */
export class RepeatingStream {
  readonly #sets: ParameterSets;
  readonly #repeated: RepeatedPictures;
  readonly #sink: (picture: CodedPicture) => void;
  /** By the encoder's clock. */
  readonly #expected = new Map<number, Showing>();
  #groupStart = 0;
  #lastFrameNum = 0;
  #repeating: (Showing & { readonly frameNum: number }) | null = null;

  constructor(parameterSets: Uint8Array, sink: (picture: CodedPicture) => void) {
    this.#sets = readParameterSets(parameterSets);
    this.#repeated = new RepeatedPictures(this.#sets.stream);
    this.#sink = sink;
  }

  /** Call this before the encoder returns the picture that it got at `ticks`. */
  expect(ticks: number, showing: Showing): void {
    this.#expected.set(ticks, showing);
  }

  /** A picture from the encoder, in its order of decoding. */
  write(packet: EncodedPicture): void {
    const ticks = Number(packet.pts);
    const showing = this.#expected.get(ticks);
    if (showing === undefined) throw new Error(`a picture that was never given: ${ticks}`);
    this.#expected.delete(ticks);
    const { at, repeats } = showing;
    // Pictures that refer to both sides of an anchor are decoded after it and shown before it: repeating begins only
    // then.
    if (this.#repeating !== null && at > this.#repeating.at) this.#repeat();
    if (packet.isKeyframe) this.#groupStart = at;
    const units: Uint8Array[] = [];
    for (const unit of splitByteStream(packet.data!)) {
      const type = nalType(unit);
      if (type !== NAL_TYPE.slice && type !== NAL_TYPE.idrSlice) {
        units.push(unit);
        continue;
      }
      const { nal, frameNum } = placeSlice(unit, this.#place(at), this.#sets);
      units.push(nal);
      if (isReference(unit)) this.#lastFrameNum = frameNum;
      else if (repeats > 0) throw new Error('a picture that is to be repeated must be one that others can refer to');
      if (repeats > 0) this.#repeating = { at, repeats, frameNum };
    }
    this.#sink({ bytes: joinByteStream(units), at, isKey: packet.isKeyframe });
  }

  /** The encoder has no more packets. */
  end(): void {
    this.#repeat();
  }

  #repeat(): void {
    if (this.#repeating === null) return;
    const { at, repeats, frameNum } = this.#repeating;
    this.#repeating = null;
    for (let frame = at + 1; frame <= at + repeats; frame += 1) {
      const repetition = { frameNum, lastFrameNum: this.#lastFrameNum, place: this.#place(frame) };
      this.#sink({ bytes: joinByteStream([this.#repeated.picture(repetition)]), at: frame, isKey: false });
    }
  }

  #place(at: number): number {
    return 2 * (at - this.#groupStart);
  }
}
