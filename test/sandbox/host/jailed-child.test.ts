import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { childLimits } from '../../../src/sandbox/host/child-limits.ts';
import { ScratchFolder } from '../scratch-folder.ts';
import { startTestChild } from './start-test-child.ts';

const LIMITS = childLimits(10);

/** Asserts the error and returns its account for the log. */
async function failsWith(promise: Promise<unknown>, kind: string, code: string): Promise<string> {
  const error = await promise.then(
    () => assert.fail(`${code} was expected`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ExportError, String(error));
  assert.deepEqual([error.kind, error.code], [kind, code]);
  return String((error.cause as Error | undefined)?.message);
}

function alive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Two at a time: most of them wait, and those that count time have a second to spare. */
describe('a jailed child', { concurrency: 2 }, () => {
  test('several requests run at the same time, and leave their files', async () => {
    using folder = new ScratchFolder();
    const path = join(folder.workDir, 'out.bin');
    {
      await using child = await startTestChild(folder);
      const long = 'ä€😀'.repeat(100_000);
      assert.deepEqual(
        await Promise.all([
          child.request('echo', 'a'),
          child.request('echo', long),
          child.request('read', folder.upload),
        ]),
        ['a', long, 4],
      );
      await child.request('write', { path, bytes: 10 });
      await child.request('late_progress', null);
      assert.equal(await child.request('echo', 'still there'), 'still there');
      assert.ok(child.peakRssBytes > 2 ** 20);
    }
    assert.equal(readFileSync(path, 'utf8'), 'x'.repeat(10));
  });

  test('progress and warnings arrive while a request runs', async () => {
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder);
    const steps: number[] = [];
    await child.request('step', { steps: 4, everyMs: 110 }, { onProgress: ({ done }) => steps.push(done) });
    assert.deepEqual(steps, [1, 2, 3, 4]);
    const issue = { path: '/timeline_data/subtitles/0', code: 'text.no_glyph', message: 'No glyph.' };
    const warnings: unknown[] = [];
    await child.request('warn', { issue, times: 1 }, { onWarning: (warning) => warnings.push(warning) });
    assert.deepEqual(warnings, [issue]);
    await child.request('warn', { issue, times: 5_000 }, { onWarning: (warning) => warnings.push(warning) });
    assert.equal(warnings.length, 1 + 1_000, 'a child keeps to the number the parent puts up with');
  });

  test('[C32, H21] an expected failure arrives complete; any other is internal, with its text only in the log', async () => {
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder);
    const account = await failsWith(child.request('fail', null), 'unsupported', 'media.unsupported');
    assert.match(account, /library text/);
    const error = await child.request('break', null).catch((reason: ExportError) => reason);
    assert.ok(error instanceof ExportError);
    assert.equal(error.code, 'render.failed');
    assert.doesNotMatch(error.message, /secret/);
    assert.match(String((error.cause as Error).message), /secret detail/);
    assert.equal(await child.request('echo', 'alive'), 'alive');
  });

  test('stdout carries only the protocol: output of libraries goes to stderr', async () => {
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder);
    await child.request('print', '\0\0\0\x05 stray');
    assert.equal(await child.request('echo', 'still in step'), 'still in step');
    assert.match(await failsWith(child.request('exit', 3), 'internal', 'render.crashed'), /stray/);
  });

  test('[H7] when memory runs out, the kernel ends a render before anything else', async (t) => {
    if (process.platform !== 'linux') return t.skip('Linux alone lets a process say so');
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder);
    assert.equal(await child.request('oom_score', null), 1000);
  });

  test('[H4] the parent talks to the child through pipes: it holds no socket', async (t) => {
    if (process.platform !== 'linux') return t.skip('looks for descriptors in /proc');
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder);
    const files = await child.request('open_files', null);
    assert.deepEqual(
      files.filter((name) => name.startsWith('socket:')),
      [],
    );
    assert.ok(files.filter((name) => name.startsWith('pipe:')).length >= 3, files.join(' '));
  });

  test('[H4] the environment is not passed on', async () => {
    using folder = new ScratchFolder();
    process.env.TIERCUT_TEST_SECRET = 'secret';
    try {
      await using child = await startTestChild(folder);
      const names = Object.keys(await child.request('environment', null)).sort();
      const allocators = ['MALLOC_MMAP_THRESHOLD_', 'MIMALLOC_ARENA_EAGER_COMMIT', 'MIMALLOC_PURGE_DELAY'];
      const own = ['HOME', 'LANG', ...allocators, 'OPENSSL_CONF', 'TMPDIR', 'TZ'];
      assert.deepEqual(names, own);
    } finally {
      delete process.env.TIERCUT_TEST_SECRET;
    }
  });

  for (const signal of ['SIGSEGV', 'SIGABRT', 'SIGKILL'] as const) {
    test(`[H25] a child that dies of ${signal} is an error like others, and leaves no file and no zombie`, async () => {
      using folder = new ScratchFolder();
      await using child = await startTestChild(folder);
      const hanging = child.request('write_and_hang', { path: join(folder.workDir, 'half') });
      hanging.catch(() => {});
      assert.match(await failsWith(child.request('signal_self', signal), 'internal', 'render.crashed'), RegExp(signal));
      await failsWith(hanging, 'internal', 'render.crashed');
      assert.deepEqual(readdirSync(folder.workDir), []);
      assert.ok(!alive(child.pid!));
      await failsWith(child.request('echo', 'too late'), 'internal', 'render.crashed');
    });
  }

  test('the cause has the exit code and the last lines of stderr', async () => {
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder);
    const account = await failsWith(child.request('exit', 7), 'internal', 'render.crashed');
    assert.match(account, /exit code 7/);
    assert.match(account, /last words/);
  });

  for (const op of ['write_and_hang', 'write_and_stop'] as const) {
    test(`[H25] an abort ends ${op}, which never ends by itself, and leaves no file, process or listener`, async () => {
      using folder = new ScratchFolder();
      await using child = await startTestChild(folder);
      const abort = new AbortController();
      const started = Promise.withResolvers<void>();
      const request = child.request(
        op,
        { path: join(folder.workDir, 'half') },
        { signal: abort.signal, onProgress: () => started.resolve() },
      );
      await started.promise;
      assert.deepEqual(readdirSync(folder.workDir), ['half']);
      abort.abort();
      await failsWith(request, 'cancelled', 'render.cancelled');
      assert.deepEqual(readdirSync(folder.workDir), []);
      assert.ok(!alive(child.pid!));
      assert.equal(getEventListeners(abort.signal, 'abort').length, 0);
    });
  }

  test('a child too busy to read messages is still aborted, by the signal it was started with', async () => {
    using folder = new ScratchFolder();
    const abort = new AbortController();
    await using child = await startTestChild(folder, { signal: abort.signal });
    const started = Promise.withResolvers<void>();
    const request = child.request('spin', null, { onProgress: () => started.resolve() });
    await started.promise;
    abort.abort();
    await failsWith(request, 'cancelled', 'render.cancelled');
    assert.ok(!alive(child.pid!));
    assert.equal(getEventListeners(abort.signal, 'abort').length, 0);
  });

  test('an abort before the start, or during it, starts nothing', async () => {
    using folder = new ScratchFolder();
    await failsWith(startTestChild(folder, { signal: AbortSignal.abort() }), 'cancelled', 'render.cancelled');
    const abort = new AbortController();
    const starting = startTestChild(folder, { signal: abort.signal, log: () => abort.abort() });
    await failsWith(starting, 'cancelled', 'render.cancelled');
  });

  test('[C34, H7] memory over the limit ends the child, and is an error of the media', async () => {
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder, { limits: { ...LIMITS, rssBytes: 300 * 2 ** 20 } });
    await failsWith(child.request('eat', { bytes: 2 ** 31 }), 'invalid', 'render.out_of_memory');
    assert.ok(child.peakRssBytes < 2 ** 30, `${child.peakRssBytes}`);
    assert.ok(!alive(child.pid!));
  });

  test('[H7] one large allocation is refused by the kernel before any watchdog checks', async (t) => {
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder, { limits: { ...LIMITS, rssBytes: 512 * 2 ** 20 } });
    if (!child.jail.layers.some(({ name }) => name === 'rlimits')) return t.skip('no resource limits here');
    // The kernel's limit is slightly above the watchdog's: by the size of reserved stacks and the runtime itself.
    const closeAbove = (512 + 768 + 128 * availableParallelism()) * 2 ** 20;
    assert.equal(await child.request('reserve', { bytes: closeAbove }), 0);
  });

  test('[C34, H7] no progress for too long ends the child; steps keep it alive', async () => {
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder, { limits: { ...LIMITS, stallMs: 1_500 } });
    await child.request('step', { steps: 5, everyMs: 400 });
    await failsWith(child.request('spin', null), 'invalid', 'render.stalled');
  });

  test('[H7] a child that gets no processor time is ended as blocked, much later and not as an error of the media', async () => {
    using folder = new ScratchFolder();
    const limits = { ...LIMITS, stallMs: 300, budgetMs: 1_000, blockedMs: 6_000 };
    await using child = await startTestChild(folder, { limits });
    // Idle for longer than the stall, but not for too long.
    await child.request('step', { steps: 1, everyMs: 600 });
    const hanging = child.request('write_and_hang', { path: join(folder.workDir, 'half') });
    await failsWith(hanging, 'internal', 'render.blocked');
  });

  test('[H7] an endless stream of empty files is stopped, and the files are removed', async () => {
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder);
    const making = child.request('make_files', { folder: folder.workDir, count: 300_000 });
    await failsWith(making, 'invalid', 'render.over_disk');
    assert.deepEqual(readdirSync(folder.workDir), []);
  });

  test('[C34, H7] steps do not extend the budget, and waiting between requests does not count', async () => {
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder, { limits: { ...LIMITS, budgetMs: 1_500 } });
    await child.request('step', { steps: 2, everyMs: 100 });
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 1_600);
    await promise;
    await child.request('echo', 'in budget');
    await failsWith(child.request('step', { steps: 100, everyMs: 100, busy: true }), 'invalid', 'render.over_budget');
  });

  for (const removed of [false, true]) {
    const files = removed ? 'files that it has removed and holds open' : 'its files in sum';
    test(`[C34, H7] ${files} do not grow over the limit`, async (t) => {
      if (removed && process.platform !== 'linux') return t.skip('looks for descriptors in /proc');
      using folder = new ScratchFolder();
      await using child = await startTestChild(folder, { limits: { ...LIMITS, workBytes: 2 ** 26 } });
      const request = child.request('fill', { folder: folder.workDir, removed });
      await failsWith(request, 'invalid', 'render.over_disk');
      assert.deepEqual(readdirSync(folder.workDir), []);
    });
  }

  test('[H7] a child that starts endless threads is ended', async (t) => {
    if (process.platform !== 'linux') return t.skip('counts threads in /proc');
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder, { limits: { ...LIMITS, threads: 10 } });
    // Few: each thread of Node's reserves memory by the hundred megabytes. Half a dozen are there anyway.
    await failsWith(child.request('start_threads', { count: 8 }), 'internal', 'render.misbehaved');
  });

  test('[H7] a file does not grow over the limit', async (t) => {
    using folder = new ScratchFolder();
    await using child = await startTestChild(folder, { limits: { ...LIMITS, fileBytes: 2 ** 20 } });
    if (!child.jail.layers.some(({ name }) => name === 'rlimits')) return t.skip('no resource limits here');
    const path = join(folder.workDir, 'long');
    assert.match(
      await failsWith(child.request('write', { path, bytes: 2 ** 21 }), 'internal', 'render.failed'),
      /EFBIG/,
    );
    assert.equal(statSync(path).size, 2 ** 20);
  });

  test('closing during a request fails the request and leaves no process', async () => {
    using folder = new ScratchFolder();
    const child = await startTestChild(folder);
    const request = child.request('write_and_hang', { path: join(folder.workDir, 'half') });
    request.catch(() => {});
    await child[Symbol.asyncDispose]();
    await failsWith(request, 'internal', 'render.closed');
    assert.ok(!alive(child.pid!));
    await assert.rejects(child.request('echo', 'x'), /closed child/);
  });

  test('a used work folder, a missing input and an output elsewhere are refused before anything runs', async () => {
    using folder = new ScratchFolder();
    await failsWith(startTestChild(folder, { inputs: [join(folder.path, 'no')] }), 'internal', 'render.input_missing');
    await failsWith(startTestChild(folder, { inputs: [folder.path] }), 'internal', 'render.input_missing');
    {
      await using child = await startTestChild(folder);
      await assert.rejects(child.request('write', { path: join(folder.path, 'x'), bytes: 1 }), /work folder/);
      await failsWith(
        child.request('write', { path: join(folder.workDir, 'e'), bytes: 0 }),
        'internal',
        'render.output_missing',
      );
    }
    writeFileSync(join(folder.workDir, 'mine'), 'x');
    await assert.rejects(startTestChild(folder), /must be empty/);
    assert.ok(existsSync(join(folder.workDir, 'mine')));
  });
});
