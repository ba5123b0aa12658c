import { open, stat } from 'node:fs/promises';
import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import { firstIndex, RecentMap } from '../../collections.ts';

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

/** The tick rate of transport streams, and where their clock wraps. */
const TICKS_PER_SECOND = 90_000;
const WRAP = 2 ** 33;

/** Packets are ordered by decoding time, which never decreases; muxers that get it wrong do so by a few frames. */
const BACK_TICKS = 0.5 * TICKS_PER_SECOND;
/** A larger jump is another clock. A smaller jump is a hole in the recording, which lasts as long. */
const AHEAD_TICKS = 10 * TICKS_PER_SECOND;
/** A shorter part between two epochs of one clock is an error in the clock. */
const STRAY_TICKS = TICKS_PER_SECOND;
/** How far apart the places are that a seek may go to. */
const PLACE_TICKS = 0.5 * TICKS_PER_SECOND;

/** A part of a file whose timestamps use one clock. */
interface ClockEpoch {
  /** The byte it begins at. */
  readonly from: number;
  /** A timestamp at its beginning; all others are within half a turn of it. */
  readonly first: number;
  /** That timestamp on the clock of the whole file. */
  readonly base: number;
  /** Bytes from which each stream can be read on, and the time there, both ascending. */
  readonly places: ReadonlyMap<number, readonly ClockPlace[]>;
}

interface ClockPlace {
  readonly at: number;
  readonly time: number;
}

/**
 * Cuts a file into epochs where its clock starts over or jumps, and lays them end to end: each starts where the one
 * before ends, by the picture if there is one. (R21)
 */
export class ClockEpochs {
  readonly #main: number;
  readonly #epochs: Epoch[] = [];

  /** @param main the stream by which epochs are joined: that of the picture, if there is one. */
  constructor(main: number) {
    this.#main = main;
  }

  /** How many there are so far. */
  get count(): number {
    return this.#epochs.length;
  }

  /** Call it with all stamps of a file, in order. */
  add(stamp: TransportStamp): void {
    const current = this.#epochs.at(-1);
    if (current === undefined || !current.continues(stamp)) this.#epochs.push(new Epoch(stamp));
    this.#epochs.at(-1)!.add(stamp);
  }

  /** @param start the file's first timestamp, plus or minus a wrap of the clock. */
  laidOut(start: number): ClockEpoch[] {
    const laid: ClockEpoch[] = [];
    for (const [index, epoch] of this.#epochs.entries()) {
      const base = index === 0 ? start + wrappedDifference(epoch.first - start) : this.#baseOf(index, laid);
      laid.push({ from: epoch.from, first: epoch.first, base, places: epoch.placesFrom(base) });
    }
    return laid;
  }

  #baseOf(index: number, laid: readonly ClockEpoch[]): number {
    const epoch = this.#epochs[index]!;
    const before = this.#epochs[index - 1]!;
    // A stray timestamp, or one of the sound alone, does not start another clock.
    const same = [index - 1, ...(before.isStray ? [index - 2] : [])].find(
      (earlier) => this.#epochs[earlier]?.isContinuedBy(epoch, this.#main) === true,
    );
    if (same !== undefined) return laid[same]!.base + wrappedDifference(epoch.first - laid[same]!.first);
    return laid[index - 1]!.base + before.endOf(this.#main) - epoch.startOf(this.#main);
  }
}

/** The difference of two timestamps, across any wraps of the clock. */
export function wrappedDifference(difference: number): number {
  const turned = ((difference % WRAP) + WRAP) % WRAP;
  return turned >= WRAP / 2 ? turned - WRAP : turned;
}

/** Times in it count from its first timestamp. */
class Epoch {
  readonly from: number;
  readonly first: number;
  readonly #streams = new Map<number, Span>();
  #newest = 0;

  constructor({ at, dts }: TransportStamp) {
    this.from = at;
    this.first = dts;
  }

  continues({ pid, dts }: TransportStamp): boolean {
    const time = wrappedDifference(dts - this.first);
    const known = this.#streams.get(pid);
    const earliest = known === undefined ? this.#newest - AHEAD_TICKS : known.lastDecoded - BACK_TICKS;
    return time >= earliest && time <= this.#newest + AHEAD_TICKS;
  }

  add({ pid, at, pts, dts }: TransportStamp): void {
    const shown = wrappedDifference(pts - this.first);
    const decoded = wrappedDifference(dts - this.first);
    this.#newest = Math.max(this.#newest, decoded);
    const span = this.#streams.get(pid);
    if (span === undefined) this.#streams.set(pid, new Span(shown, decoded, at));
    else span.add(shown, decoded, at);
  }

  get isStray(): boolean {
    return this.#newest < STRAY_TICKS;
  }

  /** Whether the times of stream `main` in `next` continue those of this epoch. */
  isContinuedBy(next: Epoch, main: number): boolean {
    const [here, there] = [this.#streams.get(main), next.#streams.get(main)];
    if (here === undefined || there === undefined) return false;
    const step = wrappedDifference(next.first + there.firstDecoded - this.first - here.lastDecoded);
    return step >= -BACK_TICKS && step <= AHEAD_TICKS;
  }

  /** When `main` begins; where it is not there, when anything does. */
  startOf(main: number): number {
    return this.#streams.get(main)?.start ?? Math.min(...this.#spans.map(({ start }) => start));
  }

  endOf(main: number): number {
    return this.#streams.get(main)?.end ?? Math.max(...this.#spans.map(({ end }) => end));
  }

  placesFrom(base: number): Map<number, ClockPlace[]> {
    const moved = ({ at, time }: ClockPlace) => ({ at, time: base + time });
    return new Map([...this.#streams].map(([pid, { places }]) => [pid, places.map(moved)]));
  }

  get #spans(): Span[] {
    return [...this.#streams.values()];
  }
}

/** One stream's part of an epoch. */
class Span {
  readonly firstDecoded: number;
  lastDecoded: number;
  readonly places: ClockPlace[];
  #first: number;
  #last: number;
  #count = 1;

  constructor(shown: number, decoded: number, at: number) {
    this.#first = shown;
    this.#last = shown;
    this.firstDecoded = decoded;
    this.lastDecoded = decoded;
    this.places = [{ at, time: decoded }];
  }

  add(shown: number, decoded: number, at: number): void {
    this.#first = Math.min(this.#first, shown);
    this.#last = Math.max(this.#last, shown);
    this.lastDecoded = Math.max(this.lastDecoded, decoded);
    this.#count += 1;
    if (decoded >= this.places.at(-1)!.time + PLACE_TICKS) this.places.push({ at, time: decoded });
  }

  get start(): number {
    return this.#first;
  }

  /** The last is taken to last as long as the others on average. */
  get end(): number {
    const each = this.#count < 2 ? 0 : (this.#last - this.#first) / (this.#count - 1);
    return Math.round(this.#last + each);
  }
}

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
async function eachTransportStamp(
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
