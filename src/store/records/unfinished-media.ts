import type { Transaction } from '../database.ts';

/** An unfinished upload. */
export interface UnfinishedUpload {
  readonly tenant: string;
  readonly sha256: string;
  /** The name of its file among the partial files. */
  readonly file: string;
  /** The total length. */
  readonly bytes: number;
  /** Synced bytes; bytes after them may be lost. */
  readonly received: number;
  /** The time of the last update; the next update must send it. */
  readonly receivedAtMs: number;
}

interface UnfinishedRow extends Omit<UnfinishedUpload, 'receivedAtMs'> {
  readonly received_at_ms: number;
}

/** Uploads that can be resumed, across restarts. (C38) One for each content of a tenant. */
export class UnfinishedMedia {
  async find(tenant: string, sha256: string, tx: Transaction): Promise<UnfinishedUpload | null> {
    const sql = 'select * from unfinished_media where tenant = $1 and sha256 = $2';
    const [row] = await tx.query<UnfinishedRow>(sql, [tenant, sha256]);
    return row === undefined ? null : uploadOf(row);
  }

  /** False if there is one for that content: another node started it at the same moment. */
  async insert(upload: UnfinishedUpload, tx: Transaction): Promise<boolean> {
    const { tenant, sha256, file, bytes, received, receivedAtMs } = upload;
    const rows = await tx.query(
      `insert into unfinished_media (tenant, sha256, file, bytes, received, received_at_ms) values ($1, $2, $3, $4, $5, $6)
       on conflict (tenant, sha256) do nothing returning file`,
      [tenant, sha256, file, bytes, received, receivedAtMs],
    );
    return rows.length > 0;
  }

  /** Records the synced bytes. null if another connection, perhaps on another node, has updated or removed it since. */
  async setReceived(
    upload: UnfinishedUpload,
    received: number,
    nowMs: number,
    tx: Transaction,
  ): Promise<UnfinishedUpload | null> {
    const receivedAtMs = Math.max(nowMs, upload.receivedAtMs + 1);
    const rows = await tx.query(
      `update unfinished_media set received = $2, received_at_ms = $3
       where file = $1 and received_at_ms = $4 returning file`,
      [upload.file, received, receivedAtMs, upload.receivedAtMs],
    );
    return rows.length === 0 ? null : { ...upload, received, receivedAtMs };
  }

  /** No error if there is none. */
  async delete(file: string, tx: Transaction): Promise<void> {
    await tx.query('delete from unfinished_media where file = $1', [file]);
  }

  /** The number of a tenant's unfinished uploads, and their total length. */
  async sum(tenant: string, tx: Transaction): Promise<{ readonly files: number; readonly bytes: number }> {
    const [row] = await tx.query<{ files: number; bytes: number }>(
      'select count(*) as files, coalesce(sum(bytes), 0) as bytes from unfinished_media where tenant = $1',
      [tenant],
    );
    return row!;
  }

  /** Uploads without new bytes since then. */
  async listSilentSince(ms: number, tx: Transaction): Promise<UnfinishedUpload[]> {
    const sql = 'select * from unfinished_media where received_at_ms <= $1';
    return (await tx.query<UnfinishedRow>(sql, [ms])).map(uploadOf);
  }

  /** Uploads without synced bytes, last updated at or before then. */
  async listEmpty(sinceMs: number, tx: Transaction): Promise<UnfinishedUpload[]> {
    const sql = 'select * from unfinished_media where received = 0 and received_at_ms <= $1';
    return (await tx.query<UnfinishedRow>(sql, [sinceMs])).map(uploadOf);
  }

  /** The names of their files. */
  async files(tx: Transaction): Promise<Set<string>> {
    const rows = await tx.query<{ file: string }>('select file from unfinished_media');
    return new Set(rows.map(({ file }) => file));
  }
}

function uploadOf({ received_at_ms: receivedAtMs, ...row }: UnfinishedRow): UnfinishedUpload {
  return { ...row, receivedAtMs };
}
