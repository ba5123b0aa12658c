import type { BlobKey } from '../blob-store.ts';
import { inList, MAX_IN_LIST, type Transaction } from '../database.ts';
import { BlobTable, type NamedBlob } from '../records/blob-table.ts';

/** A rendered chunk, and its blob. */
export interface ChunkRecord extends NamedBlob {
  /** The hash of its bytes, because disks lose data. */
  readonly sha256: string;
}

interface ChunkRow {
  readonly key: string;
  readonly blob: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly used_at_ms: number;
}

/** Pins that one statement writes. */
const AT_A_TIME = 100;
/** The time of use is written at most this often, because other transactions wait for written rows. */
const USE_GRACE_MS = 60_000;

const OF_OWNER = 'key in (select part_pins.key from part_pins where part_pins.owner = $1)';
const IDLE = 'not exists (select 1 from part_pins where part_pins.key = parts.key)';

/** The rendered chunks and sounds, and their pins. Their table is called `parts`, as are the folders of their blobs. */
export class ChunkRecords {
  readonly #blobs = new BlobTable('parts', 'key');

  async find(key: string, tx: Transaction): Promise<ChunkRecord | null> {
    const [row] = await tx.query<ChunkRow>('select * from parts where key = $1', [key]);
    return row === undefined ? null : recordOf(row);
  }

  /** The cached chunks among those that `owner` has pinned. */
  async known(owner: string, tx: Transaction): Promise<Set<string>> {
    const rows = await tx.query<{ key: string }>(`select key from parts where ${OF_OWNER}`, [owner]);
    return new Set(rows.map(({ key }) => key));
  }

  /** Which of these chunks are cached. */
  async present(keys: readonly string[], tx: Transaction): Promise<Set<string>> {
    const found = new Set<string>();
    for (let at = 0; at < keys.length; at += MAX_IN_LIST) {
      const { places, parameters } = inList(keys.slice(at, at + MAX_IN_LIST));
      const rows = await tx.query<{ key: string }>(`select key from parts where key in (${places})`, parameters);
      for (const { key } of rows) found.add(key);
    }
    return found;
  }

  /** False if the chunk already has another blob. */
  async publish({ key, blob, bytes, sha256, usedAtMs }: ChunkRecord, tx: Transaction): Promise<boolean> {
    const rows = await tx.query(
      `insert into parts (key, blob, bytes, sha256, used_at_ms) values ($1, $2, $3, $4, $5)
       on conflict (key) do nothing returning key`,
      [key, blob, bytes, sha256, usedAtMs],
    );
    return rows.length > 0;
  }

  /** Removes the row of a missing blob. False if it was already removed. */
  forget(key: string, blob: BlobKey, tx: Transaction): Promise<boolean> {
    return this.#blobs.forget(key, blob, tx);
  }

  /** Keeps chunks, cached or future, until `owner` is done; they count as used. Replaces its earlier pins. */
  async pin(owner: string, keys: Iterable<string>, nowMs: number, tx: Transaction): Promise<void> {
    const wanted = [...new Set(keys)];
    await this.unpin(owner, nowMs, tx);
    for (let at = 0; at < wanted.length; at += AT_A_TIME) {
      const some = wanted.slice(at, at + AT_A_TIME);
      const rows = some.map((_, index) => `($1, $${index + 2})`).join(', ');
      await tx.query(`insert into part_pins (owner, key) values ${rows}`, [owner, ...some]);
    }
    // A trim that has just selected one of them sees the new use and keeps it.
    await tx.query(`update parts set used_at_ms = $2 where ${OF_OWNER} and used_at_ms < $3`, [
      owner,
      nowMs,
      nowMs - USE_GRACE_MS,
    ]);
  }

  /** Removes the pins of `owner`; its chunks count as used now. False if there were none. */
  async unpin(owner: string, nowMs: number, tx: Transaction): Promise<boolean> {
    await tx.query(`update parts set used_at_ms = $2 where ${OF_OWNER} and used_at_ms < $2`, [owner, nowMs]);
    return (await tx.query('delete from part_pins where owner = $1 returning key', [owner])).length > 0;
  }

  /** Removes pins of outputs that are neither queued nor rendering, which a dead process may have left. */
  async unpinEnded(tx: Transaction): Promise<void> {
    // An owner has thousands of pins: each is found by the index, once, and compared once.
    await tx.query(
      `with recursive owners (name) as (
         select min(owner) from part_pins
         union all
         select (select min(owner) from part_pins where owner > name) from owners where name is not null
       )
       delete from part_pins where owner in (
         select name from owners where name is not null and name not in (
           select o.export_id || '/' || o.preset from outputs o join exports e on e.id = o.export_id
           where o.state in ('queued', 'rendering') and e.state in ('queued', 'rendering', 'completed')))`,
    );
  }

  /** Records a use. */
  async touch(key: string, atMs: number, tx: Transaction): Promise<void> {
    await tx.query('update parts set used_at_ms = $2 where key = $1 and used_at_ms < $2', [key, atMs]);
  }

  /** The total size of all chunks. */
  async sumBytes(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ bytes: number }>('select coalesce(sum(bytes), 0) as bytes from parts');
    return Number(row!.bytes);
  }

  /** Unpinned chunks that were used at or after this time, least recently used first. */
  async listIdle(sinceMs: number, max: number, tx: Transaction): Promise<ChunkRecord[]> {
    const sql = `select * from parts where used_at_ms >= $1 and ${IDLE} order by used_at_ms, key limit $2`;
    return (await tx.query<ChunkRow>(sql, [sinceMs, max])).map(recordOf);
  }

  /** Drops a chunk, unless it was used or pinned since it was read. */
  async drop({ key, blob, usedAtMs }: ChunkRecord, tx: Transaction): Promise<boolean> {
    const sql = `delete from parts where key = $1 and blob = $2 and used_at_ms = $3 and ${IDLE} returning key`;
    return (await tx.query(sql, [key, blob, usedAtMs])).length > 0;
  }

  /** Returns those of the blobs that are chunks; at most `MAX_IN_LIST`. */
  named(blobs: readonly BlobKey[], tx: Transaction): Promise<Set<string>> {
    return this.#blobs.named(blobs, tx);
  }
}

function recordOf({ key, blob, bytes, sha256, used_at_ms }: ChunkRow): ChunkRecord {
  return { key, blob: blob as BlobKey, bytes, sha256, usedAtMs: used_at_ms };
}
