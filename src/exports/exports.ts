import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { formatPlan } from '../plan/format-plan.ts';
import type { ExportRecord } from '../store/export-record.ts';
import { isTerminal } from '../store/export-state.ts';
import { secondsOf } from '../time.ts';
import { readDocuments } from '../timeline/request-documents.ts';
import { outputKey, posterKey } from './export-keys.ts';
import type {
  ExportsApi,
  ExportView,
  OpenOutput,
  Poster,
  ServiceStatus,
  Submission,
  Validation,
} from './exports-api.ts';
import type { ExportsContext } from './exports-context.ts';
import { chaptersText } from './follow/chapters-text.ts';
import { exportView } from './follow/export-view.ts';
import type { PlanStore } from './plan-store.ts';
import { removeExport } from './retention/remove-export.ts';
import { PRIORITY } from './run/priority.ts';
import { startOutput } from './run/start-output.ts';
import { findFacts, planOutputs, readRequest } from './submit/read-request.ts';
import { submitExport } from './submit/submit-export.ts';

/** The documents without which nothing can be said about a request's meaning. */
const MEANINGFUL = ['tier_list', 'timeline_data', 'settings'] as const;

/** The use cases as HTTP calls them. */
export class Exports implements ExportsApi {
  readonly #context: ExportsContext;
  readonly #plans: PlanStore;
  readonly #checks: () => Promise<ServiceStatus['checks']>;

  /** @param checks what readiness depends on beside the disk: told by whoever knows the adapters. */
  constructor(context: ExportsContext, plans: PlanStore, checks: () => Promise<ServiceStatus['checks']>) {
    this.#context = context;
    this.#plans = plans;
    this.#checks = checks;
  }

  checkDocuments(texts: ReadonlyMap<string, string>): void {
    const { rules } = this.#context;
    // Without all three, a later field could still change what is right; bad JSON stays bad.
    if (MEANINGFUL.every((field) => texts.has(field))) readRequest(texts, null, rules);
    else readDocuments(texts, rules.json);
  }

  async validate(
    { tenant, texts, uploads }: Parameters<ExportsApi['validate']>[0],
    signal: AbortSignal,
  ): Promise<Validation> {
    const context = this.#context;
    const request = readRequest(texts, uploads === null ? null : uploads.keys(), context.rules);
    const { settings, warnings } = request;
    if (uploads === null) return { settings, warnings, durationSeconds: null, plan: null };
    const files = new Map([...uploads].map(([field, { path, sha256 }]) => [field, { path, hash: sha256 }]));
    const facts = await context.probing.run(tenant, signal, () => findFacts(request, files, context, signal));
    const [plan] = planOutputs(request, facts, context.rules);
    const durationSeconds = secondsOf(plan!.totalFrames, plan!.rate);
    return { settings, warnings: plan!.warnings, durationSeconds, plan: formatPlan(plan!) };
  }

  async submit(submission: Submission, signal: AbortSignal): Promise<{ id: string; created: boolean }> {
    return submitExport(submission, this.#context, signal);
  }

  async get(tenant: string | null, id: string): Promise<ExportView | null> {
    const { records, database, progress } = this.#context;
    const record = await (tenant === null ? records.find(id, database) : records.findOfTenant(tenant, id, database));
    return record === null ? null : exportView(record, progress);
  }

  async *follow(id: string, signal: AbortSignal): AsyncGenerator<ExportView> {
    const { changes, records, database, progress } = this.#context;
    for (;;) {
      const change = changes.listen(id);
      signal.addEventListener('abort', change.stop, { once: true });
      try {
        const record = signal.aborted ? null : await records.find(id, database);
        const view = record === null ? null : exportView(record, progress);
        if (record === null || view === null) return;
        yield view;
        if (isSettled(record)) return;
        await change.next;
      } finally {
        signal.removeEventListener('abort', change.stop);
        change.stop();
      }
    }
  }

  async waitFor(id: string, preset: string, signal: AbortSignal): Promise<void> {
    await this.#bringForward(id, preset);
    for await (const view of this.follow(id, signal)) {
      const output = view.outputs.find((candidate) => candidate.preset === preset);
      if (output === undefined || output.state === 'completed' || output.state === 'failed') return;
      if (view.state === 'failed') return;
    }
    signal.throwIfAborted();
  }

  /** Starts the output if nobody has yet, and moves it to the front. (C12) */
  async #bringForward(id: string, preset: string): Promise<void> {
    const { records, database, jobs } = this.#context;
    const record = await records.find(id, database);
    const output = record?.outputs.find((candidate) => candidate.preset === preset);
    if (record === null || output === undefined || output.state === 'completed' || output.state === 'failed') return;
    const plan = output.state === 'waiting' ? await this.#plans.read(id, preset) : null;
    await database.transaction(async (tx) => {
      if (plan !== null) await startOutput(id, plan, PRIORITY.awaited, this.#context, tx);
      await jobs.raise(id, preset, PRIORITY.awaited, tx);
    });
  }

  async openOutput(id: string, preset: string): Promise<OpenOutput | null> {
    const { records, database, blobs } = this.#context;
    const record = await records.find(id, database);
    const output = record?.outputs.find((candidate) => candidate.preset === preset);
    if (record === null || output?.state !== 'completed') return null;
    const { bytes, sha256 } = output;
    const key = outputKey(id, preset);
    return { bytes: bytes!, sha256: sha256!, fileName: record.fileName, stream: (range) => blobs.read(key, range) };
  }

  async poster(id: string): Promise<Poster | null> {
    const { blobs } = this.#context;
    const key = posterKey(id);
    if ((await blobs.info(key)) === null) return null;
    const jpeg = await buffer(await blobs.read(key));
    return { jpeg, sha256: createHash('sha256').update(jpeg).digest('hex') };
  }

  async chapters(id: string): Promise<string | null> {
    const record = await this.#context.records.find(id, this.#context.database);
    return record === null ? null : chaptersText(await this.#plans.read(id, record.selectedPreset));
  }

  async remove(tenant: string, id: string): Promise<boolean> {
    return removeExport(tenant, id, this.#context);
  }

  async status(): Promise<ServiceStatus> {
    const { records, database, blobs, running, policy } = this.#context;
    const [{ expired: _, ...exportsByState }, space, checks] = await Promise.all([
      records.countByState(database),
      blobs.space(),
      this.#checks(),
    ]);
    const needed =
      space === null ? 0 : Math.max(policy.minFreeDiskBytes, (space.totalBytes * policy.minFreeDiskPercent) / 100);
    const roomy = space === null || space.freeBytes >= needed;
    const disk = {
      name: 'disk',
      ok: roomy,
      detail: space === null ? 'not measured' : `${space.freeBytes} bytes free, ${needed} needed`,
    };
    return {
      ready: roomy && checks.every(({ ok }) => ok),
      checks: [...checks, disk],
      exportsByState,
      jobsWaiting: exportsByState.queued,
      jobsRunning: running.size,
      freeDiskBytes: space?.freeBytes ?? null,
    };
  }
}

/** Whether nothing more happens by itself: an output nobody has asked for yet can wait for ever. */
function isSettled({ state, outputs }: ExportRecord): boolean {
  return isTerminal(state) && outputs.every((output) => output.state !== 'queued' && output.state !== 'rendering');
}
