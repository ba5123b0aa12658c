import { ExportError } from '../../errors.ts';
import { FirstSignal } from '../../platform/signals.ts';
import type { Job } from '../../store/job-queue.ts';

/** A job in progress. */
interface RunningWork extends Disposable {
  readonly signal: AbortSignal;
  /** Stops only this job. */
  stop(reason: Error): void;
}

/** The jobs in progress, so that they can be stopped at once when their export is removed or another node has done them. */
export class RunningExports {
  readonly #running = new Map<AbortController, Pick<Job, 'id' | 'exportId'>>();

  /** Registers a job; its signal aborts when it or its export is stopped or `outer` aborts. */
  enter(job: Pick<Job, 'id' | 'exportId'>, outer: AbortSignal): RunningWork {
    const stop = new AbortController();
    this.#running.set(stop, job);
    const either = new FirstSignal(outer, stop.signal);
    return {
      signal: either.signal,
      stop: (reason) => stop.abort(reason),
      [Symbol.dispose]: () => {
        either[Symbol.dispose]();
        this.#running.delete(stop);
      },
    };
  }

  /** Stops all work on a removed export. */
  cancel(exportId: string): void {
    for (const [stop, job] of this.#running) if (job.exportId === exportId) stop.abort(renderCancelled());
  }

  /** Stops a running job. */
  stop(jobId: string): void {
    for (const [stop, job] of this.#running) if (job.id === jobId) stop.abort(renderCancelled());
  }

  /** The ids of the jobs in progress. */
  get jobIds(): ReadonlySet<string> {
    return new Set([...this.#running.values()].map(({ id }) => id));
  }
}

/** The reason of a stop: the work is no longer wanted. */
export function renderCancelled(): ExportError {
  return new ExportError('cancelled', 'render.cancelled', 'The render was cancelled.');
}
