import type { Database } from '../../store/database.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import { type JobQueue, PRIORITY } from '../../store/job-queue.ts';
import type { Log } from '../log.ts';

/** Well within the time after which a raise lapses. */
const RENEW_EVERY_MS = 10_000;

interface AwaitedOutputsPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly jobs: Pick<JobQueue, 'raise' | 'setApart'>;
  readonly log: Log;
}

/**
 * The outputs someone waits for. They are rendered by themselves, before those they would have been rendered with, as far as
 * nobody has begun; and they are as urgent as what was asked for in the first place, no more, and only for as
 * long as someone waits: nobody is overtaken for good because of one look. (C12)
 */
export class AwaitedOutputs {
  readonly #ports: AwaitedOutputsPorts;
  readonly #waiting = new Map<string, { waiters: number; readonly timer: NodeJS.Timeout }>();

  constructor(ports: AwaitedOutputsPorts) {
    this.#ports = ports;
  }

  /** One more waits for the output, until disposed. */
  async wait(exportId: string, preset: string): Promise<Disposable> {
    const key = `${exportId}/${preset}`;
    const others = this.#waiting.get(key);
    const entry = others ?? {
      waiters: 0,
      timer: setInterval(() => this.#renew(exportId, preset), RENEW_EVERY_MS),
    };
    entry.waiters += 1;
    this.#waiting.set(key, entry);
    const leave = (): void => {
      entry.waiters -= 1;
      if (entry.waiters > 0) return;
      clearInterval(entry.timer);
      this.#waiting.delete(key);
    };
    try {
      if (others === undefined) await this.#raise(exportId, preset);
    } catch (cause) {
      leave();
      throw cause;
    }
    return { [Symbol.dispose]: leave };
  }

  async #renew(exportId: string, preset: string): Promise<void> {
    try {
      await this.#raise(exportId, preset);
    } catch (error) {
      this.#ports.log('error', 'an output that is waited for could not be raised', { error });
    }
  }

  async #raise(exportId: string, preset: string): Promise<void> {
    const { database, records, jobs } = this.#ports;
    await database.transaction(
      async (tx) => {
        const record = await records.find(exportId, tx);
        // What was asked for in the first place stays urgent.
        const rest = record?.selectedPreset === preset ? PRIORITY.other : PRIORITY.selected;
        await jobs.setApart(exportId, preset, rest, tx);
        await jobs.raise(exportId, preset, PRIORITY.selected, tx);
      },
      { lockExport: exportId },
    );
  }
}
