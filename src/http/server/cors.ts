import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Additional request headers that a page may send. */
const SENT = [
  'Accept',
  'Authorization',
  'Content-Range',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Prefer',
  'Range',
  'X-Api-Key',
];

/** Additional response headers that a page may read. */
const EXPOSED_HEADERS = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Location',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'Tiercut-Frame',
  'Tiercut-Frames',
  'Tiercut-Time',
  'Tiercut-Warnings',
  'Upload-Length',
  'Upload-Offset',
  'X-Request-Id',
];

/** Lets pages of these origins (`*`: of any) use the API as other programs do (CORS). */
export async function allowCrossOrigin(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: SENT,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
  });
}
