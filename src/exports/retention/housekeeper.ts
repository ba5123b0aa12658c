import type { ExportsContext } from '../exports-context.ts';
import type { PlanStore } from '../plan-store.ts';
import { WEBHOOKS } from '../run/end-export.ts';
import { pause } from '../run/pause.ts';
import { type DescribeExport, deliverWebhooks } from '../webhooks/deliver-webhooks.ts';
import { expire, pinUnfinished, recover, sweepOrphans } from './housekeeping.ts';
import { finishRemovals } from './remove-export.ts';

const EVERY_MINUTE_MS = 60_000;
const EVERY_HOUR_MS = 3_600_000;

/** Does what has to be done now and then: retention, leftovers, leases, webhooks. */
export class Housekeeper {
  readonly #context: ExportsContext;
  readonly #plans: PlanStore;
  readonly #describe: DescribeExport;
  readonly #stop = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(context: ExportsContext, plans: PlanStore, describe: DescribeExport) {
    this.#context = context;
    this.#plans = plans;
    this.#describe = describe;
  }

  /** Puts the house in order after whatever ended the last process, then keeps it so. */
  async start(): Promise<void> {
    await recover(this.#context);
    await finishRemovals(this.#context);
    await expire(this.#context);
    await pinUnfinished(this.#context, this.#plans);
    await sweepOrphans(this.#context, 0);
    this.#every(EVERY_MINUTE_MS, () => expire(this.#context));
    this.#every(EVERY_HOUR_MS, async () => {
      await sweepOrphans(this.#context);
    });
    this.#running.add(this.#deliver());
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running);
  }

  /** Delivers what is due, then waits for the next to fall due or for news. */
  async #deliver(): Promise<void> {
    const { changes, records, database, now, log } = this.#context;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const news = changes.listen(WEBHOOKS);
      signal.addEventListener('abort', news.stop, { once: true });
      try {
        await deliverWebhooks(this.#context, this.#describe, signal);
        const dueAtMs = await records.nextWebhookDueAtMs(database);
        // Looked at again every hour at least: the clock may be set meanwhile, and no timer lasts for months.
        const waitMs = dueAtMs === null ? null : Math.min(Math.max(0, dueAtMs - now()), EVERY_HOUR_MS);
        const timer = waitMs === null ? undefined : setTimeout(news.stop, waitMs);
        await news.next;
        clearTimeout(timer);
      } catch (error) {
        log('error', 'webhooks could not be delivered', { error });
        await pause(EVERY_MINUTE_MS, signal);
      } finally {
        signal.removeEventListener('abort', news.stop);
        news.stop();
      }
    }
  }

  /** One round at a time; a round that fails is told of and does not end the rounds. */
  #every(ms: number, work: () => Promise<void>): void {
    let busy = false;
    const round = async (): Promise<void> => {
      if (busy) return;
      busy = true;
      const done = work()
        .catch((error: unknown) => this.#context.log('error', 'housekeeping failed', { error }))
        .finally(() => {
          busy = false;
          this.#running.delete(done);
        });
      this.#running.add(done);
    };
    this.#timers.push(setInterval(round, ms));
  }
}
