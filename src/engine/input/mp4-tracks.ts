import { open } from 'node:fs/promises';
import { ByteReader } from '../../iso/byte-reader.ts';
import { boxesWithin, type IsoBox, isoBoxes } from '../../iso/iso-boxes.ts';
import { movieIndex } from '../../iso/movie-index.ts';
import type { FilePart } from './find-parts.ts';

/** Properties of an MP4 track that libavformat does not expose. */
export interface Mp4Track {
  /** The type of its samples: `vide`, `soun`; `auxv` for a plane that belongs to another track, such as its alpha. */
  readonly handler: string;
  /** How they are coded: `avc1`, `mp4a`; `encv` where they are encrypted. */
  readonly entries: readonly string[];
  /** How long its edit list and the header of the movie say that it is shown, in seconds, if they agree; else null. */
  readonly shown: number | null;
}

/** Two headers agree if they differ by less. */
const AGREED_SECONDS = 0.1;

/** The sample entries of Common Encryption (ISO/IEC 23001-7), and those of the iTunes Store. */
const ENCRYPTED: ReadonlySet<string> = new Set(['encv', 'enca', 'drmi', 'drms']);

export function isEncrypted({ entries }: Mp4Track): boolean {
  return entries.some((entry) => ENCRYPTED.has(entry));
}

/**
 * The tracks of an MP4 by their ids, which are those of libavformat's streams; those that cannot be read are left out.
 *
 * @param part reads these bytes alone, as a file.
 */
export async function mp4Tracks(file: string, part?: FilePart): Promise<ReadonlyMap<number, Mp4Track>> {
  await using handle = await open(file);
  const { from, to } = part ?? { from: 0, to: (await handle.stat()).size };
  const read = async (position: number, length: number) => {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(length), position: from + position });
    return buffer.subarray(0, bytesRead);
  };
  try {
    const reader = new ByteReader(await movieIndex({ length: to - from, read }));
    const top = isoBoxes(reader, 0, reader.length);
    const header = top.find(({ type }) => type === 'mvhd');
    const movie = header === undefined ? null : movieLength(reader, header);
    const boxes = top.filter(({ type }) => type === 'trak');
    return new Map(boxes.map((box) => trackIn(reader, box, movie)).filter((track) => track !== null));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Map();
  }
}

/**
 * Whether an MP4 that libavformat does not open is encrypted: by its tracks, or by its first fragment if it has no index.
 *
 * @param part reads these bytes alone, as a file.
 */
export async function isEncryptedMovie(file: string, part?: FilePart): Promise<boolean> {
  const tracks = [...(await mp4Tracks(file, part)).values()];
  if (tracks.length > 0) return tracks.some(isEncrypted);
  await using handle = await open(file);
  const { from, to } = part ?? { from: 0, to: (await handle.stat()).size };
  const head = await handle.read({ buffer: Buffer.alloc(Math.min(FRAGMENT_BYTES, to - from)), position: from });
  const reader = new ByteReader(head.buffer.subarray(0, head.bytesRead));
  try {
    const inside = boxesWithin(reader, isoBoxes(reader, 0, reader.length), ['moof', 'traf']);
    return inside.some(({ type }) => ENCRYPTION_BOXES.has(type));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

/** The head of a segment, with the description of its first fragment. */
const FRAGMENT_BYTES = 256 * 1024;
/** What decrypts the samples of a fragment. */
const ENCRYPTION_BOXES: ReadonlySet<string> = new Set(['senc', 'saiz']);

/** Null for a track that cannot be read: those behind it can. */
function trackIn(reader: ByteReader, box: IsoBox, movie: MovieLength | null): [id: number, track: Mp4Track] | null {
  try {
    return readTrack(reader, box, movie);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

interface MovieLength {
  /** Ticks in a second. */
  readonly scale: number;
  readonly ticks: number;
}

function movieLength(reader: ByteReader, { start }: IsoBox): MovieLength {
  const wide = reader.u8(start) === 1;
  return {
    scale: reader.u32(start + (wide ? 20 : 12)),
    ticks: wide ? reader.uint(start + 24, 8) : reader.u32(start + 16),
  };
}

/** The length by an edit list of one part, at its own speed. */
function editedLength(reader: ByteReader, list: IsoBox | undefined, movie: MovieLength | null): number | null {
  if (list === undefined || movie === null || movie.scale === 0 || reader.u32(list.start + 4) !== 1) return null;
  const wide = reader.u8(list.start) === 1;
  const ticks = wide ? reader.uint(list.start + 8, 8) : reader.u32(list.start + 8);
  const apart = Math.abs(ticks - movie.ticks) / movie.scale;
  return ticks > 0 && apart < AGREED_SECONDS ? ticks / movie.scale : null;
}

function readTrack(
  reader: ByteReader,
  { start, end }: IsoBox,
  movie: MovieLength | null,
): [id: number, track: Mp4Track] {
  const inside = isoBoxes(reader, start, end);
  const must = (type: string, ...path: readonly string[]) => {
    const found = boxesWithin(reader, inside, path).find((box) => box.type === type);
    if (found === undefined) throw new RangeError(`a track without ${type}`);
    return found;
  };
  const header = must('tkhd').start;
  const id = reader.u32(header + (reader.u8(header) === 1 ? 20 : 12));
  const samples = must('stsd', 'mdia', 'minf', 'stbl');
  const entries = isoBoxes(reader, samples.start + 8, samples.end).map(({ type }) => type);
  const list = boxesWithin(reader, inside, ['edts']).find(({ type }) => type === 'elst');
  const shown = editedLength(reader, list, movie);
  return [id, { handler: reader.tag(must('hdlr', 'mdia').start + 8), entries, shown }];
}
