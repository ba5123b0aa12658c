import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { OpenSegment, StreamFacts, StreamTrack, StreamView } from '../../exports/api/streams-api.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { ByteRange } from '../../store/blob-store.ts';
import { exportPath, publicAddress } from '../replies/export-replies.ts';
import { unknownExport } from '../replies/problem.ts';
import { readPreferences } from '../server/preferences.ts';
import type { RouteContext } from '../server/route-context.ts';
import { hasTag, sendMedia } from '../server/send-media.ts';
import { waitWithin } from '../server/wait-within.ts';
import { findExport, isOwnExport, replyUnready, requirePreset } from './export-output.ts';

/** Addresses in playlists are relative, so they work under every name and alias of the first one. */
const TRACK_PLAYLIST: Readonly<Record<StreamTrack, string>> = { video: 'video/index.m3u8', audio: 'audio/index.m3u8' };

/** Required by `EXT-X-MAP` for segments other than MPEG-TS. */
const VERSION = 7;

/**
 * Without it, players would start near the end, as with a broadcast; this video plays from its start. It is only in the
 * playlists of the tracks: with it, libavformat treats a multivariant playlist as a track's, and plays everything
 * twice.
 */
const FROM_THE_START = '#EXT-X-START:TIME-OFFSET=0,PRECISE=YES';

/** The playlist of an output: its picture and its sound. (C49, RFC 8216) */
function multivariantPlaylist(facts: StreamFacts): string {
  const { codecs, width, height, rate, peakBitRate, averageBitRate } = facts;
  const stream = [
    `BANDWIDTH=${peakBitRate}`,
    ...(averageBitRate === null ? [] : [`AVERAGE-BANDWIDTH=${averageBitRate}`]),
    `CODECS="${codecs.join(',')}"`,
    `RESOLUTION=${width}x${height}`,
    `FRAME-RATE=${(rate.num / rate.den).toFixed(3)}`,
    'AUDIO="sound"',
    'CLOSED-CAPTIONS=NONE',
  ];
  const sound = 'TYPE=AUDIO,GROUP-ID="sound",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2"';
  return lines(
    '#EXTM3U',
    `#EXT-X-VERSION:${VERSION}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MEDIA:${sound},URI="${TRACK_PLAYLIST.audio}"`,
    `#EXT-X-STREAM-INF:${stream.join(',')}`,
    TRACK_PLAYLIST.video,
  );
}

/**
 * The playlist of a track: an event that grows until `EXT-X-ENDLIST` completes it. Its type stays the same, because a
 * playlist must not change what it has announced (RFC 8216, 6.2.1).
 */
function mediaPlaylist({ ended, targetSeconds, tracks }: StreamView, track: StreamTrack): string {
  const { init, segments } = tracks[track];
  return lines(
    '#EXTM3U',
    `#EXT-X-VERSION:${VERSION}`,
    `#EXT-X-TARGETDURATION:${targetSeconds}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:EVENT',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES',
    FROM_THE_START,
    `#EXT-X-MAP:URI="${init}"`,
    ...segments.flatMap(({ name, seconds }) => [`#EXTINF:${seconds.toFixed(6)},`, name]),
    ...(ended ? ['#EXT-X-ENDLIST'] : []),
  );
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

interface StreamRequest {
  readonly Params: { readonly id: string; readonly preset: string; readonly track: string; readonly segment: string };
  readonly Querystring: { readonly _HLS_msn?: string | readonly string[] };
}

/**
 * How long a playlist with segments waits for the one that a player requests (RFC 8216bis, 6.2.5.2). After that it is
 * sent as it is: players give up after 10 s, and treat the error that the RFC prescribes as a failure, but a slow
 * render is not one.
 */
const RELOAD_SECONDS = 8;

/** As long as an export is kept by default; the bytes of a name never change. */
const KEPT = 'private, max-age=86400, immutable';

/** `GET|HEAD /video/exports/<id>/hls/<preset>/…`: streaming during the render. Needs no key, like downloads. (C49) */
export function hlsRoutes(app: FastifyInstance, context: RouteContext): void {
  const shared = { method: ['GET', 'HEAD'], config: { open: true } };
  app.route<StreamRequest>({
    ...shared,
    url: '/video/exports/:id/hls/:preset/index.m3u8',
    handler: (request, reply) =>
      playlist(request, reply, context, 'index.m3u8', async (view) => multivariantPlaylist(await view.facts())),
  });
  app.route<StreamRequest>({
    ...shared,
    url: '/video/exports/:id/hls/:preset/:track/index.m3u8',
    handler: (request, reply) => {
      const track = trackOf(request.params.track);
      return playlist(request, reply, context, `${track}/index.m3u8`, async (view) => mediaPlaylist(view, track));
    },
  });
  app.route<StreamRequest>({
    ...shared,
    url: '/video/exports/:id/hls/:preset/:track/:segment',
    handler: (request, reply) => segment(request, reply, context),
  });
}

/** Waits for the first segment, or for the next one that a player names, and returns the playlist as it is then. */
async function playlist(
  request: FastifyRequest<StreamRequest>,
  reply: FastifyReply,
  context: RouteContext,
  name: string,
  text: (view: StreamView) => Promise<string>,
): Promise<FastifyReply> {
  const { api, config, waits, closing } = context;
  const { id, preset } = await streamOf(request, context);
  const next = await api.streams.view(id, preset);
  const { waitSeconds } = readPreferences(request.headers.prefer);
  const seconds = Math.min(
    next === null ? (waitSeconds ?? Number.POSITIVE_INFINITY) : RELOAD_SECONDS,
    config.waitLimitSeconds,
  );
  // Also if there are segments: a request for a playlist waits for the output. (C12)
  const wait = (signal: AbortSignal) => api.streams.waitFor(id, preset, wantedSegment(request), signal);
  // What there is can be sent to any number of players.
  using place = next === null || waits.hasRoom(request) ? waits.enter(request) : null;
  const end = place === null ? 'over' : await waitWithin(wait, { seconds, reply, closing });
  reply.headers({ 'cache-control': 'no-store', vary: 'Prefer' });
  if (end === 'gone') return reply.code(202).send();
  const view = await api.streams.view(id, preset);
  if (view === null) {
    const address = publicAddress(`${exportPath(id)}/hls/${preset}/${name}`, config.publicUrl);
    const waited = waitSeconds === null ? null : seconds;
    const own = await isOwnExport(api, request.tenant, id);
    return replyUnready(
      await findExport(api, null, id),
      { preset, what: 'video', waited, address, own },
      request,
      reply,
    );
  }
  return replyPlaylist(await text(view), request, reply);
}

function replyPlaylist(body: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const etag = `"${sha256(body).slice(0, 32)}"`;
  reply.headers({ etag, 'cache-control': 'private, no-cache', 'cross-origin-resource-policy': 'cross-origin' });
  const known = request.headers['if-none-match'];
  if (known !== undefined && hasTag(known, etag, true)) return reply.code(304).send();
  return reply.type('application/vnd.apple.mpegurl').send(body);
}

async function segment(
  request: FastifyRequest<StreamRequest>,
  reply: FastifyReply,
  context: RouteContext,
): Promise<FastifyReply> {
  const { id, preset } = await streamOf(request, context);
  const track = trackOf(request.params.track);
  const opened = await open(() => context.api.streams.open(id, preset, track, request.params.segment));
  let sent = false;
  try {
    const media = {
      bytes: opened.bytes,
      etag: `"${opened.sha256}"`,
      headers: { 'cache-control': KEPT },
      bodyHeaders: { 'content-type': track === 'audio' ? 'audio/mp4' : 'video/mp4' },
      open: async (range: ByteRange | undefined) => {
        sent = true;
        return opened.stream(range);
      },
    };
    return await sendMedia(media, request, reply);
  } finally {
    if (!sent) await opened[Symbol.asyncDispose]();
  }
}

async function open(find: () => Promise<OpenSegment | null>): Promise<OpenSegment> {
  try {
    const found = await find();
    if (found !== null) return found;
  } catch (error) {
    // It was deleted just now.
    if (!(error instanceof ExportError && error.code === 'store.blob_missing')) throw error;
  }
  throw unknownExport();
}

/** @throws `export.unknown`, `export.unknown_preset` */
async function streamOf({ params }: FastifyRequest<StreamRequest>, { api, config }: RouteContext) {
  const { id } = await findExport(api, null, params.id);
  return { id, preset: requirePreset(config.presets, params.preset) };
}

function trackOf(name: string): StreamTrack {
  if (name === 'video' || name === 'audio') return name;
  throw unknownExport();
}

/** The segment to wait for: the one that the player names, else the first. */
function wantedSegment({ query }: FastifyRequest<StreamRequest>): number {
  const { _HLS_msn: named } = query;
  return typeof named === 'string' && /^\d{1,9}$/.test(named) ? Number(named) : 0;
}
