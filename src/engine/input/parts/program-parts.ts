import { nextPlace, type PartScanner } from './part-scanner.ts';

const TICKS_PER_SECOND = 90_000;
/** Muxers that get the clock wrong do so by a few frames. */
const BACK_TICKS = 0.5 * TICKS_PER_SECOND;
/** Up to here a step ahead is a hole in the recording; beyond it, it is another clock. */
const AHEAD_TICKS = 10 * TICKS_PER_SECOND;

const PACK = 0xba;
const PACK_BYTES = 14;
const FIRST_VERSION_PACK_BYTES = 12;
const PROGRAM_END = 0xb9;

/** A pack whose time does not continue the clock so far. */
interface Jump {
  readonly position: number;
  readonly ticks: number;
}

/** MPEG program streams, packet by packet: a part begins where the clock of two packs in a row starts over, or jumps ahead. (R21) */
export function programParts(): PartScanner {
  let clock: number | null = null;
  let jump: Jump | null = null;

  /** Where another part has begun with the pack at `position` or with the one before it. */
  const partAt = (position: number, ticks: number): number | undefined => {
    if (clock === null || continues(clock, ticks)) {
      const begins = clock === null;
      [clock, jump] = [ticks, null];
      return begins ? position : undefined;
    }
    if (jump === null || !continues(jump.ticks, ticks)) {
      jump = { position, ticks };
      return undefined;
    }
    const part = jump.position;
    [clock, jump] = [ticks, null];
    return part;
  };

  return {
    step(bytes, at, position) {
      if (at + PACK_BYTES > bytes.length || bytes.readUIntBE(at, 3) !== 1) return null;
      const code = bytes[at + 3]!;
      if (code < PROGRAM_END) return null;
      if (code === PROGRAM_END) return { length: 4 };
      if (code !== PACK) return { length: 6 + bytes.readUInt16BE(at + 4) };
      const pack = packAt(bytes, at);
      if (pack === null) return null;
      const part = partAt(position, pack.ticks);
      return part === undefined ? { length: pack.length } : { length: pack.length, part };
    },
    next: (bytes, at) => nextPlace('\0\0\x01\xba', bytes, at),
  };
}

function continues(clock: number, ticks: number): boolean {
  return ticks >= clock - BACK_TICKS && ticks <= clock + AHEAD_TICKS;
}

/** A pack's header (ISO/IEC 13818-1, 2.5.3.3; in MPEG-1 ISO/IEC 11172-1, 2.4.3.2): its length, and its clock. */
function packAt(bytes: Buffer, at: number): { length: number; ticks: number } | null {
  const word = bytes.readBigUInt64BE(at + 4);
  const isSecondVersion = word >> 62n === 1n;
  if (!isSecondVersion && word >> 60n !== 2n) return null;
  // 33 bits, with markers between them.
  const end = isSecondVersion ? 27n : 25n;
  const [high, middle, low] = [word >> (end + 32n), word >> (end + 16n), word >> end];
  const ticks = Number(((high & 7n) << 30n) | ((middle & 0x7fffn) << 15n) | (low & 0x7fffn));
  return { length: isSecondVersion ? PACK_BYTES + (bytes[at + 13]! & 7) : FIRST_VERSION_PACK_BYTES, ticks };
}
