import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { TiercutClient } from '../../packages/client/src/client.ts';
import { s3Client } from '../../src/store/s3/s3-blob-store.ts';
import { EventReceiver } from '../exports/deliver/event-receiver.ts';
import { makeClip } from '../fixtures/clips.ts';
import { type FileServer, fileServer } from '../outbound/file-server.ts';
import { seen } from '../service/export-client.ts';
import { NO_S3, testPlace } from '../store/s3/test-bucket.ts';
import { ClusterFixture } from './cluster-fixture.ts';
import { SharedFiles } from './shared-files.ts';

const SETTINGS = { quality: 'draft', width: 128, height: 72 } as const;
const TIMELINE = { videos: [{ file_field: 'clip', duration: 0.5 }] };

/** What nodes do with addresses from clients, on PostgreSQL and, if there is one, an S3 server. */
describe('nodes and external services', () => {
  let files: SharedFiles;
  let cluster: ClusterFixture;
  let media: FileServer;
  let client: TiercutClient;
  before(async () => {
    files = await SharedFiles.open(true);
    const s3 = files.server && {
      TIERCUT_S3_ENDPOINT: `http://${files.server.host}:${files.server.port}`,
      TIERCUT_DOWNLOADS: 'redirect',
    };
    const settings = { ...files.settings, ...s3, TIERCUT_PRIVATE_ADDRESSES: 'on', TIERCUT_PRERENDER: 'selected' };
    cluster = await ClusterFixture.start({ apis: 1, workers: 1, settings });
    const { file } = await makeClip({ frames: 30, width: 128, height: 72 });
    media = await fileServer((_, response) => response.writeHead(200, { etag: '"1"' }).end(readFileSync(file)));
    client = new TiercutClient({ url: cluster.base });
  });
  after(async () => {
    await media[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
    await files[Symbol.asyncDispose]();
  });

  /** Files come from an address, as in every test here. */
  const request = (name: string) => ({
    tier_list: { title: name },
    timeline_data: TIMELINE,
    settings: { ...SETTINGS, file_name: name },
    media: { clip: { url: `${media.base}/clip.mp4` } },
  });

  test('[C66, C68, C69] files are fetched, events are sent in order, and videos are sent to their destinations', async (t) => {
    const receiver = await EventReceiver.listen(t);
    const bodies: Buffer[] = [];
    await using server = await fileServer(async (incoming, response) => {
      bodies.push(await buffer(incoming));
      response.end();
    });
    const { export_id } = await client.create({
      ...request('sent'),
      callback_url: receiver.url,
      callback_events: ['output.completed', 'export.completed'],
      destinations: { portrait: { url: `${server.base}/two`, headers: { 'x-own': '1' } } },
    });
    let last = await client.status(export_id);
    for await (const view of client.follow(export_id)) last = view;
    assert.deepEqual(last.outputs.preset_two?.destination, { state: 'sent', attempts: 1 });
    const [body] = bodies;
    assert.equal(createHash('sha256').update(body!).digest('hex'), last.outputs.preset_two?.sha256);
    assert.equal(server.asked[0]?.headers['x-own'], '1');
    await seen('all events', () => receiver.got.length === 3);
    assert.deepEqual(receiver.idsOf(export_id).sort(), [
      'completed',
      'output.completed.preset_one',
      'output.completed.preset_two',
    ]);
  });

  test('[C69] a video is sent to a presigned URL of a real object store', { skip: NO_S3 }, async (t) => {
    const place = await testPlace(t);
    const store = s3Client(place);
    t.after(() => store.destroy());
    const object = { Bucket: place.bucket, Key: `${place.prefix}${randomUUID()}.mp4` };
    const sign = (command: PutObjectCommand) => getSignedUrl(store, command, { expiresIn: 600 });
    const url = await sign(new PutObjectCommand({ ...object, ContentType: 'video/mp4' }));
    const expired = await sign(new PutObjectCommand({ ...object, Key: 'never' })).then((signed) => `${signed}0`);
    const { export_id } = await client.create({
      ...request('signed'),
      destinations: { landscape: url, square: expired },
    });
    let last = await client.status(export_id);
    // Not to the end: a store that closes the connection with its refusal may cut it off, and the next tries come minutes later.
    const isTold = ({ preset_one: one, preset_three: three }: typeof last.outputs) =>
      one?.destination?.state === 'sent' && three?.destination?.error !== undefined;
    for await (const view of client.follow(export_id)) {
      last = view;
      if (isTold(view.outputs)) break;
    }
    const { preset_one: one, preset_three: three } = last.outputs;
    assert.equal(one?.destination?.state, 'sent');
    const { state, error } = three?.destination ?? {};
    assert.equal(error?.code, 'destination.failed');
    if (/status/.test(error?.detail ?? '')) assert.match(`${state}: ${error?.detail}`, /^failed: .*status 403/);
    else assert.notEqual(state, 'sent');
    const { Body, ContentType } = await store.send(new GetObjectCommand(object));
    const bytes = await Body!.transformToByteArray();
    assert.equal(ContentType, 'video/mp4');
    assert.equal(createHash('sha256').update(bytes).digest('hex'), one?.sha256);
  });

  test('[C27] the client follows the redirect of a download', { skip: NO_S3 }, async () => {
    const { export_id } = await client.create(request('redirected'));
    const response = await fetch(`${cluster.base}/video/exports/${export_id}/download/preset_one`, {
      redirect: 'manual',
    });
    assert.equal(response.status, 302);
    for (const [preset, name] of [
      ['landscape', 'redirected.mp4'],
      ['portrait', 'redirected-portrait.mp4'],
    ] as const) {
      const video = await client.download(export_id, { preset });
      const bytes = await new Response(video.stream).bytes();
      assert.deepEqual([video.name, video.bytes], [name, bytes.length]);
      assert.equal(createHash('sha256').update(bytes).digest('hex'), video.sha256);
    }
  });

  test('[C76] projects, their revisions and their media are kept', async () => {
    const { media: clip } = await client.fetchMedia(`${media.base}/clip.mp4`);
    const id = randomUUID();
    const project = { name: 'One', tier_list: {}, timeline_data: TIMELINE, media_refs: { clip } };
    await client.projects.save(id, project);
    const { etag } = await client.projects.get(id);
    await client.projects.save(id, { ...project, name: 'Two' }, { etag });
    const { project: stored } = await client.projects.get(id);
    assert.deepEqual(stored, { ...project, name: 'Two' });
    await client.projects.setThumbnail(
      id,
      new Blob([Buffer.from('ffd8ffe000104a464946', 'hex')], { type: 'image/jpeg' }),
    );
    await client.projects.delete(id);
    await assert.rejects(client.projects.get(id), { code: 'project.unknown' });
  });
});
