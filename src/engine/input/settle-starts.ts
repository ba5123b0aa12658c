import { AV_NOPTS_VALUE } from 'node-av/constants';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';

/** So many packets are enough to see the first frame in presentation order. */
const PACKETS_READ = 64;

/**
 * Fills in when streams begin where libavformat could not tell, as in a Matroska file of a few frames: source time is
 * counted from there.
 *
 * @param fresh the same file, opened once more and not yet read; stays the caller's.
 */
export function settleStarts(streams: readonly Stream[], fresh: FormatContext): void {
  const starts = new Map<number, bigint>();
  using packet = new Packet();
  packet.alloc();
  for (let read = 0; read < PACKETS_READ && fresh.readFrameSync(packet) >= 0; read++) {
    const { streamIndex, pts, dts } = packet;
    const timestamp = pts === AV_NOPTS_VALUE ? dts : pts;
    const known = starts.get(streamIndex);
    if (timestamp !== AV_NOPTS_VALUE && (known === undefined || timestamp < known)) starts.set(streamIndex, timestamp);
    packet.unref();
  }
  for (const stream of streams) stream.startTime = starts.get(stream.index) ?? AV_NOPTS_VALUE;
}
