import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { makeClip } from '../fixtures/clips.ts';
import { ANSWERS_SETTINGS, answersSuite } from '../hostile/requests/answers-suite.ts';
import { metadataOf, post } from '../service/export-client.ts';
import { readingSuite } from '../service/reading/reading-suite.ts';
import { PICTURE, sampleRequest } from '../service/sample-request.ts';
import { walkSuite } from '../service/walk-suite.ts';
import { ClusterFixture } from './cluster-fixture.ts';
import { lent } from './lent-cluster.ts';

/** Every request of these suites goes to another node than the last, and none of these renders. */
describe('two API nodes and two workers', () => {
  let cluster: ClusterFixture;
  before(async () => {
    cluster = await ClusterFixture.start();
  });
  after(() => cluster[Symbol.asyncDispose]());
  const shared = async () => lent(cluster);

  describe('the walk', () => walkSuite(shared));
  describe('reading', () => readingSuite(shared));

  test('[C38] an upload that broke off at one node resumes at the other, and exports of both nodes can use it', async () => {
    const clip = await makeClip({ frames: 90, width: 128, height: 72, firstNumber: 1000, sound: { seconds: 3 } });
    const bytes = readFileSync(clip.file);
    const half = Math.floor(bytes.length / 2);
    const path = `/media/${createHash('sha256').update(bytes).digest('hex')}`;
    const send = (start: number, end: number) =>
      fetch(`${cluster.base}${path}`, {
        method: 'PUT',
        body: new Uint8Array(bytes.subarray(start, end)),
        headers: { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` },
      });
    assert.equal((await send(0, half)).status, 202);
    const begun = await fetch(`${cluster.base}${path}`, { method: 'HEAD' });
    assert.equal(begun.headers.get('upload-offset'), `${half}`);
    assert.equal((await send(half, bytes.length)).status, 201);
    const { documents } = sampleRequest();
    const media_refs = { clip: path.split('/').at(-1)! };
    const request = { documents: { ...documents, media_refs }, files: { picture: PICTURE.file } };
    assert.equal((await metadataOf(await post(cluster, request), 201)).state, 'completed');
  });

  test('[C9] the same key at two nodes at the same time makes one export', async () => {
    const key = { 'idempotency-key': 'twice', prefer: 'respond-async' };
    const request = sampleRequest({ settings: { fps: 24 } });
    const replies = await Promise.all([post(cluster, request, key), post(cluster, request, key)]);
    const ids = await Promise.all(replies.map(async (reply) => (await metadataOf(reply, 202)).export_id));
    assert.equal(new Set(ids).size, 1);
  });
});

describe('hostile requests to two nodes', () => {
  answersSuite(() => ClusterFixture.start({ workers: 1, settings: ANSWERS_SETTINGS }));
});
