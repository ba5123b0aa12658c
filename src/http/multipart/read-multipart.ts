import { isUtf8 } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { ExportError } from '../../errors.ts';
import type { SentTexts, SubmittedFile } from '../../exports/api/submission.ts';
import { MAGIC_BYTES, pictureMagic } from '../../image-header/read-image-header.ts';
import { isDiskFull } from '../../platform/disk-full.ts';
import { diskError } from '../../store/store-error.ts';
import { LARGE_FIELDS, MAX_PLAIN_BYTES, TEXT_FIELDS } from '../../timeline/request-documents.ts';
import { type BodyPatience, BodyReader, type DocumentLease } from './body-reader.ts';
import { type MultipartEvent, MultipartParser } from './multipart-parser.ts';
import { type NameLimits, type PartHead, parseHeader, readPartHead } from './part-head.ts';
import { isJson } from './read-json-body.ts';

/**
 * Checks the media type of a form in the headers, before the body is sent. @throws what `boundaryOf` throws (C1, C67)
 */
export function requireForm(contentType: string | undefined): void {
  if (!isJson(contentType)) boundaryOf(contentType);
}

/** The characters and the length that RFC 2046 allows; no space at the end. */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

/**
 * The boundary of a multipart request.
 *
 * @throws `request.not_multipart` if the body is something else (415), `multipart.boundary_invalid` if it is multipart
 * without a usable boundary.
 */
export function boundaryOf(contentType: string | undefined): string {
  const header = parseHeader(contentType ?? '');
  if (!/^multipart\/form-data$/i.test(/^[^;]*/.exec(contentType ?? '')![0].trim())) {
    const found = contentType === undefined ? 'nothing' : JSON.stringify(contentType.slice(0, 100));
    const message = `The request must be multipart/form-data or application/json; its Content-Type says ${found}.`;
    throw new ExportError('unsupported', 'request.not_multipart', message);
  }
  const boundary = header?.parameters.get('boundary');
  if (boundary !== undefined && BOUNDARY.test(boundary)) return boundary;
  const message = 'The Content-Type header must carry one boundary of 1 to 70 characters, as RFC 2046 allows them.';
  throw new ExportError('malformed', 'multipart.boundary_invalid', message);
}

/** The limits of a request. Beyond a limit it is refused, never truncated. */
export interface MultipartLimits extends BodyPatience, NameLimits, UploadLimits {
  readonly maxRequestBytes: number;
  /** Parts with a file name. */
  readonly maxMediaParts: number;
  /** Parts without a file name, including the JSON texts. */
  readonly maxFields: number;
  /** The maximum size of a text. */
  readonly maxJsonBytes: number;
}

interface ReadMultipartOptions {
  readonly limits: MultipartLimits;
  /** The folder for files, under names that the service chooses; null if they are only hashed and not kept. */
  readonly folder: string | null;
  /** Additional text fields, if they come as plain fields. */
  readonly plainFields?: ReadonlySet<string>;
  /** Counts the bytes of texts. */
  readonly memory: Pick<DocumentLease, 'add'>;
  readonly signal: AbortSignal;
  /** Called when the headers are valid and the body is about to be read. */
  readonly onReading?: () => void;
  /** Gets every buffer of the body before it is parsed. Rejects to end the request. */
  readonly onReceived?: (bytes: number) => Promise<void>;
  /**
   * Called before a file is read if there are new texts. Rejects to end the request before gigabytes are sent; texts
   * may still be missing.
   */
  readonly onTexts?: (texts: SentTexts) => Promise<void>;
}

/** A form as received. Disposing removes the files that were not moved. */
export interface ReceivedForm extends AsyncDisposable {
  readonly texts: SentTexts;
  readonly uploads: ReadonlyMap<string, SubmittedFile>;
}

const TEXTS: ReadonlySet<string> = new Set(TEXT_FIELDS);
const LARGE: ReadonlySet<string> = new Set(LARGE_FIELDS);

/**
 * Reads a multipart/form-data request: texts into memory, files to the disk, hashed while they are written. Parts may
 * come in any order. Only the files of the returned form remain, even after a failure. (C1 to C5)
 *
 * @throws ExportError: `malformed`, `too_large`, `unsupported` (not multipart), `unavailable` (too slow), `cancelled`
 */
export async function readMultipart(request: IncomingMessage, options: ReadMultipartOptions): Promise<ReceivedForm> {
  const { limits, signal, onReading, onReceived } = options;
  const parser = new MultipartParser(boundaryOf(request.headers['content-type']));
  if (Number(request.headers['content-length'] ?? 0) > limits.maxRequestBytes) throw requestTooLarge(limits);
  onReading?.();
  const form = new FormBuilder(options);
  try {
    using body = new BodyReader(request, limits, signal);
    let received = 0;
    for (let chunk = await body.next(); chunk !== null; chunk = await body.next()) {
      received += chunk.length;
      if (received > limits.maxRequestBytes) throw requestTooLarge(limits);
      await onReceived?.(chunk.length);
      for (const event of parser.push(chunk)) await form.take(event);
    }
    parser.finish();
    return form;
  } catch (error) {
    await form[Symbol.asyncDispose]();
    throw form.located(error);
  }
}

/** Collects the parts of one request. */
class FormBuilder implements ReceivedForm {
  readonly texts = new Map<string, string | Uint8Array>();
  readonly uploads = new Map<string, SubmittedFile>();
  readonly #limits: MultipartLimits;
  readonly #folder: string | null;
  readonly #onTexts: ReadMultipartOptions['onTexts'];
  readonly #plainFields: ReadonlySet<string>;
  readonly #memory: ReadMultipartOptions['memory'];
  readonly #paths: string[] = [];
  readonly #names = new Set<string>();
  #part: PartHead | null = null;
  #file: UploadFile | null = null;
  #text: Buffer[] = [];
  #textBytes = 0;
  #textsShown = 0;
  #mediaParts = 0;
  #fields = 0;

  constructor({ limits, folder, plainFields, memory, onTexts }: ReadMultipartOptions) {
    this.#memory = memory;
    this.#limits = limits;
    this.#folder = folder;
    this.#plainFields = plainFields ?? new Set();
    this.#onTexts = onTexts;
  }

  async take(event: MultipartEvent): Promise<void> {
    if (event.type === 'part') await this.#begin(event.headers);
    else if (event.type === 'data') await this.#continue(event.bytes);
    else await this.#end();
  }

  /** Adds the part to an error of the grammar, which does not name it. */
  located(error: unknown): unknown {
    if (!(error instanceof ExportError) || error.issues.length > 0 || this.#part === null) return error;
    const { kind, code, message, cause } = error;
    return new ExportError(kind, code, message, { path: this.#part.path, cause });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.[Symbol.asyncDispose]();
    await Promise.all(this.#paths.map((path) => rm(path, { force: true })));
  }

  async #begin(headers: Buffer): Promise<void> {
    const part = readPartHead(headers, this.#names.size + 1, this.#limits);
    const { name, path } = part;
    if (this.#names.has(name)) {
      const message = `Two parts have this name; send each once.`;
      throw new ExportError('malformed', 'multipart.name_repeated', message, { path });
    }
    this.#part = part;
    this.#names.add(name);
    const isText = TEXTS.has(name) || (part.fileName === null && this.#plainFields.has(name));
    this.#count(isText || part.fileName === null, path);
    if (isText) return;
    if (this.texts.size > this.#textsShown) {
      this.#textsShown = this.texts.size;
      await this.#onTexts?.(this.texts);
    }
    this.#file = await UploadFile.create(part, this.#folder, this.#limits, (created) => this.#paths.push(created));
  }

  #count(isField: boolean, path: string): void {
    if (isField) this.#fields += 1;
    else this.#mediaParts += 1;
    const { maxFields, maxMediaParts } = this.#limits;
    if (this.#fields <= maxFields && this.#mediaParts <= maxMediaParts) return;
    const message = `The request has more than the ${maxMediaParts} files or the ${maxFields} other fields allowed.`;
    throw new ExportError('too_large', 'multipart.too_many_parts', message, { path });
  }

  async #continue(bytes: Buffer): Promise<void> {
    if (this.#file !== null) return this.#file.write(bytes);
    const { name, path } = this.#part!;
    const { maxJsonBytes } = this.#limits;
    const max = LARGE.has(name) ? maxJsonBytes : Math.min(maxJsonBytes, MAX_PLAIN_BYTES);
    this.#textBytes += bytes.length;
    if (this.#textBytes > max) {
      const message = `The field is larger than the ${max} bytes allowed.`;
      throw new ExportError('too_large', 'multipart.field_too_large', message, { path });
    }
    this.#memory.add(bytes.length);
    // A copy, because a view would keep its whole buffer alive.
    this.#text.push(Buffer.from(bytes));
  }

  async #end(): Promise<void> {
    const { name, path } = this.#part!;
    if (this.#file !== null) this.uploads.set(name, await this.#file.finish());
    else this.texts.set(name, textOf(name, Buffer.concat(this.#text), path));
    this.#part = null;
    this.#file = null;
    this.#text = [];
    this.#textBytes = 0;
  }
}

/** Documents stay bytes; see SentTexts. The check is fast: a microsecond for each kilobyte at most. */
function textOf(name: string, bytes: Buffer, path: string): string | Uint8Array {
  if (!isUtf8(bytes)) {
    throw new ExportError('malformed', 'multipart.field_not_text', 'The field is not UTF-8 text.', { path });
  }
  return LARGE.has(name) ? bytes : new TextDecoder().decode(bytes);
}

export function requestTooLarge({ maxRequestBytes }: MultipartLimits): ExportError {
  const message = `The request is larger than the ${maxRequestBytes} bytes allowed.`;
  return new ExportError('too_large', 'request.too_large', message);
}

/** The maximum sizes of files. */
interface UploadLimits {
  readonly maxFileBytes: number;
  readonly maxImageFileBytes: number;
}

/** A file that is being received, hashed while it is written or discarded. */
class UploadFile implements AsyncDisposable {
  readonly path: string;
  readonly #part: PartHead;
  readonly #file: FileHandle | null;
  readonly #hash = createHash('sha256');
  readonly #limits: UploadLimits;
  #head: Buffer = Buffer.alloc(0);
  #maxBytes: number;
  #bytes = 0;

  private constructor(part: PartHead, path: string, file: FileHandle | null, limits: UploadLimits) {
    this.#part = part;
    this.path = path;
    this.#file = file;
    this.#limits = limits;
    this.#maxBytes = limits.maxFileBytes;
  }

  /**
   * Creates the file in `folder`; `announce` receives its path before it exists, so that it cannot be leaked. Without a
   * folder nothing is kept, and the path is empty.
   */
  static async create(part: PartHead, folder: string | null, limits: UploadLimits, announce: (path: string) => void) {
    if (folder === null) return new UploadFile(part, '', null, limits);
    const path = join(folder, `${randomUUID()}.tmp`);
    announce(path);
    const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
      throw diskFailure(cause);
    });
    return new UploadFile(part, path, file, limits);
  }

  /** @throws `multipart.file_too_large`, `multipart.disk_full` */
  async write(bytes: Buffer): Promise<void> {
    if (this.#head.length < MAGIC_BYTES) {
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, MAGIC_BYTES)]);
      // Pictures have a limit of their own, whatever their name is. The sandbox later detects what a file really is.
      if (pictureMagic(this.#head) !== null) {
        this.#maxBytes = Math.min(this.#limits.maxFileBytes, this.#limits.maxImageFileBytes);
      }
    }
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) throw this.#tooLarge();
    this.#hash.update(bytes);
    if (this.#file === null) return;
    try {
      for (let at = 0; at < bytes.length; ) at += (await this.#file.write(bytes, at)).bytesWritten;
    } catch (cause) {
      throw diskFailure(cause);
    }
  }

  /** Ends the file. @throws `multipart.file_empty` (C4) */
  async finish(): Promise<SubmittedFile> {
    await this.#file?.close();
    const { fileName, contentType, path } = this.#part;
    if (this.#bytes === 0) {
      throw new ExportError('malformed', 'multipart.file_empty', 'The uploaded file is empty.', { path });
    }
    return { path: this.path, bytes: this.#bytes, sha256: this.#hash.digest('hex'), fileName, contentType };
  }

  /** Closes the file if `finish` did not. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close().catch(() => undefined);
  }

  #tooLarge(): ExportError {
    const what = this.#maxBytes < this.#limits.maxFileBytes ? 'image' : 'file';
    const message = `The uploaded ${what} is larger than the ${this.#maxBytes} bytes allowed.`;
    return new ExportError('too_large', 'multipart.file_too_large', message, { path: this.#part.path });
  }
}

function diskFailure(cause: unknown): unknown {
  if (!isDiskFull(cause)) return diskError(cause);
  return new ExportError('unavailable', 'multipart.disk_full', 'The disk has no space for the upload.', { cause });
}
