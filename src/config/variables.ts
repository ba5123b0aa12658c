import { DEFAULT_PRESETS_JSON, presets } from './presets-parser.ts';
import { blobsUrl, databaseUrl } from './store-urls.ts';
import {
  apiKeys,
  bytes,
  cgroup,
  hostNames,
  list,
  oneOf,
  onOff,
  optionalAddress,
  optionalBaseUrl,
  optionalKey,
  optionalText,
  text,
  trustedProxies,
  type ValueParser,
  webhookSecrets,
  wholeNumber,
} from './value-parsers.ts';

/** One variable: how it is called, what it may be, what it is for. */
export interface Variable<T> {
  readonly name: string;
  /** As it would be written in the environment. */
  readonly default: string;
  readonly doc: string;
  readonly parse: ValueParser<T>;
  /** Not to be shown. */
  readonly secret: boolean;
}

function variable<T>(name: string, parse: ValueParser<T>, fallback: string, doc: string): Variable<T> {
  return { name, default: fallback, doc, parse, secret: false };
}

function secret<T>(name: string, parse: ValueParser<T>, doc: string): Variable<T> {
  return { name, default: '', doc, parse, secret: true };
}

/** Every variable there is. `readConfig` reads the environment with this table; nothing else does. */
export const VARIABLES = {
  host: variable('HOST', text, '127.0.0.1', 'Address the service listens on.'),
  port: variable('PORT', wholeNumber(0, 65_535), '8080', 'Port the service listens on; 0 picks a free one.'),
  dataDir: variable(
    'TIERCUT_DATA_DIR',
    text,
    './data',
    'Folder for records, uploads and exports; of a node of several: for its work in progress.',
  ),
  databaseUrl: secret(
    'TIERCUT_DATABASE_URL',
    databaseUrl,
    'postgres://…, where several nodes keep records and jobs; without it: SQLite in the data folder.',
  ),
  blobsUrl: variable(
    'TIERCUT_BLOBS_URL',
    blobsUrl,
    '',
    's3://bucket/prefix or file:///folder, where files are kept; without it: in the data folder.',
  ),
  s3Endpoint: variable('TIERCUT_S3_ENDPOINT', optionalBaseUrl, '', 'Where S3 is; without it: at Amazon.'),
  s3Region: variable('TIERCUT_S3_REGION', optionalText, '', 'Its region; without it: as the AWS SDK finds it.'),
  s3PathStyle: variable(
    'TIERCUT_S3_PATH_STYLE',
    onOff,
    'off',
    "Whether a bucket's name is part of the path and not of the host.",
  ),
  downloads: variable(
    'TIERCUT_DOWNLOADS',
    oneOf('proxy', 'redirect'),
    'proxy',
    'Whether videos come through the service, or by redirect to a signed address of S3.',
  ),
  localCacheBytes: variable(
    'TIERCUT_LOCAL_CACHE',
    bytes,
    '20GiB',
    'Room in the data folder for media and pieces that were fetched from S3.',
  ),
  presets: variable(
    'TIERCUT_PRESETS',
    presets,
    DEFAULT_PRESETS_JSON,
    'The three presets: names, sizes, aliases (JSON).',
  ),
  sandbox: variable('TIERCUT_SANDBOX', oneOf('auto', 'required', 'off'), 'auto', 'How strictly a render is locked in.'),

  cgroup: variable(
    'TIERCUT_CGROUP',
    cgroup,
    'auto',
    'Where renders get cgroups of their own: auto where systemd delegates one, off, or the path of a group made for it.',
  ),
  prerender: variable(
    'TIERCUT_PRERENDER',
    oneOf('all', 'selected'),
    'all',
    'Whether the other two presets are rendered unasked.',
  ),
  apiKeys: secret('TIERCUT_API_KEYS', apiKeys, 'tenant:key, … without any, everybody is the one tenant there is.'),
  sessionHours: variable(
    'TIERCUT_SESSION_HOURS',
    wholeNumber(1, 720),
    '12',
    'How long a browser may go on with the cookie it got for an API key.',
  ),
  corsOrigins: variable('TIERCUT_CORS_ORIGINS', list, '', 'Origins that pages may call from; * for any.'),
  requestsPerMinute: variable(
    'TIERCUT_REQUESTS_PER_MINUTE',
    wholeNumber(0),
    '1200',
    'Of one tenant or address; 0: no limit.',
  ),
  trustProxy: variable(
    'TIERCUT_TRUST_PROXY',
    trustedProxies,
    'off',
    'Whose X-Forwarded-For is believed: off, on (one proxy), a number of proxies, or their networks.',
  ),
  hosts: variable(
    'TIERCUT_HOSTS',
    hostNames,
    '',
    'Names the service goes by, beside localhost; without API keys, requests to other names are refused.',
  ),
  publicUrl: variable(
    'TIERCUT_PUBLIC_URL',
    optionalBaseUrl,
    '',
    'Where everybody reaches the service; makes Location and the addresses in callbacks absolute.',
  ),
  metricsKey: secret('TIERCUT_METRICS_KEY', optionalKey, 'Opens /metrics, and nothing else does.'),
  metricsAddress: variable(
    'TIERCUT_METRICS_ADDRESS',
    optionalAddress,
    '',
    'host:port that serves /metrics, and the main address no longer does.',
  ),
  waitSeconds: variable('TIERCUT_WAIT_SECONDS', wholeNumber(1, 3600), '240', 'Longest a request waits for a render.'),
  webhookSecret: secret(
    'TIERCUT_WEBHOOK_SECRET',
    optionalText,
    'Signs the webhooks of tenants without a secret of their own; whsec_… or any text.',
  ),
  webhookSecrets: secret(
    'TIERCUT_WEBHOOK_SECRETS',
    webhookSecrets,
    'tenant:secret, … signs the webhooks of that tenant; with two secrets, both sign.',
  ),
  privateCallbacks: variable(
    'TIERCUT_PRIVATE_CALLBACKS',
    onOff,
    'off',
    'Allows callbacks to private and plain HTTP addresses.',
  ),
  logLevel: variable('TIERCUT_LOG_LEVEL', oneOf('debug', 'info', 'warn', 'error', 'silent'), 'info', 'What is logged.'),
  chunkCacheBytes: variable('TIERCUT_CHUNK_CACHE', bytes, '10GiB', 'Room for rendered pieces kept for reuse.'),
  standBack: variable(
    'TIERCUT_STAND_BACK',
    onOff,
    'on',
    'Renders stand back (niceness 10) for the service, which answers while they take what is left.',
  ),
  sharedCache: variable(
    'TIERCUT_SHARED_CACHE',
    onOff,
    'off',
    'All tenants trust each other: a piece rendered for one serves the others.',
  ),

  maxRequestBytes: variable('TIERCUT_MAX_REQUEST_BYTES', bytes, '2GiB', 'Largest request.'),
  maxFileBytes: variable('TIERCUT_MAX_FILE_BYTES', bytes, '1GiB', 'Largest uploaded file.'),
  maxImageFileBytes: variable('TIERCUT_MAX_IMAGE_FILE_BYTES', bytes, '50MiB', 'Largest uploaded image file.'),
  maxMediaParts: variable('TIERCUT_MAX_MEDIA_PARTS', wholeNumber(1), '200', 'Most files in a request.'),
  maxFields: variable('TIERCUT_MAX_FIELDS', wholeNumber(1), '32', 'Most other fields in a request.'),
  maxFieldNameBytes: variable('TIERCUT_MAX_FIELD_NAME_BYTES', bytes, '128', 'Longest form field name.'),
  maxFileNameBytes: variable('TIERCUT_MAX_FILE_NAME_BYTES', bytes, '255', 'Longest file name of an upload.'),
  maxJsonBytes: variable('TIERCUT_MAX_JSON_BYTES', bytes, '1MiB', 'Largest JSON field.'),
  maxJsonDepth: variable('TIERCUT_MAX_JSON_DEPTH', wholeNumber(1, 1000), '32', 'Deepest nesting of a JSON field.'),
  maxJsonValues: variable('TIERCUT_MAX_JSON_VALUES', wholeNumber(1), '50000', 'Most values in a JSON field.'),

  headersTimeoutSeconds: variable(
    'TIERCUT_HEADERS_TIMEOUT_SECONDS',
    wholeNumber(1),
    '15',
    'Longest wait for request headers.',
  ),
  idleTimeoutSeconds: variable(
    'TIERCUT_IDLE_TIMEOUT_SECONDS',
    wholeNumber(1),
    '20',
    'Longest silence within a request.',
  ),
  uploadTimeoutSeconds: variable(
    'TIERCUT_UPLOAD_TIMEOUT_SECONDS',
    wholeNumber(1),
    '3600',
    'Longest upload as a whole.',
  ),

  maxImagePixels: variable('TIERCUT_MAX_IMAGE_PIXELS', wholeNumber(1), '50000000', 'Most pixels of an image.'),
  maxImageSide: variable('TIERCUT_MAX_IMAGE_SIDE', wholeNumber(1), '16384', 'Longest side of an image.'),
  maxAnimationFrames: variable(
    'TIERCUT_MAX_ANIMATION_FRAMES',
    wholeNumber(1),
    '600',
    'Most frames of an animated image.',
  ),
  maxAnimationPixels: variable(
    'TIERCUT_MAX_ANIMATION_PIXELS',
    wholeNumber(1),
    '200000000',
    'Most pixels of all its frames.',
  ),
  maxVideoWidth: variable('TIERCUT_MAX_VIDEO_WIDTH', wholeNumber(1), '8192', 'Widest video taken in.'),
  maxVideoHeight: variable('TIERCUT_MAX_VIDEO_HEIGHT', wholeNumber(1), '4320', 'Highest video taken in.'),
  maxVideoFps: variable('TIERCUT_MAX_VIDEO_FPS', wholeNumber(1), '240', 'Highest frame rate taken in.'),
  maxVideoSeconds: variable('TIERCUT_MAX_VIDEO_SECONDS', wholeNumber(1), '14400', 'Longest video or sound taken in.'),
  maxStreams: variable('TIERCUT_MAX_STREAMS', wholeNumber(1), '16', 'Most streams in a file.'),

  maxTimelineSeconds: variable('TIERCUT_MAX_TIMELINE_SECONDS', wholeNumber(1, 86_400), '14400', 'Longest timeline.'),
  maxEntriesPerLane: variable('TIERCUT_MAX_LANE_ENTRIES', wholeNumber(1), '2000', 'Most entries in a lane.'),
  maxItems: variable('TIERCUT_MAX_ITEMS', wholeNumber(1), '500', 'Most items of a tier list.'),
  maxRows: variable('TIERCUT_MAX_ROWS', wholeNumber(1), '50', 'Most rows of a tier list.'),
  maxLayersAtOnce: variable('TIERCUT_MAX_LAYERS', wholeNumber(1), '100', 'Most layers seen at one moment.'),
  maxTextLength: variable(
    'TIERCUT_MAX_TEXT_LENGTH',
    wholeNumber(1),
    '20000',
    'Longest title, label, name or subtitle, in characters.',
  ),
  maxOutputSide: variable('TIERCUT_MAX_OUTPUT_SIDE', wholeNumber(64, 8192), '3840', 'Longest side of an export.'),
  maxOutputPixels: variable('TIERCUT_MAX_OUTPUT_PIXELS', wholeNumber(4096), '8300000', 'Most pixels of an export.'),
  maxOutputFps: variable('TIERCUT_MAX_OUTPUT_FPS', wholeNumber(1, 240), '60', 'Highest frame rate of an export.'),

  childMaxRssBytes: variable('TIERCUT_CHILD_MAX_RSS', bytes, '3GiB', 'Memory at which a render is ended.'),
  childStallSeconds: variable(
    'TIERCUT_CHILD_STALL_SECONDS',
    wholeNumber(1),
    '60',
    'Seconds without progress after which a render is ended.',
  ),
  childBaseSeconds: variable('TIERCUT_CHILD_BASE_SECONDS', wholeNumber(1), '30', "A render's time budget: this much …"),
  childSecondsPerSecond: variable(
    'TIERCUT_CHILD_SECONDS_PER_SECOND',
    wholeNumber(1),
    '40',
    '… and this much for each second of video.',
  ),
  minFreeDiskBytes: variable('TIERCUT_MIN_FREE_DISK', bytes, '2GiB', 'Free disk under which requests are refused …'),
  minFreeDiskPercent: variable(
    'TIERCUT_MIN_FREE_DISK_PERCENT',
    wholeNumber(0, 100),
    '5',
    '… or this share of it, whichever is more.',
  ),
  rendersAtOnce: variable(
    'TIERCUT_RENDERS_AT_ONCE',
    wholeNumber(0),
    '0',
    'Renders at once; 0: one for every two cores, as far as their memory goes.',
  ),
  framesAtOnce: variable(
    'TIERCUT_FRAMES_AT_ONCE',
    wholeNumber(0),
    '0',
    'Single frames (POST /video/frames) made at once, beside the renders; 0: half the cores, at least two.',
  ),
  maxFrames: variable(
    'TIERCUT_MAX_FRAMES',
    wholeNumber(1),
    '64',
    'Requests for single frames that are taken, waiting ones included; more are told to come back.',
  ),
  maxTenantFrames: variable('TIERCUT_MAX_TENANT_FRAMES', wholeNumber(1), '16', 'The same, of one tenant.'),
  frameSpare: variable(
    'TIERCUT_FRAME_SPARE',
    oneOf('used', 'always', 'never'),
    'used',
    'When a render child waits ready for the next request for a frame: for ten minutes after the last one, always, or never.',
  ),
  maxWaiting: variable(
    'TIERCUT_MAX_WAITING',
    wholeNumber(1),
    '100',
    'Exports of one tenant that may wait, shorts that were asked for included; more are told to come back.',
  ),
  maxWaitingInAll: variable(
    'TIERCUT_MAX_WAITING_IN_ALL',
    wholeNumber(1),
    '1000',
    'Exports that may wait, of all tenants together.',
  ),
  maxUploads: variable(
    'TIERCUT_MAX_UPLOADS',
    wholeNumber(1),
    '500',
    'Requests whose bodies may arrive at once; more are told to come back.',
  ),
  maxTenantUploads: variable('TIERCUT_MAX_TENANT_UPLOADS', wholeNumber(1), '300', 'The same, of one tenant.'),
  leaseSeconds: variable(
    'TIERCUT_LEASE_SECONDS',
    wholeNumber(3, 600),
    '30',
    'With PostgreSQL: after so long without a word of its worker, a job goes to another.',
  ),
  retentionHours: variable(
    'TIERCUT_RETENTION_HOURS',
    wholeNumber(1),
    '24',
    'How long an export is kept once it is done.',
  ),
  maxMediaBytes: variable('TIERCUT_MAX_MEDIA_BYTES', bytes, '20GiB', 'Media of one tenant that PUT /media keeps.'),
  maxMediaFiles: variable('TIERCUT_MAX_MEDIA_FILES', wholeNumber(1), '5000', 'The same, in files.'),
  mediaRetentionHours: variable(
    'TIERCUT_MEDIA_RETENTION_HOURS',
    wholeNumber(1),
    '24',
    'How long they are kept after their last use.',
  ),
  maxUnfinishedUploads: variable(
    'TIERCUT_MAX_UNFINISHED_UPLOADS',
    wholeNumber(1),
    '100',
    'Uploads to /media of one tenant that may have begun and not be whole.',
  ),
  unfinishedRetentionHours: variable(
    'TIERCUT_UNFINISHED_RETENTION_HOURS',
    wholeNumber(1),
    '6',
    'How long such an upload can go on where it stopped.',
  ),
} as const;
