import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { ByteRange } from '../../store/blob-store.ts';
import { answerRange, hasTag, ifRangeHolds } from './byte-ranges.ts';
import { replyProblem } from './reply-problem.ts';

/** A video, or a range of one, to send. */
interface SentMedia {
  readonly bytes: number;
  /** Of all its bytes, quoted. */
  readonly etag: string;
  /** What goes with every answer about it, that nothing has changed included. */
  readonly headers: Readonly<Record<string, string>>;
  /** What goes with its bytes. */
  readonly bodyHeaders: Readonly<Record<string, string>>;
  /** Opens it before a word is said of it: a problem must not go out under the name and the type of a video. */
  open(range: ByteRange | undefined): Promise<Readable>;
  /** Where the client is to fetch it instead, whole or in part; null or left out where it is sent from here. */
  readonly elsewhere?: (() => Promise<string>) | null;
}

/**
 * Sends media, or the part of it that was asked for, or the news that nothing has changed. (C27, RFC 9110)
 *
 * `status` is that of the whole; conditions and ranges only have a meaning for 200.
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
    if (ifNoneMatch !== undefined && hasTag(ifNoneMatch, etag, true)) return dressed(media, reply).code(304).send();
  }
  if (media.elsewhere) {
    const address = await media.elsewhere();
    // Whoever has the address has the video: it is not for others' memories.
    return dressed(media, reply).header('cache-control', 'no-store').redirect(address, 302);
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

  dressed(media, reply).headers({ ...media.bodyHeaders, 'accept-ranges': 'bytes' });
  if (part === undefined) return reply.code(status).header('content-length', bytes).send(stream);
  const { start, end } = part;
  reply.code(206).headers({ 'content-length': end - start, 'content-range': `bytes ${start}-${end - 1}/${bytes}` });
  return reply.send(stream);
}

/** What the document may do that a browser makes of a video opened by itself: show it. */
const MEDIA_POLICY = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** What every answer about the media itself carries. */
function dressed({ etag, headers }: SentMedia, reply: FastifyReply): FastifyReply {
  const shared = { 'content-security-policy': MEDIA_POLICY, 'cross-origin-resource-policy': 'cross-origin' };
  return reply.headers({ etag, ...shared, ...headers });
}
