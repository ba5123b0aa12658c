import { ExportError } from '../../errors.ts';
import type { Transaction } from '../../store/database.ts';
import type { MediaRecords } from '../../store/records/media-records.ts';
import type { Deletable, StorageRecords, Stored } from '../../store/records/storage-records.ts';
import type { UnfinishedMedia } from '../../store/records/unfinished-media.ts';
import type { StorageUse } from '../api/exports-api.ts';

/** How much one tenant may store. */
export interface MediaQuotaPolicy {
  readonly maxMediaBytes: number;
  readonly maxMediaFiles: number;
  readonly maxTenantRows: number;
  /** Unfinished uploads. */
  readonly maxUnfinishedUploads: number;
}

interface MediaQuotaPorts {
  readonly media: Pick<MediaRecords, 'sum'>;
  readonly unfinished: Pick<UnfinishedMedia, 'sum'>;
  readonly storage: StorageRecords;
  readonly policy: MediaQuotaPolicy;
  readonly now: () => number;
}

/** Sums of exports and projects read many rows, so they are kept this long. They are read again before a refusal. */
const KEPT_MS = 10_000;
/** A tenant that is refused again and again has them read at most this often. */
const READ_AGAIN_MS = 1_000;
/** Tenants whose sums are kept. */
const MAX_KEPT = 1_000;
/** What a form has beside its files: documents and headers of parts. */
const FORM_BYTES = 4 * 2 ** 20;
/** How many of each kind a refusal and `GET /usage` name. */
const NAMED = 3;

/** What a tenant stores. */
interface Held {
  readonly media: Stored;
  readonly unfinished: Stored;
  readonly exports: Stored;
  readonly projects: Stored;
}

interface Kept extends Pick<Held, 'exports' | 'projects'> {
  readonly atMs: number;
  /** Read for a refusal only. */
  deletable: readonly Deletable[] | null;
}

/**
 * The storage of a tenant: files, however they came, each content once; finished videos; projects; and unfinished
 * uploads at their full length. Each tenant is charged as if it were alone. (C88)
 *
 * Rendered chunks are a cache. They never cause a refusal, because they can be dropped at any time.
 */
export class MediaQuota {
  readonly #ports: MediaQuotaPorts;
  readonly #kept = new Map<string, Kept>();

  constructor(ports: MediaQuotaPorts) {
    this.#ports = ports;
  }

  /** Called before one more file is stored. @throws `media.quota_full` */
  async requireRoom(tenant: string, bytes: number, tx: Transaction): Promise<void> {
    await this.#require(tenant, { bytes, files: 1 }, tx);
  }

  /**
   * Called at the end of a transaction that stores more; rolls it back if that is too much. Transactions of a tenant
   * that store more lock the tenant, so they cannot exceed the quota together. @throws `media.quota_full` (C76)
   */
  async requireWithin(tenant: string, tx: Transaction, { savesProject = false } = {}): Promise<void> {
    if (!savesProject) return this.#require(tenant, { bytes: 0, files: 0 }, tx);
    // The kept sum does not have what this transaction saves, and must not have it if it is rolled back.
    const projects = await this.#ports.storage.ofProjects(tenant, tx);
    await this.#require(tenant, { bytes: 0, files: 0 }, tx, projects);
    tx.afterCommit(() => {
      const kept = this.#kept.get(tenant);
      if (kept !== undefined) this.#kept.set(tenant, { ...kept, projects });
    });
  }

  /**
   * Called before a body arrives, with its length and that of the tenant's other bodies that are arriving. Content that
   * is sent again counts once, so this refuses only what exceeds the quota in any case. @throws `media.quota_full`
   */
  async requirePossible(tenant: string, bytes: number, tx: Transaction): Promise<void> {
    const { maxMediaBytes } = this.#ports.policy;
    await this.#require(tenant, { bytes: 0, files: 0 }, tx);
    const files = bytes - FORM_BYTES;
    if (files <= 0) return;
    const held = await this.#measure(tenant, KEPT_MS, tx);
    if (sumOf(held).bytes - held.media.bytes + files <= maxMediaBytes) return;
    await this.#refuse(tenant, await this.#measure(tenant, READ_AGAIN_MS, tx), bytes, tx);
  }

  /** Called before an upload starts. @throws `media.quota_full`, `upload.too_many` */
  async requireRoomForUpload(tenant: string, bytes: number, tx: Transaction): Promise<void> {
    const { unfinished, policy } = this.#ports;
    if ((await unfinished.sum(tenant, tx)).files >= policy.maxUnfinishedUploads) {
      const message = `${policy.maxUnfinishedUploads} of your uploads are unfinished. Finish or delete some.`;
      throw new ExportError('unavailable', 'upload.too_many', message);
    }
    await this.requireRoom(tenant, bytes, tx);
  }

  /** Called after something of the tenant was deleted. */
  forget(tenant: string): void {
    this.#kept.delete(tenant);
  }

  /** What the tenant stores, and what it could delete. (C74) */
  async use(tenant: string, tx: Transaction): Promise<StorageUse> {
    const { maxMediaBytes, maxMediaFiles, maxTenantRows } = this.#ports.policy;
    const held = await this.#measure(tenant, READ_AGAIN_MS, tx);
    const limits = { bytes: maxMediaBytes, files: maxMediaFiles, rows: maxTenantRows };
    const deletable = (await this.#deletable(tenant, tx)).map((one) => ({ path: pathOf(one), bytes: one.bytes }));
    return { ...sumOf(held), limits, kinds: held, deletable };
  }

  async #require(
    tenant: string,
    more: { readonly bytes: number; readonly files: number },
    tx: Transaction,
    projects: Stored | null = null,
  ): Promise<void> {
    const measure = async (maxAgeMs: number) => {
      const held = await this.#measure(tenant, maxAgeMs, tx);
      return projects === null ? held : { ...held, projects };
    };
    if (this.#fits(await measure(KEPT_MS), more)) return;
    const held = await measure(READ_AGAIN_MS);
    if (!this.#fits(held, more)) await this.#refuse(tenant, held, more.bytes, tx);
  }

  #fits(held: Held, more: { readonly bytes: number; readonly files: number }): boolean {
    const { maxMediaBytes, maxMediaFiles, maxTenantRows } = this.#ports.policy;
    const { bytes, rows } = sumOf(held);
    const files = held.media.rows + held.unfinished.rows;
    return bytes + more.bytes <= maxMediaBytes && files + more.files <= maxMediaFiles && rows <= maxTenantRows;
  }

  async #measure(tenant: string, maxAgeMs: number, tx: Transaction): Promise<Held> {
    const { media, unfinished } = this.#ports;
    const [own, begun] = [await media.sum(tenant, tx), await unfinished.sum(tenant, tx)];
    const { exports, projects } = await this.#slow(tenant, maxAgeMs, tx);
    return { media: storedIn(own), unfinished: storedIn(begun), exports, projects };
  }

  async #slow(tenant: string, maxAgeMs: number, tx: Transaction): Promise<Kept> {
    const { storage, now } = this.#ports;
    const known = this.#kept.get(tenant);
    if (known !== undefined && Math.abs(now() - known.atMs) < maxAgeMs) return known;
    const [exports, projects] = [await storage.ofExports(tenant, tx), await storage.ofProjects(tenant, tx)];
    const kept = { exports, projects, atMs: now(), deletable: null };
    this.#kept.delete(tenant);
    this.#kept.set(tenant, kept);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return kept;
  }

  async #deletable(tenant: string, tx: Transaction): Promise<readonly Deletable[]> {
    const kept = await this.#slow(tenant, READ_AGAIN_MS, tx);
    kept.deletable ??= await this.#ports.storage.largest(tenant, NAMED, tx);
    return kept.deletable;
  }

  async #refuse(tenant: string, held: Held, more: number, tx: Transaction): Promise<never> {
    const { maxMediaBytes, maxMediaFiles, maxTenantRows } = this.#ports.policy;
    const { bytes, rows } = sumOf(held);
    const kinds = `files ${held.media.bytes}, unfinished uploads ${held.unfinished.bytes}, videos ${held.exports.bytes}, projects ${held.projects.bytes}`;
    const named = (await this.#deletable(tenant, tx)).slice(0, NAMED);
    const advice = named.map((one) => `DELETE ${pathOf(one)} (${one.bytes} bytes)`).join(', ');
    const message =
      `You store ${bytes} of ${maxMediaBytes} bytes (${kinds}) in ${held.media.rows + held.unfinished.rows} of ${maxMediaFiles} files and ${rows} of ${maxTenantRows} rows` +
      `${more > 0 ? `, which leaves no room for ${more} more` : ''}. ` +
      (advice === ''
        ? 'Wait until something expires.'
        : `You could delete: ${advice}. GET /usage lists what you store.`);
    throw new ExportError('unavailable', 'media.quota_full', message);
  }
}

/** Where to delete it. */
function pathOf({ kind, id }: Pick<Deletable, 'kind' | 'id'>): string {
  return kind === 'export' ? `/video/exports/${id}` : kind === 'media' ? `/media/${id}` : `/projects/${id}`;
}

function storedIn({ bytes, files }: { readonly bytes: number; readonly files: number }): Stored {
  return { bytes: Number(bytes), rows: Number(files) };
}

function sumOf({ media, unfinished, exports, projects }: Held): Stored {
  const all = [media, unfinished, exports, projects];
  return {
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
  };
}
