import { setImmediate as breathe } from 'node:timers/promises';
import { AV_NOPTS_VALUE, AV_PKT_DATA_SKIP_SAMPLES, AVERROR_EOF, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { Packet, type Stream } from 'node-av/lib';
import { type InputFile, READ_ERRORS_IN_A_ROW } from './input-file.ts';

/** The properties of a stream by its packets, not by its header. Times are microseconds on the file's clock. */
export interface StreamScan {
  /** How many packets were read; all of them if `complete`. */
  readonly packets: number;
  readonly complete: boolean;
  /** When the last packet is shown, and when its content ends; null if packets carry no time. */
  readonly last: number | null;
  readonly end: number | null;
  /** When packets are shown, ascending; of the first part of a long file only. */
  readonly times: readonly number[];
}

/** How much is read. */
interface ScanBudget {
  readonly packets: number;
  readonly bytes: number;
}

/** Beyond this, the middle of a file is not read, only its end. */
const HEAD: ScanBudget = { packets: 60_000, bytes: 128 * 1024 * 1024 };
const UNLIMITED: ScanBudget = { packets: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
/** A sound packet that claims more is wrong: demuxers subtract, and go below zero in Ogg Vorbis of less than a second. */
const LONGEST_SOUND_PACKET_MICROS = 60_000_000;
/** A picture is not shown this long before it is decoded. */
const UNSHOWN_MICROS = 600_000_000;
/** How far before its declared end the look at a long file's end begins. */
const TAIL_MICROS = 5_000_000;
/** Demuxing is synchronous, since a packet takes a few microseconds; the event loop runs after this many. */
const PACKETS_AT_ONCE = 512;

/**
 * Reads a file's packets without decoding them: a header may be wrong about length and rate, or have neither. If the
 * file is longer than `head` and declares a length, the rest is skipped up to its last seconds.
 */
export async function scanPackets(
  input: InputFile,
  signal?: AbortSignal,
  head: ScanBudget = HEAD,
): Promise<Map<number, StreamScan>> {
  const streams = [input.video, input.audio].filter((stream) => stream !== null);
  const endPadded = input.container === 'mp3';
  const tallies = new Map(streams.map((stream) => [stream.index, new Tally(stream, endPadded, head.packets)]));
  const scan = new Scan(input, tallies, signal);
  if (!(await scan.run(head))) {
    if (await seekToTail(input)) for (const tally of tallies.values()) tally.complete = false;
    await scan.run(UNLIMITED);
  }
  return new Map([...tallies].map(([index, tally]) => [index, tally.result()]));
}

/** Whether the demuxer is now near the end; if it cannot seek there, it goes on from where it is. */
async function seekToTail(input: InputFile): Promise<boolean> {
  const { format, joined } = input;
  // The declared length of a joined file is that of its last part, if anything.
  if (joined || format.duration <= BigInt(TAIL_MICROS)) return false;
  const start = format.startTime === AV_NOPTS_VALUE ? 0n : format.startTime;
  return (await input.seekAll(start + format.duration - BigInt(TAIL_MICROS))) >= 0;
}

class Scan {
  readonly #input: InputFile;
  readonly #tallies: ReadonlyMap<number, Tally>;
  readonly #signal: AbortSignal | undefined;

  constructor(input: InputFile, tallies: ReadonlyMap<number, Tally>, signal: AbortSignal | undefined) {
    this.#input = input;
    this.#tallies = tallies;
    this.#signal = signal;
  }

  /** Reads on until the file ends (true) or the budget is spent. */
  async run(budget: ScanBudget): Promise<boolean> {
    using packet = new Packet();
    packet.alloc();
    let bytes = 0;
    for (let packets = 0, errors = 0; packets < budget.packets && bytes < budget.bytes; packets++) {
      if (packets % PACKETS_AT_ONCE === 0) {
        await breathe();
        this.#signal?.throwIfAborted();
      }
      const result = this.#input.read(packet);
      if (result === AVERROR_EOF || errors === READ_ERRORS_IN_A_ROW) return true;
      errors = result < 0 ? errors + 1 : 0;
      if (result < 0) continue;
      bytes += packet.size;
      this.#tallies.get(packet.streamIndex)?.add(packet);
      packet.unref();
    }
    return false;
  }
}

class Tally {
  /** Whether every packet up to now was seen. */
  complete = true;
  readonly #microsATick: number;
  readonly #longest: number;
  /** How many ticks a sample of padding lasts; 0 if durations leave it out already. */
  readonly #paddingTicks: number;
  readonly #max: number;
  readonly #times: number[] = [];
  #packets = 0;
  #last: number | null = null;
  #end: number | null = null;

  /**
   * @param endPadded whether durations include the padding that a packet says is not to be played.
   * @param max how many times to keep.
   */
  constructor({ timeBase, codecpar }: Stream, endPadded: boolean, max: number) {
    this.#microsATick = (timeBase.num * 1_000_000) / timeBase.den;
    this.#longest = codecpar.codecType === AVMEDIA_TYPE_AUDIO ? LONGEST_SOUND_PACKET_MICROS : Number.POSITIVE_INFINITY;
    this.#paddingTicks = endPadded ? timeBase.den / (timeBase.num * codecpar.sampleRate) : 0;
    this.#max = max;
  }

  add(packet: Packet): void {
    this.#packets++;
    const timestamp = packet.pts === AV_NOPTS_VALUE ? packet.dts : packet.pts;
    if (timestamp === AV_NOPTS_VALUE) return;
    const time = Number(timestamp) * this.#microsATick;
    // A sequence of pictures gives one that is not shown the smallest offset there is (ISO 23008-12, 7.2.3).
    if (packet.dts !== AV_NOPTS_VALUE && Number(packet.dts) * this.#microsATick - time > UNSHOWN_MICROS) return;
    this.#last = Math.max(this.#last ?? time, time);
    const padding = this.#padding(packet);
    const lasts = (Number(packet.duration) - padding) * this.#microsATick;
    const isPlayed = padding === 0 || lasts > 0;
    if (isPlayed) this.#end = Math.max(this.#end ?? time, lasts > this.#longest ? time : time + lasts);
    if (this.complete && this.#times.length < this.#max) this.#times.push(time);
  }

  /** How much of the packet's duration is not played. */
  #padding(packet: Packet): number {
    const skipped = this.#paddingTicks === 0 ? null : packet.getSideData(AV_PKT_DATA_SKIP_SAMPLES);
    return skipped === null ? 0 : skipped.readUInt32LE(4) * this.#paddingTicks;
  }

  result(): StreamScan {
    const times = this.#times.sort((a, b) => a - b);
    return { packets: this.#packets, complete: this.complete, last: this.#last, end: this.#end, times };
  }
}
