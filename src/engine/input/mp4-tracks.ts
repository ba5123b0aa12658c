import { open } from 'node:fs/promises';
import { ByteReader } from '../../iso/byte-reader.ts';
import { boxesWithin, type IsoBox, isoBoxes } from '../../iso/iso-boxes.ts';
import { movieIndex } from '../../iso/movie-index.ts';
import type { FilePart } from './parts/find-parts.ts';

/** Properties of an MP4 track that libavformat does not expose. */
export interface Mp4Track {
  /** The type of its samples: `vide`, `soun`; `auxv` for a plane that belongs to another track, such as its alpha. */
  readonly handler: string;
  /** How they are coded: `avc1`, `mp4a`; `encv` where they are encrypted. */
  readonly entries: readonly string[];
}

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
    const boxes = isoBoxes(reader, 0, reader.length).filter(({ type }) => type === 'trak');
    return new Map(boxes.map((box) => trackIn(reader, box)).filter((track) => track !== null));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Map();
  }
}

/** Null for a track that cannot be read: those behind it can. */
function trackIn(reader: ByteReader, box: IsoBox): [id: number, track: Mp4Track] | null {
  try {
    return readTrack(reader, box);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

function readTrack(reader: ByteReader, { start, end }: IsoBox): [id: number, track: Mp4Track] {
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
  return [id, { handler: reader.tag(must('hdlr', 'mdia').start + 8), entries }];
}
