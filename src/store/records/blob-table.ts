import type { BlobKey } from '../blob-store.ts';
import { inList, type Transaction } from '../database.ts';

/** The blob of a key. */
export interface NamedBlob {
  readonly key: string;
  readonly blob: BlobKey;
  readonly bytes: number;
  readonly usedAtMs: number;
}

/**
 * A table of keys and their blobs. Blob names are unique: a late writer of the same content writes a second blob and
 * finds the first one, and a removal cannot remove content that was just sent again.
 */
export class BlobTable {
  readonly #table: 'contents' | 'parts';
  readonly #key: 'sha256' | 'key';

  constructor(table: 'contents' | 'parts', key: 'sha256' | 'key') {
    this.#table = table;
    this.#key = key;
  }

  /** False if the key already has another blob. */
  async publish({ key, blob, bytes, usedAtMs }: NamedBlob, tx: Transaction): Promise<boolean> {
    const rows = await tx.query(
      `insert into ${this.#table} (${this.#key}, blob, bytes, used_at_ms) values ($1, $2, $3, $4)
       on conflict (${this.#key}) do nothing returning ${this.#key}`,
      [key, blob, bytes, usedAtMs],
    );
    return rows.length > 0;
  }

  /** Removes the row of a missing blob. False if it was already removed. */
  async forget(key: string, blob: BlobKey, tx: Transaction): Promise<boolean> {
    const sql = `delete from ${this.#table} where ${this.#key} = $1 and blob = $2 returning blob`;
    return (await tx.query(sql, [key, blob])).length > 0;
  }

  /** Returns those of the blobs that the table has; at most `MAX_IN_LIST`. */
  async named(blobs: readonly BlobKey[], tx: Transaction): Promise<Set<string>> {
    const { places, parameters } = inList(blobs);
    const sql = `select blob from ${this.#table} where blob in (${places})`;
    const rows = await tx.query<{ blob: string }>(sql, parameters);
    return new Set(rows.map(({ blob }) => blob));
  }
}
