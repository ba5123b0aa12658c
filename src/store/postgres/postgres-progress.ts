import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../database.ts';
import type { Changes } from '../nodes/changes.ts';
import type { JobInProgress, Progress, RecordedProgress } from '../nodes/progress.ts';
import { ShownProgress } from '../nodes/shown-progress.ts';

/** How often a process writes its progress. */
const WRITE_EVERY_MS = 1_000;

interface Reported {
  readonly job: JobInProgress;
  done: readonly (readonly [preset: string, frames: number])[];
}

/**
 * Progress that all processes can see: written at most once a second, for all renders of this process together. The
 * frames of a dead worker stay until its successor has rendered more.
 */
export class PostgresProgress implements Progress, AsyncDisposable {
  readonly #database: Transaction;
  readonly #changes: Pick<Changes, 'notify'>;
  readonly #shown = new ShownProgress();
  readonly #reported = new Map<string, Reported>();
  readonly #stop = new AbortController();
  #writing: Promise<void> = Promise.resolve();
  #pausing: Promise<void> | null = null;

  constructor(database: Transaction, changes: Pick<Changes, 'notify'>) {
    this.#database = database;
    this.#changes = changes;
  }

  report(job: JobInProgress, done: readonly (readonly [preset: string, frames: number])[]): void {
    this.#reported.set(job.id, { job, done });
    this.#pausing ??= this.#writeSoon();
  }

  /**
   * Drops the last report and waits for a running write: the count replaces these frames, so no report may come later.
   */
  async end({ id }: JobInProgress): Promise<void> {
    this.#reported.delete(id);
    await this.#writing;
  }

  share(id: string, output: RecordedProgress): number {
    return this.#shown.share(id, output);
  }

  forget(id: string, presets: readonly string[]): void {
    this.#shown.forget(id, presets);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#pausing;
    await this.#writing;
  }

  /** Writes at once, and not again for a while. */
  async #writeSoon(): Promise<void> {
    this.#writing = this.#write();
    await this.#writing;
    await sleep(WRITE_EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
    this.#pausing = this.#reported.size > 0 && !this.#stop.signal.aborted ? this.#writeSoon() : null;
  }

  async #write(): Promise<void> {
    const reported = [...this.#reported.values()];
    this.#reported.clear();
    const rows = reported.flatMap(({ job: { exportId, firstChunk }, done }) =>
      done.map(([preset, frames]) => [exportId, preset, firstChunk, frames]),
    );
    try {
      await this.#database.query(
        `insert into live_frames (export_id, preset, first_chunk, frames)
         select o.export_id, o.preset, (row ->> 2)::integer, (row ->> 3)::integer
         from jsonb_array_elements($1) as row
           join outputs o on o.export_id = row ->> 0 and o.preset = row ->> 1 and o.state in ('queued', 'rendering')
         on conflict (export_id, preset, first_chunk)
           do update set frames = greatest(live_frames.frames, excluded.frames)
         returning set_config('synchronous_commit', 'off', true)`,
        [JSON.stringify(rows)],
      );
      for (const id of new Set(reported.map(({ job }) => job.exportId))) this.#changes.notify(id);
    } catch {} // the database is unreachable, or the export was deleted: the next report has the same frames
  }
}
