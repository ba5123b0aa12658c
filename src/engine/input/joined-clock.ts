import { stat } from 'node:fs/promises';
import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import { firstIndex } from '../../collections/first-index.ts';
import { RecentMap } from '../../collections/recent-map.ts';
import { type ClockEpoch, ClockEpochs, wrappedDifference } from './clock-epochs.ts';
import { eachTransportStamp } from './transport-stamps.ts';

/**
 * A continuous clock for a transport stream that was joined from several, or whose clock jumps. The time of a packet
 * depends only on its position in the file, so playing and seeking agree. (R4, R21)
 */
export class JoinedClock {
  readonly #epochs: readonly ClockEpoch[];
  /** The last epoch of each stream: not every packet has a position. */
  readonly #current = new Map<number, ClockEpoch>();
  /** The one reading began in. */
  #began: ClockEpoch;

  constructor(epochs: readonly ClockEpoch[]) {
    this.#epochs = epochs;
    this.#began = epochs[0]!;
  }

  /** Gives a packet, just read, its times on this clock. @returns whether its stream enters another part with it. */
  retime(packet: Packet): boolean {
    const { pos, pts, dts, streamIndex } = packet;
    const epoch = pos >= 0n ? this.#epochAt(Number(pos)) : (this.#current.get(streamIndex) ?? this.#began);
    const before = this.#current.get(streamIndex);
    this.#current.set(streamIndex, epoch);
    packet.pts = retimed(pts, epoch);
    packet.dts = retimed(dts, epoch);
    return before !== undefined && before !== epoch;
  }

  /** The byte to read from, so that all packets of a stream from `time` on follow. */
  seek({ id }: Pick<Stream, 'id'>, time: number): number {
    let byte = 0;
    this.#began = this.#epochs[0]!;
    for (const epoch of this.#epochs) {
      const place = epoch.places.get(id)?.findLast((candidate) => candidate.time <= time);
      if (place === undefined) continue;
      byte = place.at;
      this.#began = epoch;
    }
    this.#current.clear();
    return byte;
  }

  #epochAt(byte: number): ClockEpoch {
    const after = firstIndex(this.#epochs.length, (index) => this.#epochs[index]!.from > byte);
    return this.#epochs[Math.max(0, after - 1)]!;
  }
}

/** Recently opened files: a render opens the same file many times. */
const known = new RecentMap<string, Promise<readonly ClockEpoch[]>>(64);
/** A file with more jumps is broken, and its own clock is as good as any. */
const MAX_EPOCHS = 10_000;

/** The clock for a transport stream's picture and sound; null if the file's own is continuous. */
export async function joinedClock(
  file: string,
  video: Stream | null,
  audio: Stream | null,
): Promise<JoinedClock | null> {
  const main = video ?? audio;
  if (main === null) return null;
  const { size, mtimeMs, ino } = await stat(file);
  const pids = [video, audio].filter((stream) => stream !== null).map(({ id }) => id);
  const key = [file, size, mtimeMs, ino, ...pids].join(' ');
  const found = known.getOrMake(key, () => findEpochs(file, main, new Set(pids)));
  found.catch(() => known.delete(key));
  const epochs = await found;
  return epochs.length < 2 ? null : new JoinedClock(epochs);
}

async function findEpochs(file: string, main: Stream, pids: ReadonlySet<number>): Promise<readonly ClockEpoch[]> {
  const epochs = new ClockEpochs(main.id);
  const start = main.startTime === AV_NOPTS_VALUE ? 0 : Number(main.startTime);
  await eachTransportStamp(file, pids, (stamp) => {
    epochs.add(stamp);
    return epochs.count <= MAX_EPOCHS;
  });
  return epochs.count <= MAX_EPOCHS ? epochs.laidOut(start) : [];
}

function retimed(timestamp: bigint, { first, base }: ClockEpoch): bigint {
  if (timestamp === AV_NOPTS_VALUE) return timestamp;
  return BigInt(base + wrappedDifference(Number(timestamp) - first));
}
