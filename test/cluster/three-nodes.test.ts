import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ExportMetadata } from '../../src/http/replies/export-replies.ts';
import { requestOf } from '../load/requests.ts';
import { createAsync, eventsOf, metadataOf, post, seen } from '../service/export-client.ts';
import { sampleRequest, TIER_LIST } from '../service/sample-request.ts';
import type { ServiceFixture } from '../service/service-fixture.ts';
import { ClusterFixture } from './cluster-fixture.ts';
import { SharedFiles } from './shared-files.ts';

const KEYS = 6;

/** On one PostgreSQL and, where there is one to test with, one S3; none of the three renders. */
describe('three API nodes', () => {
  let files: SharedFiles;
  let cluster: ClusterFixture;
  let nodes: readonly [ServiceFixture, ServiceFixture, ServiceFixture];

  before(async () => {
    files = await SharedFiles.open(true);
    const { server } = files;
    const endpoint = server === null ? {} : { TIERCUT_S3_ENDPOINT: `http://${server.host}:${server.port}` };
    const settings = { ...files.settings, ...endpoint, TIERCUT_PRERENDER: 'selected' };
    cluster = await ClusterFixture.start({ apis: 3, workers: 1, settings });
    nodes = cluster.apis as unknown as typeof nodes;
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    await files[Symbol.asyncDispose]();
  });

  async function gone({ export_id, download_url }: ExportMetadata): Promise<void> {
    for (const { base } of nodes) {
      for (const path of [`/video/exports/${export_id}`, `/video/exports/${export_id}/events`, download_url]) {
        assert.equal((await fetch(`${base}${path}`)).status, 404, path);
      }
    }
    await seen('the end of its files', async () => (await filesOf(export_id)).length === 0);
  }

  /** The shared data of an export, except the media, which stay a while for reuse. */
  async function filesOf(id: string): Promise<string[]> {
    return (await files.names()).filter((name) => name.includes(id));
  }

  function remove({ base }: ServiceFixture, { export_id }: ExportMetadata): Promise<Response> {
    return fetch(`${base}/video/exports/${export_id}`, { method: 'DELETE' });
  }

  test('[C27, H23] an export is created at one node, followed at the second, downloaded and deleted at the third', async () => {
    const made = await createAsync(nodes[0], sampleRequest());
    const states = await Array.fromAsync(eventsOf(nodes[1], made.export_id), ({ data }) => data);
    const { state, outputs } = states.at(-1)!;
    assert.equal(state, 'completed');
    const reply = await fetch(`${nodes[2].base}${made.download_url}`);
    const bytes = Buffer.from(await reply.arrayBuffer());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual([reply.status, sha256], [200, outputs[made.settings.preset]!.sha256]);
    assert.equal((await remove(nodes[2], made)).status, 204);
    await gone(made);
  });

  test('[C29] deleting an export at the third node during its render ends the events at the second', async () => {
    const made = await createAsync(nodes[0], requestOf('deleted in mid-render'));
    let deleted: Response | null = null;
    for await (const { data } of eventsOf(nodes[1], made.export_id)) {
      assert.notEqual(data.state, 'completed');
      if (data.progress > 0) deleted ??= await remove(nodes[2], made);
    }
    assert.equal(deleted?.status, 204);
    await gone(made);
  });

  test('[C9] the same key at three nodes at the same time makes one export, every time', async () => {
    for (let round = 0; round < KEYS; round += 1) {
      const headers = { 'idempotency-key': `race ${round}`, prefer: 'respond-async' };
      const request = sampleRequest({ tier_list: { ...TIER_LIST, title: `Race ${round}` } });
      const replies = await Promise.all(nodes.map((node) => post(node, request, headers)));
      const all = await Promise.all(replies.map((reply) => metadataOf(reply, 202)));
      assert.equal(new Set(all.map(({ export_id }) => export_id)).size, 1);
      const replayed = replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
      assert.equal(replayed.length, 2, 'one has made it');
      assert.equal((await remove(nodes[round % 3]!, all[0]!)).status, 204);
      await gone(all[0]!);
    }
  });

  test('[C9] the same key with different content at three nodes at the same time: one is created, the others are refused', async () => {
    const headers = { 'idempotency-key': 'contested', prefer: 'respond-async' };
    const replies = await Promise.all(
      nodes.map((node, n) =>
        post(node, sampleRequest({ tier_list: { ...TIER_LIST, title: `Version ${n}` } }), headers),
      ),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 422, 422]);
    const bodies = await Promise.all(replies.map((reply) => reply.json() as Promise<Record<string, unknown>>));
    const codes = bodies.filter(({ ok }) => ok === false).map(({ code }) => code);
    assert.deepEqual(codes, ['idempotency.conflict', 'idempotency.conflict']);
  });
});
