import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blobKey } from '../../src/store/blob-store.ts';
import { type Attempt, type Job, RETRIES } from '../../src/store/job-queue.ts';
import type { ExportRecord } from '../../src/store/records/export-record.ts';
import { ExportRecords } from '../../src/store/records/export-records.ts';
import { OutputRecords } from '../../src/store/records/output-records.ts';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts';
import { SqliteJobQueue } from '../../src/store/sqlite/sqlite-job-queue.ts';
import { newExport } from './new-export.ts';
import { fastFolder } from './temp-folder.ts';

const PRESETS = ['preset_one', 'preset_two', 'preset_three'] as const;
const CHUNKS = 3;
const FRAMES = 300;

/** Start an output; let a worker take a job; let one of those at work finish, late or not; or kill them all and restart. */
const step = fc.oneof(
  fc.record({
    do: fc.constant('start' as const),
    preset: fc.constantFrom(...PRESETS),
    cached: fc.nat(CHUNKS),
    soundDone: fc.boolean(),
  }),
  fc.record({ do: fc.constant('claim' as const) }),
  fc.record({ do: fc.constant('finish' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('restart' as const) }),
);

test('in any order, and after any crash, each output is assembled once, when all its parts are ready', async (t) => {
  const database = await SqliteDatabase.open(fastFolder(t));
  t.after(() => database.close());
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const flow = await Flow.begin(database);
      for (const one of steps) {
        if (one.do === 'start') await flow.start(one.preset, one.cached, one.soundDone);
        else if (one.do === 'claim') await flow.claim();
        else if (one.do === 'finish') await flow.finish(one.which);
        else await flow.restart();
      }
      for (const preset of PRESETS) await flow.start(preset, 1);
      await flow.restart();
      while (await flow.claim()) await flow.finish(flow.claimed - 1);
      assert.deepEqual(flow.assembled.toSorted(), PRESETS.toSorted());
      const { outputs, soundState } = await flow.record();
      assert.equal(soundState, 'completed');
      for (const { state, framesDone } of outputs) assert.deepEqual([state, framesDone], ['completed', FRAMES]);
      await flow.end();
    }),
    { numRuns: 200 },
  );
});

/** One export on its way through queue and records, as the use cases will drive it. */
class Flow {
  readonly #exports = new ExportRecords();
  readonly #outputs = new OutputRecords();
  readonly #database: SqliteDatabase;
  readonly #id: string;
  #queue: SqliteJobQueue;
  /** Every attempt there was: the dead ones try to finish as well. */
  readonly #attempts: Attempt[] = [];
  readonly assembled: string[] = [];

  static async begin(database: SqliteDatabase): Promise<Flow> {
    const given = newExport();
    const flow = new Flow(database, given.id);
    // What a failed example has left must not spoil the search for a smaller one.
    await database.query('delete from jobs');
    await database.transaction((tx) => flow.#exports.insert(given, tx));
    return flow;
  }

  private constructor(database: SqliteDatabase, id: string) {
    this.#database = database;
    this.#id = id;
    this.#queue = this.#newQueue();
  }

  get claimed(): number {
    return this.#attempts.length;
  }

  async record(): Promise<ExportRecord> {
    return (await this.#exports.find(this.#id, this.#database))!;
  }

  async start(preset: string, cached: number, soundDone = false): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const found = { chunkJobs: CHUNKS - cached, framesDone: (cached * FRAMES) / CHUNKS, soundDone };
      const started = await this.#outputs.start(this.#id, preset, found, tx);
      if (started === null) return;
      const chunks = Array.from({ length: CHUNKS - cached }, (_, chunk) => this.#job('chunks', preset, chunk));
      await this.#queue.enqueue(started.soundNeeded ? [...chunks, this.#job('sound', null)] : chunks, tx);
      if (started.jobsLeft === 0) await this.#queue.enqueue([this.#job('assembly', preset)], tx);
    });
  }

  async claim(): Promise<boolean> {
    const attempt = await this.#queue.claim();
    if (attempt !== null) this.#attempts.push(attempt);
    return attempt !== null;
  }

  async finish(which: number): Promise<void> {
    const attempt = this.#attempts[which % Math.max(1, this.#attempts.length)];
    if (attempt === undefined) return;
    const { kind } = attempt.job;
    const [preset] = attempt.job.presets;
    await this.#database.transaction(async (tx) => {
      if (!(await this.#queue.complete(attempt, tx))) return;
      if (kind === 'assembly') {
        this.assembled.push(preset!);
        return this.#outputs.complete(this.#id, preset!, { bytes: 1, sha256: 'a', blob: blobKey('a') }, tx);
      }
      const ready: string[] = [];
      if (kind === 'sound') ready.push(...(await this.#outputs.finishSound(this.#id, tx)));
      else if (
        (await this.#outputs.finishChunks(this.#id, preset!, { first: 0, frames: FRAMES / CHUNKS }, tx)).jobsLeft === 0
      ) {
        ready.push(preset!);
      }
      const assemblies = ready.map((one) => this.#job('assembly', one));
      await this.#queue.enqueue(assemblies, tx);
    });
  }

  async restart(): Promise<void> {
    this.#queue = this.#newQueue();
  }

  async end(): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await this.#queue.cancel(this.#id, null, tx);
      await this.#exports.delete(this.#id, tx);
    });
  }

  #newQueue(): SqliteJobQueue {
    return new SqliteJobQueue(this.#database, { retries: { ...RETRIES, render: { ...RETRIES.render, tries: 1000 } } });
  }

  #job(kind: Job['kind'], preset: string | null, chunk: number | null = null): Job {
    const id = `${this.#id}/${preset}/${kind}/${chunk}`;
    const presets = preset === null ? [] : [preset];
    const chunks = chunk === null ? null : { first: chunk, count: 1 };
    return { id, tenant: 'default', exportId: this.#id, kind, presets, chunks, priority: 0 };
  }
}
