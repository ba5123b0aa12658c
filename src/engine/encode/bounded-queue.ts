/**
 * Hands items from one stage of a pipeline to the next, at most `capacity` of them waiting. One producer, one consumer.
 *
 * The queue owns its items: `abort` releases the rest, and both sides throw the reason.
 */
export class BoundedQueue<T> {
  readonly #capacity: number;
  readonly #release: (item: T) => void;
  readonly #items: T[] = [];
  #closed = false;
  #failure: { readonly reason: unknown } | null = null;
  #wakeProducer: (() => void) | null = null;
  #wakeConsumer: (() => void) | null = null;

  /** `release` is called for items that will not be taken any more. */
  constructor(capacity: number, release: (item: T) => void) {
    this.#capacity = capacity;
    this.#release = release;
  }

  /** Waits for room. The item belongs to the queue from the call on, whether or not it succeeds. */
  async put(item: T): Promise<void> {
    while (this.#failure === null && this.#items.length >= this.#capacity) {
      await new Promise<void>((wake) => {
        this.#wakeProducer = wake;
      });
    }
    if (this.#failure !== null) {
      this.#release(item);
      throw this.#failure.reason;
    }
    this.#items.push(item);
    wake(this.#wakeConsumer);
    this.#wakeConsumer = null;
  }

  /** Waits for an item, which then belongs to the caller; undefined after the last one. */
  async take(): Promise<T | undefined> {
    while (this.#failure === null && this.#items.length === 0 && !this.#closed) {
      await new Promise<void>((wake) => {
        this.#wakeConsumer = wake;
      });
    }
    if (this.#failure !== null) throw this.#failure.reason;
    const item = this.#items.shift();
    wake(this.#wakeProducer);
    this.#wakeProducer = null;
    return item;
  }

  /** The producer has no more items. */
  close(): void {
    this.#closed = true;
    wake(this.#wakeConsumer);
  }

  /** Ends both sides, now. Only the first reason counts. */
  abort(reason: unknown): void {
    this.#failure ??= { reason };
    for (const item of this.#items.splice(0)) this.#release(item);
    wake(this.#wakeProducer);
    wake(this.#wakeConsumer);
  }
}

function wake(waiting: (() => void) | null): void {
  waiting?.();
}
