import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { ExportError } from '../errors.ts';
import type { RenderPlan } from '../plan/model/render-plan.ts';
import { type PlanOutline, planMissing, planOf, SHORTS_PLAN, shortNumber, shortOutline } from '../plan/plan-outline.ts';
import { type BlobKey, type BlobStore, deleteAll } from '../store/blob-store.ts';
import type { LocalFile, LocalFiles } from '../store/local-files.ts';
import type { OutputRecord } from '../store/records/export-record.ts';
import type { SentTexts } from './api/submission.ts';
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
  async keepRequest(exportId: string, texts: SentTexts): Promise<void> {
    await this.#put(requestKey(exportId), ...packedTexts(texts));
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
  async readRequest(exportId: string): Promise<SentTexts> {
    return this.#read(requestKey(exportId), async (packed) => unpackedTexts(await buffer(packed)));
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

  async #put(key: BlobKey, ...bytes: Uint8Array[]): Promise<void> {
    await this.#blobs.put(key, Readable.from(bytes), new AbortController().signal);
  }

  #load<T>(key: BlobKey): Promise<T> {
    return this.#read(key, async (json) => JSON.parse(await text(json)));
  }

  async #read<T>(key: BlobKey, parse: (stream: Readable) => Promise<T>): Promise<T> {
    try {
      return await parse(await this.#blobs.read(key));
    } catch (cause) {
      throw cause instanceof SyntaxError || isMissing(cause) ? planMissing(cause) : cause;
    }
  }
}

/** A text of a request in its stored form: its name, its length in bytes, and whether it is bytes here, too. */
type PackedText = readonly [name: string, bytes: number, isBytes: boolean];

/**
 * The stored form of texts: a line that describes them, then all of them as they are. Neither way parses or escapes a
 * large document. (H60)
 */
function packedTexts(texts: SentTexts): Uint8Array[] {
  const parts = [...texts].map(([name, sent]) => ({ name, sent, bytes: Buffer.from(sent as Uint8Array) }));
  const head = parts.map(({ name, sent, bytes }): PackedText => [name, bytes.length, typeof sent !== 'string']);
  return [Buffer.from(`${JSON.stringify({ texts: head })}\n`), ...parts.map(({ bytes }) => bytes)];
}

/** Also reads a list of names and texts, the form of versions before 1.0. @throws SyntaxError */
function unpackedTexts(packed: Buffer): SentTexts {
  if (packed[0] === 0x5b /* [ */) return new Map<string, string>(JSON.parse(packed.toString()));
  const end = packed.indexOf('\n');
  const { texts }: { readonly texts: readonly PackedText[] } = JSON.parse(packed.toString('utf8', 0, end));
  let at = end + 1;
  return new Map(
    texts.map(([name, bytes, isBytes]) => {
      const part = packed.subarray(at, at + bytes);
      at += bytes;
      return [name, isBytes ? part : part.toString()];
    }),
  );
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
