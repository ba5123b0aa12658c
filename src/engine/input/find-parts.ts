import { type FileHandle, open } from 'node:fs/promises';
import { ExportError } from '../../errors.ts';
import { ADTS_FRAMES, type AudioFrameSyntax, framesInARow, MP3_FRAMES } from './audio-frames.ts';
import type { MediaContainer } from './media-containers.ts';
import { id3Length } from './sniff-media.ts';

/** The bytes `from … to` of a file, which form a complete file. */
export interface FilePart {
  readonly from: number;
  readonly to: number;
}

/** Containers whose files can be concatenated. Transport streams have one clock: `JoinedClock` reads them. */
const SCANNERS: Readonly<Partial<Record<MediaContainer, () => PartScanner>>> = {
  mp4: mp4Parts,
  mpegps: programParts,
  avi: riffParts,
  wav: riffParts,
  aiff: aiffParts,
  ogg: oggParts,
  flv: flvParts,
  matroska: matroskaParts,
  mp3: mp3Parts,
  adts: adtsParts,
  flac: flacParts,
};

/** Each is held open while its sound is read. */
const MAX_PARTS = 100;
const BYTES_AT_ONCE = 1024 * 1024;
/** A file that loses sync more often is damaged throughout, and is not scanned further. */
const MAX_LOSSES = 1000;
/** Scanners look no further ahead. */
const LOOK_BYTES = 16_384;

/**
 * The files that a file was joined from, in order; itself where it is one. Reads headers, in the order of the file.
 *
 * @throws `media.too_many_streams`
 */
export async function findParts(file: string, container: MediaContainer): Promise<FilePart[]> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const scanner = SCANNERS[container]?.();
  if (scanner === undefined) return [{ from: 0, to: size }];
  const found: number[] = [];
  for await (const part of eachPart(handle, size, scanner)) {
    found.push(part);
    if (found.length > MAX_PARTS) throw tooManyParts();
  }
  // Bytes in front of the first part belong to it.
  const starts = [0, ...found.slice(1)];
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? size }));
}

async function* eachPart(handle: FileHandle, size: number, scanner: PartScanner): AsyncGenerator<number> {
  const buffer = Buffer.allocUnsafe(Math.min(size, BYTES_AT_ONCE));
  let bytes = buffer.subarray(0, 0);
  let base = 0;
  let last = -1;
  let inStep = false;
  for (let at = 0, losses = 0; losses < MAX_LOSSES; ) {
    // The last element of a truncated part extends into the next part. After the loss of sync, the search continues
    // behind the start of that element.
    const isOver = at >= size;
    if (isOver && (!inStep || at === size)) return;
    if (!isOver && (at < base || (at + LOOK_BYTES > base + bytes.length && base + bytes.length < size))) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return;
      bytes = buffer.subarray(0, bytesRead);
      base = at;
    }
    const thing = isOver || at === last ? null : scanner.step(bytes, at - base, at);
    if (thing !== null) {
      if (thing.part !== undefined) yield thing.part;
      last = at;
      inStep = true;
      at += thing.length;
    } else if (inStep) {
      losses += 1;
      inStep = false;
      at = last;
    } else at = base + scanner.next(bytes, at - base);
  }
}

function tooManyParts(): ExportError {
  const message = `The file is joined from more than ${MAX_PARTS} files, each with tracks of its own.`;
  return new ExportError('invalid', 'media.too_many_streams', message);
}

/** ADTS: a part begins where frames are of another kind. Frames of one kind are one stream: HLS segments are joined that way. */
function adtsParts(): PartScanner {
  return frameParts(ADTS_FRAMES, () => false);
}

/** MP3: a part begins with frames of another kind, or with the frame in which an encoder describes its output. */
function mp3Parts(): PartScanner {
  return frameParts(MP3_FRAMES, isEncoderInfo);
}

/** Frame by frame; tags in front of a part belong to it. */
function frameParts(frames: AudioFrameSyntax, begins: (bytes: Buffer, at: number) => boolean): PartScanner {
  let kind: number | null = null;
  /** Where the next frame begins if this goes on. */
  let due = -1;
  /** The first tag since the last frame. */
  let tag: number | null = null;
  return {
    step(bytes, at, position) {
      const tagLength = id3Length(bytes.subarray(at, at + 10));
      if (tagLength > 0) {
        tag ??= position;
        return { length: tagLength };
      }
      const length = frames.lengthAt(bytes, at);
      if (length === null) return null;
      const found = frames.kindAt(bytes, at);
      if ((found !== kind || position !== due) && !framesInARow(frames, bytes, at)) return null;
      const isPart = kind === null || found !== kind || begins(bytes, at);
      const part = tag ?? position;
      kind = found;
      due = position + length;
      tag = null;
      return isPart ? { length, part } : { length };
    },
    next: nextFrameOrTag,
  };
}

/**
 * The next byte with which a frame or a tag may begin. One pass: two searches would each look far beyond the other's
 * result.
 */
function nextFrameOrTag(bytes: Buffer, at: number): number {
  let place = at + 1;
  while (place < bytes.length && bytes[place] !== FRAME_BYTE && bytes[place] !== TAG_BYTE) place += 1;
  return place;
}

/** The first of each frame, and the `I` of `ID3`. */
const [FRAME_BYTE, TAG_BYTE] = [0xff, 0x49];

/** The frame that LAME and others write first: `Xing`, `Info` or `VBRI`, after the side information. */
function isEncoderInfo(bytes: Buffer, at: number): boolean {
  const isFirstVersion = (bytes[at + 1]! & 0x08) !== 0;
  const isMono = bytes[at + 3]! >> 6 === 3;
  const side = isFirstVersion ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const word = (from: number) => bytes.toString('latin1', at + from, at + from + 4);
  return word(4 + side) === 'Xing' || word(4 + side) === 'Info' || word(36) === 'VBRI';
}

const TICKS_PER_SECOND = 90_000;
/** Muxers that get the clock wrong do so by a few frames. */
const BACK_TICKS = 0.5 * TICKS_PER_SECOND;
/** A larger jump starts a new part: its clock is another one. A smaller jump is a hole in the recording. */
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
function programParts(): PartScanner {
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

const RIFF_HEADER_BYTES = 12;
/** The value in a header for a length that does not fit, or was unknown when it was written. */
const NO_LENGTH = 0xffffffff;
/** Where RF64 has the length that did not fit: in the chunk `ds64`, which comes first. */
const LONG_LENGTH_AT = 20;

/** WAV and AVI, a whole file at a step. A long AVI goes on in chunks of another form (`AVIX`). */
function riffParts(): PartScanner {
  return {
    step(bytes, at, position) {
      const [magic, form, first] = [0, 8, 12].map((offset) => bytes.toString('latin1', at + offset, at + offset + 4));
      if ((magic !== 'RIFF' && magic !== 'RF64') || at + RIFF_HEADER_BYTES > bytes.length) return null;
      const length = riffLength(bytes, at, magic === 'RF64' && first === 'ds64');
      if (form === 'AVIX') return { length };
      return FIRST_CHUNKS[form!]?.includes(first!) ? { length, part: position } : null;
    },
    next: (bytes, at) => nextPlace('RIFF', bytes, at),
  };
}

/** The first chunks of each form: samples may contain the letters of a header. */
const FIRST_CHUNKS: Readonly<Record<string, readonly string[]>> = {
  WAVE: ['fmt ', 'ds64', 'JUNK', 'bext', 'LIST', 'fact'],
  'AVI ': ['LIST', 'JUNK'],
};

function riffLength(bytes: Buffer, at: number, isLong: boolean): number {
  if (isLong && at + LONG_LENGTH_AT + 8 <= bytes.length) return 8 + Number(bytes.readBigUInt64LE(at + LONG_LENGTH_AT));
  const length = bytes.readUInt32LE(at + 4);
  return length === NO_LENGTH ? Number.POSITIVE_INFINITY : 8 + length + (length % 2);
}

/** AIFF, a whole file at a step. */
function aiffParts(): PartScanner {
  return {
    step(bytes, at, position) {
      const [magic, form] = [0, 8].map((offset) => bytes.toString('latin1', at + offset, at + offset + 4));
      if (magic !== 'FORM' || (form !== 'AIFF' && form !== 'AIFC')) return null;
      const length = bytes.readUInt32BE(at + 4);
      return { length: 8 + length + (length % 2), part: position };
    },
    next: (bytes, at) => nextPlace('FORM', bytes, at),
  };
}

/**
 * MP4, box by box: a part begins with an `ftyp` behind a whole movie. A fragmented movie continues after a further
 * header, since its fragments have their own times.
 */
function mp4Parts(): PartScanner {
  let isWhole = true;
  return {
    step(bytes, at, position) {
      if (at + 16 > bytes.length) return null;
      const type = bytes.toString('latin1', at + 4, at + 8);
      if (type === 'moof' || !/^[\w ]{4}$/.test(type)) return null;
      const length = boxLength(bytes, at);
      if (length === null) return null;
      const begins = type === 'ftyp' && isWhole;
      if (begins) isWhole = false;
      if (type === 'moov') isWhole = true;
      return begins ? { length, part: position } : { length };
    },
    // A box looks the same as the content of a movie.
    next: () => Number.POSITIVE_INFINITY,
  };
}

function boxLength(bytes: Buffer, at: number): number | null {
  const length = bytes.readUInt32BE(at);
  if (length === 0) return Number.POSITIVE_INFINITY;
  if (length !== 1) return length < 8 ? null : length;
  const long = Number(bytes.readBigUInt64BE(at + 8));
  return long < 16 ? null : long;
}

const OGG_PAGE_HEADER_BYTES = 27;
const BEGINS_STREAM = 2;

/** Ogg, page by page (RFC 3533): a part begins with the first pages of its streams. */
function oggParts(): PartScanner {
  let beginning = false;
  return {
    step(bytes, at, position) {
      if (bytes.toString('latin1', at, at + 4) !== 'OggS' || at + OGG_PAGE_HEADER_BYTES > bytes.length) return null;
      const segments = bytes[at + 26]!;
      const table = bytes.subarray(at + OGG_PAGE_HEADER_BYTES, at + OGG_PAGE_HEADER_BYTES + segments);
      const length = table.reduce((sum, segment) => sum + segment, OGG_PAGE_HEADER_BYTES + segments);
      const wasBeginning = beginning;
      beginning = (bytes[at + 5]! & BEGINS_STREAM) !== 0;
      return beginning && !wasBeginning ? { length, part: position } : { length };
    },
    next: (bytes, at) => nextPlace('OggS', bytes, at),
  };
}

const FLV_HEADER_BYTES = 13;
const FLV_TAG_BYTES = 11;
const FLV_TAG_TYPES: ReadonlySet<number> = new Set([8, 9, 18]);

/** FLV, tag by tag. */
function flvParts(): PartScanner {
  return {
    step(bytes, at, position) {
      if (isFlvHeader(bytes, at)) return { length: FLV_HEADER_BYTES, part: position };
      if (at + FLV_TAG_BYTES > bytes.length) return null;
      if (!FLV_TAG_TYPES.has(bytes[at]! & 0x1f) || bytes.readUIntBE(at + 8, 3) !== 0) return null;
      // Behind the tag its length follows once more.
      return { length: FLV_TAG_BYTES + bytes.readUIntBE(at + 1, 3) + 4 };
    },
    next: (bytes, at) => nextPlace('FLV\x01', bytes, at),
  };
}

/** Magic, which tracks there are, the header's length, and that of the tag before the first. */
function isFlvHeader(bytes: Buffer, at: number): boolean {
  if (bytes.toString('latin1', at, at + 4) !== 'FLV\x01' || at + FLV_HEADER_BYTES > bytes.length) return false;
  return (bytes[at + 4]! & 0xfa) === 0 && bytes.readUInt32BE(at + 5) === 9 && bytes.readUInt32BE(at + 9) === 0;
}

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const EBML_HEADER_REACH = 64;
/** All that follows each other in a file, in a segment or in a cluster. */
const ELEMENTS: ReadonlySet<number> = new Set([
  ...[EBML, SEGMENT, CLUSTER, 0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0x1043a770, 0x1941a469, 0x1254c367],
  ...[0xe7, 0xa3, 0xa0, 0xa7, 0xab, 0x5854, 0xaf, 0xec, 0xbf],
]);

/**
 * Matroska, element by element: a part begins with an EBML header. Elements with a size are skipped; a segment or a
 * cluster without one, as recorders write them, is entered.
 */
function matroskaParts(): PartScanner {
  return {
    step(bytes, at, position) {
      const element = elementAt(bytes, at);
      if (element === null || !ELEMENTS.has(element.id)) return null;
      const { id, headerBytes, size } = element;
      if (size === null) return id === SEGMENT || id === CLUSTER ? { length: headerBytes } : null;
      const length = headerBytes + size;
      return id === EBML && namesMatroska(bytes, at) ? { length, part: position } : { length };
    },
    next: (bytes, at) => nextPlace('\x1a\x45\xdf\xa3', bytes, at),
  };
}

function namesMatroska(bytes: Buffer, at: number): boolean {
  return /webm|matroska/.test(bytes.toString('latin1', at, at + EBML_HEADER_REACH));
}

/** An element's header (RFC 8794); its size is null if it is unknown. */
function elementAt(bytes: Buffer, at: number): { id: number; headerBytes: number; size: number | null } | null {
  const idBytes = Math.clz32(bytes[at] ?? 0) - 23;
  const sizeAt = at + idBytes;
  const sizeBytes = Math.clz32(bytes[sizeAt] ?? 0) - 23;
  if (idBytes > 4 || sizeBytes > 8 || sizeAt + sizeBytes > bytes.length) return null;
  let size = bytes[sizeAt]! & (0xff >> sizeBytes);
  let unknown = size === 0xff >> sizeBytes;
  for (const byte of bytes.subarray(sizeAt + 1, sizeAt + sizeBytes)) {
    size = size * 256 + byte;
    unknown &&= byte === 0xff;
  }
  return { id: bytes.readUIntBE(at, idBytes), headerBytes: idBytes + sizeBytes, size: unknown ? null : size };
}

const FLAC_HEADER_BYTES = 42;

/** FLAC has no marks between its frames: the scanner looks for the magic and the block that must follow it. */
function flacParts(): PartScanner {
  return {
    step(bytes, at, position) {
      if (bytes.toString('latin1', at, at + 4) !== 'fLaC' || at + FLAC_HEADER_BYTES > bytes.length) return null;
      const isStreamInfo = (bytes.readUInt32BE(at + 4) & 0x7fffffff) === FLAC_HEADER_BYTES - 8;
      return isStreamInfo ? { length: FLAC_HEADER_BYTES, part: position } : null;
    },
    next: (bytes, at) => nextPlace('fLaC', bytes, at),
  };
}

/** Looks for places where another file begins inside a file. May keep state; use one for each file. */
interface PartScanner {
  /**
   * The element that begins at `at` (a page, a tag, a frame), which is the file's byte `position`; null if it is
   * unknown. It is followed by as many bytes as any scanner reads, unless the file ends.
   */
  step(bytes: Buffer, at: number, position: number): ScannedThing | null;
  /** Where the next element may begin after `at`, within the bytes. */
  next(bytes: Buffer, at: number): number;
}

interface ScannedThing {
  /** At least 1. */
  readonly length: number;
  /** The byte of the file at which another file begins with this, tags in front of it included. */
  readonly part?: number;
}

/** The next place of `magic` after `at`, or the first with too few bytes to decide. */
function nextPlace(magic: string, bytes: Buffer, at: number): number {
  const found = bytes.indexOf(magic, at + 1, 'latin1');
  return found === -1 ? Math.max(at + 1, bytes.length - magic.length + 1) : found;
}
