import { pipeline, type Readable, Transform } from 'node:stream';
import type { Database } from '../store/database.ts';
import { addUsage, dayOf, type UsageRecords } from '../store/records/usage-records.ts';
import type { UsageDay } from './api/exports-api.ts';
import type { Log } from './log.ts';

const DAY_MS = 86_400_000;
/** More than a year, so that a month can be compared with the same month of the year before. */
const KEPT_DAYS = 400;
/** A video is sent in many parts to many players, so their counts are collected. */
const WRITTEN_AFTER_MS = 10_000;

interface UsagePorts {
  readonly database: Database;
  readonly usage: UsageRecords;
  readonly now: () => number;
  readonly log: Log;
}

/**
 * The usage of tenants. Stored amounts are written in the transaction that stores them; sent bytes are collected here.
 * (C74)
 */
export class Usage implements AsyncDisposable {
  readonly #ports: UsagePorts;
  /** By tenant; not written yet. */
  #sent = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(ports: UsagePorts) {
    this.#ports = ports;
  }

  /** Returns the same bytes and counts them as sent. */
  countSent(tenant: string, stream: Readable): Readable {
    const counter = new Transform({
      transform: (chunk: Buffer, _, done) => {
        this.#add(tenant, chunk.length);
        done(null, chunk);
      },
    });
    // The reader gets the error.
    return pipeline(stream, counter, () => {});
  }

  /** Every day of a range, both ends included. */
  async list(tenant: string, from: string, to: string): Promise<UsageDay[]> {
    const { database, usage } = this.#ports;
    await this.#write();
    const days = new Map<string, UsageDay>();
    for (let ms = Date.parse(from); ms <= Date.parse(to); ms += DAY_MS) days.set(dayOf(ms), emptyDay(dayOf(ms)));
    for (const { day, counter, preset, amount } of await usage.list(tenant, from, to, database)) {
      const before = days.get(day)!;
      if (counter === 'exports') days.set(day, { ...before, exports: amount });
      if (counter === 'bytes_stored') days.set(day, { ...before, bytesStored: amount });
      if (counter === 'bytes_sent') days.set(day, { ...before, bytesSent: amount });
      if (counter === 'rendered_ms') {
        days.set(day, { ...before, renderedSeconds: { ...before.renderedSeconds, [preset]: amount / 1000 } });
      }
    }
    return [...days.values()];
  }

  /** Deletes old days. */
  async trim(): Promise<void> {
    const { database, usage, now } = this.#ports;
    await usage.forgetBefore(dayOf(now() - KEPT_DAYS * DAY_MS), database);
  }

  /** Writes the collected counts. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writeQuietly();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #add(tenant: string, bytes: number): void {
    this.#sent.set(tenant, (this.#sent.get(tenant) ?? 0) + bytes);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#writeQuietly();
    }, WRITTEN_AFTER_MS).unref();
  }

  async #write(): Promise<void> {
    const { database, now } = this.#ports;
    const sent = this.#sent;
    if (sent.size === 0) return;
    this.#sent = new Map();
    try {
      await database.transaction(async (tx) => {
        // In a fixed order, so that nodes do not deadlock.
        for (const [tenant, amount] of [...sent].sort()) {
          await addUsage({ tenant, counter: 'bytes_sent', amount }, now(), tx);
        }
      });
    } catch (error) {
      for (const [tenant, bytes] of sent) this.#add(tenant, bytes);
      throw error;
    }
  }

  async #writeQuietly(): Promise<void> {
    await this.#write().catch((error: unknown) => this.#ports.log('error', 'usage not recorded', { error }));
  }
}

function emptyDay(day: string): UsageDay {
  return { day, exports: 0, renderedSeconds: {}, bytesStored: 0, bytesSent: 0 };
}
