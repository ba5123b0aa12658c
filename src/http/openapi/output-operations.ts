import { PUBLISHING_KIT, UNREADY_OUTPUT } from '../replies/export-replies.ts';
import { SENT_DOCUMENTS } from '../replies/project-replies.ts';
import type { HttpConfig } from '../server/http-config.ts';
import { operation, type PathItem, type ProblemStatus } from './describe-operation.ts';
import { exampleExport } from './export-operations.ts';
import { THUMBNAIL_PARTS } from './form-body.ts';
import {
  binary,
  exportId,
  header,
  json,
  presetName,
  query,
  RANGE_HEADERS,
  reply,
  requestHeader,
  shortNumberParameter,
  textContent,
} from './parts.ts';

/** The files of an export. */
export function outputOperations(config: Pick<HttpConfig, 'presets'>): Record<string, PathItem> {
  const preset = presetName(config);
  return {
    '/video/exports/{id}/download/{preset}': {
      parameters: [exportId, preset],
      get: download('downloadExport', 'Download a video', config, true),
      head: download('peekExport', 'Get the headers of a video', config, false),
    },
    '/video/exports/{id}/shorts/{number}': {
      parameters: [exportId, shortNumberParameter],
      get: download('downloadShort', 'Download a short', config, true, SHORT),
      head: download('peekShort', 'Get the headers of a short', config, false, SHORT),
    },
    '/video/exports/{id}/outputs/{preset}': {
      parameters: [exportId, preset],
      delete: operation({
        operationId: 'stopOutput',
        tag: 'Outputs',
        summary: 'Stop the render of one preset',
        description:
          'Finished presets stay, and the others continue. A stopped output is `failed` with the code `output.stopped`; so is the export, if it was the selected preset.',
        replies: { 204: reply('The output is stopped, or was finished.') },
        problems: [404],
      }),
    },
    '/video/exports/{id}/poster': {
      parameters: [exportId],
      get: operation({
        operationId: 'getPoster',
        tag: 'Outputs',
        summary: 'Get the poster',
        description: 'Waits for the selected preset as a download does.',
        access: 'open',
        parameters: [requestHeader('If-None-Match', 'The `ETag` of your copy of the picture.', '"9f86d081"'), WAIT],
        replies: {
          200: reply('A picture.', binary('image/jpeg'), { ETag: header('Changes with the picture.') }),
          202: unready('Not rendered yet after `Prefer: wait`.', config, true),
          304: reply('Unchanged.'),
          307: notYet('Not rendered yet after the wait limit: repeat the request.'),
        },
        problems: [404, 422, 429],
      }),
    },
    '/video/exports/{id}/thumbnail': {
      parameters: [exportId],
      get: operation({
        operationId: 'getExportThumbnail',
        tag: 'Outputs',
        summary: 'Draw a thumbnail of an export',
        description: 'The picture of `POST /video/thumbnails`, of the documents of the export. It needs no render.',
        parameters: [
          requestHeader('Accept', 'The type of the picture.', 'image/jpeg'),
          ...Object.entries(THUMBNAIL_PARTS).map(([name, { description, ...schema }]) =>
            query(name, description, schema),
          ),
        ],
        replies: {
          200: reply(
            'The picture.',
            { ...binary('image/jpeg'), ...binary('image/png') },
            { 'Tiercut-Warnings': header('JSON: a list of `{ path, code, message }`, as many as fit.') },
          ),
        },
        problems: [404, 406, 422, 429],
      }),
    },
    '/video/exports/{id}/chapters': {
      parameters: [exportId],
      get: operation({
        operationId: 'getChapters',
        tag: 'Outputs',
        summary: 'Get the chapters',
        access: 'open',
        replies: {
          200: reply(
            'One line for each chapter, in the format of YouTube.',
            textContent('text/plain', '0:00 Intro\n0:03 Popcorn\n'),
          ),
        },
        problems: [404],
      }),
    },
    '/video/exports/{id}/publish.json': {
      parameters: [exportId],
      get: operation({
        operationId: 'getPublishingKit',
        tag: 'Outputs',
        summary: 'Get title, description, chapters and tags',
        description: 'What a person pastes where the video is published. It needs no render.',
        replies: { 200: reply('The kit.', json(PUBLISHING_KIT, { snacks: KIT_EXAMPLE })) },
        problems: [404],
      }),
    },
    '/video/exports/{id}/documents': {
      parameters: [exportId],
      get: operation({
        operationId: 'getDocuments',
        tag: 'Exports',
        summary: 'Get the documents that were sent',
        description: 'As they were sent, with the SHA-256 of every file. A create with them makes the same video.',
        replies: { 200: reply('The documents.', json(SENT_DOCUMENTS)) },
        problems: [404],
      }),
    },
    '/video/exports/{id}/captions.vtt': captions('getCaptionsVtt', 'text/vtt', 'WebVTT', VTT_EXAMPLE),
    '/video/exports/{id}/captions.srt': captions('getCaptionsSrt', 'application/x-subrip', 'SRT', SRT_EXAMPLE),
  };
}

const KIT_EXAMPLE = {
  ok: true as const,
  title: 'Snacks, ranked',
  description: '3 items from S to F.\n\n0:00 Snacks, ranked\n0:12 Popcorn\n0:30 Celery',
  chapters: [
    { start: 0, title: 'Snacks, ranked' },
    { start: 12, title: 'Popcorn' },
    { start: 30, title: 'Celery' },
  ],
  tags: ['tier list', 'Popcorn', 'Celery', 'Taco'],
  thumbnail: '/video/exports/6f1c9a52-1f0b-4b6e-9d0a-3a5c2e7f8b10/thumbnail',
  captions: null,
};

const VTT_EXAMPLE = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nPopcorn first\n';
const SRT_EXAMPLE = '1\n00:00:01,000 --> 00:00:02,500\nPopcorn first\n';

/** All subtitles, as a file. (C43) */
function captions(operationId: string, type: string, name: string, example: string): PathItem {
  return {
    parameters: [exportId],
    get: operation({
      operationId,
      tag: 'Outputs',
      summary: `Get all subtitles as ${name}`,
      description:
        'Returns the subtitles of the documents and of subtitle files, with the times at which they are shown.',
      access: 'open',
      parameters: [requestHeader('If-None-Match', 'The `ETag` of your copy of the file.', '"9f86d081"')],
      replies: {
        200: reply(`${name}.`, textContent(type, example), { ETag: header('Changes with the subtitles.') }),
        304: reply('Unchanged.'),
      },
      problems: [404],
    }),
  };
}

const WAITS = 'Waits for the render and raises its priority.';
const SHORT = {
  about: `The portrait video around a reveal (\`settings.shorts\`), rendered at the first request. ${WAITS}`,
  problems: [404, 412, 416, 422, 429, 507],
} as const;

const WAIT = requestHeader('Prefer', '`wait=<seconds>`: longest wait for the render.', 'wait=0');

/** After the time that the client set. (C27) */
function unready(description: string, config: Pick<HttpConfig, 'presets'>, body: boolean): object {
  const content = body ? json(UNREADY_OUTPUT, { queued: exampleExport(config, 'queued') }) : undefined;
  return reply(description, content, {
    'Retry-After': header('Seconds until the next poll.', { type: 'integer' }),
    'Preference-Applied': header('`wait=<seconds>`'),
  });
}

/** After the longest wait. (C27) */
function notYet(description: string): object {
  return reply(description, undefined, {
    Location: header('The same address.', { type: 'string', format: 'uri-reference' }),
  });
}

function download(
  operationId: string,
  summary: string,
  config: Pick<HttpConfig, 'presets'>,
  body: boolean,
  { about, problems }: { about: string; problems: readonly ProblemStatus[] } = {
    about: WAITS,
    problems: [404, 412, 416, 422],
  },
): object {
  const video = body ? binary('video/mp4') : undefined;
  const headers = {
    ETag: header('The SHA-256 of the whole.'),
    'Content-Disposition': header('The file name.'),
    'Content-Location': header('The canonical URL, if the request used an alias.'),
    'Content-Length': header('Bytes.', { type: 'integer' }),
    'Accept-Ranges': header('`bytes`'),
  };
  return operation({
    operationId,
    tag: 'Outputs',
    summary,
    description: about,
    access: 'open',
    parameters: [
      ...RANGE_HEADERS,
      WAIT,
      {
        name: 'inline',
        in: 'query',
        allowEmptyValue: true,
        description: 'Plays the video in the browser instead of saving it.',
        schema: { type: 'string' },
      },
    ],
    replies: {
      200: reply('The whole.', video, headers),
      202: unready('Not rendered yet after `Prefer: wait`.', config, body),
      206: reply('The range.', video, { ...headers, 'Content-Range': header('Which bytes.') }),
      ...(body && {
        302: reply('Redirect to the object store, if the deployment is configured so.', undefined, {
          Location: header('A signed URL, valid for an hour.', { type: 'string', format: 'uri' }),
        }),
      }),
      304: reply('Unchanged.'),
      307: notYet('Not rendered yet after the wait limit: repeat the request.'),
    },
    problems,
  });
}

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
        202: unready('No segment yet after `Prefer: wait`.', config, body),
        304: reply('Unchanged.'),
        307: notYet('No segment yet after the wait limit: repeat the request.'),
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
