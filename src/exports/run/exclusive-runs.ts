import { unlessAborted } from '../../platform/signals.ts';

/** The place of a worker that has a job: beside others, or alone. */
interface Place extends Disposable {
  /** Waits until all others have left. No worker enters until this place is disposed. @throws `signal.reason` */
  becomeAlone(signal: AbortSignal): Promise<void>;
}

/**
 * Lets the workers of a node run side by side, or one of them alone: a job that kills the node must not end the jobs of
 * others. (C35)
 */
export class ExclusiveRuns {
  #beside = 0;
  #isOneAlone = false;
  #wantAlone = 0;
  #changed = Promise.withResolvers<void>();

  /** Whether a worker that enters now has to wait. */
  get isClosed(): boolean {
    return this.#isOneAlone || this.#wantAlone > 0;
  }

  /** @throws `signal.reason` */
  async enter(signal: AbortSignal): Promise<Place> {
    await this.#take(() => {
      if (this.isClosed) return false;
      this.#beside += 1;
      return true;
    }, signal);
    let leave = () => {
      this.#beside -= 1;
    };
    return {
      becomeAlone: async (waitSignal) => {
        leave();
        leave = () => {};
        this.#wantAlone += 1;
        this.#notify();
        try {
          await this.#take(() => {
            if (this.#beside > 0 || this.#isOneAlone) return false;
            this.#isOneAlone = true;
            return true;
          }, waitSignal);
          leave = () => {
            this.#isOneAlone = false;
          };
        } finally {
          this.#wantAlone -= 1;
          this.#notify();
        }
      },
      [Symbol.dispose]: () => {
        leave();
        leave = () => {};
        this.#notify();
      },
    };
  }

  /** Checks and takes in one step, since several waiters can wake at once. */
  async #take(isTaken: () => boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (!isTaken()) await unlessAborted(this.#changed.promise, signal);
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
