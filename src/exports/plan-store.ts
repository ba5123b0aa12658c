import { text } from 'node:stream/consumers';
import type { RenderPlan } from '../plan/render-plan.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { planKey } from './export-keys.ts';

/** A worker goes from chunk to chunk of the same few plans. */
const MOST_KEPT = 4;

/** Reads stored plans, and keeps the last few at hand. */
export class PlanStore {
  readonly #blobs: BlobStore;
  readonly #kept = new Map<string, Promise<RenderPlan>>();

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  /** The plan of an output. @throws `store.blob_missing` */
  read(exportId: string, preset: string): Promise<RenderPlan> {
    const key = planKey(exportId, preset);
    const kept = this.#kept.get(key) ?? this.#load(key);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return kept;
  }

  #load(key: ReturnType<typeof planKey>): Promise<RenderPlan> {
    const plan = this.#blobs.read(key).then(async (stream) => JSON.parse(await text(stream)) as RenderPlan);
    plan.catch(() => this.#kept.delete(key));
    return plan;
  }
}
