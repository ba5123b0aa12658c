import { join } from 'node:path';
import { ExportError } from '../../errors.ts';
import { pictureMagic } from '../../image-header/read-image-header.ts';
import { type FetchedFile, type FetchRules, fetchFile, tooLarge, type Validators } from '../../outbound/fetch-file.ts';
import { readAddress } from '../../outbound/read-address.ts';
import { sha256 as sha256Of } from '../../platform/sha256.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { LocalFiles } from '../../store/local-files.ts';
import type { AddressRecords } from '../../store/records/fetch-records.ts';
import type { MediaRecords } from '../../store/records/media-records.ts';
import type { Meter } from '../api/meter.ts';
import { Gate } from '../gate.ts';
import type { Uploads } from '../uploads.ts';
import type { MediaQuota } from './media-quota.ts';
import type { StoredMedia } from './stored-media.ts';

/** Which addresses may be fetched, and how large the files may be. */
export interface FetchPolicy extends FetchPlacesPolicy {
  readonly fetchRules: FetchRules;
  readonly maxFileBytes: number;
  readonly maxImageFileBytes: number;
}

interface FetchMediaPorts {
  readonly database: Database;
  readonly media: Pick<MediaRecords, 'find' | 'keep'>;
  readonly fetched: AddressRecords;
  readonly stored: Pick<StoredMedia, 'find' | 'last'>;
  readonly uploads: Pick<Uploads, 'hold' | 'add' | 'drop'>;
  readonly quota: Pick<MediaQuota, 'requireRoom'>;
  readonly local: Pick<LocalFiles, 'scratch'>;
  /** @throws `disk.full` */
  readonly requireDisk: (bytes: number) => Promise<void>;
  readonly policy: FetchPolicy;
  readonly meter: Pick<Meter, 'mediaFetched'>;
  readonly now: () => number;
}

/** How many bytes arrive between two checks of the disk. */
const DISK_STEP_BYTES = 16 * 2 ** 20;

/** Fetches content from addresses and stores it as if the tenant had uploaded it. (C66) */
export class FetchMedia {
  readonly #ports: FetchMediaPorts;
  readonly #places: FetchPlaces;

  constructor(ports: FetchMediaPorts) {
    this.#ports = ports;
    this.#places = new FetchPlaces(ports.policy);
  }

  /** @throws `fetch.address` at `path` if the service must not request the address. */
  read(text: string, path: string): URL {
    const url = readAddress(text, this.#ports.policy.fetchRules.allowPrivate);
    if (url instanceof URL) return url;
    throw new ExportError('invalid', 'fetch.address', `The address of a file ${url}`, { path });
  }

  /** Reads and fetches one address. @throws the errors of `read` and `fetch`, at `path`. */
  async fetchFrom(
    tenant: string,
    { text, path }: { readonly text: string; readonly path: string },
    signal: AbortSignal,
  ): Promise<{ readonly sha256: string; readonly known: boolean }> {
    const url = this.read(text, path);
    return this.fetch(tenant, url, signal).catch((error: unknown) => {
      if (!(error instanceof ExportError) || !error.code.startsWith('fetch.')) throw error;
      throw new ExportError(error.kind, error.code, error.message, { path, cause: error });
    });
  }

  /**
   * Fetches an address and stores the content for the tenant, with the retention of an upload. Content that was fetched
   * before is fetched again only if it has changed.
   *
   * @param onBytes receives the number of bytes so far.
   * @returns its SHA-256, and whether it was stored before.
   * @throws `fetch.*`, `media.quota_full`, `disk.full`
   */
  async fetch(
    tenant: string,
    url: URL,
    signal: AbortSignal,
    onBytes: (bytes: number) => void = () => {},
  ): Promise<{ readonly sha256: string; readonly known: boolean }> {
    const { meter } = this.#ports;
    try {
      const came = await this.#places.run(tenant, signal, () => this.#fetch(tenant, url, signal, onBytes));
      meter.mediaFetched(came.known ? 'unchanged' : 'fetched');
      return came;
    } catch (error) {
      if (error instanceof ExportError && error.code.startsWith('fetch.')) meter.mediaFetched('failed');
      throw error;
    }
  }

  async #fetch(tenant: string, url: URL, signal: AbortSignal, onBytes: (bytes: number) => void) {
    const { database, fetched, stored, local, policy } = this.#ports;
    const address = sha256Of(url.href);
    const before = await fetched.find(tenant, address, database);
    const isHere = before !== null && (await stored.find(tenant, before.sha256)) !== null;
    await using folder = await local.scratch();
    const path = join(folder.path, 'fetched');
    const watch = { onLength: (bytes: number | null) => this.#foresee(tenant, bytes), onBytes: this.#watch(onBytes) };
    const known: Validators | null = isHere ? before : null;
    const file = await fetchFile(url, path, known, policy.fetchRules, signal, watch);
    if (file !== null) return { sha256: file.sha256, known: await this.#keep(tenant, address, path, file) };
    if (!(await stored.last(tenant, before!.sha256))) throw goneMeanwhile();
    return { sha256: before!.sha256, known: true };
  }

  /** Refuses a file by its announced length, before the transfer. */
  async #foresee(tenant: string, bytes: number | null): Promise<void> {
    const { database, quota, requireDisk, policy } = this.#ports;
    if ((bytes ?? 0) > policy.maxFileBytes) throw tooLarge('file', policy.maxFileBytes);
    await quota.requireRoom(tenant, bytes ?? 0, database);
    await requireDisk(bytes ?? 0);
  }

  #watch(onBytes: (bytes: number) => void): (bytes: number, head: Buffer) => Promise<void> {
    const { requireDisk, policy } = this.#ports;
    let lookedAt = 0;
    return async (bytes, head) => {
      if (bytes > policy.maxFileBytes) throw tooLarge('file', policy.maxFileBytes);
      const isPicture = bytes > policy.maxImageFileBytes && pictureMagic(head) !== null;
      if (isPicture) throw tooLarge('image', policy.maxImageFileBytes);
      if (bytes - lookedAt >= DISK_STEP_BYTES) {
        lookedAt = bytes;
        await requireDisk(0);
      }
      onBytes(bytes);
    };
  }

  /**
   * Stores the bytes, then the records: a crash in between leaves only an orphan. True if the tenant already had it.
   */
  async #keep(tenant: string, address: string, path: string, file: FetchedFile): Promise<boolean> {
    const { database, media, fetched, quota, uploads, now } = this.#ports;
    const { sha256, bytes, validators } = file;
    const keep = async (tx: Transaction) => {
      const record = await media.find(tenant, sha256, tx);
      if (record === null) await quota.requireRoom(tenant, bytes, tx);
      await media.keep({ tenant, sha256, bytes }, now(), tx);
      await fetched.keep(tenant, address, { sha256, ...validators }, tx);
      return record !== null;
    };
    try {
      using _held = uploads.hold([sha256]);
      await uploads.add(sha256, path);
      return await database.transaction(keep, { lockTenant: tenant });
    } catch (error) {
      await uploads.drop([sha256]);
      throw error;
    }
  }
}

function goneMeanwhile(): ExportError {
  return new ExportError('cancelled', 'media.deleted', 'The content was deleted during the request.');
}

/** How many files are fetched at once. */
interface FetchPlacesPolicy {
  readonly maxFetches: number;
  readonly maxTenantFetches: number;
}

/** Limits concurrent fetches, in all and for one tenant: slow servers of one tenant do not block others. */
export class FetchPlaces {
  readonly #policy: FetchPlacesPolicy;
  readonly #all: Gate;
  readonly #own = new Map<string, { readonly gate: Gate; users: number }>();

  constructor(policy: FetchPlacesPolicy) {
    this.#policy = policy;
    this.#all = new Gate(policy.maxFetches);
  }

  async run<T>(tenant: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const own = this.#own.get(tenant) ?? { gate: new Gate(this.#policy.maxTenantFetches), users: 0 };
    this.#own.set(tenant, own);
    own.users += 1;
    try {
      return await own.gate.run(tenant, signal, () => this.#all.run(tenant, signal, work));
    } finally {
      own.users -= 1;
      if (own.users === 0) this.#own.delete(tenant);
    }
  }
}
