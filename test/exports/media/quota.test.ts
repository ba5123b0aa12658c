import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { test } from 'node:test';
import type { ExportsPolicy } from '../../../src/compose/exports-ports.ts';
import { ExportError } from '../../../src/errors.ts';
import { StorageRecords } from '../../../src/store/records/storage-records.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { timesLonger } from '../../processor-time.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { putMedia, sumOf } from './put-media.ts';

const CLIPS = await Promise.all(
  [30, 31, 32].map(async (frames) => (await makeClip({ frames, width: 128, height: 72 })).file),
);
const [FIRST, SECOND, THIRD] = CLIPS as [string, string, string];
const TIMELINE = { timeline_data: { videos: [{ file_field: 'clip', duration: 1 }] } };

const bytesOf = (...files: string[]) => files.reduce((sum, file) => sum + statSync(file).size, 0);
const isFull = (error: unknown) => error instanceof ExportError && error.code === 'media.quota_full';

function open(policy: Partial<ExportsPolicy>, now?: () => number): Promise<ExportsFixture> {
  return ExportsFixture.open({ prerender: 'selected', ...policy }, undefined, () => (now === undefined ? {} : { now }));
}

async function create(exports: ExportsFixture, file: string, tenant = 'default', texts: [string, string][] = []) {
  const sent = exports.submission(TIMELINE, { clip: file }, { tenant });
  try {
    const submission = { ...sent, texts: new Map([...sent.texts, ...texts]) };
    return (await exports.api.submit(submission, uncancelled)).id;
  } finally {
    for (const { path } of sent.uploads.values()) rmSync(path, { force: true });
  }
}

async function refusal(work: Promise<unknown>): Promise<string> {
  let message = '';
  await assert.rejects(work, (error) => {
    message = String((error as Error).message);
    return isFull(error);
  });
  return message;
}

test('[C88] files that come as parts count, each content once, and each tenant is charged as if it were alone', async () => {
  await using exports = await open({ maxMediaBytes: bytesOf(FIRST, SECOND) });
  const first = await create(exports, FIRST);
  await create(exports, FIRST);
  await putMedia(exports, FIRST);
  assert.equal((await exports.api.storage('default')).kinds.media.bytes, bytesOf(FIRST));
  const second = await create(exports, SECOND);
  const { bytes, kinds, limits } = await exports.api.storage('default');
  assert.deepEqual([bytes, kinds.media, limits.bytes], [bytesOf(FIRST, SECOND), { bytes, rows: 2 }, bytes]);

  const message = await refusal(create(exports, THIRD));
  assert.match(message, new RegExp(`^You store ${bytes + bytesOf(THIRD)} of ${bytes} bytes \\(files `));
  assert.equal((await exports.ports.database.query('select * from exports')).length, 3, 'the refused one left nothing');
  assert.equal((await exports.ports.database.query('select * from contents')).length, 2);
  await refusal(putMedia(exports, THIRD));
  await create(exports, FIRST, 'another');
  assert.equal((await exports.api.storage('another')).bytes, bytesOf(FIRST), 'although the bytes are stored already');

  await exports.api.remove('default', second);
  await create(exports, THIRD).catch(() => assert.ok(bytesOf(THIRD) > bytesOf(SECOND)));
  await exports.api.remove('default', first);
});

test('[C88] deleted media count as long as an export uses their bytes', async () => {
  await using exports = await open({ maxMediaBytes: bytesOf(FIRST, SECOND) });
  const id = await create(exports, FIRST);
  assert.equal(await exports.parts.media.remove('default', sumOf(FIRST)), true);
  assert.equal(await exports.parts.media.remove('default', sumOf(FIRST)), false);
  assert.equal(await exports.parts.media.find('default', sumOf(FIRST)), null);
  assert.equal((await exports.api.storage('default')).bytes, bytesOf(FIRST));
  await create(exports, SECOND);
  await refusal(create(exports, THIRD));
  await exports.api.remove('default', id);
  await exports.parts.mediaExpiry.expire();
  assert.equal((await exports.api.storage('default')).bytes, bytesOf(SECOND));
  assert.equal(await create(exports, FIRST).then(() => 'accepted'), 'accepted');
  assert.notEqual(await exports.parts.media.find('default', sumOf(FIRST)), null, 'shown again');
});

test('[C88] creates at the same moment do not exceed the quota together', async () => {
  await using exports = await open({ maxMediaBytes: Math.max(...CLIPS.map((clip) => bytesOf(clip))) });
  const outcomes = await Promise.allSettled(CLIPS.map((clip) => create(exports, clip)));
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
  for (const outcome of outcomes) if (outcome.status === 'rejected') assert.ok(isFull(outcome.reason));
});

test('[C88] a finished video may exceed the quota; then creates are refused until something is deleted', async () => {
  let later = 0;
  await using exports = await open({ maxMediaBytes: bytesOf(FIRST) + 1 }, () => Date.now() + later);
  const id = await create(exports, FIRST);
  exports.startWorker();
  const last = (await Array.fromAsync(exports.api.follow(id, uncancelled))).at(-1);
  assert.equal(last?.state, 'completed', exports.logged.join('\n'));
  later = 10_000; // sums of videos may be as old
  const { kinds, deletable } = await exports.api.storage('default');
  assert.ok(kinds.exports.bytes > 1);
  const largest = { path: `/video/exports/${id}`, bytes: kinds.exports.bytes };
  assert.deepEqual(deletable, [largest]);
  const announced = { tenant: 'default', bytes: 100, idempotencyKey: null, creates: true };
  const message = await refusal(exports.api.admit(announced));
  assert.match(message, new RegExp(`You could delete: DELETE ${largest.path} \\(${largest.bytes} bytes\\)`));
  await refusal(create(exports, FIRST));
  using _validate = await exports.api.admit({ ...announced, creates: false });
  using _other = await exports.api.admit({ ...announced, tenant: 'another' });
  await exports.api.remove('default', id);
  using _admitted = await exports.api.admit(announced);
  await create(exports, FIRST);
});

test('[C88] a body that cannot fit is refused before it arrives, or while it does; bodies that arrive together count together', async () => {
  const MIB = 2 ** 20;
  await using exports = await open({ maxMediaBytes: 40 * MIB });
  const announced = { tenant: 'default', idempotencyKey: null, creates: true };
  assert.match(await refusal(exports.api.admit({ ...announced, bytes: 312 * MIB })), /no room for 327155712 more/);
  {
    using _first = await exports.api.admit({ ...announced, bytes: 30 * MIB });
    await refusal(exports.api.admit({ ...announced, bytes: 30 * MIB }));
    using _other = await exports.api.admit({ ...announced, bytes: 30 * MIB, tenant: 'another' });
  }
  using untold = await exports.api.admit({ ...announced, bytes: null });
  for (let at = 0; at < 40; at += 1) await untold.arrived(MIB);
  await refusal(
    (async () => {
      for (let at = 0; at < 30; at += 1) await untold.arrived(MIB);
    })(),
  );
});

test('[C88] records count: many exports without new bytes are refused', async () => {
  await using exports = await open({ maxTenantRows: 30 });
  let accepted = 0;
  const message = await refusal(
    (async () => {
      for (; accepted < 40; accepted += 1) {
        await create(exports, FIRST);
        // Sums are kept for some seconds; a delete reads them again.
        await exports.api.remove('default', 'none');
      }
    })(),
  );
  assert.ok(accepted >= 4 && accepted <= 8, String(accepted));
  assert.match(message, /\d+ of 30 rows/);
});

test('[C76, C88] a project refers to at most 2,000 files, and its revisions to 10,000', async () => {
  await using exports = await open({});
  const id = '0b7e1d2c-43aa-4f0e-9d51-6a1c2e3f4a5b';
  const save = (n: number, files: number) => {
    const hash = (at: number) => (n * 10_000 + at).toString(16).padStart(64, '0');
    const media = Array.from({ length: files }, (_, at) => [`file ${at}`, hash(at)]);
    const document = Buffer.from(JSON.stringify({ n, media_refs: Object.fromEntries(media) }));
    return exports.parts.projects.save('default', id, document, () => {}, uncancelled);
  };
  await assert.rejects(save(1, 2_001), {
    code: 'project.too_many_files',
    message: 'The project refers to 2001 files; 2000 are allowed.',
  });
  for (let n = 1; n <= 7; n += 1) await save(n, 2_000);
  const revisions = await exports.parts.projects.revisions('default', id);
  assert.deepEqual(
    revisions?.map(({ revision }) => revision),
    [7, 6, 5, 4, 3],
  );
  assert.equal((await exports.api.storage('default')).kinds.projects.rows, 1 + 5 + 10_000);
});

test('[C88] the sums take time in proportion to the rows of the tenant alone', async () => {
  await using exports = await open({});
  const { database } = exports.ports;
  const storage = new StorageRecords();
  const fill = (tenant: string, from: number, to: number) =>
    database.transaction(async (tx) => {
      for (let n = from; n < to; n += 1) {
        await tx.query(
          `insert into exports (id, tenant, state, created_at_ms, selected_preset, settings, title, file_name,
             duration_seconds, total_frames, warnings, request_hash, sound_state, callback_events)
           values ($1, $2, 'completed', $3, 'p', '{}', 't', 'f', 1, 1, '[]', 'h', 'completed', '[]')`,
          [`${tenant} ${n}`, tenant, n],
        );
        for (const preset of ['one', 'two', 'three']) {
          await tx.query(
            `insert into outputs (export_id, preset, place, state, width, height, total_frames, bytes, engine_version)
             values ($1, $2, 0, 'completed', 1, 1, 1, 1000, '1')`,
            [`${tenant} ${n}`, preset],
          );
        }
      }
    });
  const measure = (tenant: string) => async () => {
    for (let n = 0; n < 10; n += 1) await storage.ofExports(tenant, database);
  };
  await fill('half', 0, 2_000);
  await fill('large', 0, 4_000);
  await fill('small', 0, 10);
  const twice = await timesLonger(measure('half'), measure('large'), 3);
  assert.ok(twice < 3, `${twice} times at 2N`);
  const small = await timesLonger(measure('large'), measure('small'), 0.25);
  assert.ok(small < 0.25, `${small} times for a tenant with 10 exports, of one with 4,000`);
  assert.deepEqual(await storage.ofExports('small', database), { bytes: 30_000, rows: 40 });
  const [id, event] = ['small 0', 'small 0.completed'];
  await database.transaction(async (tx) => {
    await tx.query(
      `insert into webhooks (tenant, name, url, events, secret, enabled, created_at_ms, changed_at_ms)
       values ('small', 'shop', 'u', '[]', 's', 1, 1, 1)`,
      [],
    );
    await tx.query(
      `insert into events (id, export_id, tenant, type, at_ms) values ($1, $2, 'small', 'export.completed', 1)`,
      [event, id],
    );
    for (const receiver of ['', 'shop']) {
      await tx.query(
        `insert into event_receivers (event_id, receiver, export_id, tenant, at_ms, state)
         values ($1, $2, $3, 'small', 1, 'pending')`,
        [event, receiver, id],
      );
    }
    await tx.query(
      `insert into deliveries (export_id, type, at_ms, duration_ms, delivered) values ($1, 'export.completed', 1, 1, 0)`,
      [id],
    );
  });
  const counted = await storage.ofExports('small', database);
  assert.equal(counted.rows, 40 + 5, 'a webhook, an event, its two receivers and a try');
});
