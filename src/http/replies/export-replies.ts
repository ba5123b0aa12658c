import type { Issue } from '../../errors.ts';
import {
  EXPORT_STATES,
  type ExportList,
  type ExportView,
  isFinal,
  type OutputState,
  type OutputView,
  type ShortView,
} from '../../exports/api/export-view.ts';
import type { PublishingKit } from '../../exports/api/exports-api.ts';
import { type JsonBytes, LONGEST_EXTERNAL_ID, METADATA_LIMITS, type Validation } from '../../exports/api/submission.ts';
import { cursorOf } from './list-query.ts';
import { FAILURE, WARNINGS } from './problem.ts';
import {
  choice,
  constant,
  EXPORT_ID,
  flag,
  integer,
  iso,
  isoOrNull,
  list,
  moment,
  named,
  nullable,
  number,
  object,
  of,
  optional,
  path,
  perPreset,
  record,
  reference,
  Schema,
  SHA256_PATTERN,
  SHARE,
  SUCCEEDED,
  type TypeOf,
  text,
} from './schema.ts';

/** The address of an export, which is the prefix of all its other addresses. */
export function exportPath(id: string): string {
  return `/video/exports/${id}`;
}

export function downloadPath(id: string, preset: string): string {
  return `${exportPath(id)}/download/${preset}`;
}

/** The address of a short. (C52) */
export function shortPath(id: string, number: number): string {
  return `${exportPath(id)}/shorts/${number}`;
}

/** The address of the poster. (C28) */
export function posterPath(id: string): string {
  return `${exportPath(id)}/poster`;
}

/** The address of an output's playlist. (C49) */
function hlsPath(id: string, preset: string): string {
  return `${exportPath(id)}/hls/${preset}/index.m3u8`;
}

/** An address as an absolute URL; unchanged if no public address is configured. (C41) */
export function publicAddress(path: string, publicUrl: string | null): string {
  return `${publicUrl ?? ''}${path}`;
}

/** Four digits are a frame in five minutes, and 1 is reached only at the end. */
function rounded(progress: number): number {
  return progress >= 1 ? 1 : Math.floor(progress * 10_000) / 10_000;
}

export const EXPORT_STATE = named<(typeof EXPORT_STATES)[number] | 'expired'>('ExportState', {
  type: 'string',
  enum: [...EXPORT_STATES, 'expired'],
  description: '`expired` is only in the last event of a stream; an expired export returns 404.',
});
const OUTPUT_STATE = named<OutputState | 'expired'>('OutputState', {
  type: 'string',
  enum: ['idle', ...EXPORT_STATES, 'expired'],
  description: '`idle`: no client has requested it. A download starts it.',
});

/** The state of sending an output, without its address. (C69) */
const DESTINATION = of<NonNullable<OutputView['destination']>>().named(
  'Destination',
  'The delivery of the video to its destination; absent without a destination. The address is not shown.',
  {
    state: [
      choice(['waiting', 'sending', 'sent', 'failed'], '`waiting`: for the video, or for the next try.'),
      ({ state }) => state,
    ],
    attempts: [integer('Number of tries so far.'), ({ attempts }) => attempts],
    error: [
      optional(FAILURE.about('The reason why the last try failed.')),
      ({ error }) => (error === null ? undefined : FAILURE.write(error)),
    ],
  },
);

/** The video of one preset. */
const OUTPUT = of<OutputView>().named('Output', 'The video of one preset.', {
  name: [
    text(
      'For people, and at the end of file names: the first alias of the preset, such as `landscape`; `short-3` for a short.',
    ),
    ({ name }) => name,
  ],
  state: [OUTPUT_STATE, ({ state }) => state],
  progress: [SHARE, ({ progress }) => rounded(progress)],
  width: [integer('In pixels.'), ({ width }) => width],
  height: [integer('In pixels.'), ({ height }) => height],
  bytes: [nullable(integer('The size of the file; null until it is complete.')), ({ bytes }) => bytes],
  sha256: [
    nullable(text('The SHA-256 of the file; null until it is complete.', SHA256_PATTERN)),
    ({ sha256 }) => sha256,
  ],
  error: [optional(FAILURE), ({ failure }) => (failure === null ? undefined : FAILURE.write(failure))],
  destination: [
    optional(DESTINATION),
    ({ destination }) => (destination === null ? undefined : DESTINATION.write(destination)),
  ],
});

/** What a short has besides an output. (C52) */
const SHORT_FACTS = of<{ readonly id: string; readonly short: ShortView }>().object({
  number: [integer('The number of the short, from 1.', { minimum: 1 }), ({ short }) => short.number],
  title: [text('The names of the revealed items.'), ({ short }) => short.title],
  download_url: [path('The address of the video.'), ({ id, short }) => shortPath(id, short.number)],
  start: [number('Where in the whole video it begins, in seconds.'), ({ short }) => short.startSeconds],
  duration: [number('Length, in seconds.'), ({ short }) => short.durationSeconds],
});
const SHORT = named<TypeOf<typeof SHORT_FACTS> & TypeOf<typeof OUTPUT>>('Short', {
  description: 'A portrait video around a reveal, or around several that are close to each other.',
  allOf: [OUTPUT, SHORT_FACTS],
});

/** The resolved settings. (C10) */
const RESOLVED_SETTINGS = of<ExportView['settings']>().named(
  'ResolvedSettings',
  'The settings of an export, with every default filled in.',
  {
    preset: [text('The selected preset: `preset` of one of `/presets`.'), ({ preset }) => preset],
    width: [integer('Of the selected preset, in pixels.'), ({ width }) => width],
    height: [integer('Of the selected preset, in pixels.'), ({ height }) => height],
    fps: [number('Frames a second.'), ({ fps }) => fps],
    quality: [text('As in `Settings`.'), ({ quality }) => quality],
    encoder_preset: [text('The preset of x264.'), ({ encoderPreset }) => encoderPreset],
    audio_bitrate: [number('In kbit/s.'), ({ audioBitrateKbps }) => audioBitrateKbps],
    file_name: [text('The file name of the selected preset.'), ({ fileName }) => fileName],
  },
);

const VALUES = new Schema<unknown>({
  type: 'object',
  description: 'The values that were put in. Only where one export is read.',
  additionalProperties: true,
});

/** The progress before the render. (C66) */
const FETCHING = of<NonNullable<ExportView['fetching']>>().object({
  files: [integer('Number of files to fetch.'), ({ files }) => files],
  fetched: [integer('Number of fetched files.'), ({ filesDone }) => filesDone],
  bytes: [integer('Number of fetched bytes.'), ({ bytesDone }) => bytesDone],
});

const LINKS = of<string>().object({
  self: [path('This metadata.'), (self) => self],
  events: [path('State and progress as Server-Sent Events.'), (self) => `${self}/events`],
  poster: [path('A JPEG of the finished board.'), (self) => `${self}/poster`],
  chapters: [path('The reveals as chapters, one on each line.'), (self) => `${self}/chapters`],
  captions: [path('All subtitles as WebVTT.'), (self) => `${self}/captions.vtt`],
  captions_srt: [path('All subtitles as SubRip.'), (self) => `${self}/captions.srt`],
  thumbnail: [path('A thumbnail, drawn for the video.'), (self) => `${self}/thumbnail`],
  publish: [path('Title, description, chapters and tags.'), (self) => `${self}/publish.json`],
  page: [path('A page that plays the video, for browsers.'), (self) => self],
});

/** Of the request. (C87) */
export const PAIRS = record(
  text(undefined, { maxLength: METADATA_LIMITS.value }),
  'Your own pairs of texts, from the request.',
);

/**
 * An export as JSON. (C10)
 * The first five fields are those of the original API; all others are additions that an older client ignores.
 */
export const EXPORT = of<ExportView>().named(
  'Export',
  'An export: its state, its settings and the addresses of its files.',
  {
    ok: [
      flag('`false` if the export has failed or was deleted.'),
      ({ state }) => state !== 'failed' && state !== 'cancelled',
    ],
    export_id: [EXPORT_ID, ({ id }) => id],
    download_url: [
      path('The entry of `downloads` for the selected preset.'),
      ({ id, settings }) => downloadPath(id, settings.preset),
    ],
    downloads: [
      perPreset(path(), 'The address of each video. A download waits for the render.'),
      ({ id, outputs }) => byPreset(outputs, ({ preset }) => downloadPath(id, preset)),
    ],
    settings: [RESOLVED_SETTINGS, ({ settings }) => RESOLVED_SETTINGS.write(settings)],
    external_id: [
      nullable(text('Your id of the export, from the request.', { maxLength: LONGEST_EXTERNAL_ID })),
      ({ externalId }) => externalId,
    ],
    metadata: [PAIRS, ({ metadata }) => metadata],
    project_id: [
      optional(text('The project that it was made of; absent if its documents were sent.', { format: 'uuid' })),
      ({ project }) => project?.id,
    ],
    revision: [
      optional(integer('The revision of the project. Present together with `project_id`.')),
      ({ project }) => project?.revision,
    ],
    values: [optional(VALUES), ({ project }) => project?.values],
    title: [text('The title of the tier list.'), ({ title }) => title],
    state: [EXPORT_STATE, ({ state }) => state],
    phase: [
      optional(constant('fetching', 'While files are fetched from `media_urls`; absent otherwise.')),
      ({ fetching }) => (fetching === null ? undefined : 'fetching'),
    ],
    fetching: [
      optional(FETCHING.about('Present together with `phase`.')),
      ({ fetching }) => (fetching === null ? undefined : FETCHING.write(fetching)),
    ],
    progress: [SHARE, ({ progress }) => rounded(progress)],
    duration: [nullable(number('Seconds; null while files are fetched.')), ({ durationSeconds }) => durationSeconds],
    outputs: [
      perPreset(OUTPUT, 'The state of each preset.'),
      ({ outputs }) => byPreset(outputs, (o) => OUTPUT.write(o)),
    ],
    shorts: [
      list(SHORT, 'In the order of their reveals; none without `settings.shorts`.'),
      ({ id, shorts }) => shorts.map((short) => ({ ...SHORT_FACTS.write({ id, short }), ...OUTPUT.write(short) })),
    ],
    hls: [
      perPreset(path(), 'Where to watch each output while it renders.'),
      ({ id, outputs }) => byPreset(outputs, ({ preset }) => hlsPath(id, preset)),
    ],
    warnings: [WARNINGS, ({ warnings }) => warnings],
    error: [optional(FAILURE), ({ failure }) => (failure === null ? undefined : FAILURE.write(failure))],
    created_at: [moment('When the service accepted the export.'), ({ createdAtMs }) => iso(createdAtMs)],
    expires_at: [
      nullable(moment('When the service deletes the export; null until it ends.')),
      ({ expiresAtMs }) => isoOrNull(expiresAtMs),
    ],
    links: [LINKS.about('The other addresses of the export.'), ({ id }) => LINKS.write(exportPath(id))],
  },
);
export type ExportMetadata = TypeOf<typeof EXPORT>;

/** What a person pastes elsewhere. (R40) */
export const PUBLISHING_KIT = of<PublishingKit & Pick<ExportView, 'id'>>().named(
  'PublishingKit',
  'What a person pastes where the video is published.',
  {
    ok: SUCCEEDED,
    title: [text('At most 100 characters.'), ({ title }) => title],
    description: [
      text('With the chapters, if there are at least three. At most 5000 characters.'),
      ({ description }) => description,
    ],
    chapters: [
      list(
        object<PublishingKit['chapters'][number]>({
          start: integer('In seconds. The first is 0.'),
          title: text('The items that are revealed in it.'),
        }),
        'Each at least ten seconds long.',
      ),
      ({ chapters }) => chapters,
    ],
    tags: [list(text('The name of an item.'), 'At most 500 characters in all.'), ({ tags }) => tags],
    thumbnail: [path('A thumbnail.'), ({ id }) => `${exportPath(id)}/thumbnail`],
    captions: [
      nullable(path('All subtitles as SubRip; null if there are none.')),
      ({ id, hasCaptions }) => (hasCaptions ? `${exportPath(id)}/captions.srt` : null),
    ],
  },
);

function byPreset<T>(outputs: readonly OutputView[], of: (output: OutputView) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(outputs.map((output) => [output.preset, of(output)]));
}

/** The final state of a removed export: `cancelled` if it was unfinished, else `expired`. (C29, C35) */
export function removedMetadata(view: ExportView): ExportMetadata {
  const metadata = EXPORT.write(view);
  const removed = <T extends object>(one: T, { state }: { readonly state: OutputState }) => {
    return { ...one, state: isFinal(state) ? ('expired' as const) : ('cancelled' as const) };
  };
  return {
    ...removed(metadata, view),
    ok: false,
    outputs: byPreset(view.outputs, (output) => removed(OUTPUT.write(output), output)),
    shorts: metadata.shorts.map((short, n) => removed(short, view.shorts[n]!)),
  };
}

/** The fields that change while it renders, of a stream of events. (C26) */
export const PROGRESS_EVENT = of<ExportMetadata>().named(
  'ProgressEvent',
  'The fields of `Export` that change while it renders.',
  {
    export_id: [EXPORT_ID, ({ export_id }) => export_id],
    state: [EXPORT_STATE, ({ state }) => state],
    progress: [SHARE, ({ progress }) => progress],
    outputs: [perPreset(OUTPUT, 'The state of each preset.'), ({ outputs }) => outputs],
    shorts: [list(SHORT, 'The state of each short.'), ({ shorts }) => shorts],
  },
);

/** What anybody who knows the address may see. (C27) */
const PROGRESS = of<ExportView>().object({
  ok: SUCCEEDED,
  state: [EXPORT_STATE, ({ state }) => state],
  progress: [SHARE, ({ progress }) => rounded(progress)],
});

/** Instead of an output that is not rendered yet. */
export const UNREADY_OUTPUT = named<TypeOf<typeof PROGRESS> | ExportMetadata>('UnreadyOutput', {
  anyOf: [EXPORT, PROGRESS],
  description: 'The metadata, with a key of the tenant; the progress without.',
});

/** @param own whether the client has the key of the export's tenant. */
export function unreadyOutput(view: ExportView, own: boolean): TypeOf<typeof UNREADY_OUTPUT> {
  return own ? EXPORT.write(view) : PROGRESS.write(view);
}

/** A page of exports. (C40) */
export const EXPORT_LIST = of<ExportList & { readonly warnings: readonly Issue[] }>().named(
  'ExportList',
  'A page of your exports.',
  {
    ok: SUCCEEDED,
    exports: [list(EXPORT, 'Newest first.'), ({ exports }) => exports.map((view) => EXPORT.write(view))],
    next: [
      nullable(text('The `cursor` of the next page; null if there is none.')),
      ({ next }) => (next === null ? null : cursorOf(next)),
    ],
    warnings: [WARNINGS, ({ warnings }) => warnings],
  },
);

/** The result of a check. Some of its fields are JSON texts already. (C30) */
export const VALIDATION = of<Validation>().named('Validation', 'The result of a check: what a render would do.', {
  ok: SUCCEEDED,
  settings: [RESOLVED_SETTINGS, ({ settings }) => RESOLVED_SETTINGS.write(settings)],
  duration: [
    nullable(number('Length in seconds; null if it depends on a file that was not sent.')),
    ({ durationSeconds }) => durationSeconds,
  ],
  warnings: [WARNINGS, ({ warnings }) => warnings],
  unchecked: [
    list(text(), 'The form fields of files that the request names but does not send.'),
    ({ unchecked }) => unchecked,
  ],
  timeline_data: [
    new Schema<JsonBytes | null>({
      anyOf: [reference('TimelineData'), { type: 'null' }],
      description: 'The timeline with what `auto` adds to it; null without `auto`.',
    }),
    ({ timelineData }) => timelineData,
  ],
  plan: [
    new Schema<JsonBytes | null>({
      type: ['string', 'null'],
      description: 'What would be rendered, as text; null if a length depends on a file that was not sent.',
    }),
    ({ plan }) => plan,
  ],
  plan_json: [
    new Schema<JsonBytes | null>({
      type: ['object', 'null'],
      description: 'The same plan as JSON, for tools. Its structure can change.',
    }),
    ({ planJson }) => planJson,
  ],
});

const ABSOLUTE: Schema<string> = text(undefined, { format: 'uri' });

/** A copy of every address in the metadata, under the same names. (C41) */
export const ABSOLUTE_ADDRESSES = of<{ readonly metadata: ExportMetadata; readonly publicUrl: string }>().object({
  download_url: [
    ABSOLUTE.about('The video of the selected preset.'),
    ({ metadata, publicUrl }) => publicAddress(metadata.download_url, publicUrl),
  ],
  downloads: [
    perPreset(ABSOLUTE, 'The video of each preset.'),
    ({ metadata, publicUrl }) => allAbsolute(metadata.downloads, publicUrl),
  ],
  shorts: [
    list(ABSOLUTE, 'In the order of `shorts`.'),
    ({ metadata, publicUrl }) => metadata.shorts.map((short) => publicAddress(short.download_url, publicUrl)),
  ],
  hls: [
    perPreset(ABSOLUTE, 'The stream of each preset.'),
    ({ metadata, publicUrl }) => allAbsolute(metadata.hls, publicUrl),
  ],
  links: [
    record(ABSOLUTE, 'The members of `links`.'),
    ({ metadata, publicUrl }) => allAbsolute(metadata.links, publicUrl),
  ],
});

function allAbsolute(addresses: Readonly<Record<string, string>>, publicUrl: string): Record<string, string> {
  return Object.fromEntries(Object.entries(addresses).map(([name, path]) => [name, publicAddress(path, publicUrl)]));
}

/**
 * The metadata in a webhook: with absolute addresses beside the relative ones, if the public address is configured.
 * (C41)
 */
export function callbackMetadata(view: ExportView, publicUrl: string | null) {
  const metadata = EXPORT.write(view);
  return publicUrl === null ? metadata : { ...metadata, absolute: ABSOLUTE_ADDRESSES.write({ metadata, publicUrl }) };
}
