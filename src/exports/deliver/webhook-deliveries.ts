import { ExportError } from '../../errors.ts';
import type { Resolver } from '../../outbound/guarded-request.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { type Attempt, type JobQueue, nextTryInMs, RETRIES, webhookJob } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { Delivery, DeliveryRecords } from '../../store/records/delivery-records.ts';
import type { ExportRecord, Webhook, WebhookEvent } from '../../store/records/export-record.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { Deliveries, ExportView } from '../api/export-view.ts';
import type { Meter } from '../api/meter.ts';
import { afterTry, isSameEvent, type TryResult } from '../event-queue.ts';
import type { Log } from '../log.ts';
import { QueuedWork } from '../queued-work.ts';
import {
  secretsOf,
  sendWebhook,
  type WebhookMessage,
  type WebhookOutcome,
  type WebhookSecrets,
  webhookHeaders,
  webhookMessage,
} from './send-webhook.ts';

/** How many connections may be open; each lasts some seconds at most. */
const MAX_AT_ONCE = 64;
/** How many connections a slow receiver can hold. */
const MAX_TO_ONE_PLACE = 4;

/** One try, as it ended and as it is recorded. */
interface Tried {
  readonly outcome: WebhookOutcome;
  readonly delivery: Delivery;
}

/** Builds the metadata JSON of an export. */
export type DescribeExport = (view: ExportView) => object;

/** Which addresses webhooks may go to, and how they are signed. */
export interface WebhookPolicy extends WebhookSecrets {
  readonly allowPrivateCallbacks: boolean;
}

/** A batch that has completed, and its metadata as JSON. (C85) */
export interface EndedBatch {
  readonly tenant: string;
  readonly callbackUrl: string;
  readonly endedAtMs: number;
  readonly metadata: object;
}

interface WebhookDeliveriesPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find' | 'setWebhook'>;
  readonly deliveries: DeliveryRecords;
  readonly jobs: JobQueue;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  /** null if it was cancelled or removed. */
  readonly view: (id: string) => Promise<ExportView | null>;
  readonly describe: DescribeExport;
  /** A completed batch that has an event to send; null if there is none of this id. */
  readonly batch: (id: string) => Promise<EndedBatch | null>;
  readonly policy: WebhookPolicy;
  readonly now: () => number;
  readonly meter: Pick<Meter, 'deliveryTried'>;
  readonly log: Log;
  readonly resolve?: Resolver | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Sends the subscribed events of exports to clients, in order. (C37, C68) */
export class WebhookDeliveries extends QueuedWork {
  readonly #ports: WebhookDeliveriesPorts;
  /** The deliveries of this node, by export. */
  readonly #underWay = new Map<string, { readonly origin: string; readonly done: Promise<void> }>();

  constructor(ports: WebhookDeliveriesPorts) {
    super(
      {
        name: 'the delivery of an event',
        lane: 'webhook',
        maxAtOnce: MAX_AT_ONCE,
        maxOfOneTenant: MAX_TO_ONE_PLACE,
        work: (attempt, signal) => this.#deliver(attempt, signal),
        fail: ({ exportId }, _, tx) => this.#settle(exportId, null, { state: 'given_up', last: false }, tx),
      },
      ports,
    );
    this.#ports = ports;
  }

  #countTo(origin: string): number {
    return this.#underWay
      .values()
      .filter((delivery) => delivery.origin === origin)
      .toArray().length;
  }

  /** The deliveries of an export. (C41) */
  async deliveries(id: string): Promise<Deliveries> {
    const { records, deliveries, database } = this.#ports;
    const webhook = (await records.find(id, database))?.webhook;
    const attempts = await deliveries.list(id, database);
    return { state: webhook?.state ?? 'none', nextAtMs: webhook?.dueAtMs ?? null, attempts };
  }

  /**
   * Sends an event again, now: the first that is not settled, else the last. If the try fails, the schedule does not
   * change.
   *
   * @throws `callback.none`, `callback.not_due`, `callback.busy`
   */
  async redeliver(id: string, signal: AbortSignal): Promise<Deliveries> {
    const { records, database } = this.#ports;
    while (this.#underWay.has(id)) await this.#underWay.get(id)!.done;
    const record = await records.find(id, database);
    if (record?.callbackUrl == null) throw noCallback();
    const event = record.webhook.events[0];
    if (event === undefined) throw notDue();
    const url = new URL(record.callbackUrl);
    const isFull = this.#underWay.size >= MAX_AT_ONCE || this.#countTo(url.origin) >= MAX_TO_ONE_PLACE;
    if (isFull || this.#underWay.has(id)) throw busy();
    using _delivery = this.#delivery(id, url);
    const { outcome, delivery } = await this.#try(record, event, url, signal);
    signal.throwIfAborted();
    this.#report(record, delivery, outcome.delivered ? 'delivered' : record.webhook.state);
    await this.#change(id, async (tx) => {
      await this.#ports.deliveries.add(id, delivery, tx);
      if (outcome.delivered) await this.#settle(id, event, { state: 'delivered', last: false }, tx);
    });
    return this.deliveries(id);
  }

  #delivery(id: string, { origin }: URL): Disposable {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const entry = { origin, done };
    this.#underWay.set(id, entry);
    return {
      [Symbol.dispose]: () => {
        if (this.#underWay.get(id) === entry) this.#underWay.delete(id);
        resolve();
      },
    };
  }

  async #deliver(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { database, records, jobs } = this.#ports;
    const id = attempt.job.exportId;
    const record = await records.find(id, database);
    if (record === null && (await this.#deliverOfBatch(attempt, signal))) return;
    const event = record?.webhook.events[0];
    const isDue = record?.webhook.state === 'pending' && record.state !== 'expired';
    if (!isDue || record.callbackUrl === null || event === undefined) {
      await database.transaction((tx) => jobs.complete(attempt, tx));
      return;
    }
    const url = new URL(record.callbackUrl);
    using _delivery = this.#delivery(id, url);
    const { outcome, delivery } = await this.#try(record, event, url, signal);
    // Aborted because the service stops, or because the lease is lost: the try does not count.
    if (!outcome.delivered) signal.throwIfAborted();
    const result = await this.#change(id, (tx) => this.#record(attempt, event, { outcome, delivery }, tx));
    this.#report(record, delivery, result?.state ?? 'pending');
  }

  /** The one event of a batch: that it has completed. False if there is no such batch. (C85) */
  async #deliverOfBatch(attempt: Attempt, signal: AbortSignal): Promise<boolean> {
    const { database, jobs, batch: look, now, log, meter } = this.#ports;
    const id = attempt.job.exportId;
    const batch = await look(id);
    if (batch === null) return false;
    const url = new URL(batch.callbackUrl);
    using _delivery = this.#delivery(id, url);
    const timestamp = new Date(batch.endedAtMs).toISOString();
    const body = JSON.stringify({ type: 'batch.completed', timestamp, data: batch.metadata });
    // A batch that is retried completes again.
    const message = { id: `${id}.completed.${batch.endedAtMs}`, body };
    const begunMs = now();
    const outcome = await this.#send(batch, url, message, signal);
    if (!outcome.delivered) signal.throwIfAborted();
    const { delivered, status } = outcome;
    const became = await database.transaction(async (tx) => {
      if (delivered) return (await jobs.complete(attempt, tx)) ? 'delivered' : 'lost';
      return jobs.fail(attempt, outcome.reason, outcome.final, tx);
    });
    log('info', 'webhook attempted', {
      ...{ batchId: id, type: 'batch.completed', attempts: attempt.failures + 1, delivered, status },
      durationMs: now() - begunMs,
    });
    meter.deliveryTried(delivered ? 'delivered' : became === 'failed' ? 'given_up' : 'pending');
    return true;
  }

  /** null if the lease is lost. */
  async #record(
    attempt: Attempt,
    event: WebhookEvent,
    { outcome, delivery }: Tried,
    tx: Transaction,
  ): Promise<TryResult | null> {
    const { records, deliveries, jobs, now } = this.#ports;
    const id = attempt.job.exportId;
    await deliveries.add(id, delivery, tx);
    if (outcome.delivered) {
      if (!(await jobs.complete(attempt, tx))) return null;
      await this.#settle(id, event, { state: 'delivered', last: false }, tx);
      return { state: 'delivered', last: false };
    }
    const became = await jobs.fail(attempt, outcome.reason, outcome.final, tx);
    if (became === 'lost') return null;
    if (became === 'failed') {
      const givenUp = { state: 'given_up', last: outcome.final } as const;
      await this.#settle(id, event, givenUp, tx);
      return givenUp;
    }
    const dueAtMs = now() + nextTryInMs(attempt.failures + 1, RETRIES.webhook)!;
    const webhook = (await records.find(id, tx))?.webhook;
    if (webhook !== undefined) await records.setWebhook(id, afterTry(webhook, { state: 'pending', dueAtMs }), tx);
    return { state: 'pending', dueAtMs };
  }

  /**
   * Settles the first event, and has the next sent.
   *
   * @param event has no effect if the first is another, because that was settled meanwhile; null: any.
   */
  async #settle(
    id: string,
    event: WebhookEvent | null,
    result: Extract<TryResult, { last: boolean }>,
    tx: Transaction,
  ): Promise<void> {
    const { records, jobs } = this.#ports;
    const record = await records.find(id, tx);
    if (record === null || (event !== null && !isSameEvent(record.webhook.events[0], event))) return;
    const webhook = afterTry(record.webhook, result);
    await records.setWebhook(id, webhook, tx);
    await jobs.drop([webhookJob(record)], tx);
    if (webhook.state === 'pending') await jobs.enqueue([webhookJob(record)], tx);
  }

  #change<T>(id: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#ports.database.transaction(work, { lockExport: id });
  }

  #report({ id, webhook }: ExportRecord, delivery: Delivery, became: Webhook['state']): void {
    const { meter, log } = this.#ports;
    const { type, delivered, status, reason, durationMs } = delivery;
    const attempts = webhook.attempts + 1;
    log('info', 'webhook attempted', { exportId: id, type, attempts, delivered, status, reason, durationMs });
    meter.deliveryTried(became === 'delivered' || became === 'pending' ? became : 'given_up');
  }

  async #try(record: ExportRecord, event: WebhookEvent, url: URL, signal: AbortSignal): Promise<Tried> {
    const { id, state, externalId, metadata: pairs } = record;
    const { view: look, describe, now } = this.#ports;
    const view = await look(id);
    const removed = { ok: false, export_id: id, external_id: externalId, metadata: pairs, state };
    const metadata = view === null ? removed : describe(view);
    const message = webhookMessage(record, event, metadata);
    const atMs = now();
    const begunMs = performance.now();
    const outcome = await this.#send(record, url, message, signal);
    const durationMs = Math.round(performance.now() - begunMs);
    const { delivered, status } = outcome;
    const reason = delivered ? null : outcome.reason;
    return { outcome, delivery: { type: event.type, atMs, durationMs, delivered, status, reason } };
  }

  #send(
    { tenant }: Pick<ExportRecord, 'tenant'>,
    url: URL,
    message: WebhookMessage,
    signal: AbortSignal,
  ): Promise<WebhookOutcome> {
    const { policy, resolve, timeoutMs, now } = this.#ports;
    const headers = webhookHeaders(message, secretsOf(tenant, policy), now());
    const options = { allowPrivate: policy.allowPrivateCallbacks, signal, resolve, timeoutMs };
    return sendWebhook(url, headers, message.body, options);
  }
}

function noCallback(): ExportError {
  return new ExportError('invalid', 'callback.none', 'This export has no callback_url.');
}

function notDue(): ExportError {
  const message = 'This export has no event to send yet.';
  return new ExportError('invalid', 'callback.not_due', message);
}

function busy(): ExportError {
  const message = 'Webhooks to this host are already in progress. Try again in a moment.';
  return new ExportError('unavailable', 'callback.busy', message);
}
