import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { blobKey } from '../../src/store/blob-store.ts';
import { ChunkRecords } from '../../src/store/chunks/chunk-records.ts';
import type { Database } from '../../src/store/database.ts';
import { CaptionRecords } from '../../src/store/records/caption-records.ts';
import { ContentRecords } from '../../src/store/records/content-records.ts';
import { DeliveryRecords } from '../../src/store/records/delivery-records.ts';
import { DraftRecords, SOUND_PART } from '../../src/store/records/draft-records.ts';
import { EndedSessionRecords } from '../../src/store/records/ended-session-records.ts';
import { EventRecords } from '../../src/store/records/event-records.ts';
import type { CallbackEvent } from '../../src/store/records/export-record.ts';
import { ExportRecords } from '../../src/store/records/export-records.ts';
import { MediaRecords } from '../../src/store/records/media-records.ts';
import { OutputRecords } from '../../src/store/records/output-records.ts';
import { LinkRecords, ProjectRecords } from '../../src/store/records/project-records.ts';
import { StorageRecords } from '../../src/store/records/storage-records.ts';
import { UnfinishedMedia } from '../../src/store/records/unfinished-media.ts';
import { addUsage, UsageRecords } from '../../src/store/records/usage-records.ts';
import { newExport } from './new-export.ts';

const LARGE = 5 * 2 ** 32;
const NONE_DONE = { chunkJobs: 1, framesDone: 0, soundDone: false };

/** What the records beside those of exports must do on every `Database`. `open` as for those. */
export function keptRecordsSuite(adapter: string, open: (t: TestContext) => Promise<Database>): void {
  test(`${adapter}: [C41] deliveries are kept, the last first, and removed with their export`, async (t) => {
    const database = await open(t);
    const [exports, deliveries] = [new ExportRecords(), new DeliveryRecords()];
    const { id, ...rest } = newExport();
    await database.transaction((tx) => exports.insert({ id, ...rest }, tx));
    const tries = Array.from({ length: 110 }, (_, n) => ({
      eventId: n % 3 === 0 ? `${id}.output.completed.preset_one` : null,
      receiver: n % 2 === 1 ? '' : 'shop',
      type: n % 3 === 0 ? ('output.completed' as const) : ('export.completed' as const),
      atMs: 1_700_000_000_000 + n,
      durationMs: n,
      delivered: n % 2 === 1,
      status: n % 2 === 1 ? 200 : null,
      reason: n % 2 === 1 ? null : 'nobody there',
    }));
    for (const one of tries) await deliveries.add(id, one, database);
    await deliveries.add('nobody', tries[0]!, database);
    const kept = tries.slice(-100).reverse();
    assert.deepEqual(await deliveries.list(id, null, database), kept, 'fifty for each receiver');
    const event = tries[0]!.eventId!;
    const ofEvent = kept.filter(({ eventId }) => eventId === event);
    assert.deepEqual(await deliveries.list(id, event, database), ofEvent);
    await exports.delete(id, database);
    assert.deepEqual(await deliveries.list(id, null, database), []);
  });

  test(`${adapter}: [C93, C68] events have a queue for each receiver, rise in time, and are removed with their export`, async (t) => {
    const database = await open(t);
    const [exports, events] = [new ExportRecords(), new EventRecords()];
    const [one, two] = [newExport({ tenant: 'ann' }), newExport({ tenant: 'bob' })];
    for (const each of [one, two]) await database.transaction((tx) => exports.insert(each, tx));
    const add = (
      type: CallbackEvent,
      preset: string | null,
      atMs: number,
      receivers: [string, 'pending' | 'dropped'][],
    ) => events.add({ exportId: one.id, tenant: 'ann' }, { type, preset, atMs }, new Map(receivers), database);
    await add('output.completed', 'preset_two', 1_000, [
      ['', 'pending'],
      ['shop', 'pending'],
    ]);
    await add('output.completed', 'preset_one', 900, [['', 'pending']]);
    await add('export.completed', null, 1_000, [
      ['', 'dropped'],
      ['shop', 'pending'],
    ]);
    await add('export.completed', null, 5_000, [['', 'pending']]);
    await events.add(
      { exportId: two.id, tenant: 'bob' },
      { type: 'export.failed', preset: null, atMs: 1 },
      new Map(),
      database,
    );
    const all = { type: null, limit: 10, after: null };
    const listed = await events.list('ann', null, all, database);
    const [first, second, third] = ['output.completed.preset_two', 'output.completed.preset_one', 'completed'].map(
      (name) => `${one.id}.${name}`,
    ) as [string, string, string];
    assert.deepEqual(
      listed.map(({ id, atMs }) => [id, atMs]),
      [
        [third, 1_002],
        [second, 1_001],
        [first, 1_000],
      ],
    );
    assert.deepEqual(await events.list('ann', one.id, all, database), listed);
    assert.deepEqual(await events.list('ann', two.id, all, database), []);
    assert.equal(await events.find('bob', first, database), null);
    const after = { createdAtMs: 1_002, id: third };
    assert.deepEqual(await events.list('ann', null, { ...all, after, limit: 1 }, database), listed.slice(1, 2));
    assert.deepEqual(
      await events.list('ann', null, { ...all, type: 'export.completed' }, database),
      listed.slice(0, 1),
    );

    const next = async (receiver: string) => (await events.next(one.id, receiver, database))?.id ?? null;
    assert.deepEqual([await next(''), await next('shop')], [first, first]);
    await events.retry(first, '', 7_000, database);
    await events.settle(second, '', 'delivered', database);
    await events.retry(second, '', 9_000, database);
    await events.settle(second, '', 'given_up', database);
    await events.settle(first, 'shop', 'given_up', database);
    assert.deepEqual([await next(''), await next('shop')], [first, third]);
    assert.deepEqual((await events.waitingReceivers(one.id, database)).sort(), ['', 'shop']);
    await events.endCallback(one.id, database);
    assert.equal((await events.callbackOf(one.id, database))?.ended, true);
    assert.equal((await events.callbackOf(two.id, database))?.ended, false);
    await events.dropAllWaiting('bob', 'shop', database);
    assert.deepEqual([await next(''), await next('shop')], [null, third]);
    const states = await events.deliveriesOf([first, second, third], database);
    assert.deepEqual(
      [first, second, third].map((id) =>
        states.get(id)!.map(({ receiver, state, attempts }) => [receiver, state, attempts]),
      ),
      [
        [
          ['', 'dropped', 1],
          ['shop', 'given_up', 1],
        ],
        [['', 'delivered', 1]],
        [
          ['', 'dropped', 0],
          ['shop', 'pending', 0],
        ],
      ],
    );
    await exports.delete(one.id, database);
    assert.deepEqual(await database.query('select event_id from event_receivers'), []);
    assert.deepEqual(await database.query('select export_id from events'), [{ export_id: two.id }]);
    assert.equal(await events.callbackOf(one.id, database), null);
  });

  test(`${adapter}: [C79] one worker claims a part of a draft; a new plan ends all claims; tenants take turns`, async (t) => {
    const [database, drafts] = [await open(t), new DraftRecords()];
    const draft = (tenant: string, id: string, planId: string) => {
      return { tenant, id, planId, preset: 'preset_one', engineVersion: '1', state: 'rendering' } as const;
    };
    const [one, two, three] = [draft('ann', 'a', 'p1'), draft('ann', 'b', 'p2'), draft('bob', 'a', 'p3')];
    for (const each of [one, two, three]) await database.transaction((tx) => drafts.put(each, 1_000, tx));
    assert.deepEqual([await drafts.count('ann', database), await drafts.count('bob', database)], [2, 1]);
    const claim = (of: typeof one, part: number, nowMs: number) => {
      return database.transaction((tx) => drafts.claim(of, part, { holder: 'me', nowMs, untilMs: nowMs + 100 }, tx));
    };
    const won = await Promise.all([claim(one, SOUND_PART, 2_000), claim(one, SOUND_PART, 2_000)]);
    assert.deepEqual(won.toSorted(), [false, true]);
    assert.equal((await drafts.unfinished('1', 10, database))[0]!.tenant, 'bob', 'ann had a turn');
    assert.deepEqual(await drafts.unfinished('2', 10, database), [], 'planned for another engine');
    assert.deepEqual([await claim(one, SOUND_PART, 2_099), await claim(one, SOUND_PART, 2_100)], [false, true]);
    await drafts.release(one, SOUND_PART, 'another', database);
    assert.equal(await claim(one, SOUND_PART, 2_101), false, 'held by somebody else');
    await drafts.renew(one, SOUND_PART, 'me', 2_500, database);
    assert.equal(await claim(one, SOUND_PART, 2_400), false, 'renewed');
    await drafts.release(one, SOUND_PART, 'me', database);
    assert.ok(await claim(one, SOUND_PART, 2_101));
    await database.transaction((tx) => drafts.put({ ...one, planId: 'p4' }, 3_000, tx));
    assert.equal(await claim(one, 0, 3_000), false, 'its plan was replaced');
    assert.deepEqual(await drafts.plansAmong(['p1', 'p2', 'p4', 'other'], database), new Set(['p2', 'p4']));
    await drafts.setState(two, 'ready', database);
    assert.deepEqual((await drafts.unfinished('1', 10, database)).map(({ planId }) => planId).toSorted(), ['p3', 'p4']);
    await drafts.touch('ann', 'b', 5_000, database);
    const unused = await database.transaction((tx) => drafts.deleteUnused(3_001, tx));
    assert.deepEqual(unused.map(({ planId }) => planId).toSorted(), ['p3', 'p4']);
    assert.deepEqual(await drafts.delete('ann', 'b', database), { ...two, state: 'ready' });
    assert.equal(await drafts.find('ann', 'b', database), null);
  });

  test(`${adapter}: [C74] usage is summed by tenant, day and preset, and removed by days`, async (t) => {
    const [database, usage] = [await open(t), new UsageRecords()];
    const night = Date.UTC(2026, 0, 31, 23, 59);
    const sent = { tenant: 'ann', counter: 'bytes_sent', amount: LARGE } as const;
    await Promise.all(Array.from({ length: 5 }, () => database.transaction((tx) => addUsage(sent, night, tx))));
    await addUsage({ ...sent, amount: 1 }, night + 60_000, database);
    await addUsage({ ...sent, tenant: 'bob' }, night, database);
    await addUsage({ tenant: 'ann', counter: 'rendered_ms', preset: 'preset_one', amount: 1500 }, night, database);
    const january = [
      { day: '2026-01-31', counter: 'bytes_sent', preset: '', amount: 5 * LARGE },
      { day: '2026-01-31', counter: 'rendered_ms', preset: 'preset_one', amount: 1500 },
    ];
    assert.deepEqual(await usage.list('ann', '2026-01-01', '2026-01-31', database), january);
    await usage.forgetBefore('2026-02-01', database);
    assert.deepEqual(await usage.list('ann', '2026-01-01', '2026-02-28', database), [
      { day: '2026-02-01', counter: 'bytes_sent', preset: '', amount: 1 },
    ]);
  });

  test(`${adapter}: [C38] content belongs to a tenant, lasts after its use, and is removed when nothing uses it`, async (t) => {
    const database = await open(t);
    const [exports, media] = [new ExportRecords(), new MediaRecords()];
    const record = newExport({ uploads: [{ field: 'clip', hash: 'a', bytes: LARGE }] });
    await database.transaction((tx) => exports.insert(record, tx));
    const content = (sha256: string) => ({ tenant: record.tenant, sha256, bytes: LARGE });
    const facts = { json: '{"a":1}', by: 'engine' };
    await media.use({ ...content('a'), facts }, 2_000, database);
    await media.use({ ...content('a'), facts: null }, 1_000, database);
    assert.deepEqual(await media.find(record.tenant, 'a', database), {
      ...content('a'),
      lasting: false,
      usedAtMs: 2_000,
      inProject: false,
      facts,
    });
    assert.equal(await media.find('another', 'a', database), null);
    await media.keep(content('b'), 1_000, database);
    await media.keep(content('b'), 3_000, database);
    await media.touch(record.tenant, ['b'], 3_500, 1_000, database);
    assert.equal((await media.find(record.tenant, 'b', database))?.usedAtMs, 3_000, 'known closely enough');
    assert.deepEqual(await media.sum(record.tenant, database), { files: 2, bytes: 2 * LARGE });
    assert.deepEqual(await media.sum('another', database), { files: 0, bytes: 0 });
    assert.deepEqual(await media.release(database), [], 'one lasts, the other is drawn on');
    await media.lapse(3_000, database);
    assert.deepEqual(await media.release(database), ['b']);
    await exports.setState(record.id, 'cancelled', database);
    await media.releaseOf(record.id, database);
    assert.equal(await media.find(record.tenant, 'a', database), null);
    assert.equal(await media.delete(record.tenant, 'a', database), false);
  });

  test(`${adapter}: [C76] projects, their revisions, media and links belong to a tenant and are removed together`, async (t) => {
    const database = await open(t);
    const [projects, links, media, contents] = [
      ...([new ProjectRecords(), new LinkRecords(), new MediaRecords(), new ContentRecords()] as const),
    ];
    const id = 'p';
    const many = Array.from({ length: 450 }, (_, n) => `m${n}`);
    const revision = (n: number, hashes: readonly string[]) => {
      const one = { revision: n, name: `n${n}`, document: `d${n}`, bytes: LARGE, savedAtMs: 1_000 + n };
      return { ...one, tenant: 'me', id, media: hashes };
    };
    await database.transaction((tx) => projects.save(revision(1, many), tx));
    await database.transaction((tx) => projects.save(revision(2, ['m1']), tx));
    await database.transaction((tx) => projects.save({ ...revision(1, ['m1']), tenant: 'another' }, tx));
    const project = { tenant: 'me', id, name: 'n2', revision: 2, document: 'd2', bytes: LARGE };
    const times = { createdAtMs: 1_001, savedAtMs: 1_002 };
    assert.deepEqual(await projects.find('me', id, database), { ...project, ...times, thumbnail: null });
    assert.ok(await projects.setThumbnail('me', id, 't', 7, database));
    assert.equal(await projects.setThumbnail('me', 'no such', 't', 7, database), false);
    assert.deepEqual(await projects.list('me', 9, null, database), [
      { ...project, ...times, thumbnail: { sha256: 't', bytes: 7 } },
    ]);
    assert.deepEqual(await projects.list('me', 9, { savedAtMs: 1_002, id }, database), []);
    const storage = new StorageRecords();
    assert.deepEqual(await storage.ofProjects('me', database), { bytes: 2 * LARGE + 7, rows: 1 + 2 + 451 });
    assert.deepEqual(await storage.ofProjects('nobody', database), { bytes: 0, rows: 0 });
    assert.equal(await projects.lastRevisionOver('me', id, 451, database), 0);
    assert.equal(await projects.lastRevisionOver('me', id, 450, database), 1);
    assert.equal(await projects.lastRevisionOver('me', id, 0, database), 2);
    assert.deepEqual(await projects.mediaOf('me', id, database), new Set(['m1']));
    assert.deepEqual([await projects.count('me', database), await projects.count('nobody', database)], [1, 0]);

    for (const sha256 of ['m1', 'm2', 'free']) await media.keep({ tenant: 'me', sha256, bytes: 5 }, 1_000, database);
    await media.use({ tenant: 'me', sha256: 'm3', bytes: 5, facts: null }, 1_000, database);
    assert.deepEqual(await media.sum('me', database), { files: 4, bytes: 20 }, 'what came for an export counts');
    await media.lapse(5_000, database);
    assert.deepEqual(await media.release(database), ['free']);
    assert.equal((await media.find('me', 'm1', database))?.inProject, true);
    assert.deepEqual(await projects.trim('me', id, 1, database), ['d1']);
    await media.lapse(5_000, database);
    assert.deepEqual((await media.release(database)).sort(), ['m2', 'm3'], 'no kept revision refers to them');

    for (const sha256 of ['d2', 't', 'd9']) {
      await contents.publish({ sha256, blob: blobKey('uploads', sha256), bytes: 1, usedAtMs: 0 }, database);
    }
    assert.deepEqual(await contents.listUnneeded(5_000, database), ['d9']);
    await links.add({ tenant: 'me', id }, { id: 'l', createdAtMs: 9 }, 'hash', database);
    assert.deepEqual(await links.open('hash', database), { tenant: 'me', id });
    assert.deepEqual(await links.list({ tenant: 'me', id }, database), [{ id: 'l', createdAtMs: 9 }]);
    assert.equal(await links.delete({ tenant: 'another', id }, 'l', database), false);
    assert.deepEqual(await projects.delete('me', id, database), ['d2', 't']);
    assert.equal(await links.open('hash', database), null);
    assert.deepEqual(await projects.revisions('me', id, database), []);
    assert.equal((await projects.find('another', id, database))?.revision, 1);
  });

  test(`${adapter}: [C77] captions are begun, keep their media, and are removed with their result`, async (t) => {
    const database = await open(t);
    const [captions, media] = [new CaptionRecords(), new MediaRecords()];
    const [id, sound, result] = ['captions-1', 'a'.repeat(64), 'b'.repeat(64)];
    await media.use({ tenant: 'ann', sha256: sound, bytes: 5, facts: null }, 1, database);
    await captions.insert(
      { id, tenant: 'ann', key: 'k', language: 'en', model: 'm', source: '{}', media: [sound] },
      1,
      database,
    );
    await media.lapse(LARGE, database);
    assert.deepEqual(await media.release(database), [], 'what is listened to stays');
    assert.equal((await media.sum('ann', database)).files, 1);
    assert.equal(await captions.countUnfinished('ann', database), 1);
    assert.equal((await captions.find('ann', id, database))?.state, 'queued');
    const begun = (await captions.begin(id, database))!;
    assert.deepEqual([begun.tenant, begun.language, begun.model, begun.source], ['ann', 'en', 'm', '{}']);
    await captions.report(id, 0.5, database);
    const held = await captions.find('ann', id, database);
    assert.deepEqual([held?.state, held?.progress], ['running', 0.5]);
    assert.equal(await captions.find('bob', id, database), null);
    await media.keep({ tenant: 'ann', sha256: result, bytes: 7 }, 40, database);
    assert.equal(await captions.end(id, { result }, 41, database), true);
    assert.equal(await captions.end(id, { result }, 41, database), false);
    assert.equal((await captions.findByKey('ann', 'k', database))?.state, 'completed');
    assert.equal(await captions.begin(id, database), null, 'it is done');
    assert.deepEqual(await media.release(database), [sound], 'nobody listens to it any more');
    await media.lapse(LARGE, database);
    assert.deepEqual(await media.release(database), [result]);
    assert.equal(await captions.find('ann', id, database), null, 'the captions went with their result');
    await captions.insert(
      { id, tenant: 'ann', key: 'k', language: 'en', model: 'm', source: '{}', media: [] },
      1,
      database,
    );
    const error = { kind: 'invalid', code: 'captions.no_sound', message: 'Silence.', issues: [] } as const;
    await captions.end(id, { error }, 50, database);
    assert.deepEqual((await captions.find('ann', id, database))?.error, error);
    await captions.expireFailed(49, database);
    assert.deepEqual({ ...(await captions.delete('ann', id, database)) }, { result: null, model: 'm' });
    assert.equal(await captions.delete('ann', id, database), null);
  });

  test(`${adapter}: [C77] captions are abandoned when no node has had their model for the time`, async (t) => {
    const database = await open(t);
    const captions = new CaptionRecords();
    const hour = 3_600_000;
    const waiting = { id: 'waits', tenant: 'ann', key: 'k', language: 'en', model: 'm', source: '{}', media: [] };
    await captions.insert(waiting, 0, database);
    const abandoned = async (nowMs: number, models: readonly string[] = []) =>
      (await captions.abandoned(nowMs - hour, models, database)).map(({ id }) => id);
    assert.deepEqual(await abandoned(hour - 1), [], 'the hour is not over');
    await captions.reportModels(['m', 'n'], hour, database);
    assert.deepEqual(await abandoned(1.5 * hour), [], 'a node with the model is busy');
    await captions.reportModels(['m'], 2 * hour, database);
    assert.deepEqual(await abandoned(3 * hour - 1), []);
    assert.deepEqual(await abandoned(3 * hour), ['waits'], 'that node is gone for an hour');
    assert.deepEqual(await abandoned(3 * hour, ['m']), [], 'this node has it');
  });

  test(`${adapter}: [C38] an incomplete upload resumes where it stopped, for one writer at a time`, async (t) => {
    const database = await open(t);
    const unfinished = new UnfinishedMedia();
    const upload = { tenant: 'me', sha256: 'a', file: 'f', bytes: LARGE, received: 0, receivedAtMs: 1_000 };
    assert.ok(await unfinished.insert(upload, database));
    assert.ok(!(await unfinished.insert({ ...upload, file: 'another' }, database)), 'begun on two nodes at once');
    assert.deepEqual(await unfinished.find('me', 'a', database), upload);
    assert.deepEqual(await unfinished.listEmpty(1_000, database), [upload]);
    const further = await unfinished.setReceived(upload, LARGE - 1, 2_000, database);
    assert.equal(further?.received, LARGE - 1);
    assert.equal(await unfinished.setReceived(upload, 7, 2_000, database), null, 'somebody else has gone on');
    assert.deepEqual(await unfinished.sum('me', database), { files: 1, bytes: LARGE });
    assert.deepEqual(await unfinished.listSilentSince(1_999, database), []);
    assert.deepEqual(await unfinished.listSilentSince(2_000, database), [further]);
    assert.deepEqual(await unfinished.files(database), new Set(['f']));
    await unfinished.delete('f', database);
    assert.equal(await unfinished.find('me', 'a', database), null);
  });

  test(`${adapter}: [C51] an ended session is remembered until its expiry`, async (t) => {
    const database = await open(t);
    let nowMs = 1_700_000_000_000;
    const ended = new EndedSessionRecords(database, () => nowMs);
    await ended.add('one', nowMs + 10);
    await ended.add('one', nowMs + 10);
    assert.deepEqual([await ended.has('one'), await ended.has('two')], [true, false]);
    nowMs += 10;
    await ended.add('two', nowMs + 10);
    assert.deepEqual([await ended.has('one'), await ended.has('two')], [false, true]);
  });

  test(`${adapter}: rendered chunks are found by key, stay while pinned, and are evicted least recently used first`, async (t) => {
    const database = await open(t);
    const records = new ChunkRecords();
    const part = (key: string, usedAtMs: number) => ({
      key,
      blob: blobKey('parts', key),
      bytes: LARGE,
      sha256: 'f'.repeat(64),
      usedAtMs,
    });
    for (const [key, at] of [
      ['a', 1_000],
      ['b', 2_000],
      ['c', 3_000],
    ] as const) {
      assert.equal(await records.publish(part(key, at), database), true);
    }
    assert.equal(await records.publish({ ...part('a', 9), blob: blobKey('parts', 'other') }, database), false);
    assert.deepEqual(await records.find('a', database), part('a', 1_000));
    assert.equal(await records.sumBytes(database), 3 * LARGE);
    await records.pin('x/one', ['a', 'later'], 100_000, database);
    assert.deepEqual(await records.known('x/one', database), new Set(['a']));
    assert.deepEqual(await records.listIdle(0, 9, database), [part('b', 2_000), part('c', 3_000)]);
    await records.touch('b', 4_000, database);
    assert.equal(await records.drop(part('b', 2_000), database), false, 'used meanwhile');
    assert.equal(await records.drop(part('b', 4_000), database), true);
    assert.equal(await records.drop(part('a', 100_000), database), false, 'pinned');
    const waiting = newExport();
    await database.transaction(async (tx) => {
      await new ExportRecords().insert(waiting, tx);
      await new OutputRecords().start(waiting.id, 'preset_two', NONE_DONE, tx);
    });
    const owner = `${waiting.id}/preset_two`;
    for (const each of [owner, `${waiting.id}/preset_one`]) await records.pin(each, ['c'], 3_000, database);
    await records.unpinEnded(database);
    assert.deepEqual(
      (await records.listIdle(0, 9, database)).map(({ key }) => key),
      ['a'],
      'a queued output keeps its pins',
    );
    assert.equal(await records.unpin(owner, 3_000, database), true);
    assert.deepEqual(
      (await records.listIdle(0, 9, database)).map(({ key }) => key),
      ['c', 'a'],
    );
    assert.deepEqual(
      [...(await records.named([blobKey('parts', 'a'), blobKey('parts', 'none')], database))],
      ['parts/a'],
    );
  });
}
