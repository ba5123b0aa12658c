import { type BlobStore, deleteAll } from '../../store/blob-store.ts';
import type { Database } from '../../store/database.ts';
import { type JobQueue, singleJob } from '../../store/job-queue.ts';
import type { Changes, Progress } from '../../store/nodes/node-store.ts';
import type { DestinationRecords } from '../../store/records/destination-records.ts';
import type { EventRecords } from '../../store/records/event-records.ts';
import { type ExportRecord, isTerminal } from '../../store/records/export-record.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import { jobOf } from '../event-log.ts';
import { outputsPrefix } from '../export-keys.ts';
import type { Freeing } from '../freeing.ts';
import type { Log } from '../log.ts';
import type { PlanStore } from '../plan-store.ts';
import type { EndExport } from '../run/end-export.ts';
import type { OutputWork } from '../run/output-work.ts';
import { settleEach } from '../settle-each.ts';
import type { Uploads } from '../uploads.ts';

/** A removal mostly waits for its files, one after the other, which is slow on a remote store. */
const REMOVED_AT_ONCE = 8;

interface RemovalsPorts {
  readonly database: Database;
  readonly records: Pick<
    ExportRecords,
    'find' | 'findOfTenant' | 'listByState' | 'listExpired' | 'setState' | 'delete'
  >;
  readonly jobs: Pick<JobQueue, 'cancel' | 'drop'>;
  readonly destinations: Pick<DestinationRecords, 'drop'>;
  readonly events: Pick<EventRecords, 'waitingReceivers'>;
  readonly blobs: Pick<BlobStore, 'list' | 'deleteMany'>;
  readonly plans: Pick<PlanStore, 'drop'>;
  readonly uploads: Pick<Uploads, 'dropOf'>;
  readonly work: Pick<OutputWork, 'releaseParts'>;
  readonly ends: Pick<EndExport, 'finish'>;
  readonly progress: Pick<Progress, 'forget'>;
  readonly changes: Pick<Changes, 'notify'>;
  readonly freeing: Pick<Freeing, 'run'>;
  readonly now: () => number;
  readonly log: Log;
}

/**
 * Removes exports. A first transaction hides the export from all clients; then its files are removed, and its record
 * last. After a crash the record still says so, and `finish` continues.
 */
export class Removals {
  readonly #ports: RemovalsPorts;

  constructor(ports: RemovalsPorts) {
    this.#ports = ports;
  }

  /** Cancels its work and removes every file. False if the tenant has no such export. (C29) */
  async remove(tenant: string, id: string): Promise<boolean> {
    const { database, records } = this.#ports;
    const record = await records.findOfTenant(tenant, id, database);
    if (record === null || record.state === 'expired' || record.state === 'cancelled') return false;
    await this.#ports.freeing.run(() => this.#forget(record));
    return true;
  }

  /** Removes expired exports, and those that could not be removed before. (C35) */
  async expire(): Promise<void> {
    const { database, records, now, log } = this.#ports;
    await this.#clearAll('expired');
    const ids = await records.listExpired(now(), database);
    await this.#each(ids, async (record) => {
      await this.#forget(record);
      log('info', 'export expired', { exportId: record.id });
    });
  }

  /** Called after a start: completes the removals of a dead process. */
  async finish(): Promise<void> {
    for (const state of ['expired', 'cancelled'] as const) await this.#clearAll(state);
  }

  async #clearAll(state: 'expired' | 'cancelled'): Promise<void> {
    const { records, database } = this.#ports;
    await this.#each(await records.listByState(state, database), (record) => this.#clear(record));
  }

  /** A failed removal is tried again in the next round. */
  async #each(ids: readonly string[], work: (record: ExportRecord) => Promise<void>): Promise<void> {
    const { records, database, freeing, log } = this.#ports;
    await settleEach(
      ids,
      async (id) => {
        const record = await records.find(id, database);
        if (record !== null) await freeing.run(() => work(record));
      },
      (exportId, error) => log('error', 'export not removed', { exportId, error }),
      REMOVED_AT_ONCE,
    );
  }

  async #forget(record: ExportRecord): Promise<void> {
    await this.#withdraw(record);
    await this.#clear(record);
    this.#ports.changes.notify(record.id);
  }

  async #withdraw({ id, state }: ExportRecord): Promise<void> {
    const { database, records, jobs, destinations, events, ends } = this.#ports;
    await database.transaction(
      async (tx) => {
        const record = await records.find(id, tx);
        if (record === null || record.state === 'expired') return;
        // Another removal was first, and its webhook is still due.
        if (record.state === 'cancelled' && state !== 'cancelled') return;
        await jobs.cancel(id, null, tx);
        await destinations.drop(id, tx);
        await jobs.drop(
          record.outputs.map(({ preset }) => singleJob('destination', record, { preset })),
          tx,
        );
        const wasUnderWay = !isTerminal(record.state);
        if (wasUnderWay) await ends.finish(id, 'cancelled', tx);
        // A webhook may still be due. If so, the record stays, hidden, until it expires.
        const isWebhookDue = wasUnderWay && (await events.waitingReceivers(id, tx)).length > 0;
        if (!isWebhookDue) await records.setState(id, 'expired', tx);
      },
      { lockExport: id },
    );
  }

  /** Removes the files, and the record unless a webhook is still due. */
  async #clear(record: ExportRecord): Promise<void> {
    const { database, records, jobs, events } = this.#ports;
    await this.#removeFiles(record);
    await database.transaction(
      async (tx) => {
        const now = await records.find(record.id, tx);
        if (now?.state !== 'expired') return;
        const receivers = await events.waitingReceivers(record.id, tx);
        await jobs.drop(
          receivers.map((receiver) => jobOf(record, receiver)),
          tx,
        );
        await records.delete(record.id, tx);
      },
      { lockExport: record.id },
    );
  }

  async #removeFiles({ id, outputs }: ExportRecord): Promise<void> {
    const { blobs, plans, uploads, work, progress } = this.#ports;
    const presets = outputs.map(({ preset }) => preset);
    for (const preset of presets) await work.releaseParts(id, preset);
    await deleteAll(blobs, await Array.fromAsync(blobs.list(outputsPrefix(id)), ({ key }) => key));
    await plans.drop(id, presets);
    await uploads.dropOf(id);
    progress.forget(id, presets);
  }
}
