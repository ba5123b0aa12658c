import { closeSync, openSync, readSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import type { Coverage } from '../layout/text/glyph-coverage.ts';
import { FONT_FILES } from './font-files.ts';

let coverage: Coverage | undefined;

/** The glyphs of our fonts, read once from their own tables: the result is the same everywhere. (R14) */
export function fontCoverage(): Coverage {
  // The additional glyphs of a named family do not count for text in another family.
  const different = FONT_FILES.filter(({ role, isNamed }) => !isNamed && (role === undefined || role === 'strong'));
  coverage ??= merged(different.flatMap(({ path }) => readFontCoverage(path)));
  return coverage;
}

/** The same code points in as few ranges as there can be. */
export function merged(ranges: Coverage): Coverage {
  const result: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const previous = result.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else result.push([first, last]);
  }
  return result;
}

/** The glyphs of one font. Reads only the `cmap` table: the fonts are up to 25 MB. */
export function readFontCoverage(path: string): Coverage {
  const file = openSync(path, 'r');
  try {
    const read = (at: number, length: number) => {
      const buffer = Buffer.alloc(length);
      readSync(file, buffer, 0, length, at);
      return buffer;
    };
    const cmap = read(0, 4).toString('latin1') === 'wOFF' ? packedTable(read, 'cmap') : plainTable(read, 'cmap');
    return cmap === null ? [] : cmapRanges(cmap);
  } finally {
    closeSync(file);
  }
}

type ReadAt = (at: number, length: number) => Buffer;

/** Of a TrueType or OpenType file. */
function plainTable(read: ReadAt, name: string): Buffer | null {
  const tables = read(4, 2).readUInt16BE();
  const directory = read(12, tables * 16);
  for (let entry = 0; entry < directory.length; entry += 16) {
    if (directory.toString('latin1', entry, entry + 4) !== name) continue;
    return read(directory.readUInt32BE(entry + 8), directory.readUInt32BE(entry + 12));
  }
  return null;
}

/** From a WOFF file, in which each table is deflated separately, unless that would not make it smaller. */
function packedTable(read: ReadAt, name: string): Buffer | null {
  const tables = read(12, 2).readUInt16BE();
  const directory = read(44, tables * 20);
  for (let entry = 0; entry < directory.length; entry += 20) {
    if (directory.toString('latin1', entry, entry + 4) !== name) continue;
    const [packed, length] = [directory.readUInt32BE(entry + 8), directory.readUInt32BE(entry + 12)];
    const bytes = read(directory.readUInt32BE(entry + 4), packed);
    return packed === length ? bytes : inflateSync(bytes);
  }
  return null;
}

/**
 * Formats 12 and 4 are the ones for Unicode text, and 12 includes all of 4. A code point mapped to glyph 0 is missing.
 */
function cmapRanges(cmap: Buffer): Coverage {
  const tables = Array.from({ length: cmap.readUInt16BE(2) }, (_, record) => cmap.readUInt32BE(8 + record * 8));
  const formatted = (format: number) => tables.find((at) => cmap.readUInt16BE(at) === format);
  const whole = formatted(12);
  const basic = formatted(4);
  const ranges = whole !== undefined ? groupRanges(cmap, whole) : basic !== undefined ? segmentRanges(cmap, basic) : [];
  return ranges.filter(([first, last]) => first <= last);
}

function groupRanges(cmap: Buffer, at: number): [number, number][] {
  return Array.from({ length: cmap.readUInt32BE(at + 12) }, (_, group) => {
    const entry = at + 16 + group * 12;
    const skip = cmap.readUInt32BE(entry + 8) === 0 ? 1 : 0;
    return [cmap.readUInt32BE(entry) + skip, cmap.readUInt32BE(entry + 4)];
  });
}

function segmentRanges(cmap: Buffer, at: number): [number, number][] {
  const segments = cmap.readUInt16BE(at + 6) / 2;
  const ends = at + 14;
  const starts = ends + segments * 2 + 2;
  const deltas = starts + segments * 2;
  const offsets = deltas + segments * 2;
  const ranges: [number, number][] = [];
  for (let segment = 0; segment < segments; segment += 1) {
    const [first, last] = [cmap.readUInt16BE(starts + segment * 2), cmap.readUInt16BE(ends + segment * 2)];
    const delta = cmap.readUInt16BE(deltas + segment * 2);
    const offset = cmap.readUInt16BE(offsets + segment * 2);
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const place = offsets + segment * 2 + offset + (code - first) * 2;
      const glyph = offset === 0 ? code + delta : cmap.readUInt16BE(place);
      if ((glyph & 0xffff) !== 0) ranges.push([code, code]);
    }
  }
  return ranges;
}
