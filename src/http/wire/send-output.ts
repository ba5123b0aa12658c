import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { OpenOutput } from '../../exports/api/open-output.ts';
import type { ByteRange } from '../../store/blob-store.ts';
import { contentDisposition } from './content-disposition.ts';
import { cancelledMeanwhile, unknownExport } from './problem.ts';
import { sendMedia } from './send-media.ts';

/**
 * Sends an MP4 as `sendMedia` does. (C27)
 *
 * @throws `export.unknown`, `export.cancelled` if it was deleted just now.
 */
export function sendOutput(
  output: OpenOutput,
  request: FastifyRequest,
  reply: FastifyReply,
  { inline, status }: { readonly inline: boolean; readonly status: 200 | 201 },
): Promise<FastifyReply> {
  const [type, disposition] = ['video/mp4', contentDisposition(inline ? 'inline' : 'attachment', output.fileName)];
  const { address } = output;
  const media = {
    bytes: output.bytes,
    etag: `"${output.sha256}"`,
    headers: { 'cache-control': 'private, no-transform' },
    bodyHeaders: { 'content-type': type, 'content-disposition': disposition },
    open: (range: ByteRange | undefined) => opened(output, range, status),
    elsewhere:
      address !== null && status === 200 && mayGo(request, inline) ? () => address({ type, disposition }) : null,
  };
  return sendMedia(media, request, reply, status);
}

/**
 * Whether a client can be redirected to another host. For requests of a page, its policy or the other host's may forbid
 * it; browsers announce the kind of request, and other clients have no such policies.
 */
function mayGo({ method, headers }: FastifyRequest, inline: boolean): boolean {
  return method === 'GET' && !inline && (headers['sec-fetch-dest'] ?? 'document') === 'document';
}

async function opened(output: OpenOutput, range: ByteRange | undefined, status: 200 | 201): Promise<Readable> {
  try {
    return await output.stream(range);
  } catch (error) {
    if (!(error instanceof ExportError && error.code === 'store.blob_missing')) throw error;
    throw status === 201 ? cancelledMeanwhile() : unknownExport();
  }
}
