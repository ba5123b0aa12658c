import type { z } from 'zod';
import type { Issue } from '../../errors.ts';
import { exportErrorFrom } from '../channel/child-message.ts';
import { type ChildMessage, FrameError, MAX_WARNINGS } from '../channel/protocol.ts';
import type { RequestOptions } from './launch-options.ts';
import type { Watchdog } from './watchdog.ts';

interface Pending {
  readonly schema: z.ZodType;
  readonly options: RequestOptions;
  readonly answer: PromiseWithResolvers<unknown>;
  furthest: number;
  warnings: number;
}

/** The messages about one request. */
export type RequestMessage = Extract<ChildMessage, { id: number }>;

/** The open requests of a child; keeps the watchdog up to date. */
export class PendingRequests {
  readonly #watchdog: Watchdog;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(watchdog: Watchdog) {
    this.#watchdog = watchdog;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Opens a request whose result must match this schema; `hear`, `reject` or `rejectAll` settles `answer`. */
  add(schema: z.ZodType, options: RequestOptions): { id: number; answer: Promise<unknown> } {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#pending.set(id, { schema, options, answer, furthest: 0, warnings: 0 });
    this.#watchdog.begin();
    return { id, answer: answer.promise };
  }

  /**
   * @throws FrameError for a result without a request, or one that does not match its schema; the request then stays
   * open.
   */
  hear(message: RequestMessage): void {
    if (message.id > this.#lastId) throw new FrameError(`an answer to request ${message.id}, which was never made`);
    const pending = this.#pending.get(message.id);
    // A last step of progress that comes after the answer is of no interest.
    if (pending === undefined) return;
    if (message.type === 'warning') this.#warn(pending, message.issue);
    else if (message.type === 'progress') this.#progress(pending, message);
    else if (message.type === 'error') this.#close(message.id, pending).reject(exportErrorFrom(message.error));
    else {
      const value = pending.schema.safeParse(message.value);
      if (!value.success) throw new FrameError('an answer of the wrong shape', { cause: value.error });
      this.#close(message.id, pending).resolve(value.data);
    }
  }

  reject(id: number, error: unknown): void {
    const pending = this.#pending.get(id);
    if (pending !== undefined) this.#close(id, pending).reject(error);
  }

  rejectAll(error: Error): void {
    for (const [id, pending] of this.#pending) this.#close(id, pending).reject(error);
  }

  #warn(pending: Pending, issue: Issue): void {
    // The caller keeps them all in memory.
    if (++pending.warnings > MAX_WARNINGS) throw new FrameError('more warnings than a request may have');
    pending.options.onWarning?.(issue);
  }

  #progress(pending: Pending, { done, total }: { done: number; total: number }): void {
    if (done > pending.furthest) this.#watchdog.progressed();
    pending.furthest = Math.max(pending.furthest, done);
    // Repeated work counts as progress for the watchdog; for callers it is already done.
    pending.options.onProgress?.({ done: Math.min(done, total), total });
  }

  #close(id: number, pending: Pending): PromiseWithResolvers<unknown> {
    this.#pending.delete(id);
    this.#watchdog.end();
    return pending.answer;
  }
}
