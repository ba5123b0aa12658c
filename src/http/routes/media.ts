import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import { isComplete, type MediaBytes, type MediaUpload } from '../../exports/api/media-api.ts';
import { pictureMagic } from '../../image-header/read-image-header.ts';
import { FirstSignal } from '../../platform/signals.ts';
import type { ByteRange } from '../../store/blob-store.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import type { JsonLimits } from '../../timeline/json/json-text.ts';
import { shownText, shownValue } from '../../timeline/json/shown-value.ts';
import { readSha256 } from '../../timeline/media-references.ts';
import { BodyReader } from '../multipart/body-reader.ts';
import { isJson, readJsonBody } from '../multipart/read-json-body.ts';
import { parseMediaQuery } from '../replies/list-query.ts';
import {
  KNOWN_FILES,
  type KnownMedia,
  MAX_KNOWN_MEDIA,
  MEDIA,
  MEDIA_LIST,
  offsetHeaders,
  UNFINISHED_MEDIA,
} from '../replies/media-replies.ts';
import { isStopped, unknownMedia } from '../replies/problem.ts';
import { negotiate } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { contentDisposition, sendMedia } from '../server/send-media.ts';
import { clientGone } from '../server/wait-within.ts';

/** The bytes that a request sends: `start … end` of `bytes`, `end` excluded. */
interface AnnouncedBytes {
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
}

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/;

/**
 * Reads the announced length: of everything (`Content-Length`), or of a part (`Content-Range: bytes 0-99/200`, which
 * `curl -C` sends).
 *
 * @throws `media.length_required`, `media.range`
 */
function announcedBytes(contentLength: string | undefined, contentRange: string | undefined): AnnouncedBytes {
  const length = contentLength === undefined ? null : Number(contentLength);
  if (contentRange === undefined) {
    if (length === null) throw lengthRequired();
    return { start: 0, end: length, bytes: length };
  }
  const [start, last, bytes] = CONTENT_RANGE.exec(contentRange)?.slice(1).map(Number) ?? [];
  if (start === undefined || last === undefined || bytes === undefined || start > last || last >= bytes) {
    throw badRange('It must be "bytes first-last/whole", such as "bytes 0-99/200".');
  }
  if (length !== null && length !== last + 1 - start)
    throw badRange(`Its length differs from the ${length} bytes of the body.`);
  return { start, end: last + 1, bytes };
}

function lengthRequired(): ExportError {
  const message = 'Send the length of the body with Content-Length, or with Content-Range if that is not possible.';
  return new ExportError('malformed', 'media.length_required', message);
}

function badRange(reason: string): ExportError {
  return new ExportError('malformed', 'media.range', `The Content-Range header cannot be used. ${reason}`);
}

interface MediaRequest {
  readonly Params: { readonly sha256: string };
}

/** `POST /media`, `POST /media/known`, `PUT|HEAD|GET|DELETE /media/<sha256>`: content for any number of requests. (C38, C66, C76) */
export function mediaRoutes(app: FastifyInstance, context: RouteContext): void {
  const { media } = context;
  app.post('/media', (request, reply) => fetchMedia(request, reply, context));
  app.post('/media/known', (request, reply) => knownMedia(request, reply, context));
  app.get<{ Querystring: Record<string, string | string[]> }>('/media', async (request, reply) => {
    const { limit, after, warnings } = parseMediaQuery(request.query);
    const page = await media.list(request.tenant!, limit, after);
    return reply.header('cache-control', 'no-store').send(MEDIA_LIST.write({ ...page, warnings }));
  });
  app.put<MediaRequest>('/media/:sha256', (request, reply) => put(request, reply, context));

  app.head<MediaRequest>('/media/:sha256', async (request, reply) => {
    const sha256 = readSha256(request.params.sha256);
    const found = sha256 === null ? null : await media.find(request.tenant!, sha256);
    reply.header('cache-control', 'no-store');
    if (found !== null && isComplete(found)) {
      return reply.headers(offsetHeaders({ received: found.bytes, bytes: found.bytes })).send();
    }
    if (found !== null) reply.headers(offsetHeaders(found));
    throw unknownMedia();
  });

  app.get<MediaRequest>('/media/:sha256', async (request, reply) => {
    const sha256 = readSha256(request.params.sha256);
    const type = negotiate(request.headers.accept, ['application/octet-stream', 'application/json']);
    reply.header('vary', 'Accept');
    if (type === 'application/octet-stream') {
      const content = sha256 === null ? null : await media.open(request.tenant!, sha256);
      if (content === null) throw unknownMedia();
      return sendContent(content, request, reply);
    }
    const view = sha256 === null ? null : await media.describe(request.tenant!, sha256, clientGone(reply));
    if (view === null) throw unknownMedia();
    return reply.header('cache-control', 'no-store').send(MEDIA.write(view));
  });

  app.delete<MediaRequest>('/media/:sha256', async (request, reply) => {
    const sha256 = readSha256(request.params.sha256);
    if (sha256 === null || !(await media.remove(request.tenant!, sha256))) throw unknownMedia();
    return reply.code(204).send();
  });
}

/** An address and little else. */
const URL_BODY: JsonLimits = { maxBytes: 16_384, maxDepth: 8, maxValues: 100 };

/** @throws ExportError at `/url`; often because of a misspelt member. */
function readUrl(members: Readonly<Record<string, unknown>>): string {
  const { url, ...others } = members;
  if (typeof url === 'string') return url;
  const issues = new IssueList();
  for (const name of Object.keys(others)) {
    const message = `The member ${shownText(name)} is unknown and ignored.${issues.hint(name, ['url'])}`;
    issues.warn(pointer('', name), 'field.unknown', message);
  }
  const [code, message] =
    url === undefined
      ? (['field.required', 'url is missing: the address of the file to fetch.'] as const)
      : (['field.type', `url must be a string, the address of a file, not ${shownValue(url)}.`] as const);
  throw new ExportError('invalid', code, message, { path: '/url', warnings: issues.warnings });
}

/** `POST /media`: the service fetches the bytes. (C66) */
async function fetchMedia(
  request: FastifyRequest,
  reply: FastifyReply,
  { media, config, closing }: RouteContext,
): Promise<FastifyReply> {
  if (!isJson(request.headers['content-type'])) throw notJson();
  using ended = new FirstSignal(clientGone(reply), closing);
  const members = await readJsonBody(request.raw, {
    json: URL_BODY,
    patience: config.limits,
    signal: ended.signal,
    onReading: () => continueReading(request, reply),
  });
  const url = readUrl(members);
  // From here on the service keeps the connection idle.
  reply.raw.socket?.setTimeout(0);
  const fetched = await media.fetch(request.tenant!, url, ended.signal).catch((error: unknown) => {
    throw closing.aborted && isStopped(error) ? shuttingDown() : error;
  });
  reply.raw.socket?.setTimeout(config.socketTimeoutSeconds * 1000);
  if (fetched === null) throw unknownMedia();
  const { view, known } = fetched;
  const location = `/media/${view.sha256}`;
  return reply
    .code(known ? 200 : 201)
    .headers({ location, 'cache-control': 'no-store' })
    .send(MEDIA.write(view));
}

/** The hashes and little else. */
const LIST_BODY: JsonLimits = { maxBytes: 16_384, maxDepth: 4, maxValues: 4 * MAX_KNOWN_MEDIA };
/** Files that are looked up at once: a store of nodes is asked about each. */
const LOOKUPS = 8;

/** `POST /media/known`: which of many files the tenant has. (C38) */
async function knownMedia(
  request: FastifyRequest,
  reply: FastifyReply,
  { media, config, closing }: RouteContext,
): Promise<FastifyReply> {
  if (!isJson(request.headers['content-type'])) throw noList();
  using ended = new FirstSignal(clientGone(reply), closing);
  const members = await readJsonBody(request.raw, {
    json: LIST_BODY,
    patience: config.limits,
    signal: ended.signal,
    onReading: () => continueReading(request, reply),
  });
  const asked = readHashes(members.media);
  const known: KnownMedia[] = [];
  for (let at = 0; at < asked.length; at += LOOKUPS) {
    ended.signal.throwIfAborted();
    const some = asked.slice(at, at + LOOKUPS).map(async (sha256): Promise<KnownMedia> => {
      const found = await media.find(request.tenant!, sha256);
      if (found === null) return { sha256, stored: false, received: 0 };
      return isComplete(found)
        ? { sha256, stored: true, received: found.bytes }
        : { sha256, stored: false, received: found.received };
    });
    known.push(...(await Promise.all(some)));
  }
  return reply.header('cache-control', 'no-store').send(KNOWN_FILES.write(known));
}

/** @throws ExportError at `/media`, or at the first entry that is no SHA-256. */
function readHashes(sent: unknown): readonly string[] {
  const invalid = (code: string, message: string, path = '/media') =>
    new ExportError('invalid', code, message, { path });
  if (sent === undefined) throw invalid('field.required', 'media is missing: the SHA-256 of each file.');
  if (!Array.isArray(sent)) throw invalid('field.type', `media must be a list, not ${shownValue(sent)}.`);
  if (sent.length > MAX_KNOWN_MEDIA) {
    throw invalid('field.range', `media has ${sent.length} entries; ${MAX_KNOWN_MEDIA} are allowed.`);
  }
  return sent.map((each, index) => {
    const sha256 = typeof each === 'string' ? readSha256(each) : null;
    if (sha256 !== null) return sha256;
    const message = `A SHA-256 has 64 hexadecimal digits, not ${shownValue(each)}.`;
    throw invalid('field.type', message, `/media/${index}`);
  });
}

async function put(
  request: FastifyRequest<MediaRequest>,
  reply: FastifyReply,
  context: RouteContext,
): Promise<FastifyReply> {
  const { api, media, closing } = context;
  const sha256 = readSha256(request.params.sha256);
  if (sha256 === null) throw noSha256(request.params.sha256);
  const tenant = request.tenant!;
  const announced = announcedBytes(request.headers['content-length'], request.headers['content-range']);
  reply.header('cache-control', 'no-store');
  const known = await media.keep(tenant, sha256, closing);
  // The body is not read: a client that sent Expect: 100-continue need not send it.
  if (known !== null) return reply.send(MEDIA.write(known));
  requireSize(announced.bytes, context.config.limits.maxFileBytes, 'file');
  if (closing.aborted) throw shuttingDown();

  using admitted = await api.admit({
    tenant,
    bytes: announced.end - announced.start,
    idempotencyKey: null,
    creates: false,
  });
  try {
    await using upload = await media.receive({ tenant, sha256, ...announced });
    await takeBody(request, reply, upload, announced, (bytes) => admitted.arrived(bytes), context);
    // From here on the service keeps the connection idle, while it probes the file.
    reply.raw.socket?.setTimeout(0);
    // A client that disconnects now has sent everything.
    const came = await upload.finish(closing);
    if (isComplete(came)) return reply.code(201).header('location', `/media/${sha256}`).send(MEDIA.write(came));
    return reply
      .code(202)
      .headers(offsetHeaders(came))
      .send(UNFINISHED_MEDIA.write({ sha256, ...came }));
  } catch (error) {
    const found = await media.find(tenant, sha256);
    // Bytes of a file of another length do not count.
    const isOfThis = found !== null && found.bytes === announced.bytes;
    if (!isOfThis && isWrongOffset(error)) reply.headers(offsetHeaders({ received: 0, bytes: announced.bytes }));
    else if (isOfThis && !isComplete(found)) reply.headers(offsetHeaders(found));
    throw closing.aborted && isStopped(error) ? shuttingDown() : error;
  }
}

/** Reads the body into an upload, as far as it arrives. */
async function takeBody(
  request: FastifyRequest,
  reply: FastifyReply,
  upload: MediaUpload,
  { bytes }: AnnouncedBytes,
  arrived: (bytes: number) => Promise<void>,
  { config, metrics, closing }: RouteContext,
): Promise<void> {
  using _counted = metrics.countUpload();
  using ended = new FirstSignal(clientGone(reply), closing, upload.superseded);
  using body = new BodyReader(request.raw, config.limits, ended.signal);
  continueReading(request, reply);
  try {
    for (let chunk = await body.next(); chunk !== null; chunk = await body.next()) {
      await arrived(chunk.length);
      await upload.write(chunk);
      metrics.countReceived(chunk.length);
      if (pictureMagic(upload.head) !== null) requireSize(bytes, config.limits.maxImageFileBytes, 'image');
    }
  } catch (error) {
    if (upload.superseded.aborted) throw superseded();
    if (error instanceof ExportError && error.code === 'media.too_large') await upload.discard();
    throw error;
  }
}

export function continueReading(request: FastifyRequest, reply: FastifyReply): void {
  if (/^100-continue$/i.test(request.headers.expect ?? '')) reply.raw.writeContinue();
}

function requireSize(bytes: number, maxBytes: number, what: 'file' | 'image'): void {
  if (bytes === 0) throw new ExportError('invalid', 'media.empty', 'The file is empty.');
  if (bytes <= maxBytes) return;
  const message = `The ${what} has ${bytes} bytes; ${maxBytes} are allowed.`;
  throw new ExportError('too_large', 'media.too_large', message);
}

function superseded(): ExportError {
  const message = 'The upload continues on another connection, or was deleted.';
  return new ExportError('cancelled', 'upload.superseded', message);
}

function isWrongOffset(error: unknown): boolean {
  return error instanceof ExportError && error.code === 'media.offset';
}

function shuttingDown(): ExportError {
  const message = 'The service is shutting down and accepts no new uploads. Try again in a moment.';
  return new ExportError('unavailable', 'service.closing', message);
}

function notJson(): ExportError {
  const message = 'The body must be JSON: { "url": "https://…" }. Bytes are sent with PUT /media/<sha256>.';
  return new ExportError('unsupported', 'request.not_json', message);
}

function noList(): ExportError {
  const message = 'The body must be JSON: { "media": ["<sha256>", …] }.';
  return new ExportError('unsupported', 'request.not_json', message);
}

function noSha256(sent: string): ExportError {
  const message = `The address must end in a SHA-256, 64 hexadecimal digits, not in ${shownText(sent)}.`;
  return new ExportError('malformed', 'media.address', message);
}

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
