import type { Transaction } from '../store/database.ts';
import { type JobQueue, webhookJob } from '../store/job-queue.ts';
import { CALLBACK_URL, type EventRecords } from '../store/records/event-records.ts';
import type { ExportEvent } from '../store/records/export-record.ts';

interface EventLogPorts {
  readonly events: Pick<EventRecords, 'callbackOf' | 'add'>;
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
    const { events, jobs, now } = this.#ports;
    const callback = happened.length === 0 ? null : await events.callbackOf(id, tx);
    if (callback === null) return;
    const { tenant, url, types, ended } = callback;
    const atMs = now();
    let isToBeSent = false;
    for (const { type, preset } of happened) {
      const isWanted = url !== null && types.includes(type);
      const receivers = new Map(isWanted ? [[CALLBACK_URL, ended ? 'dropped' : 'pending'] as const] : []);
      await events.add({ exportId: id, tenant }, { type, preset, atMs }, receivers, tx);
      isToBeSent ||= isWanted && !ended;
    }
    // A job that waits or runs sends the new events too.
    if (isToBeSent) await jobs.enqueue([webhookJob({ id, callbackUrl: url })], tx);
  }
}
