import { ExportError } from '../../errors.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { MediaRecord, MediaRecords } from '../../store/records/media-records.ts';
import { MAX_MEDIA_USERS, type MediaBytes, type MediaPage, type MediaPlace, type MediaView } from '../api/media-api.ts';
import type { Meter } from '../api/meter.ts';
import type { Freeing } from '../freeing.ts';
import type { Uploads } from '../uploads.ts';
import type { Usage } from '../usage.ts';
import type { MediaRetention } from './media-expiry.ts';
import type { MediaFactsKeeper } from './media-facts-keeper.ts';
import type { MediaQuota } from './media-quota.ts';
import type { ProbeResult } from './probe-result.ts';

interface StoredMediaPorts {
  readonly database: Database;
  readonly media: MediaRecords;
  readonly uploads: Pick<Uploads, 'hold' | 'has' | 'open' | 'read' | 'drop'>;
  readonly facts: Pick<MediaFactsKeeper, 'known' | 'latestKind' | 'probe'>;
  readonly quota: Pick<MediaQuota, 'forget'>;
  readonly freeing: Pick<Freeing, 'run'>;
  readonly policy: MediaRetention;
  readonly meter: Pick<Meter, 'mediaCame'>;
  readonly usage: Pick<Usage, 'countSent'>;
  readonly now: () => number;
}

/** Complete content of tenants. (C38) */
export class StoredMedia {
  readonly #ports: StoredMediaPorts;

  constructor(ports: StoredMediaPorts) {
    this.#ports = ports;
  }

  /** null if the tenant does not have it, or if its bytes are missing. */
  async find(tenant: string, sha256: string): Promise<Omit<MediaView, 'description'> | null> {
    const record = await this.#find(tenant, sha256);
    return record && { sha256, bytes: record.bytes, expiresAtMs: this.#expiresAtMs(record) };
  }

  /** See MediaApi. */
  async describe(tenant: string, sha256: string, signal: AbortSignal): Promise<MediaView | null> {
    const { uploads } = this.#ports;
    using _held = uploads.hold([sha256]);
    const record = await this.#find(tenant, sha256);
    if (record === null) return null;
    const { description } = await this.#probe(record, signal);
    return { sha256, bytes: record.bytes, description, expiresAtMs: this.#expiresAtMs(record) };
  }

  /** See MediaApi. */
  async keep(tenant: string, sha256: string, signal: AbortSignal): Promise<MediaView | null> {
    const { uploads, meter } = this.#ports;
    using _held = uploads.hold([sha256]);
    if (!(await this.last(tenant, sha256))) return null;
    const view = await this.describe(tenant, sha256, signal);
    if (view !== null) meter.mediaCame('known');
    return view;
  }

  /** Renews the retention. False if the tenant has no such content. */
  async last(tenant: string, sha256: string): Promise<boolean> {
    const { database, media, uploads, now } = this.#ports;
    using _held = uploads.hold([sha256]);
    if ((await this.#find(tenant, sha256)) === null) return false;
    const last = async (tx: Transaction) => {
      const record = await media.find(tenant, sha256, tx);
      if (record === null) return false;
      await media.keep(record, now(), tx);
      return true;
    };
    return await database.transaction(last, { lockTenant: tenant });
  }

  /** See MediaApi. */
  async list(tenant: string, limit: number, after: MediaPlace | null): Promise<MediaPage> {
    const { database, media, facts } = this.#ports;
    // One more than requested shows whether there is a next page.
    const found = await media.list(tenant, { limit: limit + 1, after }, database);
    const shown = found.slice(0, limit);
    const hashes = shown.map(({ sha256 }) => sha256);
    const users = Map.groupBy(await media.users(tenant, hashes, MAX_MEDIA_USERS, database), ({ sha256 }) => sha256);
    const last = found.length > shown.length ? shown.at(-1)! : null;
    return {
      media: shown.map((record) => ({
        sha256: record.sha256,
        bytes: record.bytes,
        kind: facts.latestKind(record),
        usedAtMs: record.usedAtMs,
        expiresAtMs: this.#expiresAtMs(record),
        users: (users.get(record.sha256) ?? []).slice(0, MAX_MEDIA_USERS),
      })),
      next: last && { usedAtMs: last.usedAtMs, sha256: last.sha256 },
    };
  }

  /** Its bytes; null if the tenant does not have it. (C76) */
  async open(tenant: string, sha256: string): Promise<MediaBytes | null> {
    const { uploads, usage } = this.#ports;
    const record = await this.#find(tenant, sha256);
    return (
      record && {
        sha256,
        bytes: record.bytes,
        stream: async (range) => usage.countSent(tenant, await uploads.read(sha256, range)),
      }
    );
  }

  /** Removes the tenant's reference to it. False if there was none. @throws `media.in_project` */
  async remove(tenant: string, sha256: string): Promise<boolean> {
    const { database, media, uploads, freeing, quota } = this.#ports;
    if ((await media.find(tenant, sha256, database))?.inProject) throw inProject();
    const remove = () => database.transaction((tx) => media.delete(tenant, sha256, tx));
    if (!(await freeing.run(remove))) return false;
    quota.forget(tenant);
    await freeing.run(() => uploads.drop([sha256]));
    return true;
  }

  async #find(tenant: string, sha256: string): Promise<MediaRecord | null> {
    const { database, media, uploads } = this.#ports;
    const record = await media.find(tenant, sha256, database);
    if (record === null || (await uploads.has(sha256, record.bytes))) return record;
    // The file was removed by hand or is missing from a backup. Without the record, a client can send it again.
    await media.delete(tenant, sha256, database);
    return null;
  }

  async #probe(record: MediaRecord, signal: AbortSignal): Promise<ProbeResult> {
    const { uploads, facts } = this.#ports;
    const known = facts.known(record);
    if (known !== null) return known;
    const { tenant, sha256 } = record;
    await using file = await uploads.open(sha256, signal);
    const found = await facts.probe(tenant, [{ sha256, path: file.path }], signal);
    return found.get(sha256)!;
  }

  #expiresAtMs({ lasting, inProject, usedAtMs }: MediaRecord): number | null {
    return lasting && !inProject ? usedAtMs + this.#ports.policy.mediaRetentionMs : null;
  }
}

function inProject(): ExportError {
  const message =
    'One of your projects uses this content, in its current or an earlier revision. Delete the project first.';
  return new ExportError('cancelled', 'media.in_project', message);
}
