import { stat } from 'node:fs/promises';
import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import { type ClockStretch, ClockStretches, withinHalfATurn } from './clock-stretches.ts';
import { eachTransportStamp } from './transport-stamps.ts';

/**
 * The clock of a transport stream that was joined from several, or whose clock jumps: one that goes on throughout. What
 * time a packet is of depends on where in the file it lies and on nothing else, so playing and seeking agree. (R4, R21)
 */
export class JoinedClock {
  readonly #stretches: readonly ClockStretch[];
  /** The stretch each stream was last seen in: not every packet knows where it lies. */
  readonly #current = new Map<number, ClockStretch>();
  /** The one reading began in. */
  #began: ClockStretch;

  constructor(stretches: readonly ClockStretch[]) {
    this.#stretches = stretches;
    this.#began = stretches[0]!;
  }

  /** Gives a packet, just read, its times on this clock. @returns whether its stream enters another part with it. */
  retime(packet: Packet): boolean {
    const { pos, pts, dts, streamIndex } = packet;
    const stretch = pos >= 0n ? this.#stretchAt(Number(pos)) : (this.#current.get(streamIndex) ?? this.#began);
    const before = this.#current.get(streamIndex);
    this.#current.set(streamIndex, stretch);
    packet.pts = retimed(pts, stretch);
    packet.dts = retimed(dts, stretch);
    return before !== undefined && before !== stretch;
  }

  /** The byte from which reading goes on, so that a stream's packets of `time` and later are met. */
  seek({ id }: Pick<Stream, 'id'>, time: number): number {
    let byte = 0;
    this.#began = this.#stretches[0]!;
    for (const stretch of this.#stretches) {
      const place = stretch.places.get(id)?.findLast((candidate) => candidate.time <= time);
      if (place === undefined) continue;
      byte = place.at;
      this.#began = stretch;
    }
    this.#current.clear();
    return byte;
  }

  #stretchAt(byte: number): ClockStretch {
    let [low, high] = [0, this.#stretches.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#stretches[middle]!.from <= byte) low = middle;
      else high = middle;
    }
    return this.#stretches[low]!;
  }
}

/** Files met lately: a render opens the same one again and again. */
const known = new Map<string, Promise<readonly ClockStretch[]>>();
const MOST_KNOWN = 64;
/** Nobody joins more; a file with more jumps is broken, and its own clock as good as any. */
const MOST_STRETCHES = 10_000;

/** The clock for a transport stream's picture and sound; null where the file's own will do. */
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
  let found = known.get(key);
  if (found === undefined) {
    found = findStretches(file, main, new Set(pids));
    if (known.size === MOST_KNOWN) known.delete(known.keys().next().value!);
    known.set(key, found);
    found.catch(() => known.delete(key));
  }
  const stretches = await found;
  return stretches.length < 2 ? null : new JoinedClock(stretches);
}

async function findStretches(file: string, main: Stream, pids: ReadonlySet<number>): Promise<readonly ClockStretch[]> {
  const stretches = new ClockStretches(main.id);
  const start = main.startTime === AV_NOPTS_VALUE ? 0 : Number(main.startTime);
  await eachTransportStamp(file, pids, (stamp) => {
    stretches.add(stamp);
    return stretches.count <= MOST_STRETCHES;
  });
  return stretches.count <= MOST_STRETCHES ? stretches.laidOut(start) : [];
}

function retimed(timestamp: bigint, { first, base }: ClockStretch): bigint {
  if (timestamp === AV_NOPTS_VALUE) return timestamp;
  return BigInt(base + withinHalfATurn(Number(timestamp) - first));
}
