import { Batches } from './batches.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { createExport, type WaitForRoom } from './create-export.ts';
import { type Download, download } from './download.ts';
import { Drafts } from './drafts.ts';
import { everyPage, listParameters } from './every-page.ts';
import { follow } from './follow.ts';
import { framePicture } from './frame-picture.ts';
import { type MediaProgress, type MediaSource, sourceOf } from './media-source.ts';
import { Projects } from './projects.ts';
import type {
  CreateRequest,
  FramePicture,
  FrameRequest,
  ThumbnailLooks,
  ThumbnailPicture,
  ThumbnailRequest,
  VideoRequest,
} from './requests.ts';
import { pause } from './retry.ts';
import { TiercutError } from './tiercut-error.ts';
import { type FileUploadOptions, hasMedia, knownMedia, type UploadOptions, upload } from './upload.ts';
import { Webhooks } from './webhooks.ts';
import type {
  CallbackEvent,
  CaptionLanguages,
  CaptionModel,
  CaptionModelReply,
  CaptionModels,
  Captions,
  Deliveries,
  Event,
  EventDetails,
  EventList,
  Export,
  ExportList,
  ExportState,
  Fonts,
  Limits,
  Media,
  MediaList,
  Output,
  Pauses,
  Preset,
  Presets,
  PublishingKit,
  SentDocuments,
  Session,
  Usage,
  Validation,
} from './wire-types.ts';

export type { Batches, BatchesQuery } from './batches.ts';
export type { ConnectionOptions } from './connection.ts';
export type { Download } from './download.ts';
export type { Drafts } from './drafts.ts';
export type { MediaProgress, MediaSource } from './media-source.ts';
export type { ProjectExportRequest, ProjectFrameRequest, Projects, StoredProject } from './projects.ts';
export type {
  CreateRequest,
  Documents,
  FramePicture,
  FrameRequest,
  ThumbnailLooks,
  ThumbnailPicture,
  ThumbnailRequest,
  VideoRequest,
} from './requests.ts';
export { type Retry, retryTimes } from './retry.ts';
export { TiercutError } from './tiercut-error.ts';
export type { FileUploadOptions, UploadOptions } from './upload.ts';
export {
  type BatchWebhookEvent,
  type ExportWebhookEvent,
  verifyWebhook,
  type WebhookEvent,
} from './verify-webhook.ts';
export type * from './wire-types.ts';

const UPLOADS_AT_ONCE = 3;
const CAPTIONS_POLL_MS = 1_000;
export interface CreateOptions extends UploadOptions, WaitForRoom {}

/** What a list of exports is limited to. */
export interface ExportsQuery {
  readonly state?: Exclude<ExportState, 'expired'>;
  readonly external_id?: string;
  /** Pairs that the metadata must have. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** A time as in `created_at`, or a day in UTC: created then or later. */
  readonly created_after?: string;
  /** Created before. */
  readonly created_before?: string;
}

/** Media that the service has, or that are to be sent. */
type MediaToSend = Exclude<NonNullable<VideoRequest['media']>[string], { readonly url: string }>;

interface Abortable {
  readonly signal?: AbortSignal;
}

/** A Tiercut service, from a browser or from Node. Every call can be aborted by a signal, and throws TiercutError. */
export class TiercutClient {
  /** The project documents, stored with their revisions. */
  readonly projects: Projects;
  readonly drafts: Drafts;
  /** Registered webhooks, which receive the events of all exports. */
  readonly webhooks: Webhooks;
  /** Many exports of one project. */
  readonly batches: Batches;
  readonly #connection: Connection;

  constructor(options: ConnectionOptions) {
    this.#connection = new Connection(options);
    this.projects = new Projects(this.#connection, randomKey);
    this.drafts = new Drafts(this.#connection);
    this.webhooks = new Webhooks(this.#connection);
    this.batches = new Batches(this.#connection, randomKey);
  }

  /** Uploads a file, unless the service has it already; resumes an earlier upload of it. */
  upload(media: Blob | MediaSource, options: FileUploadOptions = {}): Promise<Media> {
    return upload(this.#connection, sourceOf(media), options);
  }

  /** Lets the service fetch a file from a public HTTPS address, for any number of requests. */
  fetchMedia(url: string, { signal }: Abortable = {}): Promise<Media> {
    return this.#connection.json('/media', { method: 'POST', json: { url }, signal });
  }

  /** Whether the service has a file, by the SHA-256 of its bytes. */
  has(sha256: string, { signal }: Abortable = {}): Promise<boolean> {
    return hasMedia(this.#connection, sha256, signal);
  }

  /**
   * How much of each file the service has, by the SHA-256 of its bytes: `stored`, or the received bytes of an unfinished upload. Any
   * number of files, in requests of 100.
   */
  known(
    sha256s: readonly string[],
    { signal }: Abortable = {},
  ): Promise<ReadonlyMap<string, { readonly stored: boolean; readonly received: number }>> {
    return knownMedia(this.#connection, sha256s, signal);
  }

  /** Yields your stored files, last used first, page by page. */
  async *media({ signal }: Abortable = {}): AsyncGenerator<MediaList['media'][number], void, undefined> {
    yield* everyPage(
      (cursor) => {
        const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`;
        return this.#connection.json<MediaList>(`/media${query}`, { signal });
      },
      ({ media }) => media,
    );
  }

  /** Removes a file of yours; exports that use it keep it. */
  async forget(sha256: string, { signal }: Abortable = {}): Promise<void> {
    const path = `/media/${encodeURIComponent(sha256)}`;
    await this.#connection.again(
      () => this.#connection.send(path, { method: 'DELETE', accepts: [404], signal }),
      signal,
    );
  }

  /** The bytes of a file that the service has, by their SHA-256. */
  bytes(sha256: string, { signal }: Abortable = {}): Promise<Blob> {
    return this.#connection.blob(`/media/${encodeURIComponent(sha256)}`, { signal });
  }

  /**
   * Starts an export, after its media are uploaded. The service renders it even if this client goes away.
   *
   * @throws TiercutError `queue.full` if there is no room in the queue within `roomWithinMs`.
   */
  async create(request: CreateRequest, options: CreateOptions = {}): Promise<Export> {
    const { external_id, metadata, presets, callback_url, callback_events, retention_hours, destinations } = request;
    const events = { callback_url, callback_events };
    const fields = { external_id, metadata, presets, ...events, retention_hours, destinations };
    const json = { ...(await this.#documents(request, options)), ...fields };
    const idempotencyKey = request.idempotencyKey ?? randomKey();
    return createExport(this.#connection, '/video/exports', { json, idempotencyKey }, options);
  }

  /** Returns the errors and warnings that an export would have. Creates nothing. */
  async validate(request: VideoRequest, options: UploadOptions = {}): Promise<Validation> {
    const json = await this.#documents(request, options);
    return this.#connection.json('/video/exports/validate', { method: 'POST', json, signal: options.signal });
  }

  /** One frame, exactly as the video will have it. */
  async frame(request: FrameRequest, options: UploadOptions = {}): Promise<FramePicture> {
    const { at, frame, preset, type = 'image/png' } = request;
    const json = { ...(await this.#documents(request, options)), at, frame, preset };
    return framePicture(this.#connection, '/video/frames', { json, type, signal: options.signal });
  }

  /** Draws a thumbnail. Creates nothing. */
  async thumbnail(request: ThumbnailRequest, options: UploadOptions = {}): Promise<ThumbnailPicture> {
    const { style, text, items, orientation, type = 'image/jpeg' } = request;
    const looks = { style, text, items: items?.join(','), orientation };
    const json = { ...(await this.#documents(request, options)), ...looks };
    const { signal } = options;
    const sent = { method: 'POST', headers: { accept: type }, json, signal };
    return this.#connection.again(async () => this.#thumbnail('/video/thumbnails', sent), signal);
  }

  /** Draws a thumbnail of an export. */
  async exportThumbnail(
    exportId: string,
    { style, text, items, orientation, type = 'image/jpeg', signal }: ThumbnailLooks & Abortable = {},
  ): Promise<ThumbnailPicture> {
    const looks = Object.entries({ style, text, items: items?.join(','), orientation });
    const query = new URLSearchParams(looks.filter((look): look is [string, string] => look[1] !== undefined));
    const path = `/video/exports/${encodeURIComponent(exportId)}/thumbnail?${query}`;
    const sent = { headers: { accept: type }, signal };
    return this.#connection.again(async () => this.#thumbnail(path, sent), signal);
  }

  /** Returns title, description, chapters and tags, to paste where the video is published. */
  publishingKit(exportId: string, { signal }: Abortable = {}): Promise<PublishingKit> {
    return this.#connection.json(`/video/exports/${encodeURIComponent(exportId)}/publish.json`, { signal });
  }

  async #thumbnail(path: string, sent: Parameters<Connection['send']>[1]): Promise<ThumbnailPicture> {
    const response = await this.#connection.send(path, sent);
    return {
      picture: await response.blob(),
      warnings: JSON.parse(response.headers.get('tiercut-warnings') ?? '[]'),
    };
  }

  /** Returns the pauses in the speech of a stored file, by the SHA-256 of its bytes. */
  pauses(
    sha256: string,
    { minPause, padding, signal }: Abortable & { readonly minPause?: number; readonly padding?: number } = {},
  ): Promise<Pauses> {
    const json = { media_ref: sha256, min_pause: minPause, padding };
    return this.#connection.json('/video/pauses', { method: 'POST', json, signal });
  }

  /**
   * Transcribes a stored file, or the voice of a video, with the time of each word. Aborting cancels it.
   *
   * @throws TiercutError `captions.no_model` if the service has no speech model.
   */
  async transcribe(
    heard: { readonly sha256: string } | VideoRequest,
    options: UploadOptions & { readonly language?: string; readonly onTranscribed?: (progress: number) => void } = {},
  ): Promise<Captions> {
    const { language, signal, onTranscribed } = options;
    const source = 'sha256' in heard ? { media_ref: heard.sha256 } : await this.#documents(heard, options);
    const request = { method: 'POST', headers: { prefer: 'respond-async' }, json: { ...source, language }, signal };
    let captions = await this.#connection.json<Captions>('/video/captions', request);
    const path = `/video/captions/${encodeURIComponent(captions.captions_id)}`;
    try {
      while (captions.state === 'queued' || captions.state === 'running') {
        onTranscribed?.(captions.progress);
        await pause(CAPTIONS_POLL_MS, signal);
        captions = await this.#connection.json<Captions>(path, { signal });
      }
    } catch (error) {
      if (signal?.aborted) await this.#connection.send(path, { method: 'DELETE', accepts: [404] }).catch(() => {});
      throw error;
    }
    if (captions.error === undefined) return captions;
    throw new TiercutError(captions.error.code, captions.error.detail, { errors: captions.error.errors });
  }

  /** The languages that the service transcribes, as ISO 639 codes; none without a speech model. */
  async captionLanguages({ signal }: Abortable = {}): Promise<readonly string[]> {
    return (await this.#connection.json<CaptionLanguages>('/video/captions/languages', { signal })).languages;
  }

  /** The speech models that the service can install, best first. */
  async captionModels({ signal }: Abortable = {}): Promise<readonly CaptionModel[]> {
    return (await this.#connection.json<CaptionModels>('/video/captions/models', { signal })).models;
  }

  /** Starts to install a speech model. Needs the operator's key where there are keys. `captionModels` has its state. */
  async installCaptionModel(name: CaptionModel['name'], { signal }: Abortable = {}): Promise<CaptionModel> {
    const request = { method: 'PUT', signal };
    return (await this.#connection.json<CaptionModelReply>(`/video/captions/models/${name}`, request)).model;
  }

  /** Returns the state of an export. */
  status(id: string, { signal }: Abortable = {}): Promise<Export> {
    return this.#connection.json(exportPath(id), { signal });
  }

  /**
   * Yields the state of an export now and on every change, until all of its presets are final. If it is deleted
   * meanwhile, the last state is `cancelled`, or `expired` if its video was complete.
   *
   * @throws TiercutError `export.unknown` if it no longer exists.
   */
  follow(id: string, { signal }: Abortable = {}): AsyncGenerator<Export, void, undefined> {
    return follow(this.#connection, encodeURIComponent(id), signal);
  }

  /**
   * Waits until a preset of an export is there: the one it was made for, or another, which is started if it is idle.
   *
   * @throws TiercutError with the export's own failure; `export.cancelled` if it is deleted meanwhile.
   */
  async wait(
    id: string,
    options: Abortable & { readonly preset?: string; readonly onProgress?: (progress: number) => void } = {},
  ): Promise<Export> {
    const { onProgress, signal, preset } = options;
    for await (const info of this.follow(id, { ...(signal && { signal }) })) {
      const { state, progress, error } = preset === undefined ? info : await this.#output(info, preset, signal);
      if (preset !== undefined && state === 'idle') await this.#start(id, preset, signal);
      onProgress?.(progress);
      if (state === 'completed') return info;
      if (state === 'failed') {
        throw new TiercutError(error?.code ?? 'export.failed', error?.detail ?? 'The export failed.', {
          errors: error?.errors ?? [],
        });
      }
      if (state === 'cancelled' || state === 'expired') {
        throw new TiercutError('export.cancelled', 'The export ended before the video was ready.');
      }
    }
    throw new TiercutError('export.not_ready', 'The service stopped reporting before the video was ready.');
  }

  /** A page of your exports, newest first. */
  list(
    query: ExportsQuery & { readonly limit?: number; readonly cursor?: string } & Abortable = {},
  ): Promise<ExportList> {
    const { signal, ...asked } = query;
    return this.#connection.json(`/video/exports?${listParameters(asked)}`, { signal });
  }

  /** Yields your exports, newest first, page by page. */
  async *exports({
    signal,
    ...query
  }: ExportsQuery & Abortable = {}): AsyncGenerator<ExportList['exports'][number], void, undefined> {
    yield* everyPage(
      (cursor) => this.list({ ...query, ...(cursor !== undefined && { cursor }), ...(signal && { signal }) }),
      ({ exports }) => exports,
    );
  }

  /** Opens a video, and waits for it if it is not complete: the preset it was made for, or another. */
  async download(id: string, { preset, signal }: Abortable & { readonly preset?: string } = {}): Promise<Download> {
    const wanted = preset ?? (await this.status(id, { ...(signal && { signal }) })).settings.preset;
    return download(this.#connection, `${exportPath(id)}/download/${encodeURIComponent(wanted)}`, signal);
  }

  /** Opens a short, by its number in the metadata. The first request for a short makes it. */
  short(id: string, number: number, { signal }: Abortable = {}): Promise<Download> {
    return download(this.#connection, `${exportPath(id)}/shorts/${number}`, signal);
  }

  /** A JPEG of the finished board. */
  async poster(id: string, { signal }: Abortable = {}): Promise<Blob> {
    const path = `${exportPath(id)}/poster`;
    return this.#connection.again(async () => (await this.#connection.send(path, { signal })).blob(), signal);
  }

  /** Chapters as text, one a line, made from the reveals. */
  async chapters(id: string, { signal }: Abortable = {}): Promise<string> {
    return this.#text(`${exportPath(id)}/chapters`, signal);
  }

  /** The documents of an export as they were sent, and the hashes of its files. */
  documents(id: string, { signal }: Abortable = {}): Promise<SentDocuments> {
    return this.#connection.json(`${exportPath(id)}/documents`, { signal });
  }

  /** All subtitles of the video, those from files included. */
  async captions(id: string, { format = 'vtt', signal }: Abortable & { format?: 'vtt' | 'srt' } = {}): Promise<string> {
    return this.#text(`${exportPath(id)}/captions.${format}`, signal);
  }

  /** Returns the deliveries to the `callback_url` of an export so far. */
  deliveries(id: string, { signal }: Abortable = {}): Promise<Deliveries> {
    return this.#connection.json(`${exportPath(id)}/deliveries`, { signal });
  }

  /**
   * Sends an event to the receivers of an export once more, now: the one of `eventId`, or the first that is not
   * delivered, otherwise the last. This request is not retried, whatever the policy.
   */
  redeliver(id: string, { eventId, signal }: Abortable & { readonly eventId?: string } = {}): Promise<Deliveries> {
    return this.#sendAgain(`${exportPath(id)}/deliveries`, { event_id: eventId }, signal);
  }

  /** What happened to your exports, or to one of them, newest first. Reads the pages as you go on. */
  async *events(
    query: { readonly exportId?: string; readonly type?: CallbackEvent } & Abortable = {},
  ): AsyncGenerator<Event, void, undefined> {
    const { exportId, type, signal } = query;
    const parameters = new URLSearchParams({ limit: '100', ...(type !== undefined && { type }) });
    if (exportId !== undefined) parameters.set('format', 'list');
    const path = exportId === undefined ? '/events' : `${exportPath(exportId)}/events`;
    for (;;) {
      const { events, next } = await this.#connection.json<EventList>(`${path}?${parameters}`, { signal });
      yield* events;
      if (next === null) return;
      parameters.set('cursor', next);
    }
  }

  /** Returns an event with its deliveries, by its id: the `webhook-id` of its messages. */
  event(id: string, { signal }: Abortable = {}): Promise<EventDetails> {
    return this.#connection.json(`/events/${encodeURIComponent(id)}`, { signal });
  }

  /**
   * Sends an event once more, now: to each of its receivers, or to one registered webhook by its name. This request is
   * not retried, whatever the policy.
   */
  resend(eventId: string, { webhook, signal }: Abortable & { readonly webhook?: string } = {}): Promise<EventDetails> {
    return this.#sendAgain(`/events/${encodeURIComponent(eventId)}/deliveries`, { webhook }, signal);
  }

  /** Your usage, by UTC day; the last 30 days by default, at most 92. Days are texts such as `2026-01-31`. */
  usage(query: { readonly from?: string; readonly to?: string } & Abortable = {}): Promise<Usage> {
    const { signal, ...asked } = query;
    const parameters = new URLSearchParams(Object.entries(asked).filter(([, day]) => day !== undefined));
    return this.#connection.json(`/usage?${parameters}`, { signal });
  }

  /** The three formats of the service, the default first: names, aliases, size and frame rate. */
  async presets({ signal }: Abortable = {}): Promise<readonly Preset[]> {
    return (await this.#connection.json<Presets>('/presets', { signal })).presets;
  }

  /** The fonts that a request can name, with their weights. */
  async fonts({ signal }: Abortable = {}): Promise<Fonts['fonts']> {
    return (await this.#connection.json<Fonts>('/fonts', { signal })).fonts;
  }

  /** The limits of the service that a client can act on. */
  limits({ signal }: Abortable = {}): Promise<Limits> {
    return this.#connection.json('/limits', { signal });
  }

  /** Cancels running work and removes every file. */
  async delete(id: string, { signal }: Abortable = {}): Promise<void> {
    let tries = 0;
    await this.#connection.again(() => {
      tries += 1;
      // If a retry finds it gone, the response to the first request was lost.
      return this.#connection.send(exportPath(id), { method: 'DELETE', accepts: tries > 1 ? [404] : [], signal });
    }, signal);
  }

  /** Stops the render of one preset. Finished presets stay, and the others go on. */
  async stop(id: string, preset: string, { signal }: Abortable = {}): Promise<void> {
    await this.#connection.send(`${exportPath(id)}/outputs/${encodeURIComponent(preset)}`, {
      method: 'DELETE',
      signal,
    });
  }

  /**
   * Turns an API key into a cookie, for a page of the service's own origin: from then on the page, `<video>` and links
   * need no `key`. This request is not retried, whatever the policy.
   *
   * @throws TiercutError `auth.required` if the service does not know the key.
   */
  async openSession(key: string, { signal }: Abortable = {}): Promise<Session> {
    const headers = { accept: 'application/json' };
    const response = await this.#connection.send('/session', { method: 'POST', headers, json: { key }, signal });
    return (await response.json()) as Session;
  }

  /** Ends the session of a page. */
  async closeSession({ signal }: Abortable = {}): Promise<void> {
    await this.#connection.again(() => this.#connection.send('/session', { method: 'DELETE', signal }), signal);
  }

  /** Once: a second request would be a second delivery. */
  async #sendAgain<T>(path: string, json: object, signal: AbortSignal | undefined): Promise<T> {
    const headers = { accept: 'application/json' };
    return (await this.#connection.send(path, { method: 'POST', headers, json, signal })).json() as Promise<T>;
  }

  /** The output of a preset, by its id, its name or another alias. */
  async #output({ outputs }: Export, preset: string, signal: AbortSignal | undefined): Promise<Output> {
    const output = outputs[preset] ?? Object.values(outputs).find(({ name }) => name === preset);
    if (output !== undefined) return output;
    // An output names its first alias only.
    const presets = await this.presets({ ...(signal && { signal }) });
    const named = outputs[presets.find(({ aliases }) => aliases.includes(preset))?.preset ?? preset];
    if (named !== undefined) return named;
    const names = Object.entries(outputs).map(([id, { name }]) => (name === id ? id : `${name} (${id})`));
    throw new TiercutError('client.unexpected', `The export has no ${preset}, but ${names.join(', ')}.`);
  }

  async #text(path: string, signal: AbortSignal | undefined): Promise<string> {
    return this.#connection.again(async () => (await this.#connection.send(path, { signal })).text(), signal);
  }

  /** A request for an idle video starts it. */
  async #start(id: string, preset: string, signal: AbortSignal | undefined): Promise<void> {
    const path = `${exportPath(id)}/download/${encodeURIComponent(preset)}`;
    const head = { method: 'HEAD', headers: { prefer: 'wait=0' }, signal };
    await this.#connection.again(() => this.#connection.send(path, head), signal);
  }

  /** Uploads some at a time; if one fails, the others are cancelled. */
  async #references(
    media: Readonly<Record<string, MediaToSend>>,
    { onProgress, ...options }: UploadOptions,
  ): Promise<Record<string, string>> {
    const failed = new AbortController();
    const signal = options.signal === undefined ? failed.signal : AbortSignal.any([options.signal, failed.signal]);
    const references: Record<string, string> = {};
    const left = Object.entries(media);
    const uploadNext = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [field, one] = next;
        const progress = onProgress && { onProgress: (sent: MediaProgress) => onProgress({ ...sent, field }) };
        const isThere = typeof one === 'object' && one !== null && 'media' in one;
        references[field] = isThere ? one.media : (await this.upload(one, { ...options, signal, ...progress })).media;
      }
    };
    try {
      await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, uploadNext));
    } catch (error) {
      failed.abort(error);
      throw error;
    }
    // In the order of the request: the same request is the same text.
    return Object.fromEntries(Object.keys(media).map((field) => [field, references[field]!]));
  }

  /** The documents and media of a request, as members of a JSON body; uploads missing files first. */
  async #documents(
    { tier_list, timeline_data, settings, media = {} }: VideoRequest,
    options: UploadOptions,
  ): Promise<Readonly<Record<string, unknown>>> {
    const media_urls: Record<string, string> = {};
    const files: Record<string, MediaToSend> = {};
    for (const [field, one] of Object.entries(media)) {
      // `#references` reports a value that is not an object.
      if (typeof one === 'object' && one !== null && 'url' in one) media_urls[field] = one.url;
      else files[field] = one;
    }
    const media_refs = await this.#references(files, options);
    const references = { media_refs, ...(Object.keys(media_urls).length > 0 && { media_urls }) };
    return { tier_list, timeline_data, settings, ...references };
  }
}

function exportPath(id: string): string {
  if (typeof id !== 'string')
    throw new TiercutError('client.usage', '`export_id` must be a text: the id of an export.');
  return `/video/exports/${encodeURIComponent(id)}`;
}

/** `crypto.randomUUID` exists over HTTPS only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
