import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ExportMetadata } from '../../../src/http/replies/export-replies.ts';
import { eachFrame } from '../../engine/encode/render-video.ts';
import { decodedTrack } from '../../engine/sound/decoded-track.ts';
import { clipFolder, makeClip } from '../../fixtures/clips.ts';
import { readFrameNumber } from '../../fixtures/frame-number.ts';
import { findBursts } from '../../fixtures/tone-bursts.ts';
import { problemOf } from '../../http/serve.ts';
import { metadataOf, post, statusOf } from '../export-client.ts';
import { ServiceFixture } from '../service-fixture.ts';

const FPS = 10;
/** Says which frame it is, and bursts every second. */
const CLIP = await makeClip({
  frames: 240,
  width: 128,
  height: 72,
  rate: { num: FPS, den: 1 },
  sound: { seconds: 24 },
});
const PRESETS = [
  { name: 'preset_one', width: 64, height: 64 },
  { name: 'preset_two', width: 128, height: 228, aliases: ['portrait'] },
  { name: 'preset_three', width: 66, height: 64 },
];
/** The clip above, the board below: 11.03 s is not a whole number of packets of sound. */
const DOCUMENTS = {
  tier_list: {
    title: 'Few, ranked',
    rows: [{ id: 'S', label: 'S', item_ids: ['one', 'two', 'three'] }],
    items: ['One', 'Two', 'Three'].map((name) => ({ id: name.toLowerCase(), name })),
  },
  timeline_data: {
    videos: [
      {
        file_field: 'clip',
        height_percent: 31.6,
        y_percent: 0,
        x_percent: 0,
        width_percent: 100,
        shape: 'rect',
        enter: 'none',
      },
    ],
    tier_blocks: [{ start: 0, duration: 24, x_percent: 0, width_percent: 100, y_percent: 40, height_percent: 60 }],
    tier_tiles: [
      { tier_item_id: 'one', position: 4.3 },
      { tier_item_id: 'two', position: 14 },
      { tier_item_id: 'three', position: 16 },
    ],
  },
  settings: { shorts: true, quality: 'draft', fps: FPS, reveal_sound: 'pop' },
};

/** A decoder fills in random noise where AAC gives only its level; a sample's delay would be 0.06. */
const NOISE = 1e-3;

let service: ServiceFixture;
before(async () => {
  service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected', TIERCUT_PRESETS: JSON.stringify(PRESETS) });
});
after(() => service[Symbol.asyncDispose]());

function create(): Promise<ExportMetadata> {
  return post(service, { documents: DOCUMENTS, files: { clip: CLIP.file } }).then((reply) => metadataOf(reply, 201));
}

async function fetched(path: string): Promise<{ bytes: Buffer; file: string; headers: Headers }> {
  const reply = await fetch(`${service.base}${path}`);
  assert.equal(reply.status, 200);
  const bytes = Buffer.from(await reply.arrayBuffer());
  const file = join(clipFolder(), `${createHash('sha256').update(bytes).digest('hex')}.mp4`);
  writeFileSync(file, bytes);
  return { bytes, file, headers: reply.headers };
}

/** What the clip says at every frame of a portrait video. */
async function numbersOf(file: string): Promise<(number | null)[]> {
  const numbers: (number | null)[] = [];
  await eachFrame(file, ({ data, linesize, width, height }) => {
    const area = { x: 0, y: 0, width: 128, height: 72 };
    numbers.push(readFrameNumber({ data: data![0]!, stride: linesize[0]!, width, height }, area));
  });
  return numbers;
}

test('[C52] a short is made on request, and is a part of the portrait video, to the frame and to the sample', async () => {
  const made = await create();
  const reported = made.shorts.map(({ number, title, start, duration, state, width, height }) => {
    return [number, title, start, duration, state, width, height];
  });
  assert.deepEqual(reported, [
    [1, 'One', 1.3, 8, 'idle', 128, 228],
    [2, 'Two, Three', 11, 10, 'idle', 128, 228],
  ]);
  const [first, second] = made.shorts as [ExportMetadata['shorts'][number], ExportMetadata['shorts'][number]];
  assert.equal(first.download_url, `/video/exports/${made.export_id}/shorts/1`);
  assert.equal((await statusOf(service, made.export_id)).shorts[0]!.state, 'idle', 'not rendered unasked');

  const short = await fetched(first.download_url);
  assert.match(short.headers.get('content-disposition')!, /Few, ranked-short-1\.mp4/);
  const now = await statusOf(service, made.export_id);
  assert.deepEqual(
    [...Object.values(now.outputs), ...now.shorts].map(({ state }) => state),
    ['completed', 'idle', 'idle', 'completed', 'idle'],
  );
  assert.deepEqual([now.shorts[0]!.bytes, now.shorts[0]!.progress], [short.bytes.length, 1]);
  assert.equal(short.headers.get('etag'), `"${now.shorts[0]!.sha256}"`);
  assert.deepEqual(
    await numbersOf(short.file),
    Array.from({ length: 80 }, (_, n) => 13 + n),
  );

  const whole = await fetched(made.downloads.preset_two!);
  const [cut, all] = [await decodedTrack(short.file), await decodedTrack(whole.file)];
  assert.deepEqual([cut.firstAt, cut.left.length], [0, 8 * 48_000]);
  assert.ok(worstDifference(cut.left, all.left.subarray(1.3 * 48_000)) < NOISE);
  assert.deepEqual(
    findBursts(cut.left, 48_000)
      .filter((at) => Math.abs(at - 3) > 0.3)
      .map((at) => at.toFixed(2)),
    ['0.70', '1.70', '2.70', '3.70', '4.70', '5.70', '6.70', '7.70'].filter((at) => Math.abs(Number(at) - 3) > 0.3),
  );

  const other = await fetched(second.download_url);
  assert.deepEqual(
    await numbersOf(other.file),
    Array.from({ length: 100 }, (_, n) => 110 + n),
  );
  const end = await decodedTrack(other.file);
  assert.ok(worstDifference(end.left, all.left.subarray(11 * 48_000)) < NOISE);
});

test('[C52] it supports waiting, status and ranges as a preset does, and is removed with its export', async () => {
  const { export_id: id, shorts } = await create();
  const address = `${service.base}${shorts[1]!.download_url}`;
  for (const none of ['0', '3', '01', 'x']) {
    await problemOf(await fetch(`${service.base}/video/exports/${id}/shorts/${none}`), 404);
  }
  const soon = await fetch(address, { headers: { prefer: 'wait=0' } });
  assert.deepEqual([soon.status, soon.headers.get('retry-after')], [202, '2']);
  assert.equal(((await soon.json()) as ExportMetadata).export_id, id);
  const head = await fetch(address, { method: 'HEAD' });
  const bytes = Number(head.headers.get('content-length'));
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'video/mp4']);
  const part = await fetch(address, { headers: { range: 'bytes=-100' } });
  assert.deepEqual(
    [part.status, part.headers.get('content-range')],
    [206, `bytes ${bytes - 100}-${bytes - 1}/${bytes}`],
  );
  assert.equal((await part.arrayBuffer()).byteLength, 100);
  assert.equal((await fetch(`${service.base}/video/exports/${id}`, { method: 'DELETE' })).status, 204);
  await problemOf(await fetch(address), 404);
  assert.deepEqual(
    service.files('blobs').filter((name) => name.includes(id)),
    [],
  );
});

function worstDifference(some: Float32Array, others: Float32Array): number {
  return some.reduce((worst, sample, at) => Math.max(worst, Math.abs(sample - others[at]!)), 0);
}
