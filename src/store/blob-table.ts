import { askedTogether } from './asked-together.ts';
import type { BlobKey } from './blob-store.ts';
import type { Transaction } from './database.ts';

/** Something that is known by a key of its own, and the blob that it is. */
export interface NamedBlob {
  readonly key: string;
  readonly blob: BlobKey;
  readonly bytes: number;
  readonly usedAtMs: number;
}

/**
 * A table that says which blob holds what. A blob has a unique name: a late writer of the same content
 * writes beside it and finds that it is there, and a removal cannot remove content that was just sent again.
 */
export class BlobTable {
  readonly #table: 'contents' | 'parts';
  readonly #key: 'sha256' | 'key';

  constructor(table: 'contents' | 'parts', key: 'sha256' | 'key') {
    this.#table = table;
    this.#key = key;
  }

  /** False where the same is there already, as another blob. */
  async publish({ key, blob, bytes, usedAtMs }: NamedBlob, tx: Transaction): Promise<boolean> {
    const rows = await tx.query(
      `insert into ${this.#table} (${this.#key}, blob, bytes, used_at_ms) values ($1, $2, $3, $4)
       on conflict (${this.#key}) do nothing returning ${this.#key}`,
      [key, blob, bytes, usedAtMs],
    );
    return rows.length > 0;
  }

  /** There is no such blob any more. False where that was known. */
  async forget(key: string, blob: BlobKey, tx: Transaction): Promise<boolean> {
    const sql = `delete from ${this.#table} where ${this.#key} = $1 and blob = $2 returning blob`;
    return (await tx.query(sql, [key, blob])).length > 0;
  }

  /** Those of some blobs that it names; `MOST_TOGETHER` at the most. */
  async named(blobs: readonly BlobKey[], tx: Transaction): Promise<Set<string>> {
    const { places, parameters } = askedTogether(blobs);
    const sql = `select blob from ${this.#table} where blob in (${places})`;
    const rows = await tx.query<{ blob: string }>(sql, parameters);
    return new Set(rows.map(({ blob }) => blob));
  }
}
