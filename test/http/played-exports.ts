import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportsPolicy, ExportsPorts } from '../../src/compose/exports-ports.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { ExportError } from '../../src/errors.ts';
import type { ExportFailure, ExportView } from '../../src/exports/api/export-view.ts';
import type { ExportsApi } from '../../src/exports/api/exports-api.ts';
import { EventLog } from '../../src/exports/event-log.ts';
import { newOutputKey, posterKey } from '../../src/exports/export-keys.ts';
import { EndExport } from '../../src/exports/run/end-export.ts';
import { OutputWork } from '../../src/exports/run/output-work.ts';
import { callbackMetadata } from '../../src/http/replies/export-replies.ts';
import { DEFAULT_CHILD_ALLOWANCE } from '../../src/sandbox/host/child-limits.ts';
import { type ChildTask, type Probed, RenderHost } from '../../src/sandbox/render-host.ts';
import type { Transaction } from '../../src/store/database.ts';
import { ChangeHub } from '../../src/store/nodes/change-hub.ts';
import { LiveProgress } from '../../src/store/nodes/live-progress.ts';
import type { JobInProgress } from '../../src/store/nodes/node-store.ts';
import type { Seconds } from '../../src/time.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';
import { ExportsFixture } from '../exports/exports-fixture.ts';

/** The use cases; a test may replace one with another function, to make it fail. */
export type PlayedExports = { -readonly [K in keyof ExportsApi]: ExportsApi[K] } & PlayedWorker;

/** The real use cases on a temporary data folder, where a test plays the worker. */
export async function playedExports(
  policy: Partial<ExportsPolicy> = {},
  replaced: Partial<ExportsPorts> = {},
): Promise<PlayedExports> {
  const changes = new CountedChanges();
  const progress = new EagerProgress(changes);
  const host = new PictureHost();
  const exports = await ExportsFixture.open(policy, undefined, ({ rules }) => {
    const describe = (view: ExportView) => callbackMetadata(view, null);
    return { changes, progress, host, describe, rules: { ...rules, presets: DEFAULT_PRESETS }, ...replaced };
  });
  const worker = new PlayedWorker(exports, changes);
  return Object.assign(worker, worker.watched(exports.api));
}

/** Records what a worker records, when the test says so; nothing is rendered. */
export class PlayedWorker implements AsyncDisposable {
  readonly fixture: ExportsFixture;
  /** Outputs that a client has waited for, in order. */
  readonly raised: string[] = [];
  /** How many streams of events are open. */
  followers = 0;
  /** What happens to an export as soon as it is submitted; null: nothing. */
  renderWith: Buffer | null = null;
  readonly #changes: CountedChanges;
  readonly #ends: EndExport;
  readonly #submitted = new EventEmitter();
  readonly #ids: string[] = [];

  constructor(fixture: ExportsFixture, changes: CountedChanges) {
    this.fixture = fixture;
    this.#changes = changes;
    const { ports } = fixture;
    const { retentionMs } = ports.policy;
    this.#ends = new EndExport({ ...ports, eventLog: new EventLog(ports), work: new OutputWork(ports), retentionMs });
  }

  /** The same use cases, which record their calls here. */
  watched(api: ExportsApi): ExportsApi {
    return {
      ...api,
      submit: async (...asked) => {
        const made = await api.submit(...asked);
        if (made.created) this.#ids.push(made.id);
        this.#submitted.emit('made', made.id);
        if (made.created && this.renderWith !== null) await this.#completeSelected(made.id, this.renderWith);
        return made;
      },
      follow: (id, signal) => this.#counted(api.follow(id, signal)),
      waitFor: (id, preset, signal) => {
        this.raised.push(preset);
        return api.waitFor(id, preset, signal);
      },
    };
  }

  /** How many callers wait for changes of an export right now. */
  get listeners(): number {
    return this.#changes.listening;
  }

  /** How many exports were made. */
  get made(): number {
    return this.#ids.length;
  }

  /** The only export there is. */
  get onlyId(): string {
    const [id, other] = this.#ids;
    if (id === undefined || other !== undefined) throw new Error(`there are ${this.made} exports`);
    return id;
  }

  /** The id of the next export that is made. */
  async nextId(): Promise<string> {
    const [id] = await once(this.#submitted, 'made');
    return id;
  }

  /** What the deployment allows from here on. */
  limit(policy: Partial<ExportsPolicy>): void {
    Object.assign(this.fixture.ports.policy, policy);
  }

  /** So much of an output is rendered. */
  async progress(id: string, preset: string, share: number): Promise<void> {
    await this.#begin(id, preset);
    const { progress, records, database } = this.fixture.ports;
    const output = (await records.find(id, database))!.outputs.find((one) => one.preset === preset)!;
    progress.report(jobOf(id, preset), [[preset, Math.round(output.totalFrames * share)]]);
  }

  async complete(id: string, preset: string, content: Buffer): Promise<void> {
    await this.#begin(id, preset);
    const { blobs, outputs, progress, records, database, jobs } = this.fixture.ports;
    const blob = newOutputKey(id, preset);
    await blobs.putFile(blob, await this.#file(content));
    const isSelected = (await records.find(id, database))?.selectedPreset === preset;
    if (isSelected) await blobs.putFile(posterKey(id), await this.#file(Buffer.from(`poster of ${id}`)));
    await progress.end(jobOf(id, preset), [preset]);
    await this.#change(id, async (tx) => {
      await outputs.finishSound(id, tx);
      while ((await outputs.finishChunks(id, preset, { first: 0, frames: 0 }, tx)).jobsLeft > 0);
      await jobs.cancel(id, preset, tx);
      await this.#ends.complete(id, preset, { bytes: content.length, sha256: sha256(content), blob }, tx);
    });
  }

  async fail(id: string, preset: string, failure: ExportFailure): Promise<void> {
    await this.#change(id, (tx) => this.#ends.giveUp({ exportId: id, presets: [preset] }, failure, tx));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fixture[Symbol.asyncDispose]();
  }

  async #completeSelected(id: string, content: Buffer): Promise<void> {
    const { records, database } = this.fixture.ports;
    await this.complete(id, (await records.find(id, database))!.selectedPreset, content);
  }

  /** Says that an output is being rendered, once. */
  async #begin(id: string, preset: string): Promise<void> {
    const { database, records, outputs } = this.fixture.ports;
    const record = (await records.find(id, database))!;
    if (record.outputs.find((output) => output.preset === preset)?.state === 'rendering') return;
    await this.#change(id, async (tx) => {
      await records.begin(id, tx);
      await outputs.setState(id, preset, 'rendering', tx);
    });
  }

  async #change(id: string, change: (tx: Transaction) => Promise<void>): Promise<void> {
    await this.fixture.ports.database.transaction(change, { lockExport: id });
    this.#changes.notify(id);
  }

  async #file(content: Buffer): Promise<string> {
    const path = join(this.fixture.folder, 'work', randomUUID());
    await writeFile(path, content);
    return path;
  }

  async *#counted<T>(views: AsyncIterable<T>): AsyncGenerator<T> {
    this.followers += 1;
    try {
      yield* views;
    } finally {
      this.followers -= 1;
    }
  }
}

/** Counts who waits. */
class CountedChanges extends ChangeHub {
  listening = 0;

  override listen(id: string): ReturnType<ChangeHub['listen']> {
    const { next, stop } = super.listen(id);
    this.listening += 1;
    let stopped = false;
    return {
      next,
      stop: () => {
        if (!stopped) this.listening -= 1;
        stopped = true;
        stop();
      },
    };
  }
}

/** Notifies of every step: there is one for each check of a test. */
class EagerProgress extends LiveProgress {
  readonly #changes: ChangeHub;

  constructor(changes: ChangeHub) {
    super(changes);
    this.#changes = changes;
  }

  override report(job: JobInProgress, done: readonly (readonly [preset: string, frames: number])[]): void {
    super.report(job, done);
    this.#changes.notify(job.exportId);
  }
}

/** Treats every file as a picture, and starts no child. */
class PictureHost extends RenderHost {
  constructor() {
    super({ mode: 'auto', allowance: DEFAULT_CHILD_ALLOWANCE, mediaLimits: DEFAULT_MEDIA_LIMITS });
  }

  override async probe({ inputs }: Pick<ChildTask, 'inputs'>): Promise<Probed[]> {
    const facts = { kind: 'still', duration: 0 as Seconds, width: 64, height: 64, alpha: false, sound: false } as const;
    const none = { video: null, audio: null, coverArt: false, problem: null };
    return inputs.map(() => ({ container: 'png', kind: 'still', duration: 0 as Seconds, ...none, facts }));
  }

  override open(): Promise<never> {
    return Promise.reject(new ExportError('internal', 'render.start_failed', 'Nothing is rendered in this test.'));
  }
}

function jobOf(exportId: string, preset: string): JobInProgress {
  return { exportId, id: `${exportId}/${preset}/played`, firstChunk: 0 };
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
