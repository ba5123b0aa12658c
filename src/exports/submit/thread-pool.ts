import { Worker } from 'node:worker_threads';
import { type ErrorKind, ExportError, type Issue } from '../../errors.ts';
import { unlessAborted } from '../../platform/signals.ts';
import { Gate } from '../gate.ts';

/** The answer of a thread: a value, an expected failure, or a bug. */
export type ThreadAnswer =
  | { readonly value: unknown }
  | {
      readonly failure: {
        readonly kind: ErrorKind;
        readonly code: string;
        readonly message: string;
        readonly path: string | undefined;
        readonly issues: readonly Issue[];
        readonly warnings: readonly Issue[];
      };
    }
  | { readonly bug: string };

interface ThreadPoolOptions {
  /** The module of a thread; it answers each message with one ThreadAnswer, in order. */
  readonly entry: URL;
  /** Passed to each thread at its start. */
  readonly data: unknown;
  readonly threads: number;
  /** How many tasks may wait; more are refused with a retry. */
  readonly maxWaiting: number;
}

/** Longer than any task within the limits on requests, on the slowest machine. */
const LONGEST_MS = 60_000;
/**
 * A thread that needs more memory is ended, and its task fails; the process and the other threads continue. The young
 * generation is small because V8 would let garbage grow there to several times what a task needs.
 */
const MAX_MEGABYTES = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };

/**
 * A few threads for CPU-bound work, so that the event loop stays free. Tenants take turns (C91); within a tenant, first come,
 * first served.
 */
export class ThreadPool implements AsyncDisposable {
  readonly #options: ThreadPoolOptions;
  readonly #gate: Gate;
  readonly #idle: Thread[] = [];
  readonly #all = new Set<Thread>();
  #waiting = 0;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#gate = new Gate(options.threads);
    // Started before the first request.
    for (let n = 0; n < options.threads; n += 1) this.#idle.push(this.#start());
  }

  /**
   * Runs a task. When `signal` aborts, the task leaves the queue; a running one finishes without a reader, because that
   * takes less time than a new thread.
   *
   * @throws the error of the task; `service.busy` if too many wait.
   */
  async run(tenant: string, task: unknown, signal: AbortSignal): Promise<unknown> {
    if (this.#waiting >= this.#options.maxWaiting) {
      throw new ExportError('unavailable', 'service.busy', 'Too many requests are in progress. Try again later.');
    }
    let waits = true;
    const leaveQueue = () => {
      if (waits) this.#waiting -= 1;
      waits = false;
    };
    this.#waiting += 1;
    const done = this.#gate.run(tenant, signal, () => {
      leaveQueue();
      return this.#give(task);
    });
    return unlessAborted(done.finally(leaveQueue), signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.end()));
  }

  async #give(task: unknown): Promise<unknown> {
    let thread = this.#idle.pop();
    while (thread !== undefined && !thread.lives) thread = this.#idle.pop();
    thread ??= this.#start();
    try {
      return await thread.ask(task);
    } finally {
      if (thread.lives) this.#idle.push(thread);
    }
  }

  #start(): Thread {
    const thread = new Thread(this.#options, () => this.#all.delete(thread));
    this.#all.add(thread);
    return thread;
  }
}

/** One thread; it runs one task at a time. */
class Thread {
  lives = true;
  readonly #worker: Worker;
  #answered: PromiseWithResolvers<unknown> | null = null;

  constructor({ entry, data }: ThreadPoolOptions, onGone: () => void) {
    this.#worker = new Worker(entry, { workerData: data, resourceLimits: MAX_MEGABYTES });
    this.#worker.unref();
    this.#worker.on('message', (answer: ThreadAnswer | Record<string, unknown>) => {
      // With `node --watch`, threads report their imports over the same port.
      if ('value' in answer || 'failure' in answer || 'bug' in answer) this.#settle(answer as ThreadAnswer);
    });
    this.#worker.on('error', (cause) => {
      this.lives = false;
      this.#settle({ bug: `a thread failed: ${cause.stack}` });
    });
    this.#worker.on('exit', () => {
      this.lives = false;
      onGone();
      this.#settle({ bug: 'a thread ended in the middle of a task' });
    });
  }

  async ask(task: unknown): Promise<unknown> {
    this.#answered = Promise.withResolvers();
    const tooLong = setTimeout(() => this.end(), LONGEST_MS).unref();
    try {
      this.#worker.postMessage(task);
      return await this.#answered.promise;
    } finally {
      clearTimeout(tooLong);
      this.#answered = null;
    }
  }

  async end(): Promise<void> {
    this.lives = false;
    await this.#worker.terminate();
  }

  #settle(answer: ThreadAnswer): void {
    if ('value' in answer) this.#answered?.resolve(answer.value);
    else if ('bug' in answer) this.#answered?.reject(new Error(answer.bug));
    else {
      const { kind, code, message, path, issues, warnings } = answer.failure;
      const detail = { issues, warnings, ...(path !== undefined && { path }) };
      this.#answered?.reject(new ExportError(kind, code, message, detail));
    }
  }
}
