import type { FastifyInstance } from 'fastify';
import type { FrameFormat, FramePicture } from '../../exports/api/exports-api.ts';
import { FirstSignal } from '../../platform/signals.ts';
import { FRAME_FIELDS } from '../../timeline/wanted-fields.ts';
import { requireForm } from '../multipart/read-multipart.ts';
import { negotiate } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { clientGone } from '../server/wait-within.ts';
import { admit, receiveForm } from './receive-form.ts';

const FORMATS = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/webp': 'webp' } as const satisfies Record<
  string,
  FrameFormat
>;
const TYPES = Object.keys(FORMATS) as (keyof typeof FORMATS)[];

/** A frame takes less than a second, so a refused client can retry soon. */
const RETRY_SECONDS = '1';

const FORM = { plainFields: new Set<string>(FRAME_FIELDS), hasDocuments: true };

/** Proxies and clients accept 8 KB of headers in all. */
const MAX_WARNING_BYTES = 2_000;

/** `POST /video/frames`: one frame of the video that a create would make; stores nothing. (C39) */
export function framesRoutes(app: FastifyInstance, context: RouteContext): void {
  app.post('/video/frames', async (request, reply) => {
    const type = negotiate(request.headers.accept, TYPES);
    requireForm(request.headers['content-type']);
    const tenant = request.tenant!;
    reply.header('retry-after', RETRY_SECONDS);
    using _place = context.api.admitFrame(tenant);
    reply.removeHeader('retry-after');
    using admitted = await admit(request, { creates: false, idempotencyKey: null }, context);
    await using form = await receiveForm(request, reply, admitted, context, FORM);
    reply.raw.socket?.setTimeout(0);
    using ended = new FirstSignal(clientGone(reply), context.closing);
    const picture = await context.api.frame(
      { tenant, texts: form.texts, uploads: form.uploads, format: FORMATS[type] },
      ended.signal,
    );
    reply.raw.socket?.setTimeout(context.config.socketTimeoutSeconds * 1000);
    reply.headers({ ...headersOf(picture), 'cache-control': 'no-store', vary: 'Accept' }).type(type);
    // Returned instead of sent, so that the uploads are removed before the response.
    return picture.bytes;
  });
}

function headersOf({ frame, totalFrames, seconds, warnings }: FramePicture): Record<string, string> {
  return {
    'tiercut-frame': String(frame),
    'tiercut-frames': String(totalFrames),
    'tiercut-time': String(Number(seconds.toFixed(6))),
    ...(warnings.length > 0 && { 'tiercut-warnings': headerJson(warnings) }),
  };
}

/** As many as fit, as JSON in ASCII; `POST /video/exports/validate` returns them all. */
function headerJson(warnings: FramePicture['warnings']): string {
  const shown: string[] = [];
  let bytes = 2;
  for (const warning of warnings) {
    const text = JSON.stringify(warning).replace(/[^\x20-\x7e]/g, (unit) => {
      return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
    bytes += text.length + 1;
    if (bytes > MAX_WARNING_BYTES) break;
    shown.push(text);
  }
  return `[${shown.join(',')}]`;
}
