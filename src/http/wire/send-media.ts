import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { ByteRange } from '../../store/blob-store.ts';
import { answerRange, hasTag, ifRangeHolds } from './byte-ranges.ts';
import { replyProblem } from './reply-problem.ts';

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
