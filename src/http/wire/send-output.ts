import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { OpenOutput } from '../../exports/exports-api.ts';
import { answerRange, hasTag, ifRangeHolds } from './byte-ranges.ts';
import { contentDisposition } from './content-disposition.ts';
import { replyProblem } from './reply-problem.ts';

/**
 * Sends an MP4, or the part of it that was asked for, or the news that nothing has changed. (C27, RFC 9110)
 *
 * `status` is that of the whole; conditions and ranges only have a meaning for 200.
 */
export async function sendOutput(
  output: OpenOutput,
  request: FastifyRequest,
  reply: FastifyReply,
  { inline, status }: { readonly inline: boolean; readonly status: 200 | 201 },
): Promise<FastifyReply> {
  const etag = `"${output.sha256}"`;
  reply.headers({ etag, 'cache-control': 'private, no-transform', 'cross-origin-resource-policy': 'cross-origin' });
  reply.removeHeader('content-security-policy');
  if (status === 200) {
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
    if (ifMatch !== undefined && !hasTag(ifMatch, etag, false)) {
      const message = 'The video is not the one that If-Match names.';
      return replyProblem(new ExportError('invalid', 'request.precondition', message), request, reply);
    }
    if (ifNoneMatch !== undefined && hasTag(ifNoneMatch, etag, true)) return reply.code(304).send();
  }
  const disposition = contentDisposition(inline ? 'inline' : 'attachment', output.fileName);
  reply.headers({ 'content-disposition': disposition, 'accept-ranges': 'bytes' });

  const asksForRange =
    status === 200 && request.method === 'GET' && ifRangeHolds(request.headers['if-range'] as string | undefined, etag);
  const range = asksForRange ? answerRange(request.headers.range, output.bytes) : 'whole';
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${output.bytes}`).removeHeader('content-disposition').removeHeader('etag');
    const message = `The video has ${output.bytes} bytes; the range asked for lies outside of them.`;
    return replyProblem(new ExportError('invalid', 'request.range', message), request, reply);
  }
  reply.type('video/mp4');
  if (range === 'whole') {
    reply.code(status).header('content-length', output.bytes);
    return request.method === 'HEAD' ? reply.send() : reply.send(await output.stream());
  }
  const { start, end } = range;
  reply.code(206).headers({
    'content-length': end - start,
    'content-range': `bytes ${start}-${end - 1}/${output.bytes}`,
  });
  return reply.send(await output.stream(range));
}
