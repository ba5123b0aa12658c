import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import type { ExportRecord } from '../../store/export-record.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import { isTerminal } from '../../store/export-state.ts';
import type { ExportView } from '../exports-api.ts';
import type { Log } from '../log.ts';
import type { Meter } from '../meter.ts';
import { LONGEST_PAUSE_MS, nextTryInMs } from './retry-schedule.ts';
import { type Resolver, sendWebhook, type WebhookOutcome } from './send-webhook.ts';
import { type WebhookMessage, webhookHeaders } from './webhook-message.ts';
import { secretsOf, type WebhookSecrets } from './webhook-secrets.ts';

/** Connections that may be open; each is, for some seconds at the most. */
const MOST_AT_ONCE = 64;
/** A receiver that lets everybody wait is met by so many. */
const MOST_TO_ONE_PLACE = 4;
const AFTER_A_FAULT_MS = 60_000;
/** The clock may be set meanwhile, and no timer lasts for months. */
const LOOK_AGAIN_MS = 3_600_000;

/** The metadata as it goes over the wire; told by whoever knows the wire. */
export type DescribeExport = (view: ExportView) => object;

/** Where callbacks may go, and how they are signed. */
export interface WebhookPolicy extends WebhookSecrets {
  readonly allowPrivateCallbacks: boolean;
}

interface WebhookDeliveriesPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find' | 'listWebhooksDue' | 'nextWebhookDueAtMs' | 'setWebhook'>;
  /** null: cancelled, or gone. */
  readonly view: (id: string) => Promise<ExportView | null>;
  readonly describe: DescribeExport;
  readonly policy: WebhookPolicy;
  readonly now: () => number;
  readonly meter: Pick<Meter, 'deliveryTried'>;
  readonly log: Log;
  readonly resolve?: Resolver | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Tells clients that their exports have ended, those who asked for it. (C37) */
export class WebhookDeliveries {
  readonly #ports: WebhookDeliveriesPorts;
  readonly #underWay = new Map<string, { readonly origin: string; readonly done: Promise<void> }>();
  #news = Promise.withResolvers<void>();

  constructor(ports: WebhookDeliveriesPorts) {
    this.#ports = ports;
  }

  /** Someone is to be told. */
  wake(): void {
    this.#news.resolve();
  }

  /** Delivers what falls due, until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { log } = this.#ports;
    const wake = () => this.wake();
    signal.addEventListener('abort', wake, { once: true });
    while (!signal.aborted) {
      // Listened to before looking: whatever comes in between is not missed.
      this.#news = Promise.withResolvers();
      try {
        await this.#startDue(signal);
        const timer = await this.#alarm();
        await this.#news.promise;
        clearTimeout(timer);
      } catch (error) {
        log('error', 'webhooks could not be delivered', { error });
        await pause(AFTER_A_FAULT_MS, undefined, { signal }).catch(() => {});
      }
    }
    signal.removeEventListener('abort', wake);
    await Promise.all(this.#underWay.values().map(({ done }) => done));
  }

  /** Starts a delivery to every client whose time has come. None waits for another, unless it goes to the same place. */
  async #startDue(signal: AbortSignal): Promise<void> {
    const { records, database, now } = this.#ports;
    for (const id of await records.listWebhooksDue(now(), database, now() + LONGEST_PAUSE_MS)) {
      if (this.#underWay.size >= MOST_AT_ONCE) return;
      const record = this.#underWay.has(id) ? null : await records.find(id, database);
      if (record?.callbackUrl == null || !isTerminal(record.state)) continue;
      const url = new URL(record.callbackUrl);
      if (this.#countTo(url.origin) >= MOST_TO_ONE_PLACE) continue;
      const done = this.#deliver(record, url, signal).finally(() => {
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

  /** Wakes when the next falls due; those that are due already are under way, or wait for the end of one that is. */
  async #alarm(): Promise<NodeJS.Timeout | undefined> {
    const { records, database, now } = this.#ports;
    const dueAtMs = await records.nextWebhookDueAtMs(now(), database);
    if (dueAtMs === null) return undefined;
    return setTimeout(() => this.wake(), Math.min(Math.max(0, dueAtMs - now()), LOOK_AGAIN_MS));
  }

  async #deliver(record: ExportRecord, url: URL, signal: AbortSignal): Promise<void> {
    const { log } = this.#ports;
    try {
      const { id, state, externalId } = record;
      const view = await this.#ports.view(id);
      const metadata =
        view === null ? { ok: false, export_id: id, external_id: externalId, state } : this.#ports.describe(view);
      const message = { id: `${id}.${state}`, body: JSON.stringify(metadata) };
      const outcome = await this.#send(record, url, message, signal);
      if (!signal.aborted) await this.#record(record, outcome);
    } catch (error) {
      log('error', 'a webhook could not be delivered', { exportId: record.id, error });
      await pause(AFTER_A_FAULT_MS, undefined, { signal }).catch(() => {});
    }
  }

  #send({ tenant }: ExportRecord, url: URL, message: WebhookMessage, signal: AbortSignal): Promise<WebhookOutcome> {
    const { policy, resolve, timeoutMs, now } = this.#ports;
    const headers = webhookHeaders(message, secretsOf(tenant, policy), now());
    const options = { allowPrivate: policy.allowPrivateCallbacks, signal, resolve, timeoutMs };
    return sendWebhook(url, headers, message.body, options);
  }

  async #record({ id, webhook }: ExportRecord, outcome: WebhookOutcome): Promise<void> {
    const { records, database, meter, now, log } = this.#ports;
    const attempts = webhook.attempts + 1;
    const pauseMs = outcome.delivered || outcome.final ? null : nextTryInMs(attempts);
    log('info', 'a webhook was tried', { exportId: id, attempts, outcome });
    const state = outcome.delivered ? 'delivered' : pauseMs === null ? 'given_up' : 'pending';
    meter.deliveryTried(state);
    const dueAtMs = pauseMs === null ? null : now() + pauseMs;
    await database.transaction((tx) => records.setWebhook(id, { state, attempts, dueAtMs }, tx));
  }
}
