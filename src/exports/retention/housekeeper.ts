import type { TenantChunks } from '../../store/parts/tenant-chunks.ts';
import { eachByItself } from '../each-by-itself.ts';
import type { Log } from '../log.ts';
import type { MediaExpiry } from '../media/media-expiry.ts';
import type { Recovery } from '../run/recovery.ts';
import type { Orphans } from './orphans.ts';
import type { Removals } from './removals.ts';

const EVERY_MINUTE_MS = 60_000;
const EVERY_HOUR_MS = 3_600_000;
/** A file younger than this may belong to a request that is still being taken in: here, or by others, of whom less is known. */
const ORPHAN_AGE_MS = { here: 3_600_000, elsewhere: 6 * 3_600_000 };

interface HousekeeperPorts {
  readonly recovery: Recovery;
  readonly removals: Pick<Removals, 'finish' | 'expire'>;
  readonly orphans: Orphans;
  readonly mediaExpiry: Pick<MediaExpiry, 'expire' | 'sweep'>;
  readonly chunks: Pick<TenantChunks, 'trim'>;
  /** Whether no other process has the same records and files. */
  readonly alone: boolean;
  readonly log: Log;
}

/** Does what has to be done at a start, and now and then. */
export class Housekeeper {
  readonly #ports: HousekeeperPorts;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(ports: HousekeeperPorts) {
    this.#ports = ports;
  }

  /** Puts the house in order after whatever ended the last process, then keeps it so. */
  async start(): Promise<void> {
    const { recovery, removals, orphans, mediaExpiry, chunks, alone, log } = this.#ports;
    await recovery.run();
    // Where nobody else is, nobody is taking a request in yet: no file is too young.
    const minAgeMs = alone ? 0 : ORPHAN_AGE_MS.elsewhere;
    // What is kept too long harms less than a service that does not start.
    await eachByItself(
      [
        ...[() => removals.finish(), () => removals.expire(), () => mediaExpiry.expire(), () => chunks.trim()],
        ...[() => orphans.sweep(minAgeMs), () => mediaExpiry.sweep(minAgeMs)],
      ],
      async (work) => void (await work()),
      (_, error) => log('error', 'housekeeping failed', { error }),
    );
    const laterMs = alone ? ORPHAN_AGE_MS.here : ORPHAN_AGE_MS.elsewhere;
    this.#every(EVERY_MINUTE_MS, () => removals.expire());
    this.#every(EVERY_MINUTE_MS, () => mediaExpiry.expire());
    this.#every(EVERY_MINUTE_MS, () => chunks.trim());
    this.#every(EVERY_HOUR_MS, () => orphans.sweep(laterMs));
    this.#every(EVERY_HOUR_MS, () => mediaExpiry.sweep(laterMs));
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running);
  }

  /** One round at a time; a round that fails is told of and does not end the rounds. */
  #every(ms: number, work: () => Promise<unknown>): void {
    let busy = false;
    const round = (): void => {
      if (busy) return;
      busy = true;
      const done = work()
        .then(() => {})
        .catch((error: unknown) => this.#ports.log('error', 'housekeeping failed', { error }))
        .finally(() => {
          busy = false;
          this.#running.delete(done);
        });
      this.#running.add(done);
    };
    this.#timers.push(setInterval(round, ms));
  }
}
