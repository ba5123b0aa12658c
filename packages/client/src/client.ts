import type { ExportInfo, ExportPage, ExportState, FramePicture, Media } from './answers.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import type { Documents } from './documents.ts';
import { type Download, download } from './download.ts';
import { follow } from './follow.ts';
import { type MediaSource, sourceOf } from './media-source.ts';
import { type Issue, TiercutError } from './tiercut-error.ts';
import { type UploadOptions, upload } from './upload.ts';

export type * from './answers.ts';
export type { ConnectionOptions } from './connection.ts';
export type * from './documents.ts';
export type { Download } from './download.ts';
export type { MediaProgress, MediaSource } from './media-source.ts';
export { type Issue, TiercutError } from './tiercut-error.ts';
export type { UploadOptions } from './upload.ts';

/** Documents, and the media they mention by `file_field`: uploaded before (what `upload` gave), or to be uploaded now. */
export interface VideoRequest extends Documents {
  readonly media?: Readonly<Record<string, Media | Blob | MediaSource>>;
}

/** A video to be made. */
export interface CreateRequest extends VideoRequest {
  /** A name of your own; it comes back in everything that is told of the export. */
  readonly external_id?: string;
  /** Told when the export has ended. */
  readonly callback_url?: string;
  /** The same key and content again is the same export; a random one if absent, so that a broken connection makes no second one. */
  readonly idempotencyKey?: string;
}

/** A frame to be shown: by its time in seconds, or by its number. */
export type FrameRequest = VideoRequest & {
  readonly preset?: string;
  readonly type?: 'image/png' | 'image/jpeg' | 'image/webp';
} & ({ readonly at: number; readonly frame?: never } | { readonly frame: number; readonly at?: never });

interface Abortable {
  readonly signal?: AbortSignal;
}

/** A Tiercut service, from a browser or from Node. Every call can be aborted by a signal, and throws TiercutError. */
export class TiercutClient {
  readonly #connection: Connection;

  constructor(options: ConnectionOptions) {
    this.#connection = new Connection(options);
  }

  /** Sends a file, unless the service has it already; goes on where an earlier upload of it stopped. */
  upload(media: Blob | MediaSource, options: UploadOptions = {}): Promise<Media> {
    return upload(this.#connection, sourceOf(media), options);
  }

  /** Begins an export, once its media are there. It is rendered from then on, whatever becomes of this client. */
  async create(request: CreateRequest, options: UploadOptions = {}): Promise<ExportInfo> {
    const { external_id, callback_url, idempotencyKey = randomKey() } = request;
    const body = await this.#form(request, { external_id, callback_url }, options);
    const headers = { prefer: 'respond-async', 'idempotency-key': idempotencyKey };
    return this.#connection.json('/video/exports', { method: 'POST', headers, body, signal: options.signal });
  }

  /** What would be wrong with an export, and what would be warned about. Nothing is made. */
  async validate(request: VideoRequest, options: UploadOptions = {}): Promise<{ readonly warnings: readonly Issue[] }> {
    const body = await this.#form(request, {}, options);
    return this.#connection.json('/video/exports/validate', { method: 'POST', body, signal: options.signal });
  }

  /** One frame, exactly as the video will have it. */
  async frame(request: FrameRequest, options: UploadOptions = {}): Promise<FramePicture> {
    const { at, frame, preset, type = 'image/png' } = request;
    const body = await this.#form(request, { at, frame, preset }, options);
    const { signal } = options;
    return this.#connection.again(async () => {
      const sent = { method: 'POST', headers: { accept: type }, body, signal };
      const response = await this.#connection.send('/video/frames', sent);
      const number = (name: string) => Number(response.headers.get(name));
      return {
        picture: await response.blob(),
        frame: number('tiercut-frame'),
        frames: number('tiercut-frames'),
        time: number('tiercut-time'),
        warnings: JSON.parse(response.headers.get('tiercut-warnings') ?? '[]'),
      };
    }, signal);
  }

  /** How an export stands. */
  status(id: string, { signal }: Abortable = {}): Promise<ExportInfo> {
    return this.#connection.json(exportPath(id), { signal });
  }

  /**
   * How an export stands, now and whenever that changes, until none of its shapes changes any more. One that is deleted
   * meanwhile is told of as `cancelled`, or as `expired` where its video was there, and that is the end.
   *
   * @throws TiercutError `export.unknown` where it is gone already.
   */
  follow(id: string, { signal }: Abortable = {}): AsyncGenerator<ExportInfo, void, undefined> {
    return follow(this.#connection, encodeURIComponent(id), signal);
  }

  /**
   * Waits until a shape of an export is there: the one it was made for, or another.
   *
   * @throws TiercutError with the export's own failure; `export.cancelled` where it is deleted meanwhile.
   */
  async wait(
    id: string,
    options: Abortable & { readonly preset?: string; readonly onProgress?: (progress: number) => void } = {},
  ): Promise<ExportInfo> {
    const { preset, onProgress, signal } = options;
    for await (const info of this.follow(id, { ...(signal && { signal }) })) {
      const { state, progress, error } = preset === undefined ? info : outputOf(info, preset);
      onProgress?.(progress);
      if (state === 'completed') return info;
      if (state === 'failed') {
        throw new TiercutError(error?.code ?? 'export.failed', error?.detail ?? 'The export failed.', {
          errors: error?.errors ?? [],
        });
      }
      if (state === 'cancelled' || state === 'expired') {
        throw new TiercutError('export.cancelled', 'The export was ended before the video was there.');
      }
    }
    throw new TiercutError('export.not_ready', 'Nobody has asked for this shape yet; a download does.');
  }

  /** A page of your exports, newest first. */
  list(
    query: { state?: ExportState; external_id?: string; limit?: number; cursor?: string } & Abortable = {},
  ): Promise<ExportPage> {
    const { signal, ...asked } = query;
    const given = Object.entries(asked).filter(([, value]) => value !== undefined);
    const parameters = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
    return this.#connection.json(`/video/exports?${parameters}`, { signal });
  }

  /** Opens a video, waiting for it where it is not there yet: the shape it was made for, or another. */
  async download(id: string, { preset, signal }: Abortable & { readonly preset?: string } = {}): Promise<Download> {
    const shape = preset ?? (await this.status(id, { ...(signal && { signal }) })).settings.preset;
    return download(this.#connection, `${exportPath(id)}/download/${encodeURIComponent(shape)}`, signal);
  }

  /** Opens a short, by its number in the metadata; it is made now where nobody has asked for it before. */
  short(id: string, number: number, { signal }: Abortable = {}): Promise<Download> {
    return download(this.#connection, `${exportPath(id)}/shorts/${number}`, signal);
  }

  /** A JPEG of the finished board. */
  async poster(id: string, { signal }: Abortable = {}): Promise<Blob> {
    return (await this.#connection.send(`${exportPath(id)}/poster`, { signal })).blob();
  }

  /** Cancels what runs and removes every file. */
  async delete(id: string, { signal }: Abortable = {}): Promise<void> {
    await this.#connection.send(exportPath(id), { method: 'DELETE', signal });
  }

  /** The form of a request; media that are not there yet are sent first. */
  async #form(
    { tier_list, timeline_data, settings, media = {} }: VideoRequest,
    fields: Readonly<Record<string, string | number | undefined>>,
    options: UploadOptions,
  ): Promise<FormData> {
    const references: Record<string, string> = {};
    for (const [field, one] of Object.entries(media)) {
      references[field] = 'media' in one ? one.media : (await this.upload(one, options)).media;
    }
    const form = new FormData();
    form.set('tier_list', JSON.stringify(tier_list));
    form.set('timeline_data', JSON.stringify(timeline_data));
    if (settings !== undefined) form.set('settings', JSON.stringify(settings));
    if (Object.keys(references).length > 0) form.set('media_refs', JSON.stringify(references));
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, String(value));
    return form;
  }
}

function outputOf({ outputs }: ExportInfo, preset: string): ExportInfo['outputs'][string] {
  const output = outputs[preset];
  if (output !== undefined) return output;
  throw new TiercutError('client.unexpected', `The export has no ${preset}, but ${Object.keys(outputs).join(', ')}.`);
}

function exportPath(id: string): string {
  return `/video/exports/${encodeURIComponent(id)}`;
}

/** `crypto.randomUUID` is there over HTTPS only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
