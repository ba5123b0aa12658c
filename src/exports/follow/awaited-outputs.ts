import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import { type JobQueue, PRIORITY } from '../../store/job-queue.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { Log } from '../log.ts';

/** Well below the time after which a raise expires. */
const RENEW_EVERY_MS = 10_000;
/**
 * A client that wants several outputs requests them at the same time, which is some milliseconds apart on a busy
 * service. If each of three requests raised its output alone, the export would be rendered in three passes that wait
 * behind other exports.
 */
const GROUPING_MS = 250;

interface AwaitedOutputsPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly jobs: Pick<JobQueue, 'raise' | 'setApart'>;
  readonly log: Log;
  /** Waits for requests for other outputs before one is treated as the only request. */
  readonly groupingDelay?: (() => Promise<void>) | undefined;
}

/** The awaited outputs of one export, with the number of waiters of each. */
interface Awaited {
  readonly waiters: Map<string, number>;
  readonly renewing: NodeJS.Timeout;
}

/** A waiter, until disposed. */
interface Waiting extends Disposable {
  /** Raises the priority of the awaited outputs. Resolves once it is raised. */
  raise(): Promise<void>;
}

/**
 * The outputs that clients wait for. They are rendered before the outputs of the same export that no client waits for,
 * unless those have started. Their priority equals that of a selected preset, and only while a client waits: one
 * request must not overtake other exports permanently. (C12)
 */
export class AwaitedOutputs {
  readonly #ports: AwaitedOutputsPorts;
  readonly #exports = new Map<string, Awaited>();

  constructor(ports: AwaitedOutputsPorts) {
    this.#ports = ports;
  }

  /** Adds a waiter for the output. */
  wait(exportId: string, preset: string): Waiting {
    const awaited = this.#exports.get(exportId) ?? this.#add(exportId);
    const { waiters } = awaited;
    const isFirst = !waiters.has(preset);
    waiters.set(preset, (waiters.get(preset) ?? 0) + 1);
    return {
      raise: async () => {
        if (!isFirst) return;
        await this.#raise(exportId, waiters, false);
        void this.#raiseApart(exportId, waiters);
      },
      [Symbol.dispose]: () => this.#leave(exportId, awaited, preset),
    };
  }

  #add(exportId: string): Awaited {
    const waiters = new Map<string, number>();
    const awaited = { waiters, renewing: setInterval(() => this.#renew(exportId, waiters), RENEW_EVERY_MS) };
    this.#exports.set(exportId, awaited);
    return awaited;
  }

  #leave(exportId: string, { waiters, renewing }: Awaited, preset: string): void {
    const left = waiters.get(preset)! - 1;
    if (left > 0) waiters.set(preset, left);
    else waiters.delete(preset);
    if (waiters.size > 0) return;
    clearInterval(renewing);
    this.#exports.delete(exportId);
  }

  /** Gives the other requests time to arrive, then raises all awaited outputs. */
  async #raiseApart(exportId: string, waiters: Awaited['waiters']): Promise<void> {
    const { groupingDelay = () => setTimeout(GROUPING_MS, undefined, { ref: false }) } = this.#ports;
    await groupingDelay();
    if (waiters.size > 0) await this.#renew(exportId, waiters);
  }

  async #renew(exportId: string, waiters: Awaited['waiters']): Promise<void> {
    try {
      await this.#raise(exportId, waiters, true);
    } catch (error) {
      this.#ports.log('error', 'priority of awaited outputs not raised', { exportId, error });
    }
  }

  async #raise(exportId: string, waiters: Awaited['waiters'], apart: boolean): Promise<void> {
    const { database, records, jobs } = this.#ports;
    await database.transaction(
      async (tx) => {
        const record = await records.find(exportId, tx);
        const presets = record?.outputs.filter(({ short }) => short === null) ?? [];
        const unfinished = presets.filter(({ state }) => state !== 'completed' && state !== 'failed');
        // If clients wait for all of them, rendering one apart gains nothing, and the media would be decoded again.
        const rendersApart = apart && unfinished.some(({ preset }) => !waiters.has(preset));
        for (const preset of waiters.keys()) {
          // The selected preset stays urgent.
          const rest = record?.selectedPreset === preset ? PRIORITY.other : PRIORITY.selected;
          if (rendersApart) await jobs.setApart(exportId, preset, rest, tx);
          await jobs.raise(exportId, preset, PRIORITY.selected, tx);
        }
      },
      { lockExport: exportId },
    );
  }
}
