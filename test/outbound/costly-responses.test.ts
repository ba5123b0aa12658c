import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { sendWebhook } from '../../src/exports/deliver/send-webhook.ts';
import { type FetchRules, fetchFile } from '../../src/outbound/fetch-file.ts';
import { sendFile } from '../../src/outbound/send-file.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { tempFolder } from '../store/temp-folder.ts';
import { uncancelled } from '../uncancelled.ts';
import { costlyServer, FEW } from './costly-server.ts';

const RULES: FetchRules = { allowPrivate: true, idleMs: 30_000, totalMs: 60_000, pausesMs: [] };

function fetched(t: TestContext, url: string, watch: Parameters<typeof fetchFile>[5] = {}, signal = uncancelled) {
  return fetchFile(new URL(url), join(tempFolder(t), randomUUID()), null, RULES, signal, watch);
}

const TOO_COSTLY: Readonly<Record<string, RegExp>> = {
  '/bytes': /^fetch\.framing: .* it sent more than 100000 chunks of less than 64 bytes on average\.$/,
  '/extensions': /^fetch\.framing: .* it sent \d+ bytes of HTTP framing for \d+ bytes of content\.$/,
  '/zeros': /^fetch\.framing: .* it sent \d+ bytes of HTTP framing for 0 bytes of content\.$/,
  '/continue': /^fetch\.framing: .* more than 16 informational responses \(1xx\)\.$/,
  '/processing': /^fetch\.framing: .* more than 16 informational responses \(1xx\)\.$/,
  '/hints': /^fetch\.framing: .* more than 16 informational responses \(1xx\)\.$/,
  '/headers': /^fetch\.failed: .* \(HPE_HEADER_OVERFLOW\)\.$/,
  '/trailers': /^fetch\.failed: .* \(HPE_HEADER_OVERFLOW\)\.$/,
};

test('[H49] a response without an end that is costly to parse is refused, with the reason', async (t) => {
  await using server = await costlyServer();
  for (const [path, expected] of Object.entries(TOO_COSTLY)) {
    const error = await fetched(t, server.base + path).then(
      () => assert.fail('it came'),
      (thrown: unknown) => thrown as Error & { code: string },
    );
    assert.match(`${error.code}: ${error.message}`, expected, path);
  }
});

test('[H49] destinations and webhooks end such a response too, and a webhook needs only the status', async () => {
  await using server = await costlyServer();
  const file = { contentType: 'video/mp4', bytes: 1, sha256: sha256('a'), stream: async () => Readable.from(['a']) };
  const send = (path: string) => sendFile({ url: new URL(server.base + path), headers: {} }, file, RULES, uncancelled);
  const reason = 'it sent more than 16 informational responses (1xx)';
  assert.deepEqual(await send('/processing'), { sent: false, code: 'destination.failed', reason, final: true });
  assert.deepEqual(await send('/bytes'), { sent: true });
  const post = (path: string) =>
    sendWebhook(new URL(server.base + path), {}, '{}', { allowPrivate: true, signal: uncancelled });
  assert.deepEqual(await post('/hints'), { delivered: false, status: null, reason, final: false });
  for (const path of ['/bytes', '/extensions', '/zeros']) {
    assert.deepEqual(await post(path), { delivered: true, status: 200 }, path);
  }
});

/** The processor time of this thread, in milliseconds. */
async function threadMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

test('[H49] small chunks cost little more than Node itself needs for them', async (t) => {
  await using server = await costlyServer();
  const url = server.base + FEW.path;
  const bare = () =>
    new Promise<void>((ended) => {
      get(url, (response) => void response.on('data', () => {}).on('end', ended));
    });
  const ours = async () => assert.equal((await fetched(t, url))?.bytes, FEW.bytes);
  const [bares, ourTimes]: [number[], number[]] = [[], []];
  for (let round = 0; round < 4; round += 1) {
    bares.push(await threadMs(bare));
    ourTimes.push(await threadMs(ours));
  }
  const ratio = Math.min(...ourTimes) / Math.min(...bares);
  t.diagnostic(
    `${((1000 * Math.min(...ourTimes)) / FEW.bytes).toFixed(2)} µs for each byte, ${ratio.toFixed(1)} times as much as Node`,
  );
  assert.ok(ratio < 5, `${ratio} times`);
});

/** The most processor time of one pass of the event loop while `work` runs, in milliseconds. */
async function longestPassMs(work: Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false];
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) longest = Math.max(longest, await threadMs(() => new Promise((done) => setImmediate(done))));
  return longest;
}

const FETCHES = 24;
const ENOUGH_BYTES = 150_000;

test('[H49] 24 responses in chunks of one byte never hold the event loop for long, and need little memory', async (t) => {
  await using server = await costlyServer();
  await assert.rejects(fetched(t, `${server.base}/headers`), 'the code is loaded');
  const cancel = new AbortController();
  let total = 0;
  const start = () => {
    let before = 0;
    const onBytes = async (bytes: number) => {
      total += bytes - before;
      before = bytes;
      if (total >= ENOUGH_BYTES) cancel.abort();
    };
    return fetched(t, `${server.base}/bytes`, { onBytes }, cancel.signal).catch(() => {});
  };
  const memoryBefore = process.memoryUsage().rss;
  const longest = await longestPassMs(Promise.all(Array.from({ length: FETCHES }, start)));
  const grown = (process.memoryUsage().rss - memoryBefore) / 2 ** 20;
  t.diagnostic(`${longest.toFixed(1)} ms of processor time in the longest pass, ${grown.toFixed()} MiB more memory`);
  assert.ok(total >= ENOUGH_BYTES);
  assert.ok(longest < 50, `a pass of ${longest} ms`);
  assert.ok(grown < 100, `${grown} MiB`);
});
