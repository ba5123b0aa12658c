import type { JobInsert, JobWithMetadata } from 'pg-boss';
import type { Attempt, Job } from '../job-queue.ts';
import { engineId } from './boss-engine.ts';

/** The engine orders jobs by priority alone: equal ones are in no order. So a job's place is part of its priority. */
const PLACES = 2 ** 22;

export function enginePriority(priority: number, place: number): number {
  return priority * PLACES + (PLACES - 1 - place);
}

export function priorityOf(job: EngineJob): number {
  return Math.floor(job.priority / PLACES);
}

/** What the engine stores with a job. Tries are counted here, because its retry count has releases and deaths too. */
export interface JobData extends Omit<Job, 'priority'> {
  /** The priority without raises. */
  readonly own: number;
  /** The place among jobs of the same priority; it starts again after some millions. */
  readonly place: number;
  readonly failed: number;
  readonly released: number;
  /** Of a derived job, when its origin was added; null: when the engine created it. */
  readonly addedAtMs: number | null;
}
export type EngineJob = JobWithMetadata<JobData>;

/** What a job that is new to the engine had before. */
interface Past {
  readonly failed?: number;
  readonly deaths?: number;
  /** null: it is added now. */
  readonly addedAtMs?: number | null;
  /** Its current priority, if that is another than its own. */
  readonly urgency?: number;
  readonly startAfter?: Date;
}

/** A job as the engine takes it. */
export function newJob({ priority: own, ...job }: Job, place: number, past: Past = {}): JobInsert {
  const { failed = 0, deaths = 0, addedAtMs = null, urgency = own, startAfter } = past;
  // The engine counts from zero, so earlier tries are recorded as a negative number of releases.
  const data: JobData = { ...job, own, place, failed, released: -failed - deaths, addedAtMs };
  const insert = { id: engineId(job.id), priority: enginePriority(urgency, place), singletonKey: job.exportId, data };
  return startAfter === undefined ? insert : { ...insert, startAfter };
}

/** A job with the tries, the age and the pause of another. */
export function derivedFrom(
  job: EngineJob,
  changes: Pick<JobData, 'id' | 'presets'> & Partial<Pick<JobData, 'own'>>,
  { place, urgency = priorityOf(job) }: { readonly place: number; readonly urgency?: number },
): JobInsert {
  const { own, place: _, failed, released: __, addedAtMs: ___, ...what } = { ...job.data, ...changes };
  const past = { failed, deaths: deathsAfterEnd(job), addedAtMs: addedAtMs(job), urgency, startAfter: job.startAfter };
  return newJob({ ...what, priority: own }, place, past);
}

/** Identifies a try for the engine, which counts from zero. */
export function fence({ job, token }: Attempt): { id: string; retryCount: number } {
  return { id: engineId(job.id), retryCount: token - 1 };
}

/** Of a running job: its earlier tries that neither failed nor were released. */
export function deathsOf({ retryCount, data: { failed, released } }: EngineJob): number {
  return retryCount - failed - released;
}

/** Of a waiting job. The engine counts a try when the next one starts. */
function deathsAfterEnd(job: EngineJob): number {
  return deathsOf(job) + (job.startedOn === null ? 0 : 1);
}

export function isRaisedBy({ presets }: JobData, preset: string | null): boolean {
  return preset === null || presets.length === 0 || presets.includes(preset);
}

export function addedAtMs(job: EngineJob): number {
  return job.data.addedAtMs ?? job.createdOn.getTime();
}

/** How many chunks are rendered in it. */
export function sizeOf({ chunks, presets }: JobData): number {
  return chunks!.count * Math.max(1, presets.length);
}
