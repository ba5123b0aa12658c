import { BitReader, BitWriter, escaped, NAL_TYPE, nalType, splitByteStream, unescaped } from './nal-units.ts';

/** The fields of SPS and PPS that reading and writing slices needs. */
export interface SliceParameters {
  readonly frameNumBits: number;
  /** Bits of `pic_order_cnt_lsb`; null if pictures are shown in decoding order. */
  readonly pocLsbBits: number | null;
  readonly macroblocks: number;
  readonly ppsId: number;
  readonly cabac: boolean;
  /** The default number of references in each of the two lists. */
  readonly references: readonly [number, number];
  readonly weightedP: boolean;
  readonly weightedB: boolean;
  readonly initialQp: number;
  readonly deblockingControl: boolean;
}

/** The places of pictures get this many bits, the most there may be: enough for any run of repeated pictures. */
export const POC_LSB_BITS = 16;

/**
 * The parameter sets of an encoder, and those to write instead: with `POC_LSB_BITS`, and the same for all materials of a
 * quality, so that their chunks can be joined.
 */
export interface ParameterSets {
  /** For the slices as the encoder writes them. */
  readonly encoder: SliceParameters;
  /** For the slices as the stream has them. */
  readonly stream: SliceParameters;
  readonly units: readonly Uint8Array[];
}

/** What depends on the material, made the same. The slices of variable length codes are not rewritten that far. */
const COMMON = { weightedP: true, initialQp: 26 } as const;

/** Reads the parameter sets of x264: progressive, 4:2:0, eight bits, one set of each kind. */
export function readParameterSets(extradata: Uint8Array): ParameterSets {
  const units = splitByteStream(extradata);
  const sps = units.find((unit) => nalType(unit) === NAL_TYPE.sps);
  const pps = units.find((unit) => nalType(unit) === NAL_TYPE.pps);
  if (sps === undefined || pps === undefined) throw new Error('an encoder without parameter sets');
  const sequence = readSps(unescaped(sps));
  const picture = readPps(unescaped(pps));
  const encoder = { ...sequence.shape, ...picture.shape };
  const stream = encoder.cabac ? { ...encoder, ...COMMON } : encoder;
  return { encoder, stream, units: [sequence.widened, encoder.cabac ? picture.common : pps] };
}

/** Profiles whose parameter sets contain chroma and depth. (7.3.2.1.1) */
const HIGH_PROFILES = new Set([100, 110, 122, 244]);

function readSps(payload: Uint8Array): {
  shape: Pick<SliceParameters, 'frameNumBits' | 'pocLsbBits' | 'macroblocks'>;
  widened: Uint8Array;
} {
  const reader = new BitReader(payload, 1);
  const profile = reader.bits(8);
  reader.bits(16);
  reader.unsigned();
  if (HIGH_PROFILES.has(profile)) {
    for (let i = 0; i < 3; i += 1) reader.unsigned();
    reader.bit();
    if (reader.bit() === 1) throw new Error('scaling matrices were not asked for');
  }
  const frameNumBits = reader.unsigned() + 4;
  const beforeType = reader.position;
  const type = reader.unsigned();
  if (type !== 0 && type !== 2) throw new Error(`an order of pictures of type ${type}`);
  const pocLsbBits = type === 0 ? reader.unsigned() + 4 : null;
  const afterType = reader.position;
  reader.unsigned();
  reader.bit();
  const macroblocks = (reader.unsigned() + 1) * (reader.unsigned() + 1);
  if (reader.bit() === 0) throw new Error('interlacing was not asked for');

  const writer = new BitWriter();
  copyBits(payload, 0, beforeType, writer);
  writer.unsigned(0);
  writer.unsigned(POC_LSB_BITS - 4);
  copyBits(payload, afterType, endOfPayload(payload), writer);
  writer.bit(1);
  return { shape: { frameNumBits, pocLsbBits, macroblocks }, widened: escaped(writer.toBytes()) };
}

function readPps(payload: Uint8Array): {
  shape: Omit<SliceParameters, 'frameNumBits' | 'pocLsbBits' | 'macroblocks'>;
  common: Uint8Array;
} {
  const reader = new BitReader(payload, 1);
  const ppsId = reader.unsigned();
  reader.unsigned();
  const cabac = reader.bit() === 1;
  if (reader.bit() === 1) throw new Error('fields were not asked for');
  if (reader.unsigned() !== 0) throw new Error('slice groups were not asked for');
  const references: [number, number] = [reader.unsigned() + 1, reader.unsigned() + 1];
  const beforeWeights = reader.position;
  const weightedP = reader.bit() === 1;
  const weightedBKind = reader.bits(2);
  const initialQp = 26 + reader.signed();
  const afterQp = reader.position;
  reader.signed();
  reader.signed();
  const deblockingControl = reader.bit() === 1;
  reader.bit();
  if (reader.bit() === 1) throw new Error('redundant pictures were not asked for');

  const writer = new BitWriter();
  copyBits(payload, 0, beforeWeights, writer);
  writer.bit(Number(COMMON.weightedP));
  writer.bits(weightedBKind, 2);
  writer.signed(COMMON.initialQp - 26);
  copyBits(payload, afterQp, endOfPayload(payload), writer);
  writer.bit(1);
  const shape = {
    ...{ ppsId, cabac, references, weightedP, initialQp, deblockingControl },
    weightedB: weightedBKind === 1,
  };
  return { shape, common: escaped(writer.toBytes()) };
}

/** Where the bits of a payload end: before the last 1, which is the stop bit. (7.3.2.11) */
export function endOfPayload(payload: Uint8Array): number {
  let last = payload.length - 1;
  while (payload[last] === 0) last -= 1;
  return last * 8 + 7 - Math.log2(payload[last]! & -payload[last]!);
}

function copyBits(from: Uint8Array, start: number, end: number, to: BitWriter): void {
  const reader = new BitReader(from);
  reader.skip(start);
  for (let at = start; at < end; at += 1) to.bit(reader.bit());
}
