import {
  type Attempt,
  countTries,
  type FailureOutcome,
  type Job,
  PATIENT_FROM,
  RETRIES,
} from '../../src/store/job-queue.ts';

const LEASE_MS = 30_000;
const PATIENCE_MS = 600_000;

interface Entry {
  job: Job;
  state: 'waiting' | 'running' | 'ended';
  token: number;
  failed: number;
  deaths: number;
  addedAtMs: number;
  dueAtMs: number;
  leaseUntilMs: number;
  raised: { to: number; untilMs: number } | null;
  /** Has waited for so long that it counts, whatever comes after. */
  aged: boolean;
}

/** A job queue as a plain list: slow, not durable, and simple enough to be correct. */
export class ModelQueue {
  #entries: Entry[] = [];
  /** The tenants, the least recently served first. */
  #turns: string[] = [];
  nowMs = 1_000_000;

  enqueue(job: Job): void {
    if (this.#entries.some((entry) => entry.job.id === job.id)) return;
    const fresh = {
      state: 'waiting',
      token: 0,
      failed: 0,
      deaths: 0,
      leaseUntilMs: 0,
      raised: null,
      aged: false,
    } as const;
    this.#entries.push({ ...fresh, job, addedAtMs: this.nowMs, dueAtMs: this.nowMs });
  }

  claim(): Attempt | null {
    this.#letTimePass();
    const due = this.#entries.filter(({ state, dueAtMs }) => state === 'waiting' && dueAtMs <= this.nowMs);
    const first = new Map<string, Entry>();
    for (const entry of due) {
      const before = first.get(entry.job.tenant);
      if (before === undefined || this.#urgency(entry) > this.#urgency(before)) first.set(entry.job.tenant, entry);
    }
    const byTurn = [...first.values()].sort(
      (a, b) =>
        this.#turns.indexOf(a.job.tenant) - this.#turns.indexOf(b.job.tenant) ||
        this.#entries.indexOf(a) - this.#entries.indexOf(b),
    );
    const next = byTurn[0];
    if (next === undefined) return null;
    this.#turns = [...this.#turns.filter((tenant) => tenant !== next.job.tenant), next.job.tenant];
    next.state = 'running';
    next.token += 1;
    next.leaseUntilMs = this.nowMs + LEASE_MS;
    const { token, addedAtMs } = next;
    const job = { ...next.job, priority: this.#urgency(next) };
    return { job, token, waitedMs: this.nowMs - addedAtMs, ...countTries(next, RETRIES.render) };
  }

  heartbeat(attempt: Attempt): boolean {
    const entry = this.#running(attempt);
    if (entry !== undefined) entry.leaseUntilMs = this.nowMs + LEASE_MS;
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
    entry.dueAtMs = this.nowMs + 1_000 * 2 ** attempt.failures;
    entry.failed += 1;
    entry.state = final || attempt.failures + 1 >= 3 ? 'ended' : 'waiting';
    return entry.state === 'waiting' ? 'retried' : 'failed';
  }

  release(attempt: Attempt): void {
    const entry = this.#running(attempt);
    if (entry === undefined) return;
    entry.state = 'waiting';
    entry.dueAtMs = this.nowMs;
  }

  divide(attempt: Attempt, failed: boolean): boolean {
    const entry = this.#running(attempt);
    if (entry === undefined) return false;
    entry.state = 'waiting';
    entry.dueAtMs = failed ? this.nowMs + 1_000 * 2 ** attempt.failures : this.nowMs;
    entry.failed += failed ? 1 : 0;
    const { job } = entry;
    const [first, ...others] = job.presets;
    for (const other of others) {
      this.#entries.push({ ...entry, token: 0, job: { ...job, id: `${job.id}/${other}`, presets: [other] } });
    }
    entry.job = { ...job, presets: first === undefined ? [] : [first] };
    return true;
  }

  setApart(exportId: string, preset: string, restPriority: number): void {
    for (const entry of [...this.#entries]) {
      const { job, state } = entry;
      if (job.exportId !== exportId || state !== 'waiting' || job.presets.length < 2) continue;
      if (!job.presets.includes(preset)) continue;
      const presets = job.presets.filter((other) => other !== preset);
      const priority = Math.min(job.priority, restPriority);
      const rest = { ...job, id: `${job.id}/rest`, presets, priority };
      this.#entries.push({ ...entry, token: 0, raised: null, job: rest });
      entry.job = { ...job, presets: [preset] };
    }
  }

  cancel(exportId: string, preset: string | null): void {
    this.#entries = this.#entries.flatMap((entry) => {
      const { job } = entry;
      if (job.exportId !== exportId) return [entry];
      if (preset === null) return [];
      if (!job.presets.includes(preset)) return [entry];
      const presets = job.presets.filter((other) => other !== preset);
      return presets.length === 0 ? [] : [{ ...entry, job: { ...job, presets } }];
    });
  }

  raise(exportId: string, preset: string | null, priority: number): void {
    for (const entry of this.#entries) {
      const { job, state, raised } = entry;
      const meant = preset === null || job.presets.length === 0 || job.presets.includes(preset);
      if (state === 'ended' || job.exportId !== exportId || !meant || job.priority >= priority) continue;
      entry.raised = { to: Math.max(priority, raised?.to ?? 0), untilMs: this.nowMs + LEASE_MS };
    }
  }

  count(): { waiting: number; running: number } {
    const inState = (wanted: Entry['state']) => this.#entries.filter(({ state }) => state === wanted).length;
    return { waiting: inState('waiting'), running: inState('running') };
  }

  /** What a claim finds changed by nothing but time. */
  #letTimePass(): void {
    for (const entry of this.#entries) {
      if (entry.state === 'running' && entry.leaseUntilMs <= this.nowMs) {
        entry.state = 'waiting';
        entry.deaths += 1;
        entry.dueAtMs = this.nowMs;
      }
      if (entry.raised !== null && entry.raised.untilMs <= this.nowMs) entry.raised = null;
      entry.aged ||= entry.state === 'waiting' && this.nowMs - entry.addedAtMs >= PATIENCE_MS;
    }
  }

  #urgency({ job, raised, aged }: Entry): number {
    return Math.max(job.priority, raised?.to ?? 0, aged && job.priority >= PATIENT_FROM ? 200 : 0);
  }

  #running({ job, token }: Attempt): Entry | undefined {
    return this.#entries.find((entry) => entry.job.id === job.id && entry.token === token && entry.state === 'running');
  }
}
