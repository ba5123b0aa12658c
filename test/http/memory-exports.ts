import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { createReadStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportError } from '../../src/errors.ts';
import {
  type Admitted,
  type Announcement,
  type Deliveries,
  type ExportFailure,
  type ExportList,
  type ExportState,
  type ExportsApi,
  type ExportView,
  type FramePicture,
  type FrameRequest,
  isFinal,
  type OpenOutput,
  type OutputView,
  type Submission,
} from '../../src/exports/exports-api.ts';
import type { StreamsApi } from '../../src/exports/streams-api.ts';
import type { ExportListing } from '../../src/store/export-record.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { parseRequest } from '../../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';
import { readDocuments, requireRead } from '../../src/timeline/request-documents.ts';

const JSON_LIMITS = { maxBytes: 2 ** 20, maxDepth: 32, maxValues: 50_000 };

interface Entry {
  readonly tenant: string;
  readonly submission: Submission;
  view: ExportView;
}

/**
 * Exports kept in a map and in a folder: requests are judged by the real parser, files are moved in for good, and a test
 * plays the renderer (`progress`, `complete`, `fail`).
 */
export class MemoryExports implements ExportsApi {
  readonly entries = new Map<string, Entry>();
  readonly raised: string[] = [];
  readonly told = new Map<string, Deliveries['attempts']>();
  readonly #folder: string;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  /** Renders at once what is submitted, where a test does not care. */
  renderWith: Buffer | null = null;
  refusal: ExportError | null = null;
  /** A completed output can be watched, but has nothing to be seen in it: that comes from real renders. */
  readonly streams: StreamsApi = {
    view: async (id, preset) => {
      const output = this.entries.get(id)?.view.outputs.find((candidate) => candidate.preset === preset);
      if (output?.state !== 'completed') return null;
      const nothing = { init: 'init-000000000000.mp4', segments: [] };
      const { width, height } = output;
      const rates = { peakBitRate: 1, averageBitRate: 1, rate: { num: 30, den: 1 } };
      const facts = async () => ({ codecs: ['avc1.640029', 'mp4a.40.2'], width, height, ...rates });
      return { ended: true, targetSeconds: 10, tracks: { video: nothing, audio: nothing }, facts };
    },
    waitFor: (id, preset, _segments, signal) => this.waitFor(id, preset, signal),
    open: async () => null,
  };
  ready = true;

  /** Where videos are to be fetched instead. */
  address: OpenOutput['address'] = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** How many are following or waiting right now. */
  get listeners(): number {
    return this.#changes.eventNames().reduce((sum, name) => sum + this.#changes.listenerCount(name), 0);
  }

  /** How many are following an export, of the listeners. */
  followers = 0;

  /** The only export there is. */
  get onlyId(): string {
    const [id] = this.entries.keys();
    if (id === undefined || this.entries.size > 1) throw new Error(`there are ${this.entries.size} exports`);
    return id;
  }

  async checkDocuments(_tenant: string, texts: ReadonlyMap<string, string>): Promise<void> {
    if (['tier_list', 'timeline_data', 'settings'].every((name) => texts.has(name))) this.#parse(texts, null);
    else requireRead(readDocuments(texts, JSON_LIMITS).unread);
  }

  /** What is inside, and how much of it has arrived. */
  readonly admitted: { readonly announced: Announcement; arrived: number }[] = [];
  fullFor: ExportError | null = null;

  async admit(announced: Announcement): Promise<Admitted> {
    const known = this.#withKey(announced) !== undefined;
    if (this.fullFor !== null && !known) throw this.fullFor;
    const visit = { announced, arrived: 0 };
    this.admitted.push(visit);
    return {
      known,
      arrived: async (bytes) => {
        visit.arrived += bytes;
      },
      [Symbol.dispose]: () => this.admitted.splice(this.admitted.indexOf(visit), 1),
    };
  }

  async repeated({
    tenant,
    idempotencyKey,
    requestHash,
  }: Pick<Submission, 'tenant' | 'idempotencyKey' | 'requestHash'>) {
    const [id, entry] = this.#withKey({ tenant, idempotencyKey }) ?? [];
    if (id === undefined || entry!.submission.requestHash === requestHash) return id ?? null;
    throw new ExportError('invalid', 'idempotency.conflict', 'The key was used for another request.');
  }

  async validate({ texts, uploads }: Parameters<ExportsApi['validate']>[0]) {
    const { settings, warnings } = this.#parse(texts, uploads === null ? null : new Set(uploads.keys()));
    return { settings, warnings, durationSeconds: null, plan: null };
  }

  /** What was asked for, and may be answered; no picture is made here. */
  readonly frames: FrameRequest[] = [];
  frameRefusal: ExportError | null = null;
  picture: FramePicture | null = null;

  admitFrame(): Disposable {
    if (this.frameRefusal !== null) throw this.frameRefusal;
    return { [Symbol.dispose]: () => {} };
  }

  async frame(request: FrameRequest): Promise<FramePicture> {
    this.#parse(request.texts, new Set(request.uploads.keys()));
    this.frames.push(request);
    if (this.picture === null) throw new Error('the test has no picture');
    return this.picture;
  }

  async submit(submission: Submission) {
    if (this.refusal !== null) throw this.refusal;
    const { tenant } = submission;
    const earlier = await this.repeated(submission);
    if (earlier !== null) return { id: earlier, created: false };
    const request = this.#parse(submission.texts, new Set(submission.uploads.keys()));
    const id = randomUUID();
    for (const { path, sha256 } of submission.uploads.values()) await rename(path, join(this.#folder, sha256));
    const outputs = DEFAULT_PRESETS.map(({ name: preset, width, height }): OutputView => {
      return { preset, state: 'queued', progress: 0, width, height, bytes: null, sha256: null, failure: null };
    });
    const { settings, warnings } = request;
    const view: ExportView = {
      id,
      revision: 1,
      stateRevision: 1,
      settled: false,
      state: 'queued',
      progress: 0,
      settings,
      durationSeconds: 10,
      outputs,
      shorts: [],
      warnings,
      // Every one a second younger than the one before.
      createdAtMs: Date.UTC(2026, 0, 2) + this.entries.size * 1000,
      expiresAtMs: null,
      failure: null,
      title: request.tierList.title,
      externalId: submission.externalId,
    };
    this.entries.set(id, { tenant, submission, view });
    this.#changes.emit('new');
    if (this.renderWith !== null) await this.complete(id, settings.preset, this.renderWith);
    return { id, created: true };
  }

  /** Resolves with the id of the next export that is made. */
  async nextId(): Promise<string> {
    await new Promise<void>((resolve) => this.#changes.once('new', resolve));
    return [...this.entries.keys()].at(-1)!;
  }

  async get(tenant: string | null, id: string): Promise<ExportView | null> {
    const entry = this.entries.get(id);
    return entry !== undefined && (tenant === null || tenant === entry.tenant) ? entry.view : null;
  }

  async list(tenant: string, { state, externalId, limit, after }: ExportListing): Promise<ExportList> {
    const own = [...this.entries.values()].filter((entry) => entry.tenant === tenant).map(({ view }) => view);
    const newest = own.toSorted((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1));
    const found = newest.filter(
      (view) =>
        (state === null || view.state === state) &&
        (externalId === null || view.externalId === externalId) &&
        (after === null ||
          view.createdAtMs < after.createdAtMs ||
          (view.createdAtMs === after.createdAtMs && view.id < after.id)),
    );
    const exports = found.slice(0, limit);
    return { exports, next: found.length > limit ? exports.at(-1)! : null };
  }

  async *follow(id: string, signal: AbortSignal): AsyncIterable<ExportView> {
    const changed = on(this.#changes, id, { signal });
    this.followers += 1;
    try {
      for (;;) {
        const view = this.entries.get(id)?.view;
        if (view === undefined) return;
        yield view;
        if (view.settled) return;
        await changed.next();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.followers -= 1;
      await changed.return?.();
    }
  }

  async waitFor(id: string, preset: string, signal: AbortSignal): Promise<void> {
    this.raised.push(preset);
    const done = () => {
      const output = this.entries.get(id)?.view.outputs.find((one) => one.preset === preset);
      return output === undefined || isFinal(output.state);
    };
    if (done()) return;
    for await (const _ of on(this.#changes, id, { signal })) if (done()) return;
  }

  async openOutput(id: string, preset: string): Promise<OpenOutput | null> {
    const view = this.entries.get(id)?.view;
    const output = view?.outputs.find((one) => one.preset === preset);
    if (view === undefined || output?.state !== 'completed') return null;
    const path = join(this.#folder, `${id}-${preset}`);
    return {
      bytes: output.bytes!,
      sha256: output.sha256!,
      fileName: view.settings.fileName,
      stream: async (range) => createReadStream(path, range && { start: range.start, end: range.end - 1 }),
      address: this.address,
    };
  }

  async poster(id: string) {
    const jpeg = Buffer.from(`poster of ${id}`);
    return this.entries.get(id)?.view.state === 'completed' ? { jpeg, sha256: hashOf(jpeg) } : null;
  }

  async chapters(id: string) {
    return this.entries.get(id)?.view.state === 'completed' ? '0:00 Start\n0:03 Chips <S>\n' : null;
  }

  async captions(id: string, format: string) {
    return this.entries.get(id)?.view.state === 'completed' ? `captions as ${format}` : null;
  }

  /** Answers as a receiver that takes everything. */
  async deliveries(id: string): Promise<Deliveries> {
    const attempts = this.told.get(id) ?? [];
    return { state: attempts.length > 0 ? 'delivered' : 'none', nextAtMs: null, attempts };
  }

  async redeliver(id: string): Promise<Deliveries> {
    if (this.entries.get(id)!.submission.callbackUrl === null) {
      throw new ExportError('invalid', 'callback.none', 'Nobody is to be told.');
    }
    const attempt = { atMs: Date.UTC(2026, 0, 2), durationMs: 12, delivered: true, status: 204, reason: null };
    this.told.set(id, [attempt, ...(this.told.get(id) ?? [])]);
    return this.deliveries(id);
  }

  async remove(tenant: string, id: string): Promise<boolean> {
    if (this.entries.get(id)?.tenant !== tenant) return false;
    this.entries.delete(id);
    this.#changes.emit(id);
    for (const { name } of DEFAULT_PRESETS) await rm(join(this.#folder, `${id}-${name}`), { force: true });
    return true;
  }

  async status() {
    const checks = [{ name: 'disk', ok: this.ready, detail: 'plenty of room' }];
    const exportsByState = { completed: this.entries.size };
    return { takesIn: this.ready, checks, exportsByState, jobsWaiting: 1, jobsRunning: 2, freeDiskBytes: 1e9 };
  }

  progress(id: string, preset: string, progress: number): void {
    this.#change(id, preset, { state: 'rendering', progress }, { state: 'rendering', progress });
  }

  async complete(id: string, preset: string, content: Buffer): Promise<void> {
    await writeFile(join(this.#folder, `${id}-${preset}`), content);
    const output = { state: 'completed', progress: 1, bytes: content.length, sha256: hashOf(content) } as const;
    this.#change(id, preset, output, { state: 'completed', progress: 1, expiresAtMs: Date.UTC(2026, 0, 3) });
  }

  fail(id: string, preset: string, failure: ExportFailure, state: ExportState = 'failed'): void {
    this.#change(id, preset, { state, failure }, { state, failure });
  }

  /** The whole follows the selected output. */
  #change(id: string, preset: string, output: Partial<OutputView>, whole: Partial<ExportView>): void {
    const entry = this.entries.get(id)!;
    const outputs = entry.view.outputs.map((one) => (one.preset === preset ? { ...one, ...output } : one));
    const selected = entry.view.settings.preset === preset;
    const revision = entry.view.revision + 1;
    const before = entry.view.outputs.find((one) => one.preset === preset)!;
    const stateRevision = output.state === before.state ? entry.view.stateRevision : revision;
    const next = { ...entry.view, outputs, ...(selected && whole), revision, stateRevision };
    const failed = next.state === 'failed' || next.state === 'cancelled';
    entry.view = { ...next, settled: failed || outputs.every(({ state }) => isFinal(state)) };
    this.#changes.emit(id);
  }

  #withKey({ tenant, idempotencyKey }: Pick<Submission, 'tenant' | 'idempotencyKey'>): [string, Entry] | undefined {
    if (idempotencyKey === null) return undefined;
    return [...this.entries].find(
      ([, { tenant: owner, submission }]) => owner === tenant && submission.idempotencyKey === idempotencyKey,
    );
  }

  #parse(texts: ReadonlyMap<string, string>, uploads: ReadonlySet<string> | null) {
    const { documents, unread } = readDocuments(texts, JSON_LIMITS);
    return parseRequest(documents, { limits: DEFAULT_TIMELINE_LIMITS, presets: DEFAULT_PRESETS, uploads, unread });
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
