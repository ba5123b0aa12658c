import { unlessAborted } from '../../platform/unless-aborted.ts';

/** Where a worker stands while it has a job: beside others, or alone. */
interface Place extends Disposable {
  /** Waits until everybody else has left; nobody enters before this place is left. @throws `signal.reason` */
  becomeAlone(signal: AbortSignal): Promise<void>;
}

/** Lets the workers of a node run beside each other, or one of them alone: what kills a node must not take others along. (C35) */
export class Solitude {
  #beside = 0;
  #isOneAlone = false;
  #wantAlone = 0;
  #changed = Promise.withResolvers<void>();

  /** Whether who enters now has to wait. */
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
        this.#tell();
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
          this.#tell();
        }
      },
      [Symbol.dispose]: () => {
        leave();
        leave = () => {};
        this.#tell();
      },
    };
  }

  /** Checks and takes in one step, since several waiters can wake at once. */
  async #take(isTaken: () => boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (!isTaken()) await unlessAborted(this.#changed.promise, signal);
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
