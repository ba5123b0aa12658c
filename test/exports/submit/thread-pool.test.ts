import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { ThreadPool } from '../../../src/exports/submit/thread-pool.ts';
import { uncancelled } from '../../uncancelled.ts';

/** A thread that follows its task: echoes, fails, crashes, exits, or waits for the given gate. */
const THREAD = `
  import { parentPort, threadId, workerData } from 'node:worker_threads';
  parentPort.on('message', ({ say, fail, crash, exit, hold, chatter }) => {
    if (chatter !== undefined) parentPort.postMessage(chatter);
    if (hold !== undefined) Atomics.wait(new Int32Array(hold), 0, 0);
    if (crash) throw new Error('broken');
    if (exit) process.exit(0);
    if (fail) parentPort.postMessage({ failure: fail });
    else parentPort.postMessage({ value: { say, threadId, workerData } });
  });
`;
const entry = new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`);

interface Said {
  readonly say: string;
  readonly threadId: number;
  readonly workerData: unknown;
}

function pool(threads = 1, maxWaiting = 100): ThreadPool {
  return new ThreadPool({ entry, data: 'rules', threads, maxWaiting });
}

/** A task that ends when it is opened. */
function held(threads: ThreadPool, party: string, say: string, signal = uncancelled) {
  const hold = new SharedArrayBuffer(4);
  const done = threads.run(party, { say, hold }, signal) as Promise<Said>;
  const open = () => {
    Atomics.store(new Int32Array(hold), 0, 1);
    Atomics.notify(new Int32Array(hold), 0);
  };
  return { done, open };
}

test('a task runs in a thread, which keeps its start data', async () => {
  await using threads = pool();
  const first = (await threads.run('ann', { say: 'one' }, uncancelled)) as Said;
  const second = (await threads.run('bob', { say: 'two' }, uncancelled)) as Said;
  assert.deepEqual([first.say, second.say, first.workerData], ['one', 'two', 'rules']);
  assert.equal(first.threadId, second.threadId);
});

test("other messages at a thread's port are not results", async () => {
  await using threads = pool();
  const said = (await threads.run(
    'ann',
    { say: 'one', chatter: { 'watch:import': ['file:///a.ts'] } },
    uncancelled,
  )) as Said;
  assert.equal(said.say, 'one');
});

test('a failure keeps its kind, code, path and all its issues', async () => {
  await using threads = pool();
  const issues = [
    { path: '/a', code: 'field.type', message: 'A.' },
    { path: '/b', code: 'field.range', message: 'B.' },
  ];
  const fail = { kind: 'invalid', code: 'request.invalid', message: 'Two errors.', path: '/a', issues };
  await assert.rejects(threads.run('ann', { fail }, uncancelled), (error) => {
    assert.ok(error instanceof ExportError);
    const { kind, code, message, path } = error;
    assert.deepEqual({ kind, code, message, path, issues: error.issues }, fail);
    return true;
  });
});

test('a thread that crashes or exits fails its own task, as a bug, and is replaced', async () => {
  await using threads = pool();
  for (const task of [{ crash: true }, { exit: true }]) {
    await assert.rejects(threads.run('ann', task, uncancelled), (error) => !(error instanceof ExportError));
    assert.equal(((await threads.run('ann', { say: 'well' }, uncancelled)) as Said).say, 'well');
  }
});

test('an abort ends the wait, in the queue or in a thread, and the thread takes the next task', async () => {
  await using threads = pool();
  const running = new AbortController();
  const waiting = new AbortController();
  const first = held(threads, 'ann', 'first', running.signal);
  const second = threads.run('ann', { say: 'second' }, waiting.signal);
  const third = threads.run('ann', { say: 'third' }, uncancelled) as Promise<Said>;
  waiting.abort(new Error('left the queue'));
  await assert.rejects(second, /left the queue/);
  running.abort(new Error('left the thread'));
  await assert.rejects(first.done, /left the thread/);
  first.open();
  assert.equal((await third).say, 'third');
  await assert.rejects(threads.run('ann', { say: 'late' }, running.signal), /left the thread/);
});

test('the queue is bounded, and entries that leave it make room', async () => {
  await using threads = pool(1, 1);
  const first = held(threads, 'ann', 'first');
  const leaving = new AbortController();
  const second = threads.run('ann', { say: 'second' }, leaving.signal);
  await assert.rejects(threads.run('ann', { say: 'third' }, uncancelled), {
    code: 'service.busy',
    kind: 'unavailable',
  });
  leaving.abort();
  await assert.rejects(second);
  const fourth = threads.run('ann', { say: 'fourth' }, uncancelled) as Promise<Said>;
  first.open();
  assert.equal((await fourth).say, 'fourth');
});

test('[C91] tenants take turns: one with many tasks delays another by one task', async () => {
  await using threads = pool(1);
  const order: string[] = [];
  const note = async (said: Promise<unknown>) => order.push(((await said) as Said).say);
  const first = held(threads, 'ann', 'ann 1');
  const all = [
    note(first.done),
    note(threads.run('ann', { say: 'ann 2' }, uncancelled)),
    note(threads.run('ann', { say: 'ann 3' }, uncancelled)),
    note(threads.run('bob', { say: 'bob 1' }, uncancelled)),
  ];
  first.open();
  await Promise.all(all);
  assert.deepEqual(order, ['ann 1', 'bob 1', 'ann 2', 'ann 3']);
});
