import { setTimeout as pause } from 'node:timers/promises';
import { ExportError, isRequestFault } from '../../errors.ts';
import { FirstSignal } from '../../platform/signals.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { BatchRecords, WaitingRow } from '../../store/records/batch-records.ts';
import type { RecordedError } from '../../store/records/export-record.ts';
import { readFormFields, type SentTexts } from '../api/submission.ts';
import type { EventLog } from '../event-log.ts';
import type { Log } from '../log.ts';
import type { Removals } from '../retention/removals.ts';
import { recordedError } from '../run/end-export.ts';
import type { Planner } from '../submit/planner.ts';
import type { SubmitExport } from '../submit/submit-export.ts';
import { BATCH_NEWS, removeCancelled } from './keep-batches.ts';

interface FeedBatchesPorts {
  readonly database: Database;
  readonly batches: BatchRecords;
  readonly planner: Pick<Planner, 'batchRow'>;
  readonly submit: Pick<SubmitExport, 'submit'>;
  readonly eventLog: Pick<EventLog, 'recordBatch'>;
  readonly removals: Pick<Removals, 'remove'>;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  readonly policy: { readonly retentionMs: number };
  readonly now: () => number;
  readonly log: Log;
}

/** Exports of a tenant's batches that may wait in the queue; those that render do not count. */
const AHEAD = 4;
/** A row that fails because of the service is tried so often. */
const TRIES = 3;
const LOOK_AGAIN_MS = 60_000;

/**
 * Makes the exports of batches, little by little: a few of each tenant wait in the queue, below all its other exports.
 * Runs on the leader; two at once make nothing twice, because a row gets its export in the transaction that records it.
 * (C85)
 */
export class FeedBatches {
  readonly #ports: FeedBatchesPorts;

  constructor(ports: FeedBatchesPorts) {
    this.#ports = ports;
  }

  /** Feeds until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, batches, changes, log } = this.#ports;
    while (!signal.aborted) {
      using heard = new DisposableStack();
      const listen = (id: string) => {
        const { next, stop } = changes.listen(id);
        heard.defer(stop);
        return next;
      };
      // Listens before the look, so that nothing in between is missed.
      const news = [listen(BATCH_NEWS)];
      try {
        for (const { exportId } of await batches.underWay(database)) news.push(listen(exportId));
        if (await this.#step(signal)) continue;
      } catch (error) {
        if (signal.aborted) break;
        log('error', 'batches not fed', { error });
      }
      const over = new AbortController();
      using either = new FirstSignal(signal, over.signal);
      const again = pause(LOOK_AGAIN_MS, undefined, { signal: either.signal }).catch(() => {});
      await Promise.race([...news, again]);
      over.abort();
      await again;
    }
  }

  /** Makes what may be made, and ends what has ended. Whether anything changed. */
  async #step(signal: AbortSignal): Promise<boolean> {
    const { database, batches, removals, now, log } = this.#ports;
    await batches.expire(now(), database);
    // A node may have ended between a cancel and the removals.
    await removeCancelled(await batches.leftOfCancelled(null, database), removals, log);
    const running = await batches.running(database);
    if (running.length === 0) return false;
    const underWay = await batches.underWay(database);
    const tenants = new Set(running.map(({ tenant }) => tenant));
    const fed = await Promise.all(
      [...tenants].map((tenant) => {
        const queued = underWay.filter((one) => one.tenant === tenant && one.isQueued).length;
        return this.#feed(tenant, AHEAD - queued, signal);
      }),
    );
    let ended = false;
    for (const { id, tenant } of running) ended = (await this.#finish(tenant, id)) || ended;
    return ended || fed.some(Boolean);
  }

  /** Whether it made anything: if so, the caller looks again, also at what it made. */
  async #feed(tenant: string, room: number, signal: AbortSignal): Promise<boolean> {
    const { database, batches, log } = this.#ports;
    let made = 0;
    try {
      for (; made < room; made += 1) {
        signal.throwIfAborted();
        const row = await batches.next(tenant, database);
        if (row === null) break;
        await this.#make(tenant, row, signal);
      }
    } catch (error) {
      if (signal.aborted) throw error;
      // A full queue or disk: at the next change, or in a minute.
      const isExpected = error instanceof ExportError && error.kind === 'unavailable';
      log(isExpected ? 'info' : 'error', 'batch waits', { tenant, error });
    }
    return made > 0;
  }

  /** Makes the export of a row, or fails the row. @throws what another try may mend */
  async #make(tenant: string, row: WaitingRow, signal: AbortSignal): Promise<void> {
    const { database, batches, planner, submit, log } = this.#ports;
    const { batch, number, template, projectId, revision, values, tries } = row;
    try {
      const texts: SentTexts = new Map([
        ...(await planner.batchRow(tenant, { template, values }, signal)),
        ...fieldsOf(row),
      ]);
      const none = { uploads: new Map(), idempotencyKey: null, requestHash: '', waits: false };
      const project = { id: projectId, revision, values };
      await submit.submit(
        { tenant, texts, project, ...none, ...readFormFields(texts), batchRow: { batch, number } },
        signal,
      );
    } catch (error) {
      if (signal.aborted) throw error;
      const known = error instanceof ExportError ? error : null;
      if (known?.kind === 'unavailable' && known.code !== 'media.quota_full') throw error;
      const isFault = known === null || !(isRequestFault(known.kind) || known.code === 'media.quota_full');
      if (isFault) log('error', 'row of a batch not made', { batch, row: number, tries: tries + 1, error });
      if (isFault && tries + 1 < TRIES) await batches.countTry(row, database);
      else await batches.failWaiting(row, known === null ? OUR_FAULT : recordedError(known), database);
    }
  }

  /** Ends a batch of which every row has ended, and records its event. */
  async #finish(tenant: string, id: string): Promise<boolean> {
    const { database, batches, eventLog, policy, now, changes } = this.#ports;
    const endedAtMs = now();
    const finish = async (tx: Transaction) => {
      if (!(await batches.finish(id, { endedAtMs, expiresAtMs: endedAtMs + policy.retentionMs }, tx))) return false;
      const callbackUrl = (await batches.find(tenant, id, tx))?.fields.callbackUrl ?? null;
      await eventLog.recordBatch({ id, tenant, callbackUrl }, endedAtMs, tx);
      return true;
    };
    // Not beside a retry, whose rows it would not see, nor beside a delivery, which would not see its event.
    const ended = await database.transaction(finish, { lockTenant: tenant });
    if (ended) changes.notify(id);
    return ended;
  }
}

const OUR_FAULT: RecordedError = {
  kind: 'internal',
  code: 'internal.error',
  message: 'The export could not be made because of an internal error.',
  issues: [],
};

/** The fields of a create that a batch gives each of its exports; events only if it asks for those of exports. */
function fieldsOf({ fields }: WaitingRow): [string, string][] {
  const { presets, metadata, retentionHours, callbackUrl, callbackEvents } = fields;
  const sent: [string, string | null][] = [
    ['presets', presets],
    ['metadata', metadata],
    ['retention_hours', retentionHours],
    ...(callbackEvents === null
      ? []
      : (
          [
            ['callback_url', callbackUrl],
            ['callback_events', callbackEvents],
          ] as const
        ).map(([name, value]): [string, string | null] => [name, value])),
  ];
  return sent.filter((one): one is [string, string] => one[1] !== null);
}
