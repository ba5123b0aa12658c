import { type ErrorKind, ExportError, type Issue } from '../../errors.ts';
import { allOrFirstFault } from '../../platform/signals.ts';
import type { Database } from '../../store/database.ts';
import type { LocalFile } from '../../store/local-files.ts';
import type { FetchProgress } from '../../store/records/fetch-records.ts';
import type { MediaRecords } from '../../store/records/media-records.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { MEDIA_REFS, MEDIA_URLS, type MediaReferences } from '../../timeline/media-references.ts';
import { mediaPath, PROJECT_NOTES, type ProjectNotes } from '../../timeline/project/project-notes.ts';
import type { Meter } from '../api/meter.ts';
import type { SentTexts, SubmittedFile } from '../api/submission.ts';
import type { Uploads } from '../uploads.ts';
import type { FetchMedia } from './fetch-media.ts';

/** How many files a request may have, sent or referenced. */
export interface RequestFilesPolicy {
  readonly maxMediaParts: number;
}

/** The files that a request refers to: by their hashes, and by their addresses. */
export interface NamedMedia {
  readonly references: MediaReferences;
  readonly addresses: MediaReferences;
  /** Where the places of media are, if the form was made of a project. */
  readonly notes: Pick<ProjectNotes, 'places'>;
  /** All errors of both; null if there are none. */
  readonly fault: { readonly kind: ErrorKind; readonly issues: readonly Issue[] } | null;
}

/** Reads references in a thread; many would hold the event loop. (H60) */
interface MediaReader {
  media(tenant: string, request: { readonly texts: SentTexts }, signal: AbortSignal): Promise<NamedMedia>;
}

interface RequestFilesPorts {
  readonly database: Database;
  readonly media: Pick<MediaRecords, 'find' | 'touch' | 'delete'>;
  readonly uploads: Pick<Uploads, 'hold' | 'open'>;
  readonly fetching: Pick<FetchMedia, 'read' | 'fetch'>;
  readonly planner: MediaReader;
  readonly policy: RequestFilesPolicy;
  readonly meter: Pick<Meter, 'mediaReferred'>;
  readonly now: () => number;
}

/** A file of a request, from any origin. */
export type RequestFile = Pick<SubmittedFile, 'path' | 'sha256' | 'bytes'>;

/** The fields of files that the documents of a request name. */
interface NamedFiles {
  readonly fields: readonly string[];
  readonly subtitleFiles: readonly { readonly field: string }[];
}

/** All files of a request. They exist until it is disposed. */
export interface GatheredFiles extends AsyncDisposable {
  /** By field: sent, referenced and fetched files. */
  readonly files: ReadonlyMap<string, RequestFile>;
  /** Their fields, including files to fetch and invalid references, whose error is reported once. */
  readonly fields: readonly string[];
  /** How many of the named files are still to fetch. */
  absent(named: NamedFiles): number;
  /**
   * Fetches the missing files among the named ones; call it for a request without other errors. @throws ExportError with
   * every address that failed. (C66)
   */
  fetch(named: NamedFiles, signal: AbortSignal, onProgress?: (progress: FetchProgress) => void): Promise<void>;
  /** Adds the errors of the references to the result of another check; all errors are returned at once. (C5) */
  withReferenceErrors<T>(checked: Promise<T>): Promise<T>;
}

const NO_NOTES: NamedMedia['notes'] = { places: {} };
const NO_FILES: NamedMedia['references'] = { byField: new Map(), fields: [] };

/** The time of use is written at most this often, because pages request frames many times a second. */
const USE_GRACE_MS = 60_000;

/** Finds the files of requests: sent ones and referenced ones. (C38) */
export class RequestFiles {
  readonly #ports: RequestFilesPorts;

  constructor(ports: RequestFilesPorts) {
    this.#ports = ports;
  }

  /**
   * @param received the files sent as parts; the receiver removes them.
   * @param faults the errors so far; more are added.
   */
  async gather(
    tenant: string,
    texts: SentTexts,
    received: ReadonlyMap<string, RequestFile>,
    faults: IssueList,
    signal: AbortSignal,
  ): Promise<GatheredFiles> {
    const { references, addresses, notes } = await this.#named(tenant, texts, received.size, faults, signal);
    const served = new Set(received.keys());
    for (const [{ fields }, kind] of [[references, 'stored'] as const, [addresses, 'web'] as const]) {
      for (const field of fields) {
        if (served.has(field)) faults.error(mediaPath(notes, kind, field), 'reference.repeated', SERVED_TWICE);
        served.add(field);
      }
    }
    await using held = new AsyncDisposableStack();
    held.use(this.#ports.uploads.hold(references.byField.values()));
    const files = new Map<string, RequestFile>(received);
    const byHash = new Map<string, RequestFile | null>();
    for (const [field, sha256] of references.byField) {
      if (!byHash.has(sha256)) byHash.set(sha256, await this.#take(tenant, sha256, held));
      const file = byHash.get(sha256)!;
      if (file === null) this.#unknown(mediaPath(notes, 'stored', field), sha256, faults);
      else if (!received.has(field)) files.set(field, file);
    }
    const referred = [...byHash.values()].filter((file) => file !== null);
    const bytes = referred.reduce((sum, file) => sum + file.bytes, 0);
    if (referred.length > 0) this.#ports.meter.mediaReferred(referred.length, bytes);
    const kept = held.move();
    return {
      files,
      fields: [...served],
      absent: (named) => namedOnly(addresses.byField, named).size,
      fetch: (named, signal, onProgress) =>
        this.#fetch(tenant, { urls: namedOnly(addresses.byField, named), notes }, files, kept, signal, onProgress),
      withReferenceErrors: (checked) => withErrors(faults, checked, files.size > 0 ? UNREAD_FILES : []),
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    };
  }

  /** The same before any file arrives. */
  async withReferenceErrors<T>(tenant: string, texts: SentTexts, checked: Promise<T>, signal: AbortSignal): Promise<T> {
    const { database, media } = this.#ports;
    // Its error is thrown below, with the others.
    checked.catch(() => {});
    const faults = new IssueList();
    const { references, notes } = await this.#named(tenant, texts, 0, faults, signal);
    for (const [field, sha256] of references.byField) {
      const path = mediaPath(notes, 'stored', field);
      if ((await media.find(tenant, sha256, database)) === null) this.#unknown(path, sha256, faults);
    }
    return withErrors(faults, checked, UNREAD_FILES);
  }

  /** The content is already held, so it cannot be removed between the check and the use. */
  async #take(tenant: string, sha256: string, held: AsyncDisposableStack): Promise<RequestFile | null> {
    const { database, media, uploads, now } = this.#ports;
    const record = await media.find(tenant, sha256, database);
    if (record === null) return null;
    const blob = await uploads.open(sha256).catch(missing);
    if (blob === null) {
      // The file was removed by hand. Without the record, a client can send it again.
      await media.delete(tenant, sha256, database);
      return null;
    }
    const { path } = held.use(blob);
    const nowMs = now();
    if (record.usedAtMs < nowMs - USE_GRACE_MS) await media.touch(tenant, [sha256], nowMs, USE_GRACE_MS, database);
    return { path, sha256, bytes: record.bytes };
  }

  /**
   * The files that the texts name. A forbidden address is reported now; a failed fetch is reported when it happens. Of
   * too many files, the first ones are looked up.
   */
  async #named(tenant: string, texts: SentTexts, received: number, faults: IssueList, signal: AbortSignal) {
    const urls = new Map<string, URL>();
    const sent = new Map([...texts].filter(([field]) => OF_FILES.includes(field)));
    const none = { references: NO_FILES, addresses: { byField: urls, fields: NO_FILES.fields }, notes: NO_NOTES };
    if (sent.size === 0) return none;
    const { references, addresses, notes, fault } = await this.#ports.planner.media(tenant, { texts: sent }, signal);
    if (fault !== null) faults.absorb(new ExportError(fault.kind, 'request.invalid', '', { issues: fault.issues }));
    this.#requireFew(references.fields.length + addresses.fields.length + received, faults);
    const { maxMediaParts } = this.#ports.policy;
    for (const [field, text] of addresses.byField.entries().take(maxMediaParts)) {
      faults.collect(() => urls.set(field, this.#ports.fetching.read(text, mediaPath(notes, 'web', field))));
    }
    return {
      references: { ...references, byField: new Map(references.byField.entries().take(maxMediaParts)) },
      addresses: { byField: urls, fields: addresses.fields },
      notes,
    };
  }

  async #fetch(
    tenant: string,
    { urls: addresses, notes }: { readonly urls: ReadonlyMap<string, URL>; readonly notes: NamedMedia['notes'] },
    files: Map<string, RequestFile>,
    held: AsyncDisposableStack,
    signal: AbortSignal,
    onProgress: (progress: FetchProgress) => void = () => {},
  ): Promise<void> {
    const faults = new IssueList();
    const bytes = new Map<string, number>();
    const done = new Set<string>();
    const report = () => {
      const filesDone = [...addresses.values()].filter(({ href }) => done.has(href)).length;
      onProgress({ filesDone, bytesDone: bytes.values().reduce((sum, came) => sum + came, 0) });
    };
    const fetched = Map.groupBy(addresses, ([, { href }]) => href)
      .values()
      .map(async (same) => {
        const [[, url]] = same as [[string, URL]];
        try {
          const onBytes = (came: number) => {
            bytes.set(url.href, came);
            report();
          };
          const { sha256 } = await this.#ports.fetching.fetch(tenant, url, signal, onBytes);
          held.use(this.#ports.uploads.hold([sha256]));
          const file = await this.#take(tenant, sha256, held);
          if (file === null)
            throw new ExportError('cancelled', 'media.deleted', 'It was deleted right after the upload.');
          for (const [field] of same) files.set(field, file);
          done.add(url.href);
          report();
        } catch (error) {
          if (!(error instanceof ExportError) || !OF_THE_ADDRESS.test(error.code)) throw error;
          for (const [field] of same)
            faults.error(mediaPath(notes, 'web', field), error.code, error.message, error.kind);
        }
      });
    await allOrFirstFault([...fetched]);
    faults.throwIfFailed();
  }

  #requireFew(files: number, faults: IssueList): void {
    const { maxMediaParts } = this.#ports.policy;
    if (files <= maxMediaParts) return;
    const message = `The request has ${files} files, sent or referred to; ${maxMediaParts} are allowed.`;
    faults.error(`/${MEDIA_REFS}`, 'multipart.too_many_parts', message, 'too_large');
  }

  #unknown(path: string, sha256: string, faults: IssueList): void {
    const message = `The file ${sha256} does not exist or has expired. Send it with PUT /media/<sha256>, or as a part.`;
    faults.error(path, 'reference.unknown', message);
  }
}

function namedOnly(addresses: ReadonlyMap<string, URL>, { fields, subtitleFiles }: NamedFiles): Map<string, URL> {
  const named = new Set([...fields, ...subtitleFiles.map(({ field }) => field)]);
  return new Map([...addresses].filter(([field]) => named.has(field)));
}

/** The texts that say which files there are. */
const OF_FILES: readonly string[] = [MEDIA_REFS, MEDIA_URLS, PROJECT_NOTES];

const SERVED_TWICE = 'This name already has a file. Use one of the three: a part, media_refs or media_urls.';

/** Errors of an address or of its content. All others are failures of the service. */
const OF_THE_ADDRESS = /^fetch\.|^media\.quota_full$/;

/** Files are opened only for a valid request, and the early check has no files yet. */
const UNREAD_FILES: readonly Issue[] = [
  {
    path: '',
    code: 'request.files_unread',
    message: 'The files were not probed. Their errors are reported when the documents are valid.',
  },
];

/** The result of a check, or its errors together with those known already. (C5) */
async function withErrors<T>(faults: IssueList, checked: Promise<T>, warned: readonly Issue[] = []): Promise<T> {
  const [result] = await Promise.allSettled([checked]);
  if (result.status === 'rejected') {
    const { reason } = result;
    if (!faults.failed && reason instanceof ExportError && reason.issues.length > 0) throw warnedOf(reason, warned);
    faults.absorb(reason);
  }
  faults.throwIfFailed(warned);
  return await checked;
}

/** Keeps the error as it is, because it may cover more than its list of issues. */
function warnedOf({ kind, code, message, path, issues, warnings, cause }: ExportError, more: readonly Issue[]) {
  const detail = { issues, warnings: [...warnings, ...more], cause, ...(path !== undefined && { path }) };
  return new ExportError(kind, code, message, detail);
}

function missing(error: unknown): LocalFile | null {
  if (error instanceof ExportError && error.code === 'store.blob_missing') return null;
  throw error;
}
