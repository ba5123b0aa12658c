import { ExportError } from '../../errors.ts';
import type { Resolver } from '../../outbound/guarded-request.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { type Attempt, type Job, type JobQueue, nextTryInMs, RETRIES } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { BatchRecords } from '../../store/records/batch-records.ts';
import type { Delivery, DeliveryRecords } from '../../store/records/delivery-records.ts';
import { CALLBACK_URL, type EventRecords, type ListedEvent, webhookNameOf } from '../../store/records/event-records.ts';
import type { DeliveryState, ExportEvent, ExportRecord, WebhookState } from '../../store/records/export-record.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { WebhookRecords } from '../../store/records/webhook-records.ts';
import type { BatchView } from '../api/batches-api.ts';
import type { Deliveries, ExportView } from '../api/export-view.ts';
import type { Meter } from '../api/meter.ts';
import { unknownWebhook } from '../api/webhooks-api.ts';
import { jobOf } from '../event-log.ts';
import type { Log } from '../log.ts';
import { QueuedWork } from '../queued-work.ts';
import { signingSecrets } from './registered-webhooks.ts';
import {
  batchMessage,
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

/** Where events of an export go, and how they are signed. */
interface Receiver {
  /** `CALLBACK_URL`, or the name of a registered webhook. */
  readonly name: string;
  readonly url: URL;
  readonly secrets: readonly string[];
  /** When a registered webhook got this address; 0 for a `callback_url`, which does not change. */
  readonly changedAtMs: number;
}

/** What a try leads to for its event. */
type Became = 'pending' | 'delivered' | 'given_up';

type Failed = Extract<WebhookOutcome, { delivered: false }>;

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

/** A batch, and its metadata as JSON. (C85) */
export interface DescribedBatch {
  readonly view: BatchView;
  readonly metadata: object;
}

/** What events are about: an export, or a batch. */
interface Source extends Pick<ExportRecord, 'id' | 'tenant' | 'callbackUrl'> {
  /** null for a batch. */
  readonly record: ExportRecord | null;
}

interface WebhookDeliveriesPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly batches: Pick<BatchRecords, 'findOfAny'>;
  readonly events: EventRecords;
  readonly hooks: Pick<WebhookRecords, 'find' | 'disable'>;
  readonly deliveries: DeliveryRecords;
  readonly jobs: JobQueue;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  /** null if it was cancelled or removed. */
  readonly view: (id: string) => Promise<ExportView | null>;
  readonly describe: DescribeExport;
  /** null if there is none of this id. */
  readonly batch: (id: string) => Promise<DescribedBatch | null>;
  readonly policy: WebhookPolicy;
  readonly now: () => number;
  readonly meter: Pick<Meter, 'deliveryTried'>;
  readonly log: Log;
  readonly resolve?: Resolver | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Sends the subscribed events of exports and batches to clients, in order. (C37, C68) */
export class WebhookDeliveries extends QueuedWork {
  readonly #ports: WebhookDeliveriesPorts;
  /** The deliveries of this node, by export and receiver. */
  readonly #underWay = new Map<string, { readonly origin: string; readonly done: Promise<void> }>();

  constructor(ports: WebhookDeliveriesPorts) {
    super(
      {
        name: 'the delivery of an event',
        lane: 'webhook',
        maxAtOnce: MAX_AT_ONCE,
        maxOfOneTenant: MAX_TO_ONE_PLACE,
        work: (attempt, signal) => this.#deliver(attempt, signal),
        fail: (job, _, tx) => this.#giveUp(job.exportId, receiverOf(job), tx),
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

  /** The deliveries of an export: the state of its `callback_url`, and all tries. (C41) */
  async deliveries(id: string): Promise<Deliveries> {
    const { events, deliveries, database } = this.#ports;
    const event = await this.#current(id);
    const states = event === null ? [] : (await events.deliveriesOf([event.id], database)).get(event.id);
    const current = states?.find(({ receiver }) => receiver === CALLBACK_URL);
    const tries = await deliveries.list(id, null, database);
    const attempts = tries.map(({ receiver, ...one }) => ({ ...one, webhook: webhookNameOf(receiver) }));
    return { state: callbackStateOf(current?.state), nextAtMs: current?.dueAtMs ?? null, attempts };
  }

  /** The first event for the `callback_url` that is not settled, else the last. */
  async #current(id: string): Promise<ExportEvent | null> {
    const { events, database } = this.#ports;
    return (await events.next(id, CALLBACK_URL, database)) ?? (await events.last(id, CALLBACK_URL, database));
  }

  /**
   * Sends an event to the `callback_url` again, now: the first that is not settled, else the last. If the try fails, the
   * schedule does not change.
   *
   * @throws `callback.none`, `callback.not_due`, `callback.busy`, `callback.ended`
   */
  async redeliver(id: string, signal: AbortSignal): Promise<Deliveries> {
    const { records, database } = this.#ports;
    const record = await records.find(id, database);
    if (record?.callbackUrl == null) throw noCallback();
    const event = await this.#current(id);
    if (event === null) throw notDue();
    await this.#sendAgain({ ...record, record }, event, CALLBACK_URL, signal);
    return this.deliveries(id);
  }

  /**
   * Sends one event again, now, to every receiver that it was meant for; to the `callback_url` if there is none.
   *
   * @param webhook only to this registered webhook, even if the event was not meant for it; null: as above.
   * @throws `callback.none`, `callback.busy`, `callback.ended`, `webhook.unknown`, `webhook.disabled`
   */
  async resend(
    { exportId, batchId, ...event }: ListedEvent,
    webhook: string | null,
    signal: AbortSignal,
  ): Promise<void> {
    const { events, database } = this.#ports;
    const source = await this.#source((exportId ?? batchId)!);
    if (source === null) return;
    const meant = (await events.deliveriesOf([event.id], database)).get(event.id) ?? [];
    const all = meant.length === 0 ? [CALLBACK_URL] : meant.map(({ receiver }) => receiver);
    const receivers = webhook === null ? all : [webhook];
    const tries = await Promise.allSettled(
      receivers.map((receiver) => this.#sendAgain(source, event, receiver, signal)),
    );
    // One that was sent is a success: its deliveries show the others.
    if (tries.some(({ status }) => status === 'fulfilled')) return;
    for (const one of tries) if (one.status === 'rejected') throw one.reason;
  }

  /** null if it does not exist any more. */
  async #source(id: string, tx: Transaction = this.#ports.database): Promise<Source | null> {
    const record = await this.#ports.records.find(id, tx);
    if (record !== null) return { id, tenant: record.tenant, callbackUrl: record.callbackUrl, record };
    const batch = await this.#ports.batches.findOfAny(id, tx);
    return batch && { id, tenant: batch.tenant, callbackUrl: batch.fields.callbackUrl, record };
  }

  async #sendAgain(source: Source, event: ExportEvent, name: string, signal: AbortSignal): Promise<void> {
    const { events, database } = this.#ports;
    const { id } = source;
    const place = placeOf(id, name);
    while (this.#underWay.has(place)) await this.#underWay.get(place)!.done;
    const receiver = await this.#receiver(source, name);
    if (receiver === null) throw await this.#noReceiver(source, name);
    if (name === CALLBACK_URL && (await events.callbackOf(id, database))?.ended === true) throw hasEnded();
    const isFull = this.#underWay.size >= MAX_AT_ONCE || this.#countTo(receiver.url.origin) >= MAX_TO_ONE_PLACE;
    if (isFull || this.#underWay.has(place)) throw busy();
    using _delivery = this.#delivery(place, receiver.url);
    const { outcome, delivery } = await this.#try(source, event, receiver, signal);
    signal.throwIfAborted();
    await this.#change(source, async (tx) => {
      await this.#ports.deliveries.add(id, delivery, tx);
      const before = await events.stateOf(event.id, name, tx);
      if (outcome.delivered) await this.#settle(source, event, name, 'delivered', tx);
      else if (await this.#isOver(source, receiver, outcome, tx)) await this.#end(source, event, name, tx);
      // Its own tries go on.
      else if (before === null) await this.#settle(source, event, name, 'given_up', tx);
    });
    this.#report(source, delivery, outcome.delivered ? 'delivered' : 'pending');
  }

  /** null if it is no longer there. */
  async #receiver({ tenant, callbackUrl }: Source, name: string): Promise<Receiver | null> {
    const { hooks, database, policy } = this.#ports;
    if (name !== CALLBACK_URL) {
      const webhook = await hooks.find(tenant, name, database);
      if (webhook?.enabled !== true) return null;
      const { url, changedAtMs } = webhook;
      return { name, url: new URL(url), secrets: signingSecrets(webhook, this.#ports.now()), changedAtMs };
    }
    if (callbackUrl === null) return null;
    return { name, url: new URL(callbackUrl), secrets: secretsOf(tenant, policy), changedAtMs: 0 };
  }

  async #noReceiver({ tenant }: Source, name: string): Promise<ExportError> {
    const { hooks, database } = this.#ports;
    if (name === CALLBACK_URL) return nobody();
    return (await hooks.find(tenant, name, database)) === null ? unknownWebhook() : isDisabled();
  }

  #delivery(place: string, { origin }: URL): Disposable {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const entry = { origin, done };
    this.#underWay.set(place, entry);
    return {
      [Symbol.dispose]: () => {
        if (this.#underWay.get(place) === entry) this.#underWay.delete(place);
        resolve();
      },
    };
  }

  async #deliver(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { events, jobs, database } = this.#ports;
    const id = attempt.job.exportId;
    const name = receiverOf(attempt.job);
    const source = await this.#source(id);
    const event = await events.next(id, name, database);
    const receiver = source === null ? null : await this.#receiver(source, name);
    if (source === null || source.record?.state === 'expired' || event === null || receiver === null) {
      await this.#change(source ?? { id, record: null, tenant: attempt.job.tenant }, async (tx) => {
        if (source !== null && receiver === null) await events.dropWaiting(id, name, tx);
        await jobs.complete(attempt, tx);
      });
      return;
    }
    using _delivery = this.#delivery(placeOf(id, name), receiver.url);
    const { outcome, delivery } = await this.#try(source, event, receiver, signal);
    // Aborted because the service stops, or because the lease is lost: the try does not count.
    if (!outcome.delivered) signal.throwIfAborted();
    const became = await this.#change(source, async (tx) => {
      await this.#ports.deliveries.add(id, delivery, tx);
      return this.#record(attempt, { source, event, receiver, outcome }, tx);
    });
    this.#report(source, delivery, became ?? 'pending');
  }

  /** null if the lease is lost. */
  async #record(attempt: Attempt, { source, event, receiver, outcome }: Sent, tx: Transaction): Promise<Became | null> {
    const { events, jobs, now } = this.#ports;
    if (outcome.delivered) {
      if (!(await jobs.complete(attempt, tx))) return null;
      await this.#settle(source, event, receiver.name, 'delivered', tx);
      return 'delivered';
    }
    const isOver = await this.#isOver(source, receiver, outcome, tx);
    const became = await jobs.fail(attempt, outcome.reason, isOver, tx);
    if (became === 'lost') return null;
    if (became === 'failed') {
      if (isOver) await this.#end(source, event, receiver.name, tx);
      else await this.#settle(source, event, receiver.name, 'given_up', tx);
      return 'given_up';
    }
    const dueAtMs = now() + nextTryInMs(attempt.failures + 1, RETRIES.webhook)!;
    await events.retry(event.id, receiver.name, dueAtMs, tx);
    return 'pending';
  }

  /** Settles an event, and has the next one sent if it was the first. */
  async #settle(
    source: Source,
    event: ExportEvent,
    name: string,
    state: 'delivered' | 'given_up',
    tx: Transaction,
  ): Promise<void> {
    const { events, jobs } = this.#ports;
    const isFirst = (await events.next(source.id, name, tx))?.id === event.id;
    await events.settle(event.id, name, state, tx);
    if (!isFirst) return;
    const job = jobOf(source, name);
    await jobs.drop([job], tx);
    if ((await events.next(source.id, name, tx)) !== null) await jobs.enqueue([job], tx);
  }

  /**
   * Whether a receiver wants no more events. A registered webhook is then disabled; one that was changed during the try
   * is not: the response came from its old address.
   */
  async #isOver({ tenant }: Source, receiver: Receiver, { final, reason }: Failed, tx: Transaction): Promise<boolean> {
    const { hooks, now } = this.#ports;
    return final && (receiver.name === CALLBACK_URL || (await hooks.disable(tenant, receiver, reason, now(), tx)));
  }

  /** Drops the events that wait for a receiver; for a `callback_url` those of the export. */
  async #end(source: Source, event: ExportEvent, name: string, tx: Transaction): Promise<void> {
    const { events, jobs } = this.#ports;
    const { id, tenant } = source;
    await events.settle(event.id, name, 'given_up', tx);
    if (name === CALLBACK_URL) await events.endCallback(id, tx);
    else await events.dropAllWaiting(tenant, name, tx);
    await jobs.drop([jobOf(source, name)], tx);
  }

  async #giveUp(id: string, name: string, tx: Transaction): Promise<void> {
    const [source, event] = [await this.#source(id, tx), await this.#ports.events.next(id, name, tx)];
    if (source !== null && event !== null) await this.#settle(source, event, name, 'given_up', tx);
  }

  /** No event of the export or batch is recorded meanwhile. */
  #change<T>(
    { id, tenant, record }: Pick<Source, 'id' | 'tenant' | 'record'>,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.#ports.database.transaction(work, record === null ? { lockTenant: tenant } : { lockExport: id });
  }

  #report({ id, record }: Source, delivery: Delivery, became: Became): void {
    const { meter, log } = this.#ports;
    const { type, receiver, delivered, status, reason, durationMs } = delivery;
    const webhook = webhookNameOf(receiver);
    const of = record === null ? { batchId: id } : { exportId: id };
    log('info', 'webhook attempted', { ...of, type, webhook, delivered, status, reason, durationMs });
    meter.deliveryTried(became);
  }

  async #try(source: Source, event: ExportEvent, receiver: Receiver, signal: AbortSignal): Promise<Tried> {
    const { now } = this.#ports;
    const message = await this.#message(source, event);
    const atMs = now();
    const begunMs = performance.now();
    const outcome = await this.#send(receiver, message, signal);
    const durationMs = Math.round(performance.now() - begunMs);
    const { delivered, status } = outcome;
    const reason = delivered ? null : outcome.reason;
    const of = { eventId: event.id, receiver: receiver.name, type: event.type };
    return { outcome, delivery: { ...of, atMs, durationMs, delivered, status, reason } };
  }

  async #message({ id, record }: Source, event: ExportEvent): Promise<WebhookMessage> {
    const { view: look, describe, batch } = this.#ports;
    if (record === null) return batchMessage(event, (await batch(id))?.metadata ?? { ok: false, batch_id: id });
    const { state, externalId, metadata: pairs } = record;
    const view = await look(id);
    const removed = { ok: false, export_id: id, external_id: externalId, metadata: pairs, state };
    return webhookMessage(record, event, view === null ? removed : describe(view));
  }

  #send({ url, secrets }: Receiver, message: WebhookMessage, signal: AbortSignal): Promise<WebhookOutcome> {
    const { policy, resolve, timeoutMs, now } = this.#ports;
    const headers = webhookHeaders(message, secrets, now());
    const options = { allowPrivate: policy.allowPrivateCallbacks, signal, resolve, timeoutMs };
    return sendWebhook(url, headers, message.body, options);
  }
}

/** What was sent, and how that ended. */
interface Sent {
  readonly source: Source;
  readonly event: ExportEvent;
  readonly receiver: Receiver;
  readonly outcome: WebhookOutcome;
}

function receiverOf({ presets }: Pick<Job, 'presets'>): string {
  return presets[0] ?? CALLBACK_URL;
}

function placeOf(exportId: string, receiver: string): string {
  return `${exportId}/${receiver}`;
}

function callbackStateOf(state: DeliveryState | undefined): WebhookState {
  return state === undefined ? 'none' : state === 'dropped' ? 'given_up' : state;
}

function noCallback(): ExportError {
  return new ExportError('invalid', 'callback.none', 'This export has no callback_url.');
}

function nobody(): ExportError {
  const message = 'Nobody receives this event: there is no callback_url, and no registered webhook subscribed to it.';
  return new ExportError('invalid', 'callback.none', message);
}

function notDue(): ExportError {
  const message = 'This export has no event to send yet.';
  return new ExportError('invalid', 'callback.not_due', message);
}

function isDisabled(): ExportError {
  const message = 'This registered webhook is disabled. Enable it with PUT /webhooks/<name>.';
  return new ExportError('invalid', 'webhook.disabled', message);
}

function hasEnded(): ExportError {
  const message = 'The receiver responded that it wants no more events of this export. Read them with GET /events.';
  return new ExportError('invalid', 'callback.ended', message);
}

function busy(): ExportError {
  const message = 'Webhooks to this host are already in progress. Try again in a moment.';
  return new ExportError('unavailable', 'callback.busy', message);
}
