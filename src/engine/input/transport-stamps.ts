import { open } from 'node:fs/promises';

/** A timestamp of a transport stream: one for each packet of picture or sound (PES) that has one. */
export interface TransportStamp {
  /** Which elementary stream. */
  readonly pid: number;
  /** The position of its transport packet in the file. */
  readonly at: number;
  /** When it is shown and decoded, in ticks of a clock that starts over after 2³³. */
  readonly pts: number;
  readonly dts: number;
}

const SYNC = 0x47;
const PACKET_BYTES = 188;
/** With a time code in front, as cameras and recorders write it. */
const TIMED_PACKET_BYTES = 192;
const BYTES_AT_ONCE = 32_768 * PACKET_BYTES;

/**
 * Calls `use` with all timestamps of a transport stream's `pids`, in file order, until it returns false. Reads only
 * headers: a gigabyte takes a third of a second, a thirtieth of demuxing it.
 */
export async function eachTransportStamp(
  file: string,
  pids: ReadonlySet<number>,
  use: (stamp: TransportStamp) => boolean,
): Promise<void> {
  await using handle = await open(file);
  const buffer = Buffer.allocUnsafe(BYTES_AT_ONCE);
  let step: number | null = null;
  for (let base = 0, kept = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, kept, buffer.length - kept, base + kept);
    const bytes = buffer.subarray(0, kept + bytesRead);
    step ??= bytes[0] === SYNC && bytes[PACKET_BYTES] === SYNC ? PACKET_BYTES : TIMED_PACKET_BYTES;
    let at = 0;
    while (at + PACKET_BYTES <= bytes.length) {
      // After a cut in mid-packet, continue at the next sync byte that is followed by another.
      if (bytes[at] !== SYNC || (bytes[at + step] ?? SYNC) !== SYNC) at += 1;
      else {
        const stamp = stampIn(bytes, at, pids);
        if (stamp !== null && !use({ ...stamp, at: base + at - (step - PACKET_BYTES) })) return;
        at += step;
      }
    }
    if (bytesRead === 0) return;
    bytes.copyWithin(0, at);
    kept = Math.max(0, bytes.length - at);
    base += at;
  }
}

/** The timestamp in a transport packet (ISO/IEC 13818-1, 2.4.3), null if it has none or belongs to another stream. */
function stampIn(bytes: Buffer, packet: number, pids: ReadonlySet<number>): Omit<TransportStamp, 'at'> | null {
  const beginsUnit = (bytes[packet + 1]! & 0x40) !== 0;
  if (!beginsUnit) return null;
  const pid = bytes.readUInt16BE(packet + 1) & 0x1fff;
  if (!pids.has(pid)) return null;
  const hasAdaptation = (bytes[packet + 3]! & 0x20) !== 0;
  const unit = packet + 4 + (hasAdaptation ? 1 + bytes[packet + 4]! : 0);
  if (unit + 19 > packet + PACKET_BYTES || bytes.readUIntBE(unit, 3) !== 1) return null;
  const timestampFlags = bytes[unit + 7]! >> 6;
  if (timestampFlags < 2) return null;
  const pts = ticksAt(bytes, unit + 9);
  return { pid, pts, dts: timestampFlags === 3 ? ticksAt(bytes, unit + 14) : pts };
}

/** 33 bits, with markers between them. */
function ticksAt(bytes: Buffer, at: number): number {
  const high = (bytes[at]! >> 1) & 7;
  const middle = bytes.readUInt16BE(at + 1) >> 1;
  const low = bytes.readUInt16BE(at + 3) >> 1;
  return high * 2 ** 30 + middle * 2 ** 15 + low;
}
