import { closeSync, openSync, readSync } from 'node:fs';
import type { Coverage } from '../layout/glyph-coverage.ts';
import { FONT_FILES } from './font-files.ts';

let coverage: Coverage | undefined;

/** What our fonts have glyphs for, read once from their own tables: the answer is the same everywhere. (R14) */
export function fontCoverage(): Coverage {
  coverage ??= merged(FONT_FILES.flatMap(({ path }) => readCoverage(path)));
  return coverage;
}

function merged(ranges: Coverage): Coverage {
  const result: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const previous = result.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else result.push([first, last]);
  }
  return result;
}

/** Reads the `cmap` table alone: the fonts are up to 25 MB. */
function readCoverage(path: string): Coverage {
  const file = openSync(path, 'r');
  try {
    const read = (at: number, length: number) => {
      const buffer = Buffer.alloc(length);
      readSync(file, buffer, 0, length, at);
      return buffer;
    };
    const tables = read(4, 2).readUInt16BE();
    const directory = read(12, tables * 16);
    for (let table = 0; table < tables; table += 1) {
      if (directory.toString('latin1', table * 16, table * 16 + 4) !== 'cmap') continue;
      return cmapRanges(read(directory.readUInt32BE(table * 16 + 8), directory.readUInt32BE(table * 16 + 12)));
    }
    return [];
  } finally {
    closeSync(file);
  }
}

/** Formats 12 and 4 are the ones for Unicode text, and 12 says all that 4 says. A code point mapped to glyph 0 is not there. */
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
