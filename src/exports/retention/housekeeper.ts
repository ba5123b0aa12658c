import { once } from 'node:events';
import type { TenantChunks } from '../../store/chunks/tenant-chunks.ts';
import type { Freeing } from '../freeing.ts';
import type { Log } from '../log.ts';
import type { MediaExpiry } from '../media/media-expiry.ts';
import type { Recovery } from '../run/recovery.ts';
import { settleEach } from '../settle-each.ts';
import type { Usage } from '../usage.ts';
import type { Orphans } from './orphans.ts';
import type { Removals } from './removals.ts';

const EVERY_MINUTE_MS = 60_000;
const EVERY_HOUR_MS = 3_600_000;
/** A younger file may belong to a request in progress: in this process, or on other nodes, which need a longer time. */
const ORPHAN_AGE_MS = { here: 3_600_000, elsewhere: 6 * 3_600_000 };

interface HousekeeperPorts {
  readonly recovery: Recovery;
  readonly removals: Pick<Removals, 'finish' | 'expire'>;
  readonly orphans: Orphans;
  readonly mediaExpiry: Pick<MediaExpiry, 'expire' | 'sweep'>;
  readonly chunks: Pick<TenantChunks, 'trim'>;
  readonly drafts: { expire(): Promise<void> };
  readonly usage: Pick<Usage, 'trim'>;
  readonly freeing: Freeing;
  /** Whether no other process uses the same records. If so, unfinished work belongs to a dead process. */
  readonly alone: boolean;
  readonly log: Log;
}

/** Cleans up at a start, and periodically. */
export class Housekeeper {
  readonly #ports: HousekeeperPorts;

  constructor(ports: HousekeeperPorts) {
    this.#ports = ports;
  }

  /**
   * Called before anything else starts: cleans up after the last process. Does nothing if other processes are running.
   */
  async recover(): Promise<void> {
    const { recovery, orphans, mediaExpiry, freeing, alone } = this.#ports;
    if (!alone) return;
    await freeing.run(() => recovery.run());
    // No request is in progress yet, so files of any age can be removed.
    await this.#clear(
      () => orphans.sweep(0),
      () => mediaExpiry.sweep(0),
      () => freeing.refill(),
    );
  }

  /** Cleans up periodically until `signal` aborts. One process at a time does it for all. */
  async run(signal: AbortSignal): Promise<void> {
    const { removals, recovery, orphans, mediaExpiry, drafts, chunks, usage, freeing, alone } = this.#ports;
    const minAgeMs = alone ? ORPHAN_AGE_MS.here : ORPHAN_AGE_MS.elsewhere;
    if (!alone) await this.#clear();
    await using _rounds = new Rounds(this.#ports.log)
      .every(EVERY_MINUTE_MS, () => removals.expire())
      .every(EVERY_MINUTE_MS, () => freeing.run(() => mediaExpiry.expire()))
      .every(EVERY_MINUTE_MS, () => freeing.run(() => drafts.expire()))
      .every(EVERY_MINUTE_MS, () => freeing.run(() => chunks.trim()))
      .every(EVERY_MINUTE_MS, () => freeing.refill())
      .every(EVERY_MINUTE_MS, async () => alone || recovery.requeueAbandoned())
      .every(EVERY_HOUR_MS, () => freeing.run(() => usage.trim()))
      .every(EVERY_HOUR_MS, () => freeing.run(() => orphans.sweep(minAgeMs)))
      .every(EVERY_HOUR_MS, () => freeing.run(() => mediaExpiry.sweep(minAgeMs)));
    if (!signal.aborted) await once(signal, 'abort');
  }

  /** A failure is only logged: expired files do less harm than a service that does not start. */
  async #clear(...sweeps: readonly (() => Promise<unknown>)[]): Promise<void> {
    const { removals, mediaExpiry, chunks, freeing, log } = this.#ports;
    await settleEach(
      [
        ...[() => removals.finish(), () => removals.expire(), () => mediaExpiry.expire(), () => chunks.trim()],
        ...sweeps,
      ],
      async (work) => void (await freeing.run(work)),
      (_, error) => log('error', 'housekeeping failed', { error }),
    );
  }
}

/** Periodic work. Once disposed, none of it is running. */
class Rounds implements AsyncDisposable {
  readonly #log: Log;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Runs one round at a time. A failed round is reported and does not stop the next. */
  every(ms: number, work: () => Promise<unknown>): this {
    let busy = false;
    const round = (): void => {
      if (busy) return;
      busy = true;
      const done = work()
        .then(() => {})
        .catch((error: unknown) => this.#log('error', 'housekeeping failed', { error }))
        .finally(() => {
          busy = false;
          this.#running.delete(done);
        });
      this.#running.add(done);
    };
    this.#timers.push(setInterval(round, ms));
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running);
  }
}
