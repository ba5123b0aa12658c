import { joinBytes } from '../bytes.ts';
import { BitReader, BitWriter, escaped, isReference, NAL_TYPE, nalType, unescaped } from './nal-units.ts';
import { endOfPayload, type ParameterSets, POC_LSB_BITS } from './parameter-sets.ts';

/** The kinds of slices, as their numbers are modulo 5. */
const P = 0;
const B = 1;
const I = 2;

/** A slice with another place in the order of showing. */
interface PlacedSlice {
  readonly nal: Uint8Array;
  /** The count of reference pictures that the standard numbers pictures by. */
  readonly frameNum: number;
}

/**
 * Gives a slice a new place in display order, and the header that the stream's parameter sets ask for. What it decodes
 * to stays the same; the data after the header is not parsed. (7.3.3)
 *
 * @param place twice the frames since the group's first. (8.2.1)
 */
export function placeSlice(nal: Uint8Array, place: number, sets: ParameterSets): PlacedSlice {
  const shape = sets.encoder;
  const payload = unescaped(nal);
  const reader = new BitReader(payload, 1);
  const writer = new BitWriter();
  writer.bits(payload[0]!, 8);
  const copy = new HeaderCopy(reader, writer);
  copy.unsigned();
  const kind = copy.unsigned() % 5;
  copy.unsigned();
  const frameNum = copy.bits(shape.frameNumBits);
  if (nalType(nal) === NAL_TYPE.idrSlice) copy.unsigned();
  if (shape.pocLsbBits !== null) reader.skip(shape.pocLsbBits);
  writer.bits(place % 2 ** POC_LSB_BITS, POC_LSB_BITS);
  if (!shape.cabac) {
    // Here the picture follows at once, bit by bit.
    for (let left = endOfPayload(payload) - reader.position; left > 0; left -= 1) writer.bit(reader.bit());
    writer.bit(1);
    return { nal: escaped(writer.toBytes()), frameNum };
  }
  copyRest(copy, kind, nal, sets);
  while (!writer.isAligned) writer.bit(1);
  const body = payload.subarray(Math.ceil(reader.position / 8));
  return { nal: escaped(joinBytes([writer.toBytes(), body])), frameNum };
}

/** Reads fields and writes the same. */
class HeaderCopy {
  readonly #reader: BitReader;
  readonly #writer: BitWriter;

  constructor(reader: BitReader, writer: BitWriter) {
    this.#reader = reader;
    this.#writer = writer;
  }

  bits(count: number): number {
    const value = this.#reader.bits(count);
    this.#writer.bits(value, count);
    return value;
  }

  unsigned(): number {
    const value = this.#reader.unsigned();
    this.#writer.unsigned(value);
    return value;
  }

  /** @param more what is added to it. */
  signed(more = 0): void {
    this.#writer.signed(this.#reader.signed() + more);
  }

  /** A table in which each of these references has the weight 1. */
  writeNeutralWeights(references: number): void {
    for (let denominator = 0; denominator < 2; denominator += 1) this.#writer.unsigned(0);
    this.#writer.bits(0, 2 * references);
  }
}

function copyRest(copy: HeaderCopy, kind: number, nal: Uint8Array, { encoder: shape, stream }: ParameterSets): void {
  const lists = kind === I ? 0 : kind === P ? 1 : 2;
  if (kind === B) copy.bits(1);
  const references = [...shape.references];
  if (lists > 0 && copy.bits(1) === 1)
    for (let list = 0; list < lists; list += 1) references[list] = copy.unsigned() + 1;
  for (let list = 0; list < lists; list += 1) if (copy.bits(1) === 1) while (copy.unsigned() !== 3) copy.unsigned();
  if ((kind === P && shape.weightedP) || (kind === B && shape.weightedB)) copyWeights(copy, references.slice(0, lists));
  else if (kind === P && stream.weightedP) copy.writeNeutralWeights(references[0]!);
  if (isReference(nal)) copyMarking(copy, nalType(nal) === NAL_TYPE.idrSlice);
  if (kind !== I) copy.unsigned();
  copy.signed(shape.initialQp - stream.initialQp);
  if (shape.deblockingControl && copy.unsigned() !== 1) {
    copy.signed();
    copy.signed();
  }
}

/** (7.3.3.2) */
function copyWeights(copy: HeaderCopy, references: readonly number[]): void {
  copy.unsigned();
  copy.unsigned();
  for (const count of references) {
    for (let i = 0; i < count; i += 1) {
      if (copy.bits(1) === 1) for (let value = 0; value < 2; value += 1) copy.signed();
      if (copy.bits(1) === 1) for (let value = 0; value < 4; value += 1) copy.signed();
    }
  }
}

/** (7.3.3.3) */
function copyMarking(copy: HeaderCopy, isIdr: boolean): void {
  if (isIdr) {
    copy.bits(2);
    return;
  }
  if (copy.bits(1) === 0) return;
  for (let operation = copy.unsigned(); operation !== 0; operation = copy.unsigned()) {
    const values = operation === 3 ? 2 : operation === 5 ? 0 : 1;
    for (let value = 0; value < values; value += 1) copy.unsigned();
  }
}
