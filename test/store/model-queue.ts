import type { Attempt, FailureOutcome, Job } from '../../src/store/job-queue.ts';

interface Entry {
  job: Job;
  state: 'waiting' | 'running' | 'ended';
  attempt: number;
  failures: number;
  dueAtMs: number;
  leaseUntilMs: number;
}

/** A job queue as a plain list: slow, forgetful, and simple enough to be believed. */
export class ModelQueue {
  #entries: Entry[] = [];
  nowMs = 1_000_000;

  enqueue(job: Job): void {
    if (this.#entries.some((entry) => entry.job.id === job.id)) return;
    this.#entries.push({ job, state: 'waiting', attempt: 0, failures: 0, dueAtMs: this.nowMs, leaseUntilMs: 0 });
  }

  claim(preferExport: string | undefined): Attempt | null {
    const urgent = this.#urgent();
    return this.#start(urgent.find(({ job }) => job.exportId === preferExport) ?? urgent[0]);
  }

  claimLike({ exportId, kind, preset }: Job): Attempt | null {
    const isLike = ({ job }: Entry) => job.exportId === exportId && job.kind === kind && job.preset === preset;
    return this.#start(this.#urgent().find(isLike));
  }

  #urgent(): Entry[] {
    const due = this.#entries.filter(({ state, dueAtMs }) => state === 'waiting' && dueAtMs <= this.nowMs);
    const urgency = Math.max(...due.map(({ job }) => job.priority));
    return due.filter(({ job }) => job.priority === urgency);
  }

  #start(next: Entry | undefined): Attempt | null {
    if (next === undefined) return null;
    next.state = 'running';
    next.attempt += 1;
    next.leaseUntilMs = this.nowMs + 30_000;
    return { job: next.job, attempt: next.attempt };
  }

  heartbeat(attempt: Attempt): boolean {
    const entry = this.#running(attempt);
    if (entry !== undefined) entry.leaseUntilMs = this.nowMs + 30_000;
    return entry !== undefined;
  }

  complete(attempt: Attempt): boolean {
    const entry = this.#running(attempt);
    if (entry !== undefined) entry.state = 'ended';
    return entry !== undefined;
  }

  fail(attempt: Attempt, final: boolean): FailureOutcome {
    const entry = this.#running(attempt);
    if (entry === undefined) return 'lost';
    if (final) entry.failures = 2;
    return this.#endBadly(entry, 1_000 * 2 ** entry.failures);
  }

  release(attempt: Attempt): void {
    const entry = this.#running(attempt);
    if (entry === undefined) return;
    entry.state = 'waiting';
    entry.dueAtMs = this.nowMs;
  }

  cancel(exportId: string): void {
    this.#entries = this.#entries.filter(({ job }) => job.exportId !== exportId);
  }

  raise(exportId: string, preset: string | null, priority: number): void {
    for (const entry of this.#entries) {
      const { job, state } = entry;
      const meant = preset === null || job.preset === null || job.preset === preset;
      if (state === 'ended' || job.exportId !== exportId || !meant) continue;
      entry.job = { ...job, priority: Math.max(job.priority, priority) };
    }
  }

  sweep(): Job[] {
    const dead = this.#entries.filter(({ state, leaseUntilMs }) => state === 'running' && leaseUntilMs <= this.nowMs);
    return dead.filter((entry) => this.#endBadly(entry, 0) === 'failed').map(({ job }) => job);
  }

  #running({ job, attempt }: Attempt): Entry | undefined {
    return this.#entries.find(
      (entry) => entry.job.id === job.id && entry.attempt === attempt && entry.state === 'running',
    );
  }

  #endBadly(entry: Entry, pauseMs: number): 'retried' | 'failed' {
    entry.failures += 1;
    entry.dueAtMs = this.nowMs + pauseMs;
    entry.state = entry.failures < 3 ? 'waiting' : 'ended';
    return entry.state === 'waiting' ? 'retried' : 'failed';
  }
}
