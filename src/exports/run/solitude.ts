import { unlessAborted } from '../../platform/unless-aborted.ts';

/** Where a worker stands while it has a job: beside others, or alone. */
export interface Place extends Disposable {
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
    await this.#until(() => !this.isClosed, signal);
    this.#beside += 1;
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
          await this.#until(() => this.#beside === 0 && !this.#isOneAlone, waitSignal);
          this.#isOneAlone = true;
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

  async #until(isTrue: () => boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (!isTrue()) await unlessAborted(this.#changed.promise, signal);
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
