import { nextPlace, type PartScanner } from './part-scanner.ts';

const RIFF_HEADER_BYTES = 12;
/** The value in a header for a length that does not fit, or was unknown when it was written. */
const NO_LENGTH = 0xffffffff;
/** Where RF64 has the length that did not fit: in the chunk `ds64`, which comes first. */
const LONG_LENGTH_AT = 20;

/** WAV and AVI, a whole file at a step. A long AVI goes on in chunks of another form (`AVIX`). */
export function riffParts(): PartScanner {
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
export function aiffParts(): PartScanner {
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
export function mp4Parts(): PartScanner {
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
