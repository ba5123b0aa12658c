import { planMissing, planOf } from '../../plan/plan-outline.ts';
import type { Database } from '../../store/database.ts';
import { type JobQueue, PRIORITY } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { ExportRecord } from '../../store/records/export-record.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { OutputRecords } from '../../store/records/output-records.ts';
import { secondsOf } from '../../time.ts';
import type { Log } from '../log.ts';
import type { PlanStore } from '../plan-store.ts';
import type { OutputWork } from '../run/output-work.ts';
import type { Uploads } from '../uploads.ts';
import type { MediaCheck } from './media-check.ts';
import type { Planner } from './planner.ts';
import { type PlannedOutput, type PlannedShort, storedPlans } from './planning.ts';
import type { RequestRules } from './read-request.ts';

interface ReplanExportPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly outputs: Pick<OutputRecords, 'restart'>;
  readonly jobs: Pick<JobQueue, 'cancel'>;
  readonly uploads: Pick<Uploads, 'open'>;
  readonly plans: Pick<PlanStore, 'keep' | 'readRequest'>;
  readonly work: Pick<OutputWork, 'start'>;
  readonly media: MediaCheck;
  readonly planner: Pick<Planner, 'outline' | 'plan'>;
  readonly rules: Pick<RequestRules, 'engineVersion'>;
  readonly changes: Pick<Changes, 'notify'>;
  readonly log: Log;
}

/** Plans exports again that were planned for another engine version, whose chunks must not be mixed with ours. (R18) */
export class ReplanExport {
  readonly #ports: ReplanExportPorts;
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(ports: ReplanExportPorts) {
    this.#ports = ports;
  }

  /**
   * Restarts the unfinished outputs of an export with new plans and new jobs; finished ones stay. Concurrent calls do
   * it once.
   *
   * @throws `export.plan_missing`, and every error that this engine version finds in the request or its media.
   */
  replan(exportId: string, signal: AbortSignal): Promise<void> {
    const done =
      this.#underWay.get(exportId) ?? this.#replan(exportId, signal).finally(() => this.#underWay.delete(exportId));
    this.#underWay.set(exportId, done);
    return done;
  }

  async #replan(exportId: string, signal: AbortSignal): Promise<void> {
    const { database, records, plans: store, changes, log } = this.#ports;
    const record = await records.find(exportId, database);
    if (record === null) return;
    const all = await this.#plan(record, signal);
    const plans = unfinishedPlans(record, all);
    const names = new Set(plans.map(({ preset }) => planOf(preset)));
    for (const plan of storedPlans(all)) if (names.has(plan.preset)) await store.keep(exportId, plan);
    await this.#restart(record, plans);
    changes.notify(exportId);
    log('info', 'export replanned for this engine', { exportId });
  }

  async #plan(record: ExportRecord, signal: AbortSignal): Promise<readonly PlannedOutput[]> {
    const { uploads: stored, plans: store, media, planner } = this.#ports;
    const texts = await store.readRequest(record.id);
    await using held = new AsyncDisposableStack();
    const uploads = new Map<string, { path: string; sha256: string }>();
    for (const { field, hash } of record.uploads) {
      const { path } = held.use(await stored.open(hash, signal));
      uploads.set(field, { path, sha256: hash });
    }
    const names = [...uploads.keys()];
    const { fields } = await planner.outline(record.tenant, { texts, uploads: names }, signal);
    const { found } = await media.probe(record.tenant, fields, uploads, signal);
    return await planner.plan(record.tenant, { texts, uploads: names, found }, signal);
  }

  async #restart(record: ExportRecord, plans: readonly Planned[]): Promise<void> {
    const { database, records, outputs, jobs, work, rules } = this.#ports;
    const { engineVersion } = rules;
    const { id, selectedPreset } = record;
    await database.transaction(
      async (tx) => {
        const now = await records.find(id, tx);
        if (now === null || now.state === 'cancelled' || now.state === 'expired') return;
        // Another node was faster, and its jobs may be running.
        if (plans.every((plan) => versionOf(now, plan) === engineVersion)) return;
        await jobs.cancel(id, null, tx);
        for (const plan of plans) {
          const { preset, canvas, totalFrames } = plan;
          const durationSeconds = 'rate' in plan ? secondsOf(totalFrames, plan.rate) : null;
          const { width, height } = canvas;
          await outputs.restart(id, preset, { width, height, totalFrames, durationSeconds, engineVersion }, tx);
        }
        // A client that still waits for one of them sets it apart again.
        const underWay = plans.filter((plan) => isUnderWay(now, plan));
        const isOneChunk = underWay.some(({ preset, chunks }) => preset === selectedPreset && chunks.length === 1);
        const isFirst = (plan: Planned) => plan.preset === selectedPreset || (isOneChunk && 'rate' in plan);
        const { selected = [], other = [] } = Object.groupBy(underWay, (plan) =>
          isFirst(plan) ? 'selected' : 'other',
        );
        await work.start(record, selected, PRIORITY.selected, tx);
        await work.start(record, other, PRIORITY.other, tx);
      },
      { lockExport: id },
    );
  }
}

/** An output, or a short. */
type Planned = PlannedOutput | PlannedShort;

/** @throws `export.plan_missing` if the presets of the deployment have changed. */
function unfinishedPlans({ outputs }: ExportRecord, all: readonly PlannedOutput[]): Planned[] {
  const planned = new Map<string, Planned>([...all, ...all.flatMap(({ shorts }) => shorts)].map((p) => [p.preset, p]));
  return outputs
    .filter(({ state }) => state !== 'completed' && state !== 'failed')
    .map(({ preset }) => {
      const plan = planned.get(preset);
      if (plan === undefined) throw planMissing();
      return plan;
    });
}

function versionOf({ outputs }: ExportRecord, { preset }: Planned): string | undefined {
  return outputs.find((output) => output.preset === preset)?.engineVersion;
}

function isUnderWay({ outputs }: ExportRecord, { preset }: Planned): boolean {
  return outputs.some(
    (output) => output.preset === preset && (output.state === 'queued' || output.state === 'rendering'),
  );
}
