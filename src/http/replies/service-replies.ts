import type { Issue } from '../../errors.ts';
import type { ServiceStatus, StorageUse, UsageDay } from '../../exports/api/exports-api.ts';
import { FIELDS } from '../../timeline/fields.ts';
import { type Preset, type Presets, shownName } from '../../timeline/presets.ts';
import { WARNINGS } from './problem.ts';
import {
  flag,
  integer,
  isoOrNull,
  list,
  moment,
  named,
  nullable,
  number,
  object,
  of,
  optional,
  record,
  type Schema,
  SUCCEEDED,
  text,
} from './schema.ts';

/** The body of `POST /session`. */
export const SESSION_REQUEST = object<{ readonly key: string; readonly to: string | undefined }>(
  {
    key: text('One of the service’s API keys.', { minLength: 1, maxLength: 200 }),
    to: optional(text('Where a browser’s form goes on to: an address of this service.')),
  },
  { name: 'SessionRequest', description: 'A key to exchange for a cookie.' },
);

/** An open session. (C51) */
export const SESSION = of<{ readonly tenant: string; readonly expiresAtMs: number | null }>().named(
  'Session',
  'An open session.',
  {
    ok: SUCCEEDED,
    tenant: [text('The tenant of the key.'), ({ tenant }) => tenant],
    expires_at: [nullable(moment('null if the deployment has no keys.')), ({ expiresAtMs }) => isoOrNull(expiresAtMs)],
  },
);

/** One day of a tenant. (C74) */
const USAGE_DAY = of<UsageDay>().named('UsageDay', 'Your usage of one day.', {
  day: [text('The day, in UTC.', { format: 'date' }), ({ day }) => day],
  exports: [integer('Number of accepted exports.'), ({ exports }) => exports],
  rendered_seconds: [
    record(
      number(),
      'Seconds of finished video by preset, those of shorts together as `shorts`. A preset without any is absent.',
    ),
    ({ renderedSeconds }) => renderedSeconds,
  ],
  bytes_stored: [
    integer('Bytes of new media, saved projects and finished videos. A delete does not lower it.'),
    ({ bytesStored }) => bytesStored,
  ],
  bytes_sent: [
    integer('Bytes of videos, HLS segments and media that the service sent itself.'),
    ({ bytesSent }) => bytesSent,
  ],
});

type Stored = StorageUse['kinds']['media'];

const STORED = of<Stored>().named('Stored', 'Bytes and records.', {
  bytes: [integer('Stored bytes.'), ({ bytes }) => bytes],
  rows: [integer('Records.'), ({ rows }) => rows],
});

/** What a tenant stores. (C88) */
const STORAGE = of<StorageUse>().named('Storage', 'What you store now, and the limits.', {
  bytes: [integer('All bytes that count against the quota.'), ({ bytes }) => bytes],
  rows: [integer('All records that count against the quota.'), ({ rows }) => rows],
  limits: [
    object<StorageUse['limits']>(
      {
        bytes: integer('Most bytes.'),
        files: integer('Most files, including unfinished uploads.'),
        rows: integer('Most records.'),
      },
      { description: 'The most that you can store.' },
    ),
    ({ limits }) => limits,
  ],
  kinds: [
    object<StorageUse['kinds']>(
      {
        media: STORED.about('Files, however they came; each content once.'),
        unfinished: STORED.about('Unfinished uploads, at their full length.'),
        exports: STORED.about('Finished videos; the records of exports, their outputs and their references to files.'),
        projects: STORED.about(
          'Documents and thumbnails; the records of projects, revisions and their references to files.',
        ),
      },
      { description: 'The same by kind.' },
    ),
    ({ kinds }) => kinds,
  ],
  deletable: [
    list(
      object<StorageUse['deletable'][number]>({
        path: text('Send `DELETE` to this address.'),
        bytes: integer('About how many bytes that frees.'),
      }),
      'The largest files, ended exports and projects that you could delete, up to three of each.',
    ),
    ({ deletable }) => deletable,
  ],
});

/** What a tenant used, and what it stores. */
export const USAGE = of<{
  readonly from: string;
  readonly to: string;
  readonly days: readonly UsageDay[];
  readonly storage: StorageUse;
  readonly warnings: readonly Issue[];
}>().named('Usage', 'Your usage by day.', {
  ok: SUCCEEDED,
  from: [text('The first day, in UTC.', { format: 'date' }), ({ from }) => from],
  to: [text('The last day, in UTC.', { format: 'date' }), ({ to }) => to],
  days: [list(USAGE_DAY, 'From the first to the last.'), ({ days }) => days.map((day) => USAGE_DAY.write(day))],
  storage: [STORAGE.about('What you store now.'), ({ storage }) => STORAGE.write(storage)],
  warnings: [WARNINGS, ({ warnings }) => warnings],
});

/** The limits of the deployment: open, so that a later release can add some. */
export const LIMITS: Schema<Readonly<Record<string, number>>> = named('Limits', {
  type: 'object',
  description: 'Numbers: bytes, seconds, hours, pixels or counts, as the name says. A later release can add limits.',
  required: ['max_file_bytes', 'max_request_bytes'],
  properties: {
    max_file_bytes: { type: 'integer', description: 'Largest uploaded file.' },
    max_request_bytes: { type: 'integer', description: 'Largest request.' },
  },
  additionalProperties: { type: 'number' },
});

/** One of the three presets. (C11) */
const PRESET = of<Preset>().named('Preset', 'A format that every export has.', {
  preset: [text('The name in `settings.preset`, `outputs` and `downloads`.'), ({ name }) => name],
  name: [text('For people: the first alias, else the name.'), (preset) => shownName(preset)],
  aliases: [list(text(), 'Accepted wherever the name is.'), ({ aliases }) => aliases],
  width: [integer('In pixels, without `settings.width`.'), ({ width }) => width],
  height: [integer('In pixels, without `settings.height`.'), ({ height }) => height],
  fps: [number('Frames a second, without `settings.fps`.'), () => FIELDS.settings.fps.default],
});

export const PRESETS = of<Presets>().named(
  'Presets',
  'The three formats of this deployment. The first is the default.',
  {
    ok: SUCCEEDED,
    presets: [list(PRESET, 'In the order of `outputs`.'), (presets) => presets.map((preset) => PRESET.write(preset))],
  },
);

/** A family that ships, and the address of its sample. */
interface ShownFont {
  readonly name: string;
  readonly weights: readonly number[];
  readonly sample: string;
}

export const FONTS = of<readonly ShownFont[]>().named('Fonts', 'The fonts that ship.', {
  ok: SUCCEEDED,
  fonts: [
    list(
      object<ShownFont>({
        name: text('The value for `font`.'),
        weights: list(integer(), 'From light to heavy, in CSS units.'),
        sample: text('The URL of a PNG with the name of the family in its own letters, black on transparent.'),
      }),
      'The families that ship.',
    ),
    (fonts) => fonts,
  ],
});

export const HEALTH = of<{ readonly version: string }>().named('Health', 'The process is alive.', {
  ok: SUCCEEDED,
  version: [text('The version of the service.'), ({ version }) => version],
});

const CHECK = of<ServiceStatus['checks'][number] & { readonly isShown: boolean }>().object({
  name: [text('The part that was checked.'), ({ name }) => name],
  ok: [flag('Whether the check passes.'), ({ ok }) => ok],
  // The sandbox and the disk are details for the operator. (C81)
  detail: [optional(text('Only for the operator.')), ({ detail, isShown }) => (isShown ? detail : undefined)],
});

export const READINESS = of<{
  readonly ok: boolean;
  readonly checks: ServiceStatus['checks'];
  /** Whether the operator asks. */
  readonly isShown: boolean;
}>().named('Readiness', 'Whether the service can work.', {
  ok: [flag('Whether every check passes.'), ({ ok }) => ok],
  checks: [
    list(CHECK, 'The result of each check.'),
    ({ checks, isShown }) => checks.map((check) => CHECK.write({ ...check, isShown })),
  ],
});
