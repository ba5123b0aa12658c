import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import { isTerminal } from '../../store/export-state.ts';
import type { ExportView } from '../exports-api.ts';
import type { Log } from '../log.ts';
import { LONGEST_PAUSE_MS, nextTryInMs } from './retry-schedule.ts';
import { type Resolver, sendWebhook } from './send-webhook.ts';
import { webhookHeaders } from './webhook-message.ts';

const AFTER_A_FAULT_MS = 60_000;
/** The clock may be set meanwhile, and no timer lasts for months. */
const LOOK_AGAIN_MS = 3_600_000;

/** The metadata as it goes over the wire; told by whoever knows the wire. */
export type DescribeExport = (view: ExportView) => object;

interface WebhookDeliveriesPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find' | 'listWebhooksDue' | 'nextWebhookDueAtMs' | 'setWebhook'>;
  /** null: cancelled, or gone. */
  readonly view: (id: string) => Promise<ExportView | null>;
  readonly describe: DescribeExport;
  readonly policy: { readonly allowPrivateCallbacks: boolean; readonly webhookSecret: string | null };
  readonly now: () => number;
  readonly log: Log;
  readonly resolve?: Resolver | undefined;
}

/** Tells clients that their exports have ended, those who asked for it. (C37) */
export class WebhookDeliveries {
  readonly #ports: WebhookDeliveriesPorts;
  #news = Promise.withResolvers<void>();

  constructor(ports: WebhookDeliveriesPorts) {
    this.#ports = ports;
  }

  /** Someone is to be told. */
  wake(): void {
    this.#news.resolve();
  }

  /** Delivers what is due, then waits for the next to fall due or for news, until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { log } = this.#ports;
    const wake = () => this.wake();
    signal.addEventListener('abort', wake, { once: true });
    while (!signal.aborted) {
      // Listened to before looking: whatever comes in between is not missed.
      this.#news = Promise.withResolvers();
      try {
        await this.deliver(signal);
        const timer = await this.#alarm();
        await this.#news.promise;
        clearTimeout(timer);
      } catch (error) {
        log('error', 'webhooks could not be delivered', { error });
        await pause(AFTER_A_FAULT_MS, undefined, { signal }).catch(() => {});
      }
    }
    signal.removeEventListener('abort', wake);
  }

  /** Tells every client whose time has come. One slow receiver does not hold up the others. */
  async deliver(signal: AbortSignal): Promise<void> {
    const { records, database, now } = this.#ports;
    const due = await records.listWebhooksDue(now(), database, now() + LONGEST_PAUSE_MS);
    await Promise.all(due.map((id) => this.#deliverOne(id, signal)));
  }

  async #alarm(): Promise<NodeJS.Timeout | undefined> {
    const { records, database, now } = this.#ports;
    const dueAtMs = await records.nextWebhookDueAtMs(database);
    if (dueAtMs === null) return undefined;
    return setTimeout(() => this.wake(), Math.min(Math.max(0, dueAtMs - now()), LOOK_AGAIN_MS));
  }

  async #deliverOne(id: string, signal: AbortSignal): Promise<void> {
    const { records, database, describe, policy, resolve, now, log } = this.#ports;
    const record = await records.find(id, database);
    if (record?.callbackUrl == null || !isTerminal(record.state)) return;
    const view = await this.#ports.view(id);
    const metadata = view === null ? { ok: false, export_id: id, state: record.state } : describe(view);
    const message = { id: `${id}.${record.state}`, body: JSON.stringify(metadata) };
    const headers = webhookHeaders(message, policy.webhookSecret, now());
    const options = { allowPrivate: policy.allowPrivateCallbacks, signal, ...(resolve && { resolve }) };
    const outcome = await sendWebhook(new URL(record.callbackUrl), headers, message.body, options);
    if (signal.aborted) return;
    const attempts = record.webhook.attempts + 1;
    const pauseMs = outcome.delivered || outcome.final ? null : nextTryInMs(attempts);
    log('info', 'a webhook was tried', { exportId: id, attempts, outcome });
    const state = outcome.delivered ? 'delivered' : pauseMs === null ? 'given_up' : 'pending';
    const dueAtMs = pauseMs === null ? null : now() + pauseMs;
    await database.transaction((tx) => records.setWebhook(id, { state, attempts, dueAtMs }, tx));
  }
}
