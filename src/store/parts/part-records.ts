import { askedTogether, MOST_TOGETHER } from '../asked-together.ts';
import type { BlobKey } from '../blob-store.ts';
import { BlobTable, type NamedBlob } from '../blob-table.ts';
import type { Transaction } from '../database.ts';

/** A rendered chunk, and the blob that it is. */
export interface PartRecord extends NamedBlob {
  /** Of its bytes: disks forget. */
  readonly sha256: string;
}

interface PartRow {
  readonly key: string;
  readonly blob: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly used_at_ms: number;
}

/** Pins that are written with one statement. */
const AT_A_TIME = 100;
/** A use need not be written down more often than this: rows that are not written to are not waited for, either. */
const USE_GRACE_MS = 60_000;

const OF_OWNER = 'key in (select part_pins.key from part_pins where part_pins.owner = $1)';
const IDLE = 'not exists (select 1 from part_pins where part_pins.key = parts.key)';

/** Which rendered chunks there are, and who needs them. */
export class PartRecords {
  readonly #blobs = new BlobTable('parts', 'key');

  async find(key: string, tx: Transaction): Promise<PartRecord | null> {
    const [row] = await tx.query<PartRow>('select * from parts where key = $1', [key]);
    return row === undefined ? null : recordOf(row);
  }

  /** Of what `owner` has pinned, the chunks that are there. */
  async known(owner: string, tx: Transaction): Promise<Set<string>> {
    const rows = await tx.query<{ key: string }>(`select key from parts where ${OF_OWNER}`, [owner]);
    return new Set(rows.map(({ key }) => key));
  }

  /** Which of these chunks are there. */
  async present(keys: readonly string[], tx: Transaction): Promise<Set<string>> {
    const found = new Set<string>();
    for (let at = 0; at < keys.length; at += MOST_TOGETHER) {
      const { places, parameters } = askedTogether(keys.slice(at, at + MOST_TOGETHER));
      const rows = await tx.query<{ key: string }>(`select key from parts where key in (${places})`, parameters);
      for (const { key } of rows) found.add(key);
    }
    return found;
  }

  /** False where the chunk is there already, as another blob. */
  async publish({ key, blob, bytes, sha256, usedAtMs }: PartRecord, tx: Transaction): Promise<boolean> {
    const rows = await tx.query(
      `insert into parts (key, blob, bytes, sha256, used_at_ms) values ($1, $2, $3, $4, $5)
       on conflict (key) do nothing returning key`,
      [key, blob, bytes, sha256, usedAtMs],
    );
    return rows.length > 0;
  }

  /** There is no such blob any more. False where that was known. */
  forget(key: string, blob: BlobKey, tx: Transaction): Promise<boolean> {
    return this.#blobs.forget(key, blob, tx);
  }

  /** Keeps chunks, there already or still to come, until `owner` is done; they count as used. Replaces its earlier pins. */
  async pin(owner: string, keys: Iterable<string>, nowMs: number, tx: Transaction): Promise<void> {
    const wanted = [...new Set(keys)];
    await this.unpin(owner, nowMs, tx);
    for (let at = 0; at < wanted.length; at += AT_A_TIME) {
      const some = wanted.slice(at, at + AT_A_TIME);
      const rows = some.map((_, index) => `($1, $${index + 2})`).join(', ');
      await tx.query(`insert into part_pins (owner, key) values ${rows}`, [owner, ...some]);
    }
    // Whoever has just chosen one of them to go finds it used, and lets it be.
    await tx.query(`update parts set used_at_ms = $2 where ${OF_OWNER} and used_at_ms < $3`, [
      owner,
      nowMs,
      nowMs - USE_GRACE_MS,
    ]);
  }

  /** Lets go of what `owner` has pinned; it was needed until now. False where there was nothing. */
  async unpin(owner: string, nowMs: number, tx: Transaction): Promise<boolean> {
    await tx.query(`update parts set used_at_ms = $2 where ${OF_OWNER} and used_at_ms < $2`, [owner, nowMs]);
    return (await tx.query('delete from part_pins where owner = $1 returning key', [owner])).length > 0;
  }

  /** Lets go of what outputs have pinned that are not under way: a process that died may have left it. */
  async unpinEnded(tx: Transaction): Promise<void> {
    await tx.query(
      `delete from part_pins where not exists (
         select 1 from outputs o join exports e on e.id = o.export_id
         where o.export_id || '/' || o.preset = part_pins.owner and o.state in ('queued', 'rendering')
           and e.state in ('queued', 'rendering', 'completed'))`,
    );
  }

  /** It was used then. */
  async touch(key: string, atMs: number, tx: Transaction): Promise<void> {
    await tx.query('update parts set used_at_ms = $2 where key = $1 and used_at_ms < $2', [key, atMs]);
  }

  /** Of all chunks. */
  async sumBytes(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ bytes: number }>('select coalesce(sum(bytes), 0) as bytes from parts');
    return Number(row!.bytes);
  }

  /** Chunks that nobody has pinned, used then or later, the longest unused first. */
  async listIdle(sinceMs: number, most: number, tx: Transaction): Promise<PartRecord[]> {
    const sql = `select * from parts where used_at_ms >= $1 and ${IDLE} order by used_at_ms, key limit $2`;
    return (await tx.query<PartRow>(sql, [sinceMs, most])).map(recordOf);
  }

  /** Gives up a chunk, unless somebody has used or pinned it since it was read. */
  async drop({ key, blob, usedAtMs }: PartRecord, tx: Transaction): Promise<boolean> {
    const sql = `delete from parts where key = $1 and blob = $2 and used_at_ms = $3 and ${IDLE} returning key`;
    return (await tx.query(sql, [key, blob, usedAtMs])).length > 0;
  }

  /** Those of some blobs that are chunks; `MOST_TOGETHER` at the most. */
  named(blobs: readonly BlobKey[], tx: Transaction): Promise<Set<string>> {
    return this.#blobs.named(blobs, tx);
  }
}

function recordOf({ key, blob, bytes, sha256, used_at_ms }: PartRow): PartRecord {
  return { key, blob: blob as BlobKey, bytes, sha256, usedAtMs: used_at_ms };
}
