import { buffer } from 'node:stream/consumers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MediaBytes } from '../../../exports/api/media-api.ts';
import type { OpenRevision } from '../../../exports/api/projects-api.ts';
import { MAGIC_BYTES, pictureMagic } from '../../../image-header/picture-magic.ts';
import { hasTag } from '../../wire/byte-ranges.ts';
import { sendContent } from '../media/send-content.ts';
import { projectTag } from './project-metadata.ts';

/** Sends a project exactly as it was received. */
export async function sendDocument(
  revision: OpenRevision,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const etag = projectTag(revision);
  reply.headers({ etag, 'cache-control': 'private, no-cache' });
  const known = request.headers['if-none-match'];
  if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
  reply.type('application/json; charset=utf-8').header('content-length', revision.bytes);
  return reply.send(request.method === 'HEAD' ? undefined : await revision.stream());
}

/** Sends a thumbnail with its picture type. */
export async function sendThumbnail(
  thumbnail: MediaBytes,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const head = await buffer(await thumbnail.stream({ start: 0, end: Math.min(MAGIC_BYTES, thumbnail.bytes) }));
  return sendContent(thumbnail, request, reply, `image/${pictureMagic(head)}`);
}
