import type { Transaction } from '../store/database.ts';
import { type Job, type JobQueue, registeredJob, webhookJob } from '../store/job-queue.ts';
import { CALLBACK_URL, type EventRecords } from '../store/records/event-records.ts';
import type { ExportEvent } from '../store/records/export-record.ts';
import type { WebhookRecords } from '../store/records/webhook-records.ts';

interface EventLogPorts {
  readonly events: Pick<EventRecords, 'callbackOf' | 'add' | 'addOfBatch'>;
  readonly hooks: Pick<WebhookRecords, 'list'>;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
  readonly now: () => number;
}

/** Records what happens to exports, and has it sent to those that subscribed to it. (C68, C93) */
export class EventLog {
  readonly #ports: EventLogPorts;

  constructor(ports: EventLogPorts) {
    this.#ports = ports;
  }

  /** In the transaction in which it happens. No error if the export no longer exists. */
  async record(id: string, happened: readonly Pick<ExportEvent, 'type' | 'preset'>[], tx: Transaction): Promise<void> {
    const { events, hooks, jobs, now } = this.#ports;
    const callback = happened.length === 0 ? null : await events.callbackOf(id, tx);
    if (callback === null) return;
    const { tenant, url, types, ended } = callback;
    const registered = (await hooks.list(tenant, tx)).filter(({ enabled }) => enabled);
    const atMs = now();
    // A job that waits or runs sends the new events too.
    const toSend = new Map<string, Job>();
    for (const { type, preset } of happened) {
      const receivers = new Map<string, 'pending' | 'dropped'>();
      if (url !== null && types.includes(type)) receivers.set(CALLBACK_URL, ended ? 'dropped' : 'pending');
      for (const webhook of registered) if (webhook.events.includes(type)) receivers.set(webhook.name, 'pending');
      await events.add({ exportId: id, tenant }, { type, preset, atMs }, receivers, tx);
      for (const [receiver, state] of receivers)
        if (state === 'pending') toSend.set(receiver, jobOf({ id, tenant, callbackUrl: url }, receiver));
    }
    if (toSend.size > 0) await jobs.enqueue([...toSend.values()], tx);
  }

  /** Records that a batch has completed, in the transaction in which it does. (C85) */
  async recordBatch(batch: Parameters<typeof jobOf>[0], atMs: number, tx: Transaction): Promise<void> {
    const { events, hooks, jobs } = this.#ports;
    const registered = (await hooks.list(batch.tenant, tx)).filter(
      (webhook) => webhook.enabled && webhook.events.includes('batch.completed'),
    );
    const receivers = [...(batch.callbackUrl === null ? [] : [CALLBACK_URL]), ...registered.map(({ name }) => name)];
    await events.addOfBatch(batch, atMs, receivers, tx);
    if (receivers.length > 0)
      await jobs.enqueue(
        receivers.map((receiver) => jobOf(batch, receiver)),
        tx,
      );
  }
}

/** The job that sends the events of an export or a batch to a receiver. */
export function jobOf(
  record: { readonly id: string; readonly tenant: string; readonly callbackUrl: string | null },
  receiver: string,
): Job {
  return receiver === CALLBACK_URL ? webhookJob(record) : registeredJob(record, receiver);
}
