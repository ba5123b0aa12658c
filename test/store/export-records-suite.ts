import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { blobKey } from '../../src/store/blob-store.ts';
import type { Database } from '../../src/store/database.ts';
import type {
  ExportListing,
  ExportRecord,
  NewExport,
  RecordedError,
  RecordedState,
} from '../../src/store/records/export-record.ts';
import { ExportRecords } from '../../src/store/records/export-records.ts';
import { OutputRecords } from '../../src/store/records/output-records.ts';
import { newExport } from './new-export.ts';

const ERROR: RecordedError = { kind: 'invalid', code: 'media.no_frames', message: 'Nothing in it.', issues: [] };

/** What the records must do on every `Database`. `open` gives one with our tables, empty, and closes it after the test. */
export function exportRecordsSuite(adapter: string, open: (t: TestContext) => Promise<Database>): void {
  const exports = new ExportRecords();
  const outputs = new OutputRecords();

  async function opened(t: TestContext, ...records: NewExport[]): Promise<Database> {
    const database = await open(t);
    await database.transaction(async (tx) => {
      for (const record of records) assert.equal(await exports.insert(record, tx), true);
    });
    return database;
  }

  async function mustFind(id: string, database: Database): Promise<ExportRecord> {
    const record = await exports.find(id, database);
    assert.ok(record, `no export ${id}`);
    return record;
  }

  test(`${adapter}: an export is stored unchanged, queued and not started`, async (t) => {
    const given = newExport({
      title: 'Größte „Hits“ 🎬',
      warnings: [{ path: '/settings/width', code: 'settings.rounded', message: 'Even sides only.' }],
      callbackUrl: 'https://example.com/hook',
      callbackEvents: ['export.completed', 'short.completed'],
      externalId: 'Projekt „7“',
      idempotencyKey: 'k',
      durationSeconds: 12.345,
    });
    const database = await opened(t, newExport(), given);
    assert.deepEqual(await mustFind(given.id, database), {
      ...given,
      expiresAtMs: null,
      state: 'queued',
      revision: 1,
      stateRevision: 1,
      error: null,
      fetching: null,
      soundState: 'waiting',
      uploads: given.uploads.toSorted((a, b) => (a.field < b.field ? -1 : 1)),
      outputs: given.outputs.map((output) => ({
        ...output,
        state: 'waiting',
        framesDone: 0,
        framesInFlight: 0,
        jobsLeft: 0,
        destination: null,
        bytes: null,
        blob: null,
        sha256: null,
        error: null,
      })),
    });
    assert.equal(await exports.find(randomUUID(), database), null);
  });

  test(`${adapter}: [C52] shorts are stored beside the presets, and requested ones count as waiting until they start`, async (t) => {
    const presets = newExport().outputs;
    const short = (number: number) => ({
      ...presets[1]!,
      preset: `short.${number}`,
      totalFrames: 240,
      short: { number, title: `„${number}“`, startFrame: 90 * number },
    });
    const given = newExport({ tenant: 'me', outputs: [...presets, short(1), short(2)] });
    const database = await opened(t, given);
    const found = await mustFind(given.id, database);
    assert.deepEqual(
      found.outputs.map(({ preset, short: cut }) => [preset, cut]),
      given.outputs.map(({ preset, short: cut }) => [preset, cut]),
    );
    const waiting = () => exports.countWaiting('me', database);
    assert.deepEqual(await waiting(), { own: 1, all: 1 });
    await database.transaction(async (tx) => {
      await exports.setState(given.id, 'rendering', tx);
      await outputs.start(given.id, 'preset_one', { chunkJobs: 1, framesDone: 0, soundDone: true }, tx);
    });
    assert.deepEqual(await waiting(), { own: 0, all: 0 }, 'nobody has asked for a short');
    await database.transaction((tx) =>
      outputs.start(given.id, 'short.2', { chunkJobs: 1, framesDone: 0, soundDone: true }, tx),
    );
    assert.deepEqual(await waiting(), { own: 1, all: 1 });
    assert.deepEqual(await exports.countWaiting('you', database), { own: 0, all: 1 });
    await database.transaction((tx) => outputs.setState(given.id, 'short.2', 'rendering', tx));
    assert.deepEqual(await waiting(), { own: 0, all: 0 });
    // Planned again, it does not change the length of the video.
    const plan = { width: 72, height: 128, totalFrames: 250, durationSeconds: null, engineVersion: 'new' };
    await database.transaction((tx) => outputs.restart(given.id, 'short.2', plan, tx));
    const again = await mustFind(given.id, database);
    assert.deepEqual([again.totalFrames, again.durationSeconds], [given.totalFrames, given.durationSeconds]);
    assert.deepEqual([again.outputs[4]!.totalFrames, again.outputs[4]!.short], [250, short(2).short]);
  });

  test(`${adapter}: [H19] another tenant's export looks unknown`, async (t) => {
    const mine = newExport({ tenant: 'me' });
    const database = await opened(t, mine);
    assert.equal((await exports.findOfTenant('me', mine.id, database))?.id, mine.id);
    assert.equal(await exports.findOfTenant('you', mine.id, database), null);
  });

  test(`${adapter}: [C9] an idempotency key belongs to one export, per tenant, until that is cancelled or expires`, async (t) => {
    const first = newExport({ tenant: 'me', idempotencyKey: 'k' });
    const database = await opened(t, first, newExport({ tenant: 'you', idempotencyKey: 'k' }));
    assert.equal((await exports.findByIdempotencyKey('me', 'k', database))?.id, first.id);
    assert.equal(await exports.findByIdempotencyKey('me', 'other', database), null);
    const second = newExport({ tenant: 'me', idempotencyKey: 'k' });
    assert.equal(await database.transaction((tx) => exports.insert(second, tx)), false);
    assert.equal(await exports.find(second.id, database), null);

    await exports.setState(first.id, 'cancelled', database);
    assert.equal(await exports.findByIdempotencyKey('me', 'k', database), null);
    assert.equal(await database.transaction((tx) => exports.insert(second, tx)), true);
    for (const to of ['rendering', 'completed'] as const) await exports.setState(second.id, to, database);
    assert.equal((await exports.findByIdempotencyKey('me', 'k', database))?.id, second.id);
    await exports.setState(second.id, 'expired', database);
    assert.equal(await exports.findByIdempotencyKey('me', 'k', database), null);
  });

  test(`${adapter}: [C35] the first worker starts an export, a later one does not`, async (t) => {
    const database = await open(t);
    const [one, gone] = [newExport(), newExport()];
    for (const record of [one, gone]) await exports.insert(record, database);
    await exports.setState(gone.id, 'cancelled', database);
    const begin = (id: string) => database.transaction((tx) => exports.begin(id, tx), { lockExport: id });
    const begun = await Promise.all([begin(one.id), begin(one.id), begin(one.id)]);
    assert.deepEqual(begun.sort(), [false, false, true]);
    const { state, revision } = (await exports.find(one.id, database))!;
    assert.deepEqual([state, revision], ['rendering', 2]);
    assert.deepEqual([await begin(gone.id), await begin(randomUUID())], [false, false]);
    assert.equal(await exports.stateOf(gone.id, database), 'cancelled');
  });

  test(`${adapter}: [C35] legal transitions are made once; others are bugs and undo their transaction`, async (t) => {
    const one = newExport();
    const database = await opened(t, one);
    const move = (to: RecordedState) => database.transaction((tx) => exports.setState(one.id, to, tx));
    assert.equal(await move('rendering'), true);
    assert.equal(await move('rendering'), false);
    assert.equal((await mustFind(one.id, database)).revision, 2);
    await move('queued');
    await assert.rejects(move('completed'), /from queued to completed/);
    await move('rendering');
    await move('completed');
    await assert.rejects(move('rendering'), /from completed to rendering/);
    assert.equal((await mustFind(one.id, database)).state, 'completed');
    await assert.rejects(
      database.transaction((tx) => exports.setState(randomUUID(), 'failed', tx)),
      /no export/,
    );
  });

  test(`${adapter}: chunks and sound are counted down, and the last one is reported`, async (t) => {
    const one = newExport();
    const database = await opened(t, one);
    const ready: string[] = [];
    const chunkDone = (preset: string, frames: number) =>
      database.transaction(async (tx) => {
        const { jobsLeft } = await outputs.finishChunks(one.id, preset, { first: 0, frames }, tx);
        if (jobsLeft === 0) ready.push(preset);
      });
    const start = (preset: string, chunkJobs: number, framesDone = 0) =>
      database.transaction((tx) => outputs.start(one.id, preset, { chunkJobs, framesDone, soundDone: false }, tx));

    assert.deepEqual(await start('preset_one', 2), { jobsLeft: 3, soundNeeded: true });
    assert.equal(await start('preset_one', 2), null, 'started already');
    assert.deepEqual(await start('preset_two', 1, 200), { jobsLeft: 2, soundNeeded: false });
    await Promise.all([chunkDone('preset_one', 100), chunkDone('preset_two', 100), chunkDone('preset_one', 200)]);
    assert.deepEqual(ready, []);
    assert.deepEqual(await database.transaction((tx) => outputs.finishSound(one.id, tx)), ['preset_one', 'preset_two']);
    assert.deepEqual(await database.transaction((tx) => outputs.finishSound(one.id, tx)), [], 'counted once');

    assert.deepEqual(await start('preset_three', 1, 150), { jobsLeft: 1, soundNeeded: false });
    await chunkDone('preset_three', 150);
    assert.deepEqual(ready, ['preset_three'], 'the sound was there before it started');
    const record = await mustFind(one.id, database);
    assert.equal(record.soundState, 'completed');
    assert.deepEqual(
      record.outputs.map(({ framesDone, jobsLeft }) => [framesDone, jobsLeft]),
      [
        [300, 0],
        [300, 0],
        [300, 0],
      ],
    );
  });

  test(`${adapter}: a fully cached output waits for the sound only`, async (t) => {
    const one = newExport();
    const database = await opened(t, one);
    await database.transaction(async (tx) => {
      const all = { chunkJobs: 0, framesDone: 300, soundDone: false };
      assert.deepEqual(await outputs.start(one.id, 'preset_one', all, tx), { jobsLeft: 1, soundNeeded: true });
      assert.deepEqual(await outputs.finishSound(one.id, tx), ['preset_one']);
      assert.deepEqual(await outputs.start(one.id, 'preset_two', all, tx), { jobsLeft: 0, soundNeeded: false });
    });
  });

  test(`${adapter}: a cached sound is not made again, and one that is being made is waited for`, async (t) => {
    const [one, two] = [newExport(), newExport()];
    const database = await opened(t, one, two);
    await database.transaction(async (tx) => {
      const all = { chunkJobs: 0, framesDone: 300, soundDone: true };
      assert.deepEqual(await outputs.start(one.id, 'preset_one', all, tx), { jobsLeft: 0, soundNeeded: false });
      const some = { chunkJobs: 2, framesDone: 100, soundDone: false };
      assert.deepEqual(await outputs.start(one.id, 'preset_two', some, tx), { jobsLeft: 2, soundNeeded: false });
      assert.deepEqual(await outputs.finishSound(one.id, tx), []);

      assert.deepEqual(await outputs.start(two.id, 'preset_one', some, tx), { jobsLeft: 3, soundNeeded: true });
      assert.deepEqual(await outputs.start(two.id, 'preset_two', all, tx), { jobsLeft: 1, soundNeeded: false });
      assert.deepEqual(await outputs.finishSound(two.id, tx), ['preset_two']);
    });
  });

  test(`${adapter}: an output is completed once all its jobs are done, with its size and hash`, async (t) => {
    const one = newExport();
    const database = await opened(t, one);
    const file = { bytes: 2 ** 31 + 5, sha256: 'a'.repeat(64), blob: blobKey('exports', 'a.mp4') };
    const complete = () => database.transaction((tx) => outputs.complete(one.id, 'preset_one', file, tx));
    await assert.rejects(complete(), /not ready/);
    await database.transaction((tx) =>
      outputs.start(one.id, 'preset_one', { chunkJobs: 1, framesDone: 0, soundDone: false }, tx),
    );
    await assert.rejects(complete(), /not ready/);
    await database.transaction(async (tx) => {
      await outputs.finishChunks(one.id, 'preset_one', { first: 0, frames: 300 }, tx);
      await outputs.finishSound(one.id, tx);
    });
    await complete();
    const [output] = (await mustFind(one.id, database)).outputs;
    assert.deepEqual({ ...output, ...file, state: 'completed', framesDone: 300 }, output);
    await assert.rejects(complete(), /not ready/, 'twice is a bug');
  });

  test(`${adapter}: counting more frames or jobs than exist is a bug that changes nothing`, async (t) => {
    const one = newExport();
    const database = await opened(t, one);
    const chunk = (frames: number) =>
      database.transaction((tx) => outputs.finishChunks(one.id, 'preset_one', { first: 0, frames }, tx));
    await assert.rejects(chunk(1), /not under way/);
    await database.transaction(async (tx) => {
      await outputs.start(one.id, 'preset_one', { chunkJobs: 1, framesDone: 0, soundDone: false }, tx);
      await outputs.finishSound(one.id, tx);
    });
    await assert.rejects(chunk(301));
    await chunk(299);
    await assert.rejects(chunk(1));
    assert.equal((await mustFind(one.id, database)).outputs[0]?.framesDone, 299);
  });

  test(`${adapter}: an output moves between queued and rendering, and from no other state`, async (t) => {
    const one = newExport();
    const database = await opened(t, one);
    const move = (to: 'queued' | 'rendering') =>
      database.transaction((tx) => outputs.setState(one.id, 'preset_two', to, tx));
    assert.equal(await move('rendering'), false);
    await database.transaction((tx) =>
      outputs.start(one.id, 'preset_two', { chunkJobs: 1, framesDone: 0, soundDone: false }, tx),
    );
    assert.deepEqual([await move('rendering'), await move('rendering'), await move('queued')], [true, false, true]);
  });

  test(`${adapter}: active outputs are listed, in their exports' order`, async (t) => {
    const one = newExport();
    const database = await opened(t, one, newExport());
    for (const preset of ['preset_two', 'preset_one', 'preset_three']) {
      await outputs.start(one.id, preset, { chunkJobs: 1, framesDone: 0, soundDone: false }, database);
    }
    await outputs.setState(one.id, 'preset_two', 'rendering', database);
    await outputs.fail(one.id, 'preset_three', ERROR, database);
    assert.deepEqual(await outputs.listUnderWay(database), [
      { exportId: one.id, preset: 'preset_one', engineVersion: 'test' },
      { exportId: one.id, preset: 'preset_two', engineVersion: 'test' },
    ]);
  });

  test(`${adapter}: every visible change increments the revision`, async (t) => {
    const one = newExport();
    const database = await opened(t, one);
    const error = ERROR;
    const changes: ((tx: Database) => Promise<unknown>)[] = [
      (tx) => exports.setState(one.id, 'rendering', tx),
      (tx) => outputs.start(one.id, 'preset_one', { chunkJobs: 1, framesDone: 0, soundDone: false }, tx),
      (tx) => outputs.start(one.id, 'preset_two', { chunkJobs: 1, framesDone: 0, soundDone: false }, tx),
      (tx) => outputs.setState(one.id, 'preset_one', 'rendering', tx),
      (tx) => outputs.finishChunks(one.id, 'preset_one', { first: 0, frames: 300 }, tx),
      (tx) => outputs.finishSound(one.id, tx),
      (tx) => outputs.complete(one.id, 'preset_one', { bytes: 1, sha256: 'b', blob: blobKey('b') }, tx),
      (tx) => outputs.fail(one.id, 'preset_two', error, tx),
      (tx) => exports.setState(one.id, 'completed', tx),
      (tx) => exports.setExpiry(one.id, 99, tx),
    ];
    let before = await mustFind(one.id, database);
    for (const [index, change] of changes.entries()) {
      await change(database);
      const after = await mustFind(one.id, database);
      assert.ok(after.revision > before.revision, `change ${index}`);
      const onlyFigures = /finish(Chunk|Sound)/.test(String(change));
      assert.equal(after.stateRevision, onlyFigures ? before.stateRevision : after.revision, `change ${index}`);
      before = after;
    }
  });

  test(`${adapter}: [C34] a failed export keeps its reason and fails its unfinished outputs`, async (t) => {
    const one = newExport();
    const database = await opened(t, one);
    await database.transaction(async (tx) => {
      await exports.setState(one.id, 'rendering', tx);
      await outputs.start(one.id, 'preset_two', { chunkJobs: 0, framesDone: 300, soundDone: false }, tx);
      await outputs.finishSound(one.id, tx);
      await outputs.complete(one.id, 'preset_two', { bytes: 1, sha256: 'b', blob: blobKey('b') }, tx);
      await exports.fail(one.id, ERROR, tx);
    });
    const record = await mustFind(one.id, database);
    assert.equal(record.state, 'failed');
    assert.deepEqual(record.error, ERROR);
    assert.deepEqual(
      record.outputs.map(({ state, error }) => [state, error]),
      [
        ['failed', ERROR],
        ['completed', null],
        ['failed', ERROR],
      ],
    );
  });

  test(`${adapter}: outputs that are planned again restart, and finished ones stay`, async (t) => {
    const one = newExport();
    const database = await opened(t, one);
    const found = { chunkJobs: 1, framesDone: 0, soundDone: false };
    for (const preset of ['preset_one', 'preset_two']) await outputs.start(one.id, preset, found, database);
    for (const preset of ['preset_one', 'preset_two'])
      await outputs.finishChunks(one.id, preset, { first: 0, frames: 300 }, database);
    await outputs.finishSound(one.id, database);
    await outputs.complete(one.id, 'preset_two', { bytes: 1, sha256: 'b', blob: blobKey('b') }, database);
    const before = await mustFind(one.id, database);
    const plan = { width: 640, height: 360, totalFrames: 150, durationSeconds: 5, engineVersion: 'newer' };
    for (const { preset } of one.outputs) await outputs.restart(one.id, preset, plan, database);
    const after = await mustFind(one.id, database);
    assert.deepEqual([after.durationSeconds, after.totalFrames, after.soundState], [5, 150, 'waiting']);
    assert.ok(after.stateRevision > before.revision);
    const fresh = { state: 'waiting', framesDone: 0, jobsLeft: 0, width: 640, height: 360, totalFrames: 150 };
    for (const at of [0, 2]) {
      assert.deepEqual(after.outputs[at], { ...before.outputs[at], ...fresh, engineVersion: 'newer' });
    }
    assert.deepEqual(after.outputs[1], before.outputs[1]);
    assert.deepEqual(await outputs.start(one.id, 'preset_one', found, database), { jobsLeft: 2, soundNeeded: true });
  });

  test(`${adapter}: an output may fail alone`, async (t) => {
    const one = newExport();
    const database = await opened(t, one);
    await outputs.start(one.id, 'preset_two', { chunkJobs: 1, framesDone: 0, soundDone: false }, database);
    await outputs.fail(one.id, 'preset_two', ERROR, database);
    await assert.rejects(outputs.fail(one.id, 'preset_two', ERROR, database), /has ended already/);
    const { state, error, outputs: all } = await mustFind(one.id, database);
    assert.deepEqual([state, error, all[1]?.state, all[1]?.error], ['queued', null, 'failed', ERROR]);
  });

  test(`${adapter}: only ended exports that are due expire, longest overdue first`, async (t) => {
    const records = Array.from({ length: 5 }, () => newExport());
    const [early, late, running, future, expired] = records.map(({ id }) => id) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const database = await opened(t, ...records);
    await database.transaction(async (tx) => {
      for (const id of [late, early, future, expired]) await exports.setState(id, 'cancelled', tx);
      await exports.setState(expired, 'expired', tx);
      for (const id of [early, running, expired]) await exports.setExpiry(id, 50, tx);
      await exports.setExpiry(late, 100, tx);
      await exports.setExpiry(future, 101, tx);
    });
    assert.deepEqual(await exports.listExpired(100, database), [early, late]);
  });

  test(`${adapter}: exports are listed and counted by state`, async (t) => {
    const old = newExport({ createdAtMs: 1 });
    const young = newExport({ createdAtMs: 2 });
    const done = newExport({ createdAtMs: 3 });
    const database = await opened(t, young, old, done);
    await exports.setState(done.id, 'cancelled', database);
    assert.deepEqual(await exports.listByState('queued', database), [old.id, young.id]);
    const none = { rendering: 0, completed: 0, failed: 0, expired: 0 };
    assert.deepEqual(await exports.countByState(database), { ...none, queued: 2, cancelled: 1 });
  });

  test(`${adapter}: [H39] waiting exports are counted by tenant and in total`, async (t) => {
    const [mine, theirs, begun] = [newExport({ tenant: 'mine' }), newExport({ tenant: 'theirs' }), newExport()];
    const database = await opened(t, mine, newExport({ tenant: 'mine' }), theirs, begun);
    await exports.setState(begun.id, 'rendering', database);
    assert.deepEqual(await exports.countWaiting('mine', database), { own: 2, all: 3 });
    assert.deepEqual(await exports.countWaiting('theirs', database), { own: 1, all: 3 });
    assert.deepEqual(await exports.countWaiting('nobody', database), { own: 0, all: 3 });
  });

  test(`${adapter}: [C40] a list has the tenant's own exports, newest first, page by page while exports are added and removed`, async (t) => {
    const made = [1, 2, 2, 3, 4, 5].map((createdAtMs, i) =>
      newExport({ tenant: 'me', createdAtMs, externalId: i % 2 === 0 ? 'even' : null }),
    );
    const [cancelled, expired] = [
      newExport({ tenant: 'me', createdAtMs: 9 }),
      newExport({ tenant: 'me', createdAtMs: 9 }),
    ];
    const database = await opened(t, ...made, cancelled, expired, newExport({ tenant: 'you', createdAtMs: 9 }));
    for (const { id } of [cancelled, expired]) await exports.setState(id, 'cancelled', database);
    await exports.setState(expired.id, 'expired', database);
    const all = { state: null, externalId: null, after: null, limit: 100, metadata: [], fromMs: null, beforeMs: null };
    const ids = async (listing: Partial<ExportListing>, tenant = 'me') =>
      (await exports.list(tenant, { ...all, ...listing }, database)).map(({ id }) => id);
    const newest = made
      .toSorted((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1))
      .map(({ id, createdAtMs }) => ({ id, createdAtMs }));
    const order = newest.map(({ id }) => id);
    assert.deepEqual(await ids({}), order);
    assert.deepEqual(await ids({}, 'nobody'), []);
    assert.deepEqual(await ids({ limit: 2 }), order.slice(0, 2));
    const [page] = await exports.list('me', all, database);
    const { uploads: _, ...found } = await mustFind(order[0]!, database);
    assert.deepEqual({ ...page, uploads: [] }, { ...found, uploads: [] });

    // The export that ended the first page goes, a newer one comes: the second page is what it would have been.
    await database.transaction((tx) => exports.insert(newExport({ tenant: 'me', createdAtMs: 8 }), tx));
    await exports.delete(order[1]!, database);
    assert.deepEqual(await ids({ limit: 2, after: newest[1]! }), order.slice(2, 4));
    assert.deepEqual(await ids({ after: newest[3]! }), order.slice(4));
    assert.deepEqual(await ids({ after: newest[5]! }), []);

    await exports.setState(order[3]!, 'rendering', database);
    assert.deepEqual(await ids({ state: 'rendering' }), [order[3]]);
    assert.deepEqual(await ids({ state: 'cancelled' }), [], 'what is cancelled is gone');
    const even = made.filter(({ externalId }) => externalId === 'even').map(({ id }) => id);
    assert.deepEqual(
      await ids({ externalId: 'even' }),
      order.filter((id) => even.includes(id) && id !== order[1]),
    );
    assert.deepEqual(await ids({ externalId: 'even', state: 'rendering' }), even.includes(order[3]!) ? [order[3]] : []);
    assert.deepEqual(await ids({ externalId: 'odd' }), []);
    const at = newest[4]!.createdAtMs;
    const listed = newest.filter(({ id }) => id !== order[1]);
    assert.deepEqual(
      await ids({ fromMs: at, beforeMs: 8 }),
      listed.filter(({ createdAtMs }) => createdAtMs >= at && createdAtMs < 8).map(({ id }) => id),
    );
  });

  test(`${adapter}: [C87] exports are listed by pairs of metadata, as long as they exist`, async (t) => {
    const of = (createdAtMs: number, metadata: NewExport['metadata'], tenant = 'me') =>
      newExport({ tenant, createdAtMs, metadata });
    const [one, two, three] = [of(1, { a: '1', b: 'x' }), of(2, { a: '1', b: 'y' }), of(3, { a: '2', b: 'x' })];
    const database = await opened(t, one, two, three, of(4, { a: '1' }, 'you'));
    const all = { state: null, externalId: null, after: null, limit: 100, metadata: [], fromMs: null, beforeMs: null };
    const ids = async (listing: Partial<ExportListing>) =>
      (await exports.list('me', { ...all, ...listing }, database)).map(({ id }) => id);
    assert.deepEqual((await mustFind(one.id, database)).metadata, one.metadata);
    const isFirst = [['a', '1']] as const;
    assert.deepEqual(await ids({ metadata: isFirst }), [two.id, one.id]);
    assert.deepEqual(await ids({ metadata: isFirst, limit: 1 }), [two.id]);
    assert.deepEqual(await ids({ metadata: isFirst, after: { createdAtMs: 2, id: two.id } }), [one.id]);
    assert.deepEqual(await ids({ metadata: isFirst, fromMs: 2 }), [two.id]);
    assert.deepEqual(await ids({ metadata: [...isFirst, ['b', 'x']] }), [one.id]);
    assert.deepEqual(await ids({ metadata: [['b', '1']] }), []);
    assert.deepEqual(await ids({ metadata: isFirst, state: 'completed' }), []);
    await exports.delete(two.id, database);
    assert.deepEqual(await ids({ metadata: isFirst }), [one.id]);
  });

  test(`${adapter}: [C29] an upload is in use as long as any existing export uses it`, async (t) => {
    const shared = { field: 'clip', hash: 'shared', bytes: 1 };
    const one = newExport({ uploads: [shared, { field: 'a', hash: 'one', bytes: 1 }] });
    const two = newExport({ uploads: [shared, { field: 'again', hash: 'shared', bytes: 1 }] });
    const database = await opened(t, one, two);
    assert.deepEqual(await exports.uploadsOnlyOf(one.id, database), ['one']);
    assert.deepEqual(await exports.uploadsOnlyOf(two.id, database), []);
    for (const ended of ['cancelled', 'expired'] as const) {
      await exports.setState(one.id, ended, database);
      assert.deepEqual(await exports.uploadsOnlyOf(two.id, database), ['shared'], ended);
    }
  });

  test(`${adapter}: [C29] a deleted export leaves nothing, and does not affect its neighbours`, async (t) => {
    const [one, two] = [newExport(), newExport()];
    const database = await opened(t, one, two);
    await exports.delete(one.id, database);
    await exports.delete(one.id, database);
    assert.equal(await exports.find(one.id, database), null);
    for (const table of ['outputs', 'uploads']) {
      const rows = await database.query(`select distinct export_id from ${table}`);
      assert.deepEqual(rows, [{ export_id: two.id }], table);
    }
  });
}
