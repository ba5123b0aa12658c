import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { ByteRange } from '../../store/blob-store.ts';
import { replyProblem } from '../replies/problem.ts';

/** What to send: everything, one range, or nothing because the range is outside. */
type RangeAnswer = 'whole' | 'unsatisfiable' | ByteRange;

/** Spaces around the numbers are in no RFC; clients that send one are understood. */
const RANGE = /^bytes= ?(\d*) ?- ?(\d*) *$/i;
/** Longer ones are ignored: two numbers need no more. */
const LONGEST_RANGE = 1000;

/**
 * The range of a `Range` header for a file of `length` bytes. (C27, RFC 9110 14.2)
 * Other units and malformed headers are ignored, as the RFC requires. Several ranges get everything: the RFC allows it,
 * and a client gains nothing from a thousand of them.
 */
function answerRange(header: string | undefined, length: number): RangeAnswer {
  const [, first, last] = header === undefined || header.length > LONGEST_RANGE ? [] : (RANGE.exec(header) ?? []);
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
function ifRangeHolds(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === etag;
}

/** Whether a list of tags (`If-Match`, `If-None-Match`) has this one; `weak` compares without the `W/`. */
export function hasTag(header: string, etag: string, weak: boolean): boolean {
  if (header.trim() === '*') return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => (weak ? tag.replace(/^W\//, '') : tag) === etag);
}

/**
 * The `Content-Disposition` of a download: an ASCII name for old clients and the real one for all others. (C27, RFC
 * 6266, 8187)
 * `fileName` may be any text, because it is always escaped.
 */
export function contentDisposition(type: 'attachment' | 'inline', fileName: string): string {
  const ascii = fileName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '_')
    .replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const plain = `${type}; filename="${ascii}"`;
  return ascii === fileName ? plain : `${plain}; filename*=UTF-8''${encoded}`;
}

/** A video to send, or a range of it. */
interface SentMedia {
  readonly bytes: number;
  /** Of all its bytes, quoted. */
  readonly etag: string;
  /** The headers of every response about it, including 304. */
  readonly headers: Readonly<Record<string, string>>;
  /** The headers of its bytes. */
  readonly bodyHeaders: Readonly<Record<string, string>>;
  /** Opened before the headers are sent: an error must not have the name and the type of a video. */
  open(range: ByteRange | undefined): Promise<Readable>;
  /** The address to redirect the client to; null or absent if this service sends it. */
  readonly elsewhere?: (() => Promise<string>) | null;
}

/**
 * Sends media, a range of it, or 304. (C27, RFC 9110)
 * `status` is that of the whole file; conditions and ranges apply only to 200.
 */
export async function sendMedia(
  media: SentMedia,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 201 = 200,
): Promise<FastifyReply> {
  const { bytes, etag } = media;
  if (status === 200) {
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
    if (ifMatch !== undefined && !hasTag(ifMatch, etag, false)) {
      const message = 'The video does not match If-Match.';
      return replyProblem(new ExportError('invalid', 'request.precondition', message), request, reply);
    }
    if (ifNoneMatch !== undefined && hasTag(ifNoneMatch, etag, true)) return withHeaders(media, reply).code(304).send();
  }
  if (media.elsewhere) {
    const address = await media.elsewhere();
    // The address grants access to the video, so it must not be cached.
    return withHeaders(media, reply).header('cache-control', 'no-store').redirect(address, 302);
  }
  const asksForRange =
    status === 200 && request.method === 'GET' && ifRangeHolds(request.headers['if-range'] as string | undefined, etag);
  const range = asksForRange ? answerRange(request.headers.range, bytes) : 'whole';
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${bytes}`);
    const message = `The video has ${bytes} bytes; the requested range is outside of them.`;
    return replyProblem(new ExportError('invalid', 'request.range', message), request, reply);
  }
  const part = range === 'whole' ? undefined : range;
  const stream = request.method === 'HEAD' ? undefined : await media.open(part);

  withHeaders(media, reply).headers({ ...media.bodyHeaders, 'accept-ranges': 'bytes' });
  if (part === undefined) return reply.code(status).header('content-length', bytes).send(stream);
  const { start, end } = part;
  reply.code(206).headers({ 'content-length': end - start, 'content-range': `bytes ${start}-${end - 1}/${bytes}` });
  return reply.send(stream);
}

/** The policy of the document that a browser makes for a video opened by itself: it may only show it. */
const MEDIA_POLICY = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** Adds the headers of every response about the media. */
function withHeaders({ etag, headers }: SentMedia, reply: FastifyReply): FastifyReply {
  const shared = { 'content-security-policy': MEDIA_POLICY, 'cross-origin-resource-policy': 'cross-origin' };
  return reply.headers({ etag, ...shared, ...headers });
}
