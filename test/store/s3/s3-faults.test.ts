import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { blobKey, deleteAll } from '../../../src/store/blob-store.ts';
import { CachedLocalFiles } from '../../../src/store/disk/cached-local-files.ts';
import { S3BlobStore } from '../../../src/store/s3/s3-blob-store.ts';
import { put } from '../blob-store-suite.ts';
import { fastFolder } from '../temp-folder.ts';
import { type Fault, FaultProxy } from './fault-proxy.ts';
import { NO_S3, serverAddress, testPlace } from './test-bucket.ts';

const KEY = blobKey('uploads', 'a1');
const OTHER = blobKey('uploads', 'b2');
const THIRD = blobKey('uploads', 'c3');
const LONG = Buffer.alloc(17_000_000, 'a long video, ');
const IDLE_MS = 1_500;
const BUSY = { code: 'store.busy', kind: 'unavailable' };
const UNREACHABLE = { code: 'store.unreachable', kind: 'unavailable' };

/** A store whose calls pass through a proxy, with one blob in it, and the files of a node. */
async function behindProxy(t: TestContext) {
  const proxy = await FaultProxy.start(t, serverAddress());
  const [place, folder] = [await testPlace(t, proxy.url), fastFolder(t)];
  const store = new S3BlobStore({ ...place, scratchDir: folder, idleMs: IDLE_MS });
  t.after(() => store[Symbol.dispose]());
  await put(store, KEY, 'content');
  const files = await CachedLocalFiles.open(join(folder, 'node'), { blobs: store, limitBytes: 2 ** 30 });
  const made = join(folder, 'made');
  await writeFile(made, LONG);
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    put: () => put(store, OTHER, 'other'),
    'put in parts': () => store.putFile(OTHER, made),
    read: async () => text(await store.read(KEY)),
    'read a range': async () => text(await store.read(KEY, { start: 1, end: 3 })),
    info: () => store.info(KEY),
    list: () => Array.fromAsync(store.list('')),
    delete: () => store.delete(OTHER),
    'delete many': () => deleteAll(store, [OTHER, THIRD]),
    // Not what is sent in parts at this very moment.
    sweep: () => store.sweep(3_600_000),
    hold: () => files.hold(KEY),
  };
  return { proxy, store, files, folder, made, calls };
}

/** Every first and second time. */
function twice(fault: Fault): (call: string) => Fault | null {
  const times = new Map<string, number>();
  return (call) => {
    const name = call.replace(/[?&](uploadId|x-amz-[a-z-]+)=[^&]*/gi, '');
    times.set(name, (times.get(name) ?? 0) + 1);
    return times.get(name)! <= 2 ? fault : null;
  };
}

/** They wait most of the time, for retries and for what is silent. */
describe('S3 behind a proxy', { concurrency: 8 }, () => {
  for (const [what, fault, code] of [
    ['answered with 503', { how: 'answered', status: 503 }, BUSY],
    ['not answered at all', { how: 'silent' }, UNREACHABLE],
    ['dropped', { how: 'dropped' }, UNREACHABLE],
  ] as const) {
    test(`S3: every call ${what} twice still succeeds`, { skip: NO_S3 }, async (t) => {
      const { proxy, store, calls } = await behindProxy(t);
      proxy.fault = twice(fault);
      await Promise.all(Object.entries(calls).map(([name, call]) => assert.doesNotReject(call, name)));
      proxy.fault = () => null;
      assert.equal(await text(await store.read(KEY)), 'content');
    });

    test(`S3: every call ${what} permanently is a temporary error, and leaves nothing`, { skip: NO_S3 }, async (t) => {
      const { proxy, store, calls, made, folder } = await behindProxy(t);
      proxy.fault = (call) => (call.startsWith('DELETE') && call.includes('uploadId') ? null : fault);
      await Promise.all(Object.entries(calls).map(([name, call]) => assert.rejects(call, code, name)));
      proxy.fault = () => null;
      assert.equal(await store.info(OTHER), null);
      assert.deepEqual(await readFile(made), LONG, 'what could not be sent is still here');
      assert.deepEqual(await readdir(join(folder, 'node', 'work')), []);
    });
  }

  test('S3: a long read that is cut off repeatedly resumes', { skip: NO_S3 }, async (t) => {
    const { proxy, store, files, calls } = await behindProxy(t);
    await calls['put in parts']!();
    proxy.calls.length = 0;
    proxy.fault = () => ({ how: 'cut', afterBytes: 4_000_000 });
    assert.ok((await buffer(await store.read(OTHER))).equals(LONG));
    assert.equal(proxy.calls.length, 5);
    const range = { start: 1_000_000, end: 16_000_000 };
    assert.ok((await buffer(await store.read(OTHER, range))).equals(LONG.subarray(range.start, range.end)));
    await using held = await files.hold(OTHER);
    assert.deepEqual(await readFile(held.path), LONG);
  });

  test('S3: a truncated list is requested again, and is a temporary error if that does not help', {
    skip: NO_S3,
  }, async (t) => {
    const { proxy, store } = await behindProxy(t);
    const cut: Fault = { how: 'cut', afterBytes: 150 };
    for (const list of [() => Array.fromAsync(store.list(''), ({ key }) => key), () => store.sweep(3_600_000)]) {
      proxy.fault = twice(cut);
      assert.deepEqual([await list()].flat().length, 1);
      proxy.fault = () => cut;
      await assert.rejects(list, UNREACHABLE);
    }
  });

  test('S3: a byte that is changed in transit is detected, and never becomes a file', { skip: NO_S3 }, async (t) => {
    const { proxy, store, files, folder } = await behindProxy(t);
    proxy.fault = (call) => (call.startsWith('GET') ? { how: 'garbled' } : null);
    await assert.rejects(async () => buffer(await store.read(KEY)), { code: 'store.corrupt_blob', kind: 'internal' });
    await assert.rejects(files.hold(KEY), { code: 'store.corrupt_blob' });
    assert.deepEqual(await readdir(join(folder, 'node', 'work')), []);
    proxy.fault = () => null;
    await using held = await files.hold(KEY);
    assert.equal(await readFile(held.path, 'utf8'), 'content');
  });

  test('S3: an upload that is stopped between two parts leaves no object and no parts', { skip: NO_S3 }, async (t) => {
    const { proxy, store, made } = await behindProxy(t);
    const [stop, reason] = [new AbortController(), new Error('the render was cancelled')];
    proxy.fault = (call) => {
      if (call.includes('partNumber=2')) stop.abort(reason);
      return null;
    };
    await assert.rejects(store.putFile(OTHER, made, stop.signal), (error) => error === reason);
    assert.equal(await store.info(OTHER), null);
    assert.equal(await store.sweep(-60_000), 0);
    assert.deepEqual(await readFile(made), LONG);
  });

  test('S3: an upload whose second part is refused permanently leaves no object and no parts', {
    skip: NO_S3,
  }, async (t) => {
    const { proxy, store, made } = await behindProxy(t);
    proxy.fault = (call) => (call.includes('partNumber=2') ? { how: 'answered', status: 503 } : null);
    await assert.rejects(store.putFile(OTHER, made), BUSY);
    assert.equal(await store.info(OTHER), null);
    assert.equal(await store.sweep(-60_000), 0);
  });

  /** The calls of an upload in parts. */
  const OPENING = /^POST .*\?uploads/;
  const SECOND_PART = /partNumber=2/;
  const COMPLETION = /^POST .*uploadId=/;
  const CUTS: Readonly<Record<string, readonly [RegExp, Fault]>> = {
    'when it is opened': [OPENING, { how: 'dropped' }],
    'when it is opened, unheard': [OPENING, { how: 'unheard' }],
    'in the middle of a part': [SECOND_PART, { how: 'reset', afterBytes: 3_000_000 }],
    'between two parts': [SECOND_PART, { how: 'dropped' }],
    'when a part was taken, unheard': [SECOND_PART, { how: 'unheard' }],
    'before it is completed': [COMPLETION, { how: 'dropped' }],
    'when it was completed, unheard': [COMPLETION, { how: 'unheard' }],
  };

  for (const [when, [call, fault]] of Object.entries(CUTS)) {
    test(`[H33] an upload whose connection is reset ${when} is complete, and leaves no parts`, {
      skip: NO_S3,
    }, async (t) => {
      const { proxy, store, made } = await behindProxy(t);
      proxy.fault = once(call, fault);
      await store.putFile(OTHER, made);
      assert.ok((await buffer(await store.read(OTHER))).equals(LONG));
      assert.equal(await store.sweep(-60_000), when === 'when it is opened, unheard' ? 1 : 0);
    });
  }

  test('[H33] a completion whose response was lost, and whose retry is refused, counts as done', {
    skip: NO_S3,
  }, async (t) => {
    const { proxy, store, made } = await behindProxy(t);
    const body = '<Error><Code>NoSuchUpload</Code><Message>It was completed, or aborted.</Message></Error>';
    const faults: Fault[] = [{ how: 'unheard' }, { how: 'answered', status: 404, body }];
    proxy.fault = (call) => (COMPLETION.test(call) ? (faults.shift() ?? null) : null);
    await store.putFile(OTHER, made);
    assert.deepEqual(faults, []);
    assert.ok((await buffer(await store.read(OTHER))).equals(LONG));
  });

  /** The first such call only. */
  function once(pattern: RegExp, fault: Fault): (call: string) => Fault | null {
    let left = 1;
    return (call) => (pattern.test(call) && left-- > 0 ? fault : null);
  }

  test('S3: objects that a batch delete left are deleted one by one, and failures are reported', {
    skip: NO_S3,
  }, async (t) => {
    const { proxy, store } = await behindProxy(t);
    for (const key of [OTHER, THIRD]) await put(store, key, 'content');
    const isList = (call: string) => call.startsWith('POST') && call.includes('delete');
    const body = `<DeleteResult><Error><Key>x</Key><Code>InternalError</Code></Error></DeleteResult>`;
    proxy.fault = (call) => {
      if (isList(call)) return { how: 'answered', status: 200, body };
      return call.startsWith('DELETE') && call.includes(THIRD) ? { how: 'answered', status: 403 } : null;
    };
    const faults = await store.deleteMany([KEY, OTHER, THIRD]);
    assert.deepEqual([...faults.keys()], [THIRD]);
    assert.equal((faults.get(THIRD) as { code?: string }).code, 'store.failed');
    proxy.fault = () => null;
    assert.deepEqual(await Array.fromAsync(store.list(''), ({ key }) => key), [THIRD]);
    assert.deepEqual(await store.deleteMany([KEY, OTHER, THIRD]), new Map());
    assert.deepEqual(await Array.fromAsync(store.list('')), []);
  });

  test('S3: if a server supports no batch delete, objects are deleted one by one, and the batch is not tried again', {
    skip: NO_S3,
  }, async (t) => {
    for (const status of [400, 403, 501]) {
      const { proxy, store } = await behindProxy(t);
      const isList = (call: string) => call.startsWith('POST') && call.includes('delete');
      proxy.fault = (call) => (isList(call) ? { how: 'answered', status } : null);
      for (const others of [
        [KEY, OTHER],
        [OTHER, THIRD],
      ]) {
        await put(store, OTHER, 'content');
        assert.deepEqual(await store.deleteMany(others), new Map());
      }
      assert.deepEqual(await Array.fromAsync(store.list('')), []);
      assert.equal(proxy.calls.filter(isList).length, 1);
    }
  });
});
