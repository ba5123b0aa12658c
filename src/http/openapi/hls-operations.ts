import type { HttpConfig } from '../server/http-config.ts';
import { exampleExport } from './example-replies.ts';
import { operation, type PathItem } from './operation.ts';
import { exportId, presetName, query, RANGE_HEADERS, requestHeader } from './parameters.ts';
import { binary, header, json, reply, textContent } from './replies.ts';

const PLAYLIST = 'application/vnd.apple.mpegurl';

const TOP = [
  '#EXTM3U',
  '#EXT-X-VERSION:7',
  '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio/index.m3u8"',
  '#EXT-X-STREAM-INF:BANDWIDTH=62700000,CODECS="avc1.640029,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=30.000,AUDIO="sound"',
  'video/index.m3u8',
];
const TRACK = [
  '#EXTM3U',
  '#EXT-X-VERSION:7',
  '#EXT-X-TARGETDURATION:4',
  '#EXT-X-MEDIA-SEQUENCE:0',
  '#EXT-X-PLAYLIST-TYPE:EVENT',
  '#EXT-X-MAP:URI="init-1c9a521f0b4b.mp4"',
  '#EXTINF:4.000000,',
  '0-1c9a521f0b4b.m4s',
];

/** Streaming during the render. (C49) */
export function hlsOperations(config: Pick<HttpConfig, 'presets'>): Record<string, PathItem> {
  const preset = presetName(config);
  const track = {
    name: 'track',
    in: 'path',
    required: true,
    description: 'The picture or the sound.',
    schema: { type: 'string', enum: ['video', 'audio'] },
  };
  const segment = {
    name: 'segment',
    in: 'path',
    required: true,
    description: 'A name from the playlist.',
    schema: { type: 'string', examples: ['0-1c9a521f0b4b.m4s'] },
  };
  return {
    '/video/exports/{id}/hls/{preset}/index.m3u8': {
      parameters: [exportId, preset],
      ...playlist(config, { name: 'Stream', summary: 'Stream a video while it renders (HLS)', lines: TOP }),
    },
    '/video/exports/{id}/hls/{preset}/{track}/index.m3u8': {
      parameters: [exportId, preset, track],
      ...playlist(config, { name: 'Track', summary: 'Get the playlist of picture or sound', lines: TRACK }),
    },
    '/video/exports/{id}/hls/{preset}/{track}/{segment}': {
      parameters: [exportId, preset, track, segment],
      get: segmentOperation('getSegment', 'Get a segment of a stream (CMAF)', true),
      head: segmentOperation('peekSegment', 'Get the headers of a segment', false),
    },
  };
}

function playlist(
  config: Pick<HttpConfig, 'presets'>,
  { name, summary, lines }: { readonly name: string; readonly summary: string; readonly lines: readonly string[] },
): PathItem {
  const described = (body: boolean) =>
    operation({
      operationId: `${body ? 'get' : 'peek'}${name}`,
      tag: 'Outputs',
      summary: body ? summary : `${summary}: headers only`,
      description:
        'The playlist grows with the finished chunks and ends with `EXT-X-ENDLIST`. The first request waits for the first chunk and moves the output to the front of the queue.',
      access: 'open',
      parameters: [
        query('_HLS_msn', 'The number of a segment: respond when it exists, or after 8 seconds.', { type: 'integer' }),
        requestHeader('If-None-Match', 'The `ETag` of your copy of the playlist.', '"9f86d081"'),
        requestHeader('Prefer', '`wait=<seconds>`: longest wait for the first chunk.', 'wait=0'),
      ],
      replies: {
        200: reply('The playlist so far.', body ? textContent(PLAYLIST, `${lines.join('\n')}\n`) : undefined, {
          ETag: header('Changes with the playlist.'),
        }),
        202: reply(
          'No segment yet after `Prefer: wait`.',
          body ? json('UnreadyOutput', { queued: exampleExport(config, 'queued') }) : undefined,
          {
            'Retry-After': header('Seconds until the next poll.', { type: 'integer' }),
            'Preference-Applied': header('`wait=<seconds>`'),
          },
        ),
        304: reply('Unchanged.'),
        307: reply('No segment yet after the wait limit: repeat the request.', undefined, {
          Location: header('The same address.', { type: 'string', format: 'uri-reference' }),
        }),
      },
      problems: [404, 422],
    });
  return { get: described(true), head: described(false) };
}

function segmentOperation(operationId: string, summary: string, body: boolean): object {
  const media = body ? { ...binary('video/mp4'), ...binary('audio/mp4') } : undefined;
  const headers = {
    ETag: header('Identifies the bytes.'),
    'Content-Length': header('Bytes.', { type: 'integer' }),
    'Cache-Control': header('`immutable`: the bytes of a name never change.'),
    'Accept-Ranges': header('`bytes`'),
  };
  return operation({
    operationId,
    tag: 'Outputs',
    summary,
    access: 'open',
    parameters: RANGE_HEADERS,
    replies: {
      200: reply('The whole.', media, headers),
      206: reply('The range.', media, { ...headers, 'Content-Range': header('Which bytes.') }),
      304: reply('Unchanged.'),
    },
    problems: [404, 412, 416],
  });
}
