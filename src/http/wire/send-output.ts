import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { OpenOutput } from '../../exports/exports-api.ts';
import type { ByteRange } from '../../store/blob-store.ts';
import { answerRange, hasTag, ifRangeHolds } from './byte-ranges.ts';
import { contentDisposition } from './content-disposition.ts';
import { cancelledMeanwhile, unknownExport } from './problem.ts';
import { replyProblem } from './reply-problem.ts';

/**
 * Sends an MP4, or the part of it that was asked for, or the news that nothing has changed. (C27, RFC 9110)
 *
 * `status` is that of the whole; conditions and ranges only have a meaning for 200.
 *
 * @throws `export.unknown`, `export.cancelled` where it was deleted this very moment.
 */
export async function sendOutput(
  output: OpenOutput,
  request: FastifyRequest,
  reply: FastifyReply,
  { inline, status }: { readonly inline: boolean; readonly status: 200 | 201 },
): Promise<FastifyReply> {
  const etag = `"${output.sha256}"`;
  if (status === 200) {
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
    if (ifMatch !== undefined && !hasTag(ifMatch, etag, false)) {
      const message = 'The video is not the one that If-Match names.';
      return replyProblem(new ExportError('invalid', 'request.precondition', message), request, reply);
    }
    if (ifNoneMatch !== undefined && hasTag(ifNoneMatch, etag, true)) return dressed(reply, etag).code(304).send();
  }
  const asksForRange =
    status === 200 && request.method === 'GET' && ifRangeHolds(request.headers['if-range'] as string | undefined, etag);
  const range = asksForRange ? answerRange(request.headers.range, output.bytes) : 'whole';
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${output.bytes}`);
    const message = `The video has ${output.bytes} bytes; the range asked for lies outside of them.`;
    return replyProblem(new ExportError('invalid', 'request.range', message), request, reply);
  }
  const part = range === 'whole' ? undefined : range;
  // Opened before a word is said of it: a problem must not go out under the name and the type of a video.
  const stream = request.method === 'HEAD' ? undefined : await opened(output, part, status);

  dressed(reply, etag)
    .type('video/mp4')
    .headers({
      'content-disposition': contentDisposition(inline ? 'inline' : 'attachment', output.fileName),
      'accept-ranges': 'bytes',
    });
  if (part === undefined) return reply.code(status).header('content-length', output.bytes).send(stream);
  const { start, end } = part;
  reply.code(206).headers({
    'content-length': end - start,
    'content-range': `bytes ${start}-${end - 1}/${output.bytes}`,
  });
  return reply.send(stream);
}

/** What every answer about the video itself carries. */
function dressed(reply: FastifyReply, etag: string): FastifyReply {
  reply.removeHeader('content-security-policy');
  return reply.headers({
    etag,
    'cache-control': 'private, no-transform',
    'cross-origin-resource-policy': 'cross-origin',
  });
}

async function opened(output: OpenOutput, range: ByteRange | undefined, status: 200 | 201): Promise<Readable> {
  try {
    return await output.stream(range);
  } catch (error) {
    if (!(error instanceof ExportError && error.code === 'store.blob_missing')) throw error;
    throw status === 201 ? cancelledMeanwhile() : unknownExport();
  }
}
