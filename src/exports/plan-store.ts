import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ExportError } from '../errors.ts';
import type { RenderPlan } from '../plan/render-plan.ts';
import { sha256 } from '../sha256.ts';
import type { BlobKey, BlobStore } from '../store/blob-store.ts';
import type { OutputRecord } from '../store/export-record.ts';
import { planKey, requestKey } from './export-keys.ts';

/** A worker goes from chunk to chunk of the same few plans. */
const MOST_AT_HAND = 4;

/** An output, and the engine it was planned for. */
type Planned = Pick<OutputRecord, 'preset' | 'engineVersion'>;

/** The plans of outputs as they are stored, and what they were made of; the last few that were read are at hand. */
export class PlanStore {
  readonly #blobs: Pick<BlobStore, 'put' | 'read' | 'delete'>;
  readonly #engineVersion: string;
  readonly #atHand = new Map<string, Promise<RenderPlan>>();

  /** @param engineVersion of the engine at work here. */
  constructor(blobs: Pick<BlobStore, 'put' | 'read' | 'delete'>, engineVersion: string) {
    this.#blobs = blobs;
    this.#engineVersion = engineVersion;
  }

  /** @param plan as bytes: a long one takes long to put into words, and that was done where it keeps nobody waiting. */
  async keep(exportId: string, plan: { readonly preset: string; readonly json: Uint8Array }): Promise<void> {
    const { preset, json } = plan;
    const key = planKey(exportId, preset);
    await this.#put(key, json);
    this.#atHand.delete(key);
  }

  /** Keeps the texts of a request, so that it can be planned anew when the engine has changed. */
  async keepRequest(exportId: string, texts: ReadonlyMap<string, string>): Promise<void> {
    await this.#put(requestKey(exportId), JSON.stringify([...texts]));
  }

  /** The plan of an output, whichever engine it was made for. @throws `export.plan_missing` */
  read(exportId: string, preset: string): Promise<RenderPlan> {
    const key = planKey(exportId, preset);
    const plan = this.#atHand.get(key) ?? this.#load<RenderPlan>(key);
    this.#atHand.delete(key);
    this.#atHand.set(key, plan);
    if (this.#atHand.size > MOST_AT_HAND) this.#atHand.delete(this.#atHand.keys().next().value!);
    plan.catch(() => this.#atHand.delete(key));
    return plan;
  }

  /**
   * The plan of an output, for the engine at work here; null where it was made for another, whose chunks would meet ours
   * under its keys. (R18)
   *
   * @throws `export.plan_missing`
   */
  async readCurrent(exportId: string, { preset, engineVersion }: Planned): Promise<RenderPlan | null> {
    const plan = await this.read(exportId, preset);
    if (engineVersion === null) return this.#adopted(plan);
    return engineVersion === this.#engineVersion ? plan : null;
  }

  /** @throws `export.plan_missing` */
  async readRequest(exportId: string): Promise<ReadonlyMap<string, string>> {
    return new Map(await this.#load<[string, string][]>(requestKey(exportId)));
  }

  async drop(exportId: string, presets: readonly string[]): Promise<void> {
    for (const key of [...presets.map((preset) => planKey(exportId, preset)), requestKey(exportId)]) {
      this.#atHand.delete(key);
      await this.#blobs.delete(key);
    }
  }

  /**
   * A plan of 0.1, which kept neither the engine's version nor the request. It is rendered as it stands, and whole: under
   * keys of its own, so that nothing another engine has made of it is put together with what this one makes.
   */
  #adopted(plan: RenderPlan): RenderPlan {
    const keyed = <T extends { readonly key: string }>(part: T): T => {
      return { ...part, key: sha256(`${this.#engineVersion} ${part.key}`) };
    };
    return { ...plan, chunks: plan.chunks.map(keyed), audio: keyed(plan.audio) };
  }

  async #put(key: BlobKey, json: string | Uint8Array): Promise<void> {
    await this.#blobs.put(key, Readable.from([json]), new AbortController().signal);
  }

  async #load<T>(key: BlobKey): Promise<T> {
    try {
      return JSON.parse(await text(await this.#blobs.read(key)));
    } catch (cause) {
      const lost = cause instanceof SyntaxError || (cause instanceof ExportError && cause.kind === 'missing');
      throw lost ? planMissing(cause) : cause;
    }
  }
}

const PLAN_MISSING = 'export.plan_missing';

/** What an export is rendered from is gone, and will not come back. */
export function planMissing(cause?: unknown): ExportError {
  const message = 'What this export is rendered from is missing or damaged on our side. Send the request again.';
  return new ExportError('internal', PLAN_MISSING, message, { cause });
}

export function isPlanMissing(error: unknown): error is ExportError {
  return error instanceof ExportError && error.code === PLAN_MISSING;
}
