import { u16, u32 } from '../../fixtures/big-endian.ts';

/** MP4 and MOV files written by hand, for what no muxer would write. Their pictures are JPEGs, one a sample. */

type Bytes = Uint8Array | string;

/** What is unusual about a movie. */
export interface MovieOptions {
  readonly frames: readonly Buffer[];
  readonly width: number;
  readonly height: number;
  /** The declared duration of each frame, in units of 1/30 s. */
  readonly delta?: number;
  /** How many tracks there are, all alike. */
  readonly tracks?: number;
  /** Entries of the edit list, each the full movie. */
  readonly edits?: number;
  /** The data reference instead of "in this file". */
  readonly reference?: Buffer;
  /** The sample entry instead of the one for JPEG. */
  readonly sampleEntry?: Buffer;
  /** How many samples the table claims to describe, instead of as many as there are. */
  readonly claimedSamples?: number;
}

export function box(type: string, ...content: readonly Bytes[]): Buffer {
  const parts = content.map((bytes) => Buffer.from(bytes as Uint8Array));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + parts.reduce((sum, { length }) => sum + length, 0), 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts]);
}

const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const IN_THIS_FILE = box('url ', u32(1));

/** The file; the samples come before the tables. */
export function movie(options: MovieOptions): Buffer {
  const { frames, tracks = 1 } = options;
  const head = box('ftyp', 'qt  ', u32(0), 'qt  ');
  const data = box('mdat', ...frames);
  const offsets: number[] = [];
  let at = head.length + 8;
  for (const { length } of frames) {
    offsets.push(at);
    at += length;
  }
  const length = frames.length * (options.delta ?? 1);
  const mvhd = box(
    'mvhd',
    u32(0, 0, 0, 30, length, 0x10000),
    u16(0x100),
    u16(0),
    u32(0, 0),
    MATRIX,
    u32(0, 0, 0, 0, 0, 0, tracks + 1),
  );
  const all = Array.from({ length: tracks }, (_, n) => track(n + 1, options, offsets));
  return Buffer.concat([head, data, box('moov', mvhd, ...all)]);
}

function track(id: number, options: MovieOptions, offsets: readonly number[]): Buffer {
  const { frames, width, height, delta = 1, edits = 0, reference = IN_THIS_FILE } = options;
  const length = frames.length * delta;
  const samples = options.claimedSamples ?? frames.length;
  const tkhd = box('tkhd', u32(3, 0, 0, id, 0, length, 0, 0), u16(0, 0, 0, 0), MATRIX, u32(width << 16, height << 16));
  const mdhd = box('mdhd', u32(0, 0, 0, 30, length), u16(0x55c4, 0));
  const hdlr = box('hdlr', u32(0), 'mhlr', 'vide', u32(0, 0, 0), '\0');
  const stbl = box(
    'stbl',
    box('stsd', u32(0, 1), options.sampleEntry ?? pictureEntry('jpeg', width, height)),
    box('stts', u32(0, 1, samples, delta)),
    box('stsc', u32(0, 1, 1, 1, 1)),
    box('stsz', u32(0, 0, samples, ...frames.map(({ length: size }) => size))),
    box('stco', u32(0, offsets.length, ...offsets)),
  );
  const dinf = box('dinf', box('dref', u32(0, 1), reference));
  const mdia = box('mdia', mdhd, hdlr, box('minf', box('vmhd', u32(1, 0, 0)), dinf, stbl));
  return box('trak', tkhd, ...(edits > 0 ? [editList(edits, length)] : []), mdia);
}

/** A sample entry for pictures; `extra` are the boxes that describe its codec. */
export function pictureEntry(type: string, width: number, height: number, ...extra: readonly Buffer[]): Buffer {
  const fixed = [u32(0), u16(0, 1), u32(0, 0, 0, 0), u16(width, height), u32(0x480000, 0x480000, 0), u16(1)];
  return box(type, ...fixed, Buffer.alloc(32), u16(24, 0xffff), ...extra);
}

function editList(entries: number, length: number): Buffer {
  const table = Buffer.alloc(entries * 12);
  for (let at = 0; at < table.length; at += 12) {
    table.writeUInt32BE(length, at);
    table.writeUInt32BE(0x10000, at + 8);
  }
  return box('edts', box('elst', u32(0, entries), table));
}

/** A reference to samples in another file: as QuickTime's alias of an absolute path. */
export function aliasTo(path: string): Buffer {
  const name = Buffer.from(path.length % 2 === 0 ? path : `${path}\0`);
  const record = Buffer.concat([
    Buffer.alloc(6),
    u16(150, 2, 0),
    Buffer.alloc(138),
    u16(2, path.length),
    name,
    u16(0xffff, 0),
  ]);
  return box('alis', u32(0), record);
}

/** A reference to samples at an address. */
export function urlTo(address: string): Buffer {
  return box('url ', u32(0), `${address}\0`);
}
