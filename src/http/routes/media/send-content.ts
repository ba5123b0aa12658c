import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../../errors.ts';
import type { MediaBytes } from '../../../exports/api/media-api.ts';
import type { ByteRange } from '../../../store/blob-store.ts';
import { contentDisposition } from '../../wire/content-disposition.ts';
import { unknownMedia } from '../../wire/problem.ts';
import { sendMedia } from '../../wire/send-media.ts';

/** Prevents a browser from running or showing user uploads. */
const UPLOAD_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-cache',
};

/** Sends bytes that a user has uploaded, as a file without a type, or with the type that its first bytes have. (C76) */
export function sendContent(
  { sha256, bytes, stream }: MediaBytes,
  request: FastifyRequest,
  reply: FastifyReply,
  type = 'application/octet-stream',
): Promise<FastifyReply> {
  const open = (range: ByteRange | undefined) =>
    stream(range).catch((error: unknown) => {
      throw error instanceof ExportError && error.code === 'store.blob_missing' ? unknownMedia() : error;
    });
  const bodyHeaders = { 'content-type': type, 'content-disposition': contentDisposition('attachment', sha256) };
  return sendMedia({ bytes, etag: `"${sha256}"`, headers: UPLOAD_HEADERS, bodyHeaders, open }, request, reply);
}
