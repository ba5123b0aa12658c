import { DEFAULT_PRESETS_JSON, presets } from './presets-parser.ts';
import { BLOBS_URL_EXAMPLES, blobsUrl, databaseUrl } from './store-urls.ts';
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
  webhookSecrets,
  wholeNumber,
} from './value-parsers.ts';
import { secret, variable } from './variable.ts';

/** Where a node runs and keeps things, whom it answers, and how it goes about its work. */
export const SERVICE_VARIABLES = {
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
    `${BLOBS_URL_EXAMPLES}, where files are kept; without it: in the data folder.`,
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
    'Names of the service beside localhost, each with its port unless that is 80 or 443; without API keys, other names are refused.',
  ),
  publicUrl: variable(
    'TIERCUT_PUBLIC_URL',
    optionalBaseUrl,
    '',
    'Where everybody reaches the service; makes Location and the addresses in callbacks absolute. Pages of other origins may change nothing.',
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
  frameSpare: variable(
    'TIERCUT_FRAME_SPARE',
    oneOf('used', 'always', 'never'),
    'used',
    'When a render child waits ready for the next request for a frame: for ten minutes after the last one, always, or never.',
  ),
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
} as const;
