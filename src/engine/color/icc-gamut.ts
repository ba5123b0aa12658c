import { AVCOL_PRI_BT2020, AVCOL_PRI_SMPTE432, type AVColorPrimaries } from 'node-av/constants';

type Xyz = readonly [x: number, y: number, z: number];

/** The gamuts we can convert from, by their primaries as profiles hold them: adapted to D50. */
const KNOWN: readonly (readonly [primaries: AVColorPrimaries, red: Xyz, green: Xyz, blue: Xyz])[] = [
  [AVCOL_PRI_SMPTE432, [0.5151, 0.2412, -0.0011], [0.292, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]],
  [AVCOL_PRI_BT2020, [0.6734, 0.279, -0.0019], [0.1656, 0.6753, 0.0299], [0.1251, 0.0456, 0.7968]],
];
/** Between profiles of one gamut by different makers; the gamuts themselves are ten times as far apart. */
const TOLERANCE = 0.005;

const HEADER_BYTES = 128;
const ENTRY_BYTES = 12;
/** More tags than any profile has. */
const MAX_TAGS = 100;

/**
 * The wide gamut of an embedded ICC profile, as phones write it into photographs; null for any other profile and for
 * invalid data. Their transfer is sRGB's.
 */
export function iccGamut(profile: Buffer): AVColorPrimaries | null {
  const colorants = ['rXYZ', 'gXYZ', 'bXYZ'].map((tag) => xyzTag(profile, tag));
  const found = KNOWN.find(([, ...known]) => known.every((xyz, n) => isNear(xyz, colorants[n] ?? null)));
  return found?.[0] ?? null;
}

function xyzTag(profile: Buffer, tag: string): Xyz | null {
  if (profile.length < HEADER_BYTES + 4) return null;
  const count = Math.min(MAX_TAGS, profile.readUInt32BE(HEADER_BYTES));
  for (let n = 0; n < count; n++) {
    const entry = HEADER_BYTES + 4 + n * ENTRY_BYTES;
    if (entry + ENTRY_BYTES > profile.length) return null;
    if (profile.toString('latin1', entry, entry + 4) !== tag) continue;
    // A type, four empty bytes, and three numbers with 16 fractional bits.
    const at = profile.readUInt32BE(entry + 4) + 8;
    if (at + 12 > profile.length) return null;
    const fixed = (offset: number) => profile.readInt32BE(at + offset) / 0x1_0000;
    return [fixed(0), fixed(4), fixed(8)];
  }
  return null;
}

function isNear(a: Xyz, b: Xyz | null): boolean {
  return b?.every((value, n) => Math.abs(value - a[n]!) <= TOLERANCE) ?? false;
}
