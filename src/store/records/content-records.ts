import type { BlobKey } from '../blob-store.ts';
import type { Transaction } from '../database.ts';
import { BlobTable } from './blob-table.ts';

/** Uploaded content, and its blob. */
export interface ContentRecord {
  readonly sha256: string;
  readonly blob: BlobKey;
  readonly bytes: number;
  readonly usedAtMs: number;
}

interface ContentRow {
  readonly sha256: string;
  readonly blob: string;
  readonly bytes: number;
  readonly used_at_ms: number;
}

/** The time of use is written at most this often. */
const USE_GRACE_MS = 300_000;

const UNNEEDED = `
  not exists (select 1 from media where media.sha256 = contents.sha256)
  and not exists (select 1 from uploads u join exports e on e.id = u.export_id
    where u.hash = contents.sha256 and e.state not in ('expired', 'cancelled'))
  and not exists (select 1 from project_revisions r where r.document = contents.sha256)
  and not exists (select 1 from projects p where p.thumbnail = contents.sha256)`;

/** The blobs of uploads, stored once for all tenants. */
export class ContentRecords {
  readonly #blobs = new BlobTable('contents', 'sha256');

  async find(sha256: string, tx: Transaction): Promise<ContentRecord | null> {
    const [row] = await tx.query<ContentRow>('select * from contents where sha256 = $1', [sha256]);
    return row === undefined ? null : recordOf(row);
  }

  /** Marks it as used: housekeeping keeps it for a while. */
  async touch(sha256: string, nowMs: number, tx: Transaction): Promise<void> {
    await tx.query('update contents set used_at_ms = $2 where sha256 = $1 and used_at_ms < $3', [
      sha256,
      nowMs,
      nowMs - USE_GRACE_MS,
    ]);
  }

  /** False if another blob already has the same content. */
  publish({ sha256, ...named }: ContentRecord, tx: Transaction): Promise<boolean> {
    return this.#blobs.publish({ key: sha256, ...named }, tx);
  }

  /** Removes the row of a missing blob. */
  async forget(sha256: string, blob: BlobKey, tx: Transaction): Promise<void> {
    await this.#blobs.forget(sha256, blob, tx);
  }

  /**
   * Removes content that was not used since then and is not in use. Returns the blob for the caller to remove, or null.
   */
  async drop(sha256: string, unusedSinceMs: number, tx: Transaction): Promise<BlobKey | null> {
    const rows = await tx.query<{ blob: BlobKey }>(
      `delete from contents where sha256 = $1 and used_at_ms <= $2 and ${UNNEEDED} returning blob`,
      [sha256, unusedSinceMs],
    );
    return rows[0]?.blob ?? null;
  }

  /** The hashes of content that can be removed. */
  async listUnneeded(unusedSinceMs: number, tx: Transaction): Promise<string[]> {
    const sql = `select sha256 from contents where used_at_ms <= $1 and ${UNNEEDED}`;
    return (await tx.query<{ sha256: string }>(sql, [unusedSinceMs])).map(({ sha256 }) => sha256);
  }

  /** Returns those of the blobs that are content; at most `MAX_IN_LIST`. */
  named(blobs: readonly BlobKey[], tx: Transaction): Promise<Set<string>> {
    return this.#blobs.named(blobs, tx);
  }
}

function recordOf({ sha256, blob, bytes, used_at_ms }: ContentRow): ContentRecord {
  return { sha256, blob: blob as BlobKey, bytes, usedAtMs: used_at_ms };
}
