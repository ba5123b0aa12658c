import { Worker } from 'node:worker_threads';
import { ExportError } from '../../errors.ts';
import { besideModule } from '../../platform/beside-module.ts';
import { type Stereo, silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import type { AacJob, AacOrder, AacReply } from './aac-worker.ts';

/** Samples sent at once: large enough that the transfer costs nothing, some 10 ms of encoding. */
const BATCH = 32_768;
/** Batches in flight before `write` waits. */
const AHEAD = 2;

/**
 * Writes an AAC-LC track as `AacEncoder` does, in its own thread: encoding costs as much as mixing eight tracks, and a
 * call across libuv's pool for each frame of 21 ms costs as much again.
 */
export class AacWriter implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #answers: { resolve: () => void; reject: (reason: unknown) => void }[] = [];
  readonly #underWay: Promise<void>[] = [];
  #batch = silentStereo(BATCH);
  #filled = 0;
  #faithful = true;
  #crash: unknown = null;
  #over = false;

  constructor(job: AacJob) {
    this.#worker = new Worker(besideModule('./aac-worker', import.meta.url), { workerData: job });
    this.#worker.on('message', ({ failed, faithful }: AacReply) => {
      this.#faithful = faithful;
      const answer = this.#answers.shift()!;
      if (failed === null) answer.resolve();
      else answer.reject(new ExportError(failed.kind, failed.code, failed.message, { cause: failed.cause }));
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#exited = promise;
    this.#worker.on('error', (error) => {
      this.#crash = error;
    });
    this.#worker.on('exit', () => {
      this.#over = true;
      this.#crash ??= new Error('the encoding thread ended');
      for (const answer of this.#answers.splice(0)) answer.reject(this.#crash);
      resolve();
    });
  }

  /** Whether the output so far sounds like the input; after `finish`, all of it. */
  get faithful(): boolean {
    return this.#faithful;
  }

  /**
   * Appends `sound`, whose samples are copied.
   * @throws `sound.unwritable`, also for errors of earlier calls.
   */
  async write(sound: Stereo): Promise<void> {
    for (let from = 0; from < sound.left.length; ) {
      const part = stereoView(sound, from, from + BATCH - this.#filled);
      this.#batch.left.set(part.left, this.#filled);
      this.#batch.right.set(part.right, this.#filled);
      this.#filled += part.left.length;
      from += part.left.length;
      if (this.#filled === BATCH) await this.#send();
    }
  }

  /** Encodes the rest and completes the file. @throws `sound.unwritable` */
  async finish(): Promise<void> {
    await this.#send();
    await Promise.all(this.#underWay);
    await this.#order({ do: 'finish' });
    await this.#exited;
  }

  /** Ends the thread; unless `finish` went before, the file is left incomplete. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#over) this.#order({ do: 'abandon' }).catch(() => undefined);
    await this.#exited;
  }

  async #send(): Promise<void> {
    while (this.#underWay.length >= AHEAD) await this.#underWay.shift();
    const sound = stereoView(this.#batch, 0, this.#filled);
    this.#batch = silentStereo(BATCH);
    this.#filled = 0;
    const sent = this.#order({ do: 'encode', sound }, [
      sound.left.buffer as ArrayBuffer,
      sound.right.buffer as ArrayBuffer,
    ]);
    // The next caller that awaits it gets the error; until then it must not count as unhandled.
    sent.catch(() => undefined);
    this.#underWay.push(sent);
  }

  #order(order: AacOrder, transfer: ArrayBuffer[] = []): Promise<void> {
    if (this.#over) return Promise.reject(this.#crash);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#answers.push({ resolve, reject });
    this.#worker.postMessage(order, transfer);
    return promise;
  }
}
