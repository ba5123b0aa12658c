import { AV_NOPTS_VALUE, AVERROR_EOF } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { ByteReader } from '../../iso/byte-reader.ts';
import type { Micros } from '../../time.ts';
import { type InputFile, READ_ERRORS_IN_A_ROW } from '../input/input-file.ts';
import type { MediaContainer } from '../input/media-containers.ts';
import type { SourceClock } from '../input/source-clock.ts';
import { requireMemory } from '../libav/libav-call.ts';

/** A packet of the picture, before it is decoded. */
interface PicturePacket {
  readonly packet: Packet;
  /** When its frame is shown, in source time; null if the container has no timestamp. */
  readonly time: number | null;
  readonly key: boolean;
}

/** How much is read ahead at the most. */
const AHEAD_PACKETS = 1_200;
const AHEAD_BYTES = 48 * 1024 * 1024;

/**
 * The packets of a file's picture, in decoding order, with lookahead. Owns its packets, not the file. Reading is
 * synchronous: a packet costs microseconds, a trip to another thread and back many times that.
 */
export class PicturePackets implements Disposable {
  readonly #input: InputFile;
  readonly #clock: SourceClock;
  readonly #index: number;
  readonly #ahead: PicturePacket[] = [];
  readonly #unused: Packet[] = [];
  #current: Packet | null = null;
  #broken = 0;
  #lastKey = 0;

  constructor(input: InputFile, clock: SourceClock) {
    this.#input = input;
    this.#clock = clock;
    this.#index = input.video!.index;
  }

  /** Packets that could not be read. */
  get broken(): number {
    return this.#broken;
  }

  /** The source time of the latest key frame read. */
  get lastKey(): number {
    return this.#lastKey;
  }

  /** The next packet, which is valid until the next call; null at the end. */
  next(): PicturePacket | null {
    this.#release(this.#current);
    const next = this.#ahead.shift() ?? this.#read();
    this.#current = next?.packet ?? null;
    return next;
  }

  /**
   * Looks ahead as far as frames due at `at` can be, and drops everything in front of the last key frame that is due.
   *
   * @returns the time of the last frame due in that range; and whether the next packet is such a key frame.
   */
  skipTo(at: Micros): { readonly lastDue: number | null; readonly atKey: boolean } {
    this.#lookAhead(at);
    const due = ({ time }: PicturePacket) => time !== null && this.#clock.isDue(time, at);
    const key = this.#ahead.findLastIndex((packet) => packet.key && due(packet));
    for (const { packet } of this.#ahead.splice(0, Math.max(0, key))) this.#release(packet);
    const times = this.#ahead.filter(due).map(({ time }) => time!);
    return { lastDue: times.length === 0 ? null : Math.max(...times), atKey: key >= 0 };
  }

  /** Discards the packets that were read ahead, after a seek. */
  clear(): void {
    for (const { packet } of this.#ahead.splice(0)) this.#release(packet);
  }

  [Symbol.dispose](): void {
    this.clear();
    this.#release(this.#current);
    this.#current = null;
    for (const packet of this.#unused.splice(0)) packet.free();
  }

  /**
   * Reads until a packet is decoded after `at`: a frame is never shown before it is decoded, so no later packet is due.
   */
  #lookAhead(at: Micros): void {
    const beyond = (last: PicturePacket | undefined) => {
      const decoded = last === undefined ? null : this.#clock.sourceTime(last.packet.dts);
      return decoded !== null && !this.#clock.isDue(decoded, at);
    };
    for (let bytes = 0; bytes < AHEAD_BYTES && this.#ahead.length < AHEAD_PACKETS && !beyond(this.#ahead.at(-1)); ) {
      const read = this.#read();
      if (read === null) return;
      this.#ahead.push(read);
      bytes += read.packet.size;
    }
  }

  #read(): PicturePacket | null {
    const packet = this.#unused.pop() ?? allocate();
    for (let errors = 0; errors < READ_ERRORS_IN_A_ROW; ) {
      const result = this.#input.read(packet);
      if (result === AVERROR_EOF) break;
      requireMemory(result, 'av_read_frame');
      if (result < 0) {
        errors++;
        this.#broken++;
        continue;
      }
      errors = 0;
      if (packet.streamIndex === this.#index) {
        const mended = this.#input.still ? mendedPicture(this.#input.container, packet.data) : null;
        if (mended !== null) packet.data = mended;
        return this.#describe(packet);
      }
      packet.unref();
    }
    this.#unused.push(packet);
    return null;
  }

  #describe(packet: Packet): PicturePacket {
    const time = this.#clock.sourceTime(packet.pts === AV_NOPTS_VALUE ? packet.dts : packet.pts);
    const key = packet.isKeyframe;
    if (key && time !== null) this.#lastKey = time;
    return { packet, time, key };
  }

  #release(packet: Packet | null): void {
    if (packet === null) return;
    packet.unref();
    this.#unused.push(packet);
  }
}

function allocate(): Packet {
  const packet = new Packet();
  packet.alloc();
  return packet;
}

/**
 * A picture file that libavcodec decodes, made of one that it refuses though nothing that matters is missing. Null if it
 * is as good as it was.
 */
export function mendedPicture(container: MediaContainer, bytes: Buffer | null): Buffer | null {
  if (bytes === null) return null;
  try {
    if (container === 'png') return withoutTexts(bytes);
    return container === 'tiff' ? withRowsPerStrip(bytes) : null;
  } catch (error) {
    // A file that ends early is decoded as far as it goes.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Chunks of text: one whose Exif is malformed makes the decoder give the picture up. */
const TEXTS: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt']);
/** Exif is a TIFF. */
const EXIF_MARKS: readonly string[] = ['II*\0', 'MM\0*'];
/** No decoder knows this chunk; by its first letter it may be skipped. */
const SKIPPED = 'skIp';

/** Renames what describes the picture in words. Decoders do not check the sums of chunks. */
function withoutTexts(bytes: Buffer): Buffer | null {
  let mended: Buffer | null = null;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const isBroken = type === 'eXIf' && !EXIF_MARKS.includes(bytes.toString('latin1', at + 8, at + 12));
    if (!TEXTS.has(type) && !isBroken) continue;
    mended ??= Buffer.from(bytes);
    mended.write(SKIPPED, at + 4, 'latin1');
  }
  return mended;
}

const [ROWS_PER_STRIP, STRIP_OFFSETS, HEIGHT] = [0x116, 0x111, 0x101];
const ENTRY_BYTES = 12;

/** Without rows per strip, all rows are in one (TIFF 6.0, section 8): a copy of the directory behind the file says so. */
function withRowsPerStrip(bytes: Buffer): Buffer | null {
  const reader = new ByteReader(bytes);
  const little = reader.startsWith('II');
  const directory = reader.u32(4, little);
  const count = reader.u16(directory, little);
  const tags = Array.from({ length: count }, (_, n) => reader.u16(directory + 2 + n * ENTRY_BYTES, little));
  if (tags.includes(ROWS_PER_STRIP) || !tags.includes(STRIP_OFFSETS) || !tags.includes(HEIGHT)) return null;
  const heightAt = directory + 2 + tags.indexOf(HEIGHT) * ENTRY_BYTES;
  const entries = bytes.subarray(directory + 2, directory + 2 + count * ENTRY_BYTES);
  const added = Buffer.from(bytes.subarray(heightAt, heightAt + ENTRY_BYTES));
  const u16 = (into: Buffer, value: number) => (little ? into.writeUInt16LE(value) : into.writeUInt16BE(value));
  u16(added, ROWS_PER_STRIP);
  const behind = tags.filter((tag) => tag < ROWS_PER_STRIP).length * ENTRY_BYTES;
  const counted = Buffer.alloc(2);
  u16(counted, count + 1);
  const padding = Buffer.alloc(bytes.length % 2);
  const mended = Buffer.concat([
    bytes,
    padding,
    counted,
    entries.subarray(0, behind),
    added,
    entries.subarray(behind),
    Buffer.alloc(4),
  ]);
  const place = bytes.length + padding.length;
  if (little) mended.writeUInt32LE(place, 4);
  else mended.writeUInt32BE(place, 4);
  return mended;
}
