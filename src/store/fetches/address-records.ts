import type { Transaction } from '../database.ts';

/** The content that an address returned last. */
interface FetchedContent {
  readonly sha256: string;
  /** The validator of this version; null if the server sends none. */
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Longer ones are not stored; the file is fetched again then. */
const LONGEST_VALIDATOR = 512;

/**
 * Which content of a tenant came from which address. An address is stored as its SHA-256, because it may be a secret.
 * (C66)
 */
export class AddressRecords {
  /** null if none of it is stored. A row is deleted with its content. */
  async find(tenant: string, address: string, tx: Transaction): Promise<FetchedContent | null> {
    const [row] = await tx.query<{ sha256: string; etag: string | null; last_modified: string | null }>(
      'select sha256, etag, last_modified from fetched_media where tenant = $1 and address = $2',
      [tenant, address],
    );
    return row === undefined ? null : { sha256: row.sha256, etag: row.etag, lastModified: row.last_modified };
  }

  async keep(tenant: string, address: string, content: FetchedContent, tx: Transaction): Promise<void> {
    const short = (text: string | null) => (text !== null && text.length <= LONGEST_VALIDATOR ? text : null);
    await tx.query(
      `insert into fetched_media (tenant, address, sha256, etag, last_modified) values ($1, $2, $3, $4, $5)
       on conflict (tenant, address) do update
       set sha256 = excluded.sha256, etag = excluded.etag, last_modified = excluded.last_modified`,
      [tenant, address, content.sha256, short(content.etag), short(content.lastModified)],
    );
  }
}
