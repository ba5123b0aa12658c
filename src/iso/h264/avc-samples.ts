import type { Bytes } from '../bytes.ts';
import { NAL_TYPE, nalType, splitByteStream } from './nal-units.ts';

/** In front of each NAL unit of a sample. */
export const LENGTH_BYTES = 4;
const HIGH = 100;

/** A picture as an MP4 has it: each NAL unit of a byte stream after its length. (ISO/IEC 14496-15) */
export function avcSample(stream: Uint8Array): Bytes {
  const units = splitByteStream(stream);
  const sample = new Uint8Array(units.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0));
  const view = new DataView(sample.buffer);
  let at = 0;
  for (const unit of units) {
    view.setUint32(at, unit.length);
    sample.set(unit, at + LENGTH_BYTES);
    at += LENGTH_BYTES + unit.length;
  }
  return sample;
}

/** The decoder configuration record of parameter sets in a byte stream, one of each kind: `avcC`. (5.3.3.1) */
export function avcConfig(stream: Uint8Array): Bytes {
  const units = splitByteStream(stream);
  const sps = units.find((unit) => nalType(unit) === NAL_TYPE.sps);
  const pps = units.find((unit) => nalType(unit) === NAL_TYPE.pps);
  if (sps === undefined || pps === undefined) throw new Error('no parameter sets');
  const [, profile, compatibility, level] = sps;
  const set = (unit: Uint8Array) => [unit.length >> 8, unit.length & 0xff, ...unit];
  return Uint8Array.from([
    ...[1, profile!, compatibility!, level!, 0xfc | (LENGTH_BYTES - 1), 0xe0 | 1, ...set(sps), 1, ...set(pps)],
    // Chroma 4:2:0, eight bits, no extensions.
    ...(profile! >= HIGH ? [0xfc | 1, 0xf8, 0xf8, 0] : []),
  ]);
}

/** The parameter sets with another level: some encoders declare one by the rate, and chunks of several rates are joined. */
export function withLevel(sets: readonly Uint8Array[], level: number): Uint8Array[] {
  return sets.map((unit) => (nalType(unit) === NAL_TYPE.sps ? Uint8Array.from(unit).fill(level, 3, 4) : unit));
}

/** The parameter sets of a byte stream, and its other units without the marks between pictures. */
export function splitSets(stream: Uint8Array): { readonly sets: Uint8Array[]; readonly slices: Uint8Array[] } {
  const units = splitByteStream(stream);
  const isSlice = (unit: Uint8Array) => nalType(unit) === NAL_TYPE.slice || nalType(unit) === NAL_TYPE.idrSlice;
  const isSet = (unit: Uint8Array) => nalType(unit) === NAL_TYPE.sps || nalType(unit) === NAL_TYPE.pps;
  return { sets: units.filter(isSet), slices: units.filter(isSlice) };
}
