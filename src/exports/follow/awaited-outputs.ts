import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import { type JobQueue, PRIORITY } from '../../store/job-queue.ts';
import type { Log } from '../log.ts';

/** Well within the time after which a raise lapses. */
const RENEW_EVERY_MS = 10_000;
/**
 * Whoever wants several outputs asks for them at the same time, which is some milliseconds apart on a busy service. Where each
 * of three was taken for the only one, an export was rendered in three passes, which wait for one another behind those of others.
 */
const ALL_HAVE_ASKED_MS = 250;

interface AwaitedOutputsPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly jobs: Pick<JobQueue, 'raise' | 'setApart'>;
  readonly log: Log;
  /** Lets others ask too, before one who has asked is taken for the only one. */
  readonly letOthersAsk?: (() => Promise<void>) | undefined;
}

/** What someone waits for of one export: by how many each output is. */
interface Awaited {
  readonly waiters: Map<string, number>;
  readonly renewing: NodeJS.Timeout;
}

/** Someone who waits, until disposed. */
interface Waiting extends Disposable {
  /** Makes what is waited for urgent. Resolves once it is. */
  raise(): Promise<void>;
}

/**
 * The outputs someone waits for. They are rendered before those they would have been rendered with and that nobody waits for,
 * as far as nobody has begun; and they are as urgent as what was asked for in the first place, no more, and only for as
 * long as someone waits: nobody is overtaken for good because of one look. (C12)
 */
export class AwaitedOutputs {
  readonly #ports: AwaitedOutputsPorts;
  readonly #exports = new Map<string, Awaited>();

  constructor(ports: AwaitedOutputsPorts) {
    this.#ports = ports;
  }

  /** One more waits for the output. */
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

  /** At once for the first of those who ask at the same time; for all of them when they were heard. */
  async #raiseApart(exportId: string, waiters: Awaited['waiters']): Promise<void> {
    const { letOthersAsk = () => setTimeout(ALL_HAVE_ASKED_MS, undefined, { ref: false }) } = this.#ports;
    await letOthersAsk();
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
        // Where all of them are waited for, none gains by being rendered alone, and their media would be decoded again.
        const rendersApart = apart && unfinished.some(({ preset }) => !waiters.has(preset));
        for (const preset of waiters.keys()) {
          // What was asked for in the first place stays urgent.
          const rest = record?.selectedPreset === preset ? PRIORITY.other : PRIORITY.selected;
          if (rendersApart) await jobs.setApart(exportId, preset, rest, tx);
          await jobs.raise(exportId, preset, PRIORITY.selected, tx);
        }
      },
      { lockExport: exportId },
    );
  }
}
