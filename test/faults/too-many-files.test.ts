import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createAsync, download, ended, post, reached, statusOf } from '../service/export-client.ts';
import { openHandles } from '../service/process-tree.ts';
import { sampleRequest } from '../service/sample-request.ts';
import { ServiceFixture } from '../service/service-fixture.ts';

const ROUNDS = 12;
const ENOUGH = 4096;

/** How many descriptors a running process may have from now on. */
function limitHandles(pid: number, most: number): void {
  const { status, stderr } = spawnSync('prlimit', [`--pid=${pid}`, `--nofile=${most}:`]);
  assert.equal(status, 0, String(stderr));
}

/** The result: a status, or no response because the connection could not be accepted. */
async function statusOrNothing(request: Promise<Response>): Promise<number | 'nothing'> {
  const reply = await request.catch(() => null);
  if (reply === null) return 'nothing';
  const body = await reply.text().catch(() => null);
  if (body !== null && reply.status >= 400) {
    assert.equal(reply.headers.get('content-type'), 'application/problem+json', body);
    assert.equal(JSON.parse(body).ok, false);
  }
  return reply.status;
}

test('[H32] without free descriptors, the service refuses requests, stays alive and recovers', async (t) => {
  if (spawnSync('prlimit', ['--version']).error !== undefined) return t.skip('there is no prlimit here');
  await using service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
  // While nothing renders: a child that happens to run has some more, and takes them along when it ends.
  const atRest = openHandles(service.pid);
  const { export_id: done } = await createAsync(service, sampleRequest());
  const metadata = await ended(service, done);
  const { export_id: waiting } = await createAsync(service, sampleRequest({ settings: { quality: 'high' } }));

  const answers: (number | 'nothing')[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // From none at all to nearly enough: each count stops the work at another step.
    limitHandles(service.pid, atRest + round);
    const both = await Promise.all([
      statusOrNothing(post(service, sampleRequest(), { prefer: 'respond-async' })),
      statusOrNothing(fetch(`${service.base}${metadata.downloads.preset_one}`)),
      statusOrNothing(fetch(`${service.base}/video/exports/${done}`)),
    ]);
    answers.push(...both);
  }
  const foreseen = new Set<number | 'nothing'>(['nothing', 200, 202, 503]);
  assert.deepEqual(
    answers.filter((answer) => !foreseen.has(answer)),
    [],
  );
  assert.ok(answers.includes(503), `it was never out of descriptors: ${answers.join(' ')}`);
  assert.equal(service.exitCode, null, service.lines.join('\n'));

  limitHandles(service.pid, ENOUGH);
  const { state } = await ended(service, waiting);
  assert.ok(state === 'completed' || state === 'failed');
  const { export_id: next } = await createAsync(service, sampleRequest());
  await download(service, await ended(service, next), 'preset_one');
  assert.equal((await statusOf(service, done)).state, 'completed');
  await reached('as few descriptors as before', () => openHandles(service.pid) <= atRest + 8);
  await reached('no upload left over', () => service.files('work').length === 0);
});
