import { Worker } from 'node:worker_threads';
import { type ErrorKind, ExportError, type Issue } from '../../errors.ts';
import { unlessAborted } from '../../platform/unless-aborted.ts';
import { Gate } from '../gate.ts';

/** What a thread answers: a value, a failure that was foreseen, or a bug. */
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
  /** The file that a thread runs; it answers each message with one ThreadAnswer, in order. */
  readonly entry: URL;
  /** Handed to each thread as it starts. */
  readonly data: unknown;
  readonly threads: number;
  /** Tasks that may wait; more are refused with a retry. */
  readonly mostWaiting: number;
}

/** Longer than any task that the limits on requests allow, on the slowest machine. */
const LONGEST_MS = 60_000;
/**
 * A thread that wants more is ended, and its task fails; the others, and the process, live. The share for what is young is
 * small, since V8 would otherwise let garbage pile up there to several times what a task needs.
 */
const MOST_MEGABYTES = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };

/** A few threads that think, so that the event loop need not. Parties take turns; within one, first come, first served. */
export class ThreadPool implements AsyncDisposable {
  readonly #options: ThreadPoolOptions;
  readonly #gate: Gate;
  readonly #idle: Thread[] = [];
  readonly #all = new Set<Thread>();
  #waiting = 0;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#gate = new Gate(options.threads);
    // Ready before the first request is.
    for (let n = 0; n < options.threads; n += 1) this.#idle.push(this.#start());
  }

  /**
   * Has a task done. When `signal` aborts, nobody waits for it any longer: it leaves the queue, or its thread finishes
   * it unheard (what limits bound takes less than a new thread).
   *
   * @throws what the task throws; `service.busy` where too many wait.
   */
  async run(party: string, task: unknown, signal: AbortSignal): Promise<unknown> {
    if (this.#waiting >= this.#options.mostWaiting) {
      throw new ExportError('unavailable', 'service.busy', 'Too many requests are in progress. Try again later.');
    }
    let waits = true;
    const leaveQueue = () => {
      if (waits) this.#waiting -= 1;
      waits = false;
    };
    this.#waiting += 1;
    const done = this.#gate.run(party, signal, () => {
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

/** One thread; it does one task at a time. */
class Thread {
  lives = true;
  readonly #worker: Worker;
  #answered: PromiseWithResolvers<unknown> | null = null;

  constructor({ entry, data }: ThreadPoolOptions, onGone: () => void) {
    this.#worker = new Worker(entry, { workerData: data, resourceLimits: MOST_MEGABYTES });
    this.#worker.unref();
    this.#worker.on('message', (answer: ThreadAnswer | Record<string, unknown>) => {
      // `node --watch` has threads tell over the same port what they import.
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
