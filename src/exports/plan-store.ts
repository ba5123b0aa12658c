import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ExportError } from '../errors.ts';
import { planMissing } from '../plan/outline/plan-missing.ts';
import type { PlanOutline } from '../plan/outline/plan-outline.ts';
import { planOf, SHORTS_PLAN, shortNumber, shortOutline } from '../plan/outline/short-outline.ts';
import type { RenderPlan } from '../plan/render-plan.ts';
import { type BlobKey, type BlobStore, deleteAll } from '../store/blob-store.ts';
import type { OutputRecord } from '../store/export-record.ts';
import type { LocalFile, LocalFiles } from '../store/local-files.ts';
import { outlineKey, planKey, requestKey } from './export-keys.ts';

/** A worker goes from chunk to chunk of the same few plans. */
const MOST_AT_HAND = 4;

/** An output, and the engine it was planned for. */
type Planned = Pick<OutputRecord, 'preset' | 'engineVersion'>;

interface PlanStorePorts {
  readonly blobs: Pick<BlobStore, 'put' | 'read' | 'deleteMany'>;
  readonly local: Pick<LocalFiles, 'hold'>;
  readonly rules: { readonly engineVersion: string };
}

/**
 * The plans of outputs as they are stored, and what they were made of. Those who have one rendered go by its outline, of which
 * the last few that were read are at hand; the whole of it is for the child that renders.
 */
export class PlanStore {
  readonly #blobs: PlanStorePorts['blobs'];
  readonly #local: PlanStorePorts['local'];
  /** Of the engine at work here. */
  readonly #engineVersion: string;
  readonly #atHand = new Map<string, Promise<PlanOutline>>();

  constructor({ blobs, local, rules }: PlanStorePorts) {
    this.#blobs = blobs;
    this.#local = local;
    this.#engineVersion = rules.engineVersion;
  }

  /** @param plan as bytes: a long one takes long to put into words, and that was done where it keeps nobody waiting. */
  async keep(exportId: string, { preset, json, outlineJson }: StoredPlan): Promise<void> {
    const key = outlineKey(exportId, preset);
    await this.#put(planKey(exportId, preset), json);
    await this.#put(key, outlineJson);
    this.#atHand.delete(key);
  }

  /** Keeps the texts of a request, so that it can be planned anew when the engine has changed. */
  async keepRequest(exportId: string, texts: ReadonlyMap<string, string>): Promise<void> {
    await this.#put(requestKey(exportId), JSON.stringify([...texts]));
  }

  /** All of a plan. Of a long one that takes its time, in which nobody is answered. @throws `export.plan_missing` */
  read(exportId: string, preset: string): Promise<RenderPlan> {
    return this.#load<RenderPlan>(planKey(exportId, preset));
  }

  /** All of a plan, as a file. @throws `export.plan_missing` */
  async hold(exportId: string, preset: string): Promise<LocalFile> {
    try {
      return await this.#local.hold(planKey(exportId, preset), { mayChange: true });
    } catch (cause) {
      throw isMissing(cause) ? planMissing(cause) : cause;
    }
  }

  /** The plan of an output, whichever engine it was made for; a short's is part of another's. @throws `export.plan_missing` */
  async outline(exportId: string, preset: string): Promise<PlanOutline> {
    const number = shortNumber(preset);
    if (number === null) return this.#outlineAtHand(exportId, preset);
    const short = shortOutline(await this.#outlineAtHand(exportId, SHORTS_PLAN), number);
    if (short === null) throw planMissing();
    return short;
  }

  #outlineAtHand(exportId: string, preset: string): Promise<PlanOutline> {
    const key = outlineKey(exportId, preset);
    const outline = this.#atHand.get(key) ?? this.#load<PlanOutline>(key);
    this.#atHand.delete(key);
    this.#atHand.set(key, outline);
    if (this.#atHand.size > MOST_AT_HAND) this.#atHand.delete(this.#atHand.keys().next().value!);
    outline.catch(() => this.#atHand.delete(key));
    return outline;
  }

  /**
   * The plan of an output, for the engine at work here; null where it was made for another, whose chunks would meet ours
   * under its keys. (R18)
   *
   * @throws `export.plan_missing`
   */
  async currentOutline(exportId: string, { preset, engineVersion }: Planned): Promise<PlanOutline | null> {
    const outline = await this.outline(exportId, preset);
    return engineVersion === this.#engineVersion ? outline : null;
  }

  /** Whether an output was planned for an engine that comes after the one at work here, as during an upgrade. */
  isForNewer({ engineVersion }: Planned): boolean {
    return Number(engineVersion) > Number(this.#engineVersion);
  }

  /** @throws `export.plan_missing` */
  async readRequest(exportId: string): Promise<ReadonlyMap<string, string>> {
    return new Map(await this.#load<[string, string][]>(requestKey(exportId)));
  }

  async drop(exportId: string, presets: readonly string[]): Promise<void> {
    // Shorts have one together.
    const plans = [...new Set(presets.map(planOf))].flatMap((plan) => [
      planKey(exportId, plan),
      outlineKey(exportId, plan),
    ]);
    const keys = [...plans, requestKey(exportId)];
    for (const key of keys) this.#atHand.delete(key);
    await deleteAll(this.#blobs, keys);
  }

  async #put(key: BlobKey, json: string | Uint8Array): Promise<void> {
    await this.#blobs.put(key, Readable.from([json]), new AbortController().signal);
  }

  async #load<T>(key: BlobKey): Promise<T> {
    try {
      return JSON.parse(await text(await this.#blobs.read(key)));
    } catch (cause) {
      throw cause instanceof SyntaxError || isMissing(cause) ? planMissing(cause) : cause;
    }
  }
}

/** What is stored of a plan. */
interface StoredPlan {
  readonly preset: string;
  readonly json: Uint8Array;
  readonly outlineJson: Uint8Array;
}

function isMissing(cause: unknown): boolean {
  return cause instanceof ExportError && cause.kind === 'missing';
}
