import { setTimeout as pause } from 'node:timers/promises';
import { ExportError } from '../../errors.ts';
import type { Resolver } from '../../outbound/guarded-request.ts';
import { LONGEST_PAUSE_MS, nextTryInMs } from '../../outbound/retry-schedule.ts';
import type { Database } from '../../store/database.ts';
import type { Delivery, DeliveryRecords } from '../../store/delivery-records.ts';
import type { ExportRecord, WebhookEvent } from '../../store/export-record.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { Bell } from '../../store/nodes/bell.ts';
import type { Deliveries, ExportView } from '../api/export-view.ts';
import { afterTry, isSameEvent, type TryResult } from '../event-queue.ts';
import type { Log } from '../log.ts';
import type { Meter } from '../meter.ts';
import { sendWebhook, type WebhookOutcome } from './send-webhook.ts';
import { type WebhookMessage, webhookHeaders, webhookMessage } from './webhook-message.ts';
import { secretsOf, type WebhookSecrets } from './webhook-secrets.ts';

/** How many connections may be open; each lasts some seconds at most. */
const MAX_AT_ONCE = 64;
/** How many connections a slow receiver can hold. */
const MAX_TO_ONE_PLACE = 4;
const AFTER_A_FAULT_MS = 60_000;
/** The clock may be changed, and timers have a maximum. */
const LOOK_AGAIN_MS = 3_600_000;
/** Notices of other processes can be lost. */
const LOOK_FOR_OTHERS_MS = 5_000;

/** Builds the metadata JSON of an export. */
export type DescribeExport = (view: ExportView) => object;

/** Which addresses webhooks may go to, and how they are signed. */
export interface WebhookPolicy extends WebhookSecrets {
  readonly allowPrivateCallbacks: boolean;
}

interface WebhookDeliveriesPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find' | 'listWebhooksDue' | 'nextWebhookDueAtMs' | 'setWebhook'>;
  readonly deliveries: DeliveryRecords;
  /** null if it was cancelled or removed. */
  readonly view: (id: string) => Promise<ExportView | null>;
  readonly describe: DescribeExport;
  readonly policy: WebhookPolicy;
  readonly webhookBell: Pick<Bell, 'onRing'>;
  /** Whether no other process uses the same records. */
  readonly alone: boolean;
  readonly now: () => number;
  readonly meter: Pick<Meter, 'deliveryTried'>;
  readonly log: Log;
  readonly resolve?: Resolver | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Sends the subscribed events of exports to clients, in order. (C37, C68) */
export class WebhookDeliveries {
  readonly #ports: WebhookDeliveriesPorts;
  readonly #underWay = new Map<string, { readonly origin: string; readonly done: Promise<void> }>();
  #news = Promise.withResolvers<void>();

  constructor(ports: WebhookDeliveriesPorts) {
    this.#ports = ports;
    ports.webhookBell.onRing(() => this.wake());
  }

  /** Call when a webhook is due. */
  wake(): void {
    this.#news.resolve();
  }

  /** Delivers due webhooks until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { log } = this.#ports;
    const wake = () => this.wake();
    signal.addEventListener('abort', wake, { once: true });
    while (!signal.aborted) {
      // Listens before the query, so that a notice in between is not lost.
      this.#news = Promise.withResolvers();
      try {
        await this.#startDue(signal);
        const timer = await this.#alarm();
        await this.#news.promise;
        clearTimeout(timer);
      } catch (error) {
        log('error', 'webhook delivery failed', { error });
        await pause(AFTER_A_FAULT_MS, undefined, { signal }).catch(() => {});
      }
    }
    signal.removeEventListener('abort', wake);
    await Promise.all(this.#underWay.values().map(({ done }) => done));
  }

  /** Starts a delivery for every due webhook. None waits for another, unless both have the same receiver. */
  async #startDue(signal: AbortSignal): Promise<void> {
    const { records, database, now } = this.#ports;
    for (const id of await records.listWebhooksDue(now(), database, now() + LONGEST_PAUSE_MS)) {
      if (this.#underWay.size >= MAX_AT_ONCE) return;
      const record = this.#underWay.has(id) ? null : await records.find(id, database);
      const event = record?.webhook.events[0];
      if (record?.callbackUrl == null || event === undefined || record.state === 'expired') continue;
      const url = new URL(record.callbackUrl);
      if (this.#countTo(url.origin) >= MAX_TO_ONE_PLACE) continue;
      const done = this.#deliver(record, event, url, signal).finally(() => {
        this.#underWay.delete(id);
        this.wake();
      });
      this.#underWay.set(id, { origin: url.origin, done });
    }
  }

  #countTo(origin: string): number {
    return this.#underWay
      .values()
      .filter((delivery) => delivery.origin === origin)
      .toArray().length;
  }

  /** Wakes when the next one is due. Those that are due already are in progress, or wait for one that is. */
  async #alarm(): Promise<NodeJS.Timeout | undefined> {
    const { records, database, alone, now } = this.#ports;
    const dueAtMs = await records.nextWebhookDueAtMs(now(), database);
    if (dueAtMs === null && alone) return undefined;
    const waitMs = Math.max(0, (dueAtMs ?? Number.POSITIVE_INFINITY) - now());
    return setTimeout(() => this.wake(), Math.min(waitMs, alone ? LOOK_AGAIN_MS : LOOK_FOR_OTHERS_MS));
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
    const { promise: done, resolve: end } = Promise.withResolvers<void>();
    this.#underWay.set(id, { origin: url.origin, done });
    try {
      const { outcome, delivery } = await this.#try(record, event, url, signal);
      signal.throwIfAborted();
      await this.#record(record, event, delivery, outcome.delivered ? { state: 'delivered', last: false } : null);
    } finally {
      this.#underWay.delete(id);
      end();
      this.wake();
    }
    return this.deliveries(id);
  }

  async #deliver(record: ExportRecord, event: WebhookEvent, url: URL, signal: AbortSignal): Promise<void> {
    const { log } = this.#ports;
    try {
      const { outcome, delivery } = await this.#try(record, event, url, signal);
      if (signal.aborted) return;
      await this.#record(record, event, delivery, this.#resultOf(outcome, record.webhook.attempts + 1));
    } catch (error) {
      log('error', 'webhook not delivered', { exportId: record.id, error });
      await pause(AFTER_A_FAULT_MS, undefined, { signal }).catch(() => {});
    }
  }

  #resultOf(outcome: WebhookOutcome, attempts: number): TryResult {
    if (outcome.delivered) return { state: 'delivered', last: false };
    const pauseMs = outcome.final ? null : nextTryInMs(attempts);
    if (pauseMs === null) return { state: 'given_up', last: outcome.final };
    return { state: 'pending', dueAtMs: this.#ports.now() + pauseMs };
  }

  async #try(
    record: ExportRecord,
    event: WebhookEvent,
    url: URL,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: WebhookOutcome; readonly delivery: Delivery }> {
    const { id, state, externalId } = record;
    const { view: look, describe, now } = this.#ports;
    const view = await look(id);
    const metadata = view === null ? { ok: false, export_id: id, external_id: externalId, state } : describe(view);
    const message = webhookMessage(record, event, metadata);
    const atMs = now();
    const begunMs = performance.now();
    const outcome = await this.#send(record, url, message, signal);
    const durationMs = Math.round(performance.now() - begunMs);
    const { delivered, status } = outcome;
    const reason = delivered ? null : outcome.reason;
    return { outcome, delivery: { type: event.type, atMs, durationMs, delivered, status, reason } };
  }

  #send({ tenant }: ExportRecord, url: URL, message: WebhookMessage, signal: AbortSignal): Promise<WebhookOutcome> {
    const { policy, resolve, timeoutMs, now } = this.#ports;
    const headers = webhookHeaders(message, secretsOf(tenant, policy), now());
    const options = { allowPrivate: policy.allowPrivateCallbacks, signal, resolve, timeoutMs };
    return sendWebhook(url, headers, message.body, options);
  }

  /** @param result the new state; null if it does not change. */
  async #record(
    { id, webhook: before }: ExportRecord,
    event: WebhookEvent,
    delivery: Delivery,
    result: TryResult | null,
  ): Promise<void> {
    const { records, deliveries, database, meter, log } = this.#ports;
    const attempts = before.attempts + 1;
    const { type, delivered, status, reason, durationMs } = delivery;
    log('info', 'webhook attempted', { exportId: id, type, attempts, delivered, status, reason, durationMs });
    meter.deliveryTried(result?.state ?? (before.state === 'pending' ? 'pending' : 'given_up'));
    await database.transaction(
      async (tx) => {
        await deliveries.add(id, delivery, tx);
        // More events may have been queued meanwhile, and another process may have settled this one.
        const webhook = (await records.find(id, tx))?.webhook;
        if (result === null || webhook === undefined || !isSameEvent(webhook.events[0], event)) return;
        await records.setWebhook(id, afterTry(webhook, result), tx);
      },
      { lockExport: id },
    );
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
