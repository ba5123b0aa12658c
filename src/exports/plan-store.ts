import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { RenderPlan } from '../plan/render-plan.ts';
import type { BlobKey, BlobStore } from '../store/blob-store.ts';
import { planKey } from './export-keys.ts';

/** A worker goes from chunk to chunk of the same few plans. */
const MOST_AT_HAND = 4;

/** The plans of outputs as they are stored; the last few that were read are at hand. */
export class PlanStore {
  readonly #blobs: Pick<BlobStore, 'put' | 'read' | 'delete'>;
  readonly #atHand = new Map<string, Promise<RenderPlan>>();

  constructor(blobs: Pick<BlobStore, 'put' | 'read' | 'delete'>) {
    this.#blobs = blobs;
  }

  async keep(exportId: string, plan: RenderPlan): Promise<void> {
    const body = Readable.from([JSON.stringify(plan)]);
    await this.#blobs.put(planKey(exportId, plan.preset), body, new AbortController().signal);
  }

  /** The plan of an output. @throws `store.blob_missing` */
  read(exportId: string, preset: string): Promise<RenderPlan> {
    const key = planKey(exportId, preset);
    const plan = this.#atHand.get(key) ?? this.#load(key);
    this.#atHand.delete(key);
    this.#atHand.set(key, plan);
    if (this.#atHand.size > MOST_AT_HAND) this.#atHand.delete(this.#atHand.keys().next().value!);
    return plan;
  }

  async drop(exportId: string, preset: string): Promise<void> {
    const key = planKey(exportId, preset);
    this.#atHand.delete(key);
    await this.#blobs.delete(key);
  }

  #load(key: BlobKey): Promise<RenderPlan> {
    const plan = this.#blobs.read(key).then(async (stream) => JSON.parse(await text(stream)) as RenderPlan);
    plan.catch(() => this.#atHand.delete(key));
    return plan;
  }
}
