import { ExportError } from '../../errors.ts';
import { ByteReader } from '../byte-reader.ts';
import { boxesWithin, type IsoBox, isoBoxes } from '../iso-boxes.ts';
import { type ByteSource, movieIndex } from '../movie-index.ts';

/** The positions of a track's samples in its file, and their times; in decoding order. */
export interface SampleTable {
  readonly ticksASecond: number;
  /** Of the first sample; in our files all have the same duration, except the last packet of a sound. */
  readonly sampleTicks: number;
  readonly offsets: Float64Array;
  readonly sizes: Uint32Array;
  /** How much later than it is decoded each is shown. */
  readonly compositionOffsets: Int32Array;
  /** 1 where a sample needs no other. */
  readonly keys: Uint8Array;
  /** The start of the played part. */
  readonly playedFrom: number;
  /** The decoder configuration: `avcC`, or an AudioSpecificConfig. */
  readonly config: Uint8Array;
}

export type TrackKind = 'vide' | 'soun';

/** Four hours of 60 frames a second have 864,000; no index of theirs is near this long. */
const MAX_SAMPLES = 2_000_000;

/**
 * Reads the index of the file's only track of that kind.
 *
 * The file comes from a process that hostile media may have taken over, and this runs in the service, so libavformat is
 * not used. This code reads only the index, checks every number against the file's length, and can at worst be made to
 * serve a tenant the wrong bytes of the tenant's own video.
 *
 * @throws `chunk.unreadable` if a file is not as we write it.
 */
export async function readSampleTable(source: ByteSource, kind: TrackKind): Promise<SampleTable> {
  try {
    const reader = new ByteReader(await movieIndex(source));
    const tracks = isoBoxes(reader, 0, reader.length).filter(({ type }) => type === 'trak');
    const found = tracks.filter((track) => handlerOf(reader, track) === kind);
    if (found.length !== 1) throw new RangeError(`${found.length} tracks of kind ${kind}`);
    return readTrack(reader, found[0]!, source.length);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw unreadablePart(cause);
  }
}

/** A part of a video of ours that is not as we make them. */
export function unreadablePart(cause?: unknown): ExportError {
  const message = 'A rendered part of the video could not be read back.';
  return new ExportError('internal', 'chunk.unreadable', message, { cause });
}

function handlerOf(reader: ByteReader, track: IsoBox): string {
  return reader.tag(only(reader, track, 'mdia', 'hdlr').start + 8);
}

function readTrack(reader: ByteReader, track: IsoBox, fileLength: number): SampleTable {
  const table = isoBoxes(reader, ...bounds(only(reader, track, 'mdia', 'minf', 'stbl')));
  const named = (type: string): IsoBox | undefined => table.find((box) => box.type === type);
  const must = (type: string): IsoBox => named(type) ?? missing(type);
  const sizes = sampleSizes(reader, must('stsz'));
  const mediaHeader = only(reader, track, 'mdia', 'mdhd').start;
  const places = { chunks: must('stsc'), offsets: named('co64') ?? must('stco') };
  return {
    ticksASecond: reader.u32(mediaHeader + (reader.u8(mediaHeader) === 1 ? 20 : 12)),
    sampleTicks: reader.u32(must('stts').start + 12),
    offsets: sampleOffsets(reader, places, sizes, fileLength),
    sizes,
    compositionOffsets: compositionOffsets(reader, named('ctts'), sizes.length),
    keys: keySamples(reader, named('stss'), sizes.length),
    playedFrom: playedFrom(reader, track),
    config: decoderConfig(reader, must('stsd')),
  };
}

function sampleSizes(reader: ByteReader, { start, end }: IsoBox): Uint32Array {
  const [each, count] = [reader.u32(start + 4), reader.u32(start + 8)];
  if (count === 0 || count > MAX_SAMPLES) throw new RangeError(`${count} samples`);
  // If all samples have one size, the table has only that.
  if (each !== 0) return new Uint32Array(count).fill(each);
  if (start + 12 + 4 * count > end) throw new RangeError(`${count} entries in stsz`);
  return Uint32Array.from({ length: count }, (_, n) => reader.u32(start + 12 + 4 * n));
}

/** Runs of samples that are shown equally late. */
function compositionOffsets(reader: ByteReader, box: IsoBox | undefined, count: number): Int32Array {
  const offsets = new Int32Array(count);
  if (box === undefined) return offsets;
  const runs = entryCount(reader, box, 8);
  let filled = 0;
  for (let run = 0; run < runs && filled < count; run += 1) {
    const samples = reader.u32(box.start + 8 + 8 * run);
    offsets.fill(reader.i32(box.start + 12 + 8 * run), filled, filled + samples);
    filled += samples;
  }
  if (filled !== count) throw new RangeError('composition offsets for more or fewer samples than there are');
  return offsets;
}

function keySamples(reader: ByteReader, box: IsoBox | undefined, count: number): Uint8Array {
  const keys = new Uint8Array(count).fill(box === undefined ? 1 : 0);
  const listed = box === undefined ? 0 : entryCount(reader, box, 4);
  if (listed > count) throw new RangeError('more key frames than samples');
  for (let n = 0; n < listed; n += 1) {
    const sample = reader.u32(box!.start + 8 + 4 * n);
    if (sample < 1 || sample > count) throw new RangeError(`key frame ${sample} of ${count} samples`);
    keys[sample - 1] = 1;
  }
  return keys;
}

/** Our edit lists have one entry, which gives the start of the played part. */
function playedFrom(reader: ByteReader, track: IsoBox): number {
  const [list] = boxesWithin(reader, [track], ['trak', 'edts']).filter(({ type }) => type === 'elst');
  if (list === undefined) return 0;
  if (reader.u32(list.start + 4) !== 1) throw new RangeError('an edit list that is not ours');
  const wide = reader.u8(list.start) === 1;
  const from = wide ? reader.uint(list.start + 16, 8) : reader.i32(list.start + 12);
  if (from < 0 || from > 2 ** 31) throw new RangeError('an edit list that is not ours');
  return from;
}

function only(reader: ByteReader, from: IsoBox, ...path: readonly string[]): IsoBox {
  const name = path.at(-1)!;
  const found = boxesWithin(reader, [from], [from.type, ...path.slice(0, -1)]).filter(({ type }) => type === name);
  return found.length === 1 ? found[0]! : missing(name);
}

function bounds({ start, end }: IsoBox): [number, number] {
  return [start, end];
}

function missing(type: string): never {
  throw new RangeError(`the box ${type} is missing`);
}

/**
 * The offset of each sample: `stsc` has the number of samples in each run, `stco` or `co64` the offsets of the runs.
 *
 * @throws RangeError if they do not match the samples, or point outside the file.
 */
function sampleOffsets(
  reader: ByteReader,
  { chunks, offsets: starts }: { readonly chunks: IsoBox; readonly offsets: IsoBox },
  sizes: Uint32Array,
  fileLength: number,
): Float64Array {
  const offsets = new Float64Array(sizes.length);
  const wide = starts.type === 'co64';
  const runs = entryCount(reader, starts, wide ? 8 : 4);
  const changes = entryCount(reader, chunks, 12);
  let sample = 0;
  let change = -1;
  let inRun = 0;
  for (let run = 0; run < runs; run += 1) {
    while (change + 1 < changes && reader.u32(chunks.start + 8 + 12 * (change + 1)) <= run + 1) {
      change += 1;
      inRun = reader.u32(chunks.start + 12 + 12 * change);
    }
    let at = wide ? reader.uint(starts.start + 8 + 8 * run, 8) : reader.u32(starts.start + 8 + 4 * run);
    if (inRun === 0 || sample + inRun > sizes.length) throw new RangeError('runs of more samples than there are');
    for (const end = sample + inRun; sample < end; sample += 1) {
      offsets[sample] = at;
      at += sizes[sample]!;
    }
    if (at > fileLength) throw new RangeError('samples outside the file');
  }
  if (sample !== sizes.length) throw new RangeError('runs of fewer samples than there are');
  return offsets;
}

/**
 * How many entries of this size a table has; its version, flags and the count come first.
 *
 * @throws RangeError if they do not fit the box.
 */
function entryCount(reader: ByteReader, { type, start, end }: IsoBox, entryBytes: number): number {
  const count = reader.u32(start + 4);
  if (start + 8 + count * entryBytes > end) throw new RangeError(`${count} entries in ${type}`);
  return count;
}

const MAX_CONFIG_BYTES = 4096;
/** How long the fixed fields of a sample entry are, by its kind; boxes follow them. */
const ENTRY_FIELDS: Readonly<Record<string, number>> = { avc1: 78, mp4a: 28 };

/**
 * The decoder configuration, from a list of sample entries (`stsd`) of ours.
 *
 * @throws RangeError if it is not ours.
 */
function decoderConfig(reader: ByteReader, { start, end }: IsoBox): Uint8Array {
  const [entry] = isoBoxes(reader, start + 8, end);
  const fields = ENTRY_FIELDS[entry?.type ?? ''];
  if (entry === undefined || fields === undefined) throw new RangeError('a sample entry that is not ours');
  const inside = isoBoxes(reader, entry.start + fields, entry.end);
  const [avcC, esds] = ['avcC', 'esds'].map((type) => inside.find((box) => box.type === type));
  const place = avcC ?? audioConfigPlace(reader, esds);
  const length = place.end - place.start;
  if (length < 2 || length > MAX_CONFIG_BYTES) throw new RangeError(`a decoder's configuration of ${length} bytes`);
  return reader.part(place.start, length).slice();
}

/** The descriptor in the descriptor in the descriptor: ISO/IEC 14496-1, 7.2.6. */
function audioConfigPlace(reader: ByteReader, box: IsoBox | undefined): { start: number; end: number } {
  if (box === undefined) throw new RangeError('a sample entry without a configuration');
  const [ES, DECODER, CONFIG] = [3, 4, 5];
  let at = box.start + 4;
  let end = at;
  for (const [tag, fields] of [[ES, 3] as const, [DECODER, 13] as const, [CONFIG, 0] as const]) {
    if (reader.u8(at) !== tag) throw new RangeError('an ES descriptor that is not ours');
    let length = 0;
    let more = true;
    at += 1;
    for (let digits = 0; digits < 4 && more; digits += 1, at += 1) {
      const byte = reader.u8(at);
      length = length * 128 + (byte & 0x7f);
      more = byte > 0x7f;
    }
    end = at + length;
    at += fields;
  }
  return { start: at, end };
}

/** The positions of the packets in one of our own MP4 files, in decoding order. */
export interface PacketIndex<File> {
  readonly file: File;
  readonly offsets: Float64Array;
  readonly sizes: Uint32Array;
  /** When each is shown, in the track's ticks. */
  readonly times: Float64Array;
  /** 1 where a packet needs no other. */
  readonly keys: Uint8Array;
  readonly ticksASecond: number;
  /** The decoder configuration. */
  readonly config: Uint8Array;
}

/**
 * Reads the positions of the packets of the file's only track of that kind: from its index, not from the packets.
 *
 * @param file what the bytes are copied from later
 * @throws `chunk.unreadable` if one of our own files is not as we write it.
 */
export async function readPacketIndex<File>(
  file: File,
  bytes: ByteSource,
  kind: TrackKind,
): Promise<PacketIndex<File>> {
  const table = await readSampleTable(bytes, kind);
  const { offsets, sizes, keys, ticksASecond, config, sampleTicks, compositionOffsets, playedFrom } = table;
  const times = Float64Array.from(compositionOffsets, (offset, nth) => nth * sampleTicks + offset - playedFrom);
  return { file, offsets, sizes, times, keys, ticksASecond, config };
}
