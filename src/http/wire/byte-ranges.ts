import type { ByteRange } from '../../store/blob-store.ts';

/** What to send: everything, one range, or nothing because the range is outside. */
type RangeAnswer = 'whole' | 'unsatisfiable' | ByteRange;

/**
 * The range of a `Range` header for a file of `length` bytes. (C27, RFC 9110 14.2)
 * Other units and malformed headers are ignored, as the RFC requires. Several ranges get everything: the RFC allows it,
 * and a client gains nothing from a thousand of them.
 */
export function answerRange(header: string | undefined, length: number): RangeAnswer {
  const [, first, last] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const suffix = Number(last);
    return suffix === 0 || length === 0 ? 'unsatisfiable' : { start: Math.max(0, length - suffix), end: length };
  }
  const start = Number(first);
  if (last !== '' && BigInt(last) < BigInt(first)) return 'whole';
  if (start >= length) return 'unsatisfiable';
  return { start, end: last === '' ? length : Math.min(length, Number(last) + 1) };
}

/** Whether `If-Range` allows a range: only the same strong tag does; we send no dates. (RFC 9110 13.1.5) */
export function ifRangeHolds(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === etag;
}

/** Whether a list of tags (`If-Match`, `If-None-Match`) has this one; `weak` compares without the `W/`. */
export function hasTag(header: string, etag: string, weak: boolean): boolean {
  if (header.trim() === '*') return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => (weak ? tag.replace(/^W\//, '') : tag) === etag);
}
