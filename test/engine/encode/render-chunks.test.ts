import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BoundedQueue } from '../../../src/engine/encode/bounded-queue.ts';
import type { ChunkJob } from '../../../src/engine/encode/chunk-encoding.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { ExportError } from '../../../src/errors.ts';
import { frames } from '../../../src/time.ts';
import { NO_PAINTER } from '../no-painter.ts';
import { fileSource, source, videoPlan } from '../video-plan.ts';
import { renderPreset } from './render-chunk.ts';
import { outFolder, type Render } from './render-video.ts';

async function longRender(): Promise<Render> {
  const clip = await source({ frames: 300 });
  return videoPlan({ clip }, { videos: [{ file_field: 'clip', start: 0, duration: 600, speed: 0.1 }] });
}

function jobsIn(folder: string, render: Render): ChunkJob[] {
  return render.plan.chunks.map((range, index) => ({ range, out: join(folder, `${index}.mp4`) }));
}

test('an abort ends a render immediately and leaves no unfinished file', async () => {
  const render = await longRender();
  const folder = outFolder();
  const stop = new AbortController();
  let toldLater = 0;
  const done: string[] = [];
  const options = {
    ...render,
    painter: NO_PAINTER,
    limits: DEFAULT_MEDIA_LIMITS,
    signal: stop.signal,
    onProgress: () => {
      if (stop.signal.aborted) toldLater += 1;
      if (done.length === 0 || stop.signal.aborted) return;
      stop.abort(new ExportError('cancelled', 'test.cancelled', 'enough'));
    },
  };
  await assert.rejects(async () => {
    for await (const { job } of renderPreset(options, jobsIn(folder, render))) done.push(job.out);
  }, /enough/);
  assert.ok(toldLater <= 8, `${toldLater} frames after the abort, of ${render.plan.totalFrames}`);
  // A chunk that was complete by then may stay, reported or not.
  const left = readdirSync(folder).map((name) => join(folder, name));
  assert.ok(done.every((file) => left.includes(file)));
  assert.ok(left.every((file) => file.endsWith('.mp4')) && left.length <= done.length + 1, `${left}`);
});

test('a render that is aborted before it starts does nothing', async () => {
  const render = await longRender();
  const folder = outFolder();
  const signal = AbortSignal.abort(new Error('too late'));
  const options = { ...render, painter: NO_PAINTER, limits: DEFAULT_MEDIA_LIMITS, signal };
  await assert.rejects(Array.fromAsync(renderPreset(options, jobsIn(folder, render))), /too late/);
  assert.deepEqual(readdirSync(folder), []);
});

test('a consumer that leaves early stops the render', async () => {
  const render = await longRender();
  const folder = outFolder();
  let frames = 0;
  const options = {
    ...render,
    painter: NO_PAINTER,
    limits: DEFAULT_MEDIA_LIMITS,
    onProgress: (done: number) => (frames = done),
  };
  for await (const chunk of renderPreset(options, jobsIn(folder, render))) {
    assert.equal(chunk.frames, render.plan.chunks[0]!.end);
    break;
  }
  const left = readdirSync(folder);
  assert.ok(left.includes('0.mp4') && left.every((name) => name.endsWith('.mp4')) && left.length <= 2, `${left}`);
  assert.ok(frames < render.plan.totalFrames);
});

test('[C34] media that cannot be read is an error that names the entry, and leaves no file', async () => {
  const broken = join(outFolder(), 'broken.mp4');
  writeFileSync(broken, Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42'), Buffer.alloc(3000, 7)]));
  const good = await source({ frames: 60 });
  const videos = [
    { file_field: 'good', start: 0, duration: 1 },
    { id: 'second', file_field: 'broken', start: 1, duration: 1 },
  ];
  const render = videoPlan({ good, broken: fileSource(broken) }, { videos });
  const folder = outFolder();
  const options = { ...render, painter: NO_PAINTER, limits: DEFAULT_MEDIA_LIMITS };
  await assert.rejects(Array.fromAsync(renderPreset(options, jobsIn(folder, render))), (error) => {
    assert.ok(error instanceof ExportError);
    assert.equal(error.path, '/timeline_data/videos/1');
    assert.match(error.code, /^media\./);
    assert.match(error.message, /second/);
    return true;
  });
  assert.deepEqual(readdirSync(folder), []);
});

test('an error of the painter fails the render', async () => {
  const render = videoPlan({}, { subtitles: [{ text: 'x', start: 0, duration: 1 }] });
  const painter = {
    ...NO_PAINTER,
    paint: () => {
      throw new Error('no paint left');
    },
  };
  const folder = outFolder();
  const options = { ...render, painter, limits: DEFAULT_MEDIA_LIMITS };
  await assert.rejects(Array.fromAsync(renderPreset(options, jobsIn(folder, render))), /no paint left/);
  assert.deepEqual(readdirSync(folder), []);
});

test('a queue keeps the order, applies backpressure and releases entries that are not taken', async () => {
  const released: number[] = [];
  const queue = new BoundedQueue<number>(2, (item) => released.push(item));
  const put: number[] = [];
  const producing = (async () => {
    for (let item = 0; item < 10; item++) {
      await queue.put(item);
      put.push(item);
    }
  })();
  const outcome = assert.rejects(producing, /over/);
  assert.equal(await queue.take(), 0);
  assert.equal(await queue.take(), 1);
  assert.ok(put.length <= 4);
  queue.abort(new Error('over'));
  await outcome;
  assert.deepEqual(released, [2, 3, 4].slice(0, released.length));
  assert.ok(released.length >= 1);
  await assert.rejects(queue.take(), /over/);
});

test('progress counts every frame once', async () => {
  const clip = await source({ frames: 60 });
  const render = videoPlan({ clip }, { videos: [{ file_field: 'clip', start: 0, duration: 2 }] });
  const reported: number[] = [];
  const jobs = [0, 20, 40].map((start, index) => ({
    range: { start: frames(start), end: frames(start + 20) },
    out: join(outFolder(), `${index}.mp4`),
  }));
  const options = {
    ...render,
    painter: NO_PAINTER,
    limits: DEFAULT_MEDIA_LIMITS,
    onProgress: (done: number) => reported.push(done),
  };
  const chunks = await Array.fromAsync(renderPreset(options, jobs));
  assert.deepEqual(
    chunks.map(({ job }) => job),
    jobs,
  );
  assert.deepEqual(
    reported,
    Array.from({ length: 60 }, (_, n) => n + 1),
  );
});
