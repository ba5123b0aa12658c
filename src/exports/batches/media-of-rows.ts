import { setImmediate as loopTurned } from 'node:timers/promises';
import { ExportError, type Issue } from '../../errors.ts';
import { type Database, MAX_IN_LIST } from '../../store/database.ts';
import type { MediaRecords } from '../../store/records/media-records.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import type { CheckedBatch, MediumOfBatch, NamedAt } from '../api/batches-api.ts';
import type { FetchMedia } from '../media/fetch-media.ts';
import type { MediaFactsKeeper } from '../media/media-facts-keeper.ts';
import { kindFault } from '../media/media-kind.ts';
import type { ProbeResult } from '../media/probe-result.ts';
import { RowIssues } from '../submit/row-issues.ts';

interface MediaOfRowsPorts {
  readonly database: Database;
  readonly media: Pick<MediaRecords, 'findAll' | 'touch'>;
  readonly facts: Pick<MediaFactsKeeper, 'known'>;
  readonly fetching: Pick<FetchMedia, 'read'>;
  readonly now: () => number;
}

/** A use is recorded again after this time. */
const USE_GRACE_MS = 60_000;
/** Places that are looked at before the event loop has a turn. (H60) */
const IN_A_TURN = 1000;

/** Checks the media of a batch before it is accepted. Nothing is fetched or probed. (C85) */
export class MediaOfRows {
  readonly #ports: MediaOfRowsPorts;

  constructor(ports: MediaOfRowsPorts) {
    this.#ports = ports;
  }

  /**
   * The errors of media, by row. A stored file must be there and, as far as it is known, of the kind of its field; an
   * address must be allowed. Files that are there count as used.
   *
   * @throws ExportError with the errors of the media of the project itself.
   */
  async faults(tenant: string, { media }: Pick<CheckedBatch, 'media'>): Promise<RowIssues> {
    const stored = await this.#stored(tenant, media);
    const own = new IssueList();
    const ofRows = new RowIssues();
    let looked = 0;
    for (const medium of media) {
      if (looked++ % IN_A_TURN === 0) await loopTurned();
      const fault = this.#fault(medium, stored);
      if (fault === null) continue;
      const named: readonly NamedAt[] = JSON.parse(medium.at);
      for (const [row, path, where] of named) {
        if (looked++ % IN_A_TURN === 0) await loopTurned();
        const message = fault.message + where;
        if (row === null) own.error(path, fault.code, message);
        else ofRows.add(row, { path, code: fault.code, message }, () => where);
      }
    }
    own.throwIfFailed();
    return ofRows;
  }

  /** The path is that of the first place that names it. */
  #fault(medium: MediumOfBatch, stored: ReadonlyMap<string, ProbeResult | null>): Issue | null {
    const { place } = medium;
    const { path } = place;
    if (place.kind === 'web') {
      try {
        this.#ports.fetching.read(place.url, path);
        return null;
      } catch (error) {
        if (error instanceof ExportError) return error.issues[0] ?? null;
        throw error;
      }
    }
    const found = stored.get(place.sha256);
    if (found === undefined) {
      const message = `The file ${place.sha256} does not exist or has expired. Send it with PUT /media/<sha256>.`;
      return { path, code: 'reference.unknown', message };
    }
    if (found === null) return null;
    const { kind, sound } = found.description;
    return kindFault({ ...medium, path }, { kind, hasSound: sound !== null });
  }

  /** What is known of the stored files, by hash; null: the service has not read the file yet. */
  async #stored(tenant: string, media: readonly MediumOfBatch[]): Promise<ReadonlyMap<string, ProbeResult | null>> {
    const { database, media: records, facts, now } = this.#ports;
    const hashes = new Set(media.flatMap(({ place }) => (place.kind === 'stored' ? [place.sha256] : [])));
    const found = new Map<string, ProbeResult | null>();
    const nowMs = now();
    const all = [...hashes];
    for (let first = 0; first < all.length; first += MAX_IN_LIST) {
      const known = await records.findAll(tenant, all.slice(first, first + MAX_IN_LIST), database);
      for (const record of known) found.set(record.sha256, facts.known(record));
      const old = known.filter(({ usedAtMs }) => usedAtMs < nowMs - USE_GRACE_MS).map(({ sha256 }) => sha256);
      // A transaction: two batches with the same files may wait for each other, and one then begins again.
      if (old.length > 0) await database.transaction((tx) => records.touch(tenant, old, nowMs, USE_GRACE_MS, tx));
    }
    return found;
  }
}
