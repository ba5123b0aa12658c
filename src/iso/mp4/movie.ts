import { box, fourCharacters, fullBox, u8, u16, u32, u64, zeros } from '../box.ts';
import { type Bytes, joinBytes, utf8 } from '../bytes.ts';
import { MATRIX, type MediaPlace, type MovieTrack, movieLength, trackBox } from './track.ts';

/** A mark on the time line, for players that know no chapter track. */
interface ChapterMark {
  readonly startSeconds: number;
  readonly title: string;
}

/** A whole file except for the media data. */
interface Movie {
  readonly title: string;
  readonly ticksASecond: number;
  readonly tracks: readonly MovieTrack[];
  readonly chapters: readonly ChapterMark[];
  readonly mediaBytes: number;
}

const FTYP = box('ftyp', 'isom', u32(0x200), 'isom', 'iso2', 'iso4', 'avc1', 'mp41');
/** The header of a box that may be longer than 32 bits allow. */
const WIDE_HEADER_BYTES = 16;
const MAX_32_BITS = 0xffff_ffff;
/** Nero's list counts in bytes: chapters, and the length of a title. */
const MAX_MARKS = 255;
const MAX_TITLE_BYTES = 255;

/** Everything before the media data: the file type, the index (in front, R17), and the data's header. */
export function movieHead(movie: Movie): Bytes {
  // Offsets have a fixed size, so a first draft gives the position of the data.
  const draft = movieBox(movie, { start: 0, wide: true });
  const wideStart = FTYP.length + draft.length + WIDE_HEADER_BYTES;
  const wide = wideStart + movie.mediaBytes > MAX_32_BITS;
  const runs = movie.tracks.reduce((sum, track) => sum + track.runs.length, 0);
  const start = wide ? wideStart : wideStart - runs * 4;
  const dataHeader = joinBytes([u32(1), fourCharacters('mdat'), u64(movie.mediaBytes + WIDE_HEADER_BYTES)]);
  return joinBytes([FTYP, movieBox(movie, { start, wide }), dataHeader]);
}

function movieBox({ title, ticksASecond, tracks, chapters }: Movie, place: MediaPlace): Bytes {
  const length = Math.max(...tracks.map((track) => movieLength(track, ticksASecond)));
  return box(
    'moov',
    fullBox(
      'mvhd',
      0,
      0,
      // No time of creation: equal plans give equal bytes. (R18)
      u32(0, 0, ticksASecond, length, 0x10000),
      u16(0x100, 0),
      zeros(8),
      MATRIX,
      zeros(24),
      u32(Math.max(...tracks.map(({ id }) => id)) + 1),
    ),
    tracks.map((track) => trackBox(track, ticksASecond, place)),
    box('udta', title === '' ? [] : titleBox(title), chapters.length === 0 ? [] : marksBox(chapters)),
  );
}

/** The title in the box of iTunes, where all players look for it. */
function titleBox(title: string): Bytes {
  const utf8 = 1;
  return fullBox(
    'meta',
    0,
    0,
    fullBox('hdlr', 0, 0, u32(0), 'mdir', 'appl', zeros(9)),
    box('ilst', box('\u00a9nam', box('data', u32(utf8, 0), title))),
  );
}

function marksBox(chapters: readonly ChapterMark[]): Bytes {
  const marks = chapters.slice(0, MAX_MARKS);
  const ticksASecond = 10_000_000;
  return fullBox(
    'chpl',
    1,
    0,
    u32(0),
    u8(marks.length),
    marks.map(({ startSeconds, title }) => {
      const text = utf8Prefix(title, MAX_TITLE_BYTES);
      return [u64(Math.round(startSeconds * ticksASecond)), u8(text.length), text];
    }),
  );
}

/** As much of the text as fits, whole characters only. */
export function utf8Prefix(text: string, maxBytes: number): Bytes {
  const encoded = utf8(text);
  if (encoded.length <= maxBytes) return encoded;
  let end = maxBytes;
  while ((encoded[end]! & 0xc0) === 0x80) end -= 1;
  return encoded.subarray(0, end);
}
