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

/** A worker renders chunks of the same few plans. */
const MAX_CACHED = 4;

/** An output, and the engine version of its plan. */
type Planned = Pick<OutputRecord, 'preset' | 'engineVersion'>;

interface PlanStorePorts {
  readonly blobs: Pick<BlobStore, 'put' | 'read' | 'deleteMany'>;
  readonly local: Pick<LocalFiles, 'hold'>;
  readonly rules: { readonly engineVersion: string };
}

/**
 * The stored plans of outputs, and the requests that they were made from. The scheduler uses outlines; the last few are
 * cached. Only the child that renders reads a whole plan.
 */
export class PlanStore {
  readonly #blobs: PlanStorePorts['blobs'];
  readonly #local: PlanStorePorts['local'];
  /** The engine version of this process. */
  readonly #engineVersion: string;
  readonly #cached = new Map<string, Promise<PlanOutline>>();

  constructor({ blobs, local, rules }: PlanStorePorts) {
    this.#blobs = blobs;
    this.#local = local;
    this.#engineVersion = rules.engineVersion;
  }

  /** Stores a plan that is already serialized: a long one takes long, so the planner's thread does it. */
  async keep(exportId: string, { preset, json, outlineJson }: StoredPlan): Promise<void> {
    const key = outlineKey(exportId, preset);
    await this.#put(planKey(exportId, preset), json);
    await this.#put(key, outlineJson);
    this.#cached.delete(key);
  }

  /** Stores the texts of a request, to plan it again after the engine has changed. */
  async keepRequest(exportId: string, texts: ReadonlyMap<string, string>): Promise<void> {
    await this.#put(requestKey(exportId), JSON.stringify([...texts]));
  }

  /** Parses a whole plan. A long one blocks the event loop. @throws `export.plan_missing` */
  read(exportId: string, preset: string): Promise<RenderPlan> {
    return this.#load<RenderPlan>(planKey(exportId, preset));
  }

  /** A whole plan as a file. @throws `export.plan_missing` */
  async hold(exportId: string, preset: string): Promise<LocalFile> {
    try {
      return await this.#local.hold(planKey(exportId, preset), { mayChange: true });
    } catch (cause) {
      throw isMissing(cause) ? planMissing(cause) : cause;
    }
  }

  /**
   * The outline of an output's plan, for any engine version; a short's is part of another plan. @throws
   * `export.plan_missing`
   */
  async outline(exportId: string, preset: string): Promise<PlanOutline> {
    const number = shortNumber(preset);
    if (number === null) return this.#cachedOutline(exportId, preset);
    const short = shortOutline(await this.#cachedOutline(exportId, SHORTS_PLAN), number);
    if (short === null) throw planMissing();
    return short;
  }

  #cachedOutline(exportId: string, preset: string): Promise<PlanOutline> {
    const key = outlineKey(exportId, preset);
    const outline = this.#cached.get(key) ?? this.#load<PlanOutline>(key);
    this.#cached.delete(key);
    this.#cached.set(key, outline);
    if (this.#cached.size > MAX_CACHED) this.#cached.delete(this.#cached.keys().next().value!);
    outline.catch(() => this.#cached.delete(key));
    return outline;
  }

  /**
   * The outline of an output's plan; null if it was made for another engine version, because chunks of both would share
   * its keys. (R18)
   *
   * @throws `export.plan_missing`
   */
  async currentOutline(exportId: string, { preset, engineVersion }: Planned): Promise<PlanOutline | null> {
    const outline = await this.outline(exportId, preset);
    return engineVersion === this.#engineVersion ? outline : null;
  }

  /** Whether an output was planned for a newer engine version, as during an upgrade. */
  isForNewer({ engineVersion }: Planned): boolean {
    return Number(engineVersion) > Number(this.#engineVersion);
  }

  /** @throws `export.plan_missing` */
  async readRequest(exportId: string): Promise<ReadonlyMap<string, string>> {
    return new Map(await this.#load<[string, string][]>(requestKey(exportId)));
  }

  async drop(exportId: string, presets: readonly string[]): Promise<void> {
    // All shorts share one plan.
    const plans = [...new Set(presets.map(planOf))].flatMap((plan) => [
      planKey(exportId, plan),
      outlineKey(exportId, plan),
    ]);
    const keys = [...plans, requestKey(exportId)];
    for (const key of keys) this.#cached.delete(key);
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

/** The stored form of a plan. */
interface StoredPlan {
  readonly preset: string;
  readonly json: Uint8Array;
  readonly outlineJson: Uint8Array;
}

function isMissing(cause: unknown): boolean {
  return cause instanceof ExportError && cause.kind === 'missing';
}
