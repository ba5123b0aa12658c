import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCanvas } from '@napi-rs/canvas';
import { AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Compositor } from '../../../src/engine/compose/compositor.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { FramePool } from '../../../src/engine/libav/frame-pool.ts';
import { ClipReaders } from '../../../src/engine/picture/clip-readers.ts';
import { PictureReader } from '../../../src/engine/picture/picture-reader.ts';
import { SourceFrames } from '../../../src/engine/picture/source-frames.ts';
import type { Painter } from '../../../src/plan/model/painter.ts';
import { frames, micros } from '../../../src/time.ts';
import { clipFolder, frameNumberOf } from '../../fixtures/clips.ts';
import { readPackets } from '../../iso/mp4/read-packets.ts';
import { testPainter } from '../test-painter.ts';
import { fileSource, source, videoPlan } from '../video-plan.ts';
import { eachFrame, numbersIn, type Render, renderVideo } from './render-video.ts';

/** The largest size of a repeated picture at 64×64; a coded one of these clips has several times that. */
const REPEATED_BYTES = 40;

/**
 * 12 s at 30 frames a second with every case for repeated frames: five seconds at full speed, three of a still picture
 * over two key frames, and four of twelve different pictures a second.
 */
async function nowAndThen(settings: Record<string, unknown>): Promise<Render & { shown: number[] }> {
  const clip = await source({ frames: 300 });
  const videos = [
    { file_field: 'clip', start: 0, duration: 5 },
    { file_field: 'clip', start: 5, duration: 3, trim_start: 7, speed: 0.1, trim_end: 7.02 },
    { file_field: 'clip', start: 8, duration: 4, trim_start: 5, speed: 0.4 },
  ];
  const shown = [
    ...Array.from({ length: 150 }, (_, n) => n),
    ...Array.from({ length: 90 }, () => 210),
    ...Array.from({ length: 120 }, (_, n) => 150 + Math.floor(n * 0.4 + 1e-9)),
  ];
  return { ...videoPlan({ clip }, { videos }, settings), shown };
}

for (const [name, settings] of [
  ['no B-frames, variable length codes (ultrafast)', { encoder_preset: 'ultrafast' }],
  ['B-frames (veryfast)', { encoder_preset: 'veryfast' }],
  ['B-frames as references, weighted prediction (slow)', { encoder_preset: 'slow' }],
  ['at 59.94 frames a second', { encoder_preset: 'veryfast', fps: 59.94 }],
] as const) {
  test(`[R22] a still picture is encoded once, and every frame is there: ${name}`, async () => {
    const { plan, files, shown } = await nowAndThen(settings);
    const out = await renderVideo({ plan, files });
    const { numbers } = await numbersIn(out);
    const twice = plan.rate.num / plan.rate.den > 50;
    assert.equal(numbers.length, twice ? 719 : 360);
    if (!twice) assert.deepEqual(numbers, shown);

    const hashes: string[] = [];
    await eachFrame(out, (frame) => hashes.push(createHash('sha256').update(frame.toBuffer()).digest('hex')));
    const { sizes, keys, times, timeBase } = await readPackets(out, AVMEDIA_TYPE_VIDEO);
    const frameOf = (time: number) =>
      Math.round((time * timeBase.num * plan.rate.num) / (timeBase.den * plan.rate.den));
    const keyFrames = new Set(times.flatMap((time, nth) => (keys[nth] ? [frameOf(time)] : [])));
    let repeats = 0;
    for (let n = 1; n < numbers.length; n += 1) {
      if (numbers[n] !== numbers[n - 1] || keyFrames.has(n)) continue;
      repeats += 1;
      assert.equal(hashes[n], hashes[n - 1], `frame ${n} is the very picture of the one before`);
    }
    const small = sizes.filter((size) => size <= REPEATED_BYTES).length;
    assert.ok(small >= repeats, `${repeats} frames repeat another, ${small} are small`);
    assert.ok(repeats > (twice ? 380 : 140), `${repeats}`);
  });
}

test('[R22] a seek works to every frame of a run', async () => {
  const { plan, files, shown } = await nowAndThen({ encoder_preset: 'slow' });
  const out = await renderVideo({ plan, files });
  for (const n of [149, 150, 151, 179, 180, 200, 239, 240, 241, 242, 243, 300, 301, 359]) {
    await using reader = await PictureReader.open(out, DEFAULT_MEDIA_LIMITS, {});
    assert.equal(frameNumberOf(await reader.frameAt(micros(Math.round((n * 1e6) / 30)))), shown[n], `frame ${n}`);
  }
});

test('[R17] a still picture has its regular key frames', async () => {
  const { plan, files } = await nowAndThen({});
  const { times, keys, timeBase } = await readPackets(await renderVideo({ plan, files }), AVMEDIA_TYPE_VIDEO);
  const at = times.flatMap((time, nth) => (keys[nth] ? [(time * timeBase.num) / timeBase.den] : []));
  for (const [nth, seconds] of [...at, 12].entries()) {
    if (nth > 0) assert.ok(seconds - at[nth - 1]! <= 2 + 1e-6, `${at[nth - 1]} … ${seconds}`);
  }
});

test('[R17] moving pictures have a key frame at each cut', async () => {
  const photo = (name: string, shade: string) => {
    const canvas = createCanvas(96, 96);
    const context = canvas.getContext('2d');
    context.fillStyle = shade;
    context.fillRect(16, 16, 48, 48);
    const file = join(clipFolder(), `${name}.png`);
    writeFileSync(file, canvas.toBuffer('image/png'));
    return fileSource(file, { kind: 'still', duration: 0, width: 96, height: 96 });
  };
  const videos = [0, 0.7, 3.5].map((start, index) => ({
    ...{ file_field: index === 1 ? 'dark' : 'light', start, duration: index === 1 ? 2.8 : 0.7 },
    // The last one is still.
    ...(index < 2 && { motion: { to: { scale: 1.5 } } }),
  }));
  const { plan, files } = videoPlan(
    { light: photo('light', '#eeeeee'), dark: photo('dark', '#446688') },
    { videos },
    { quality: 'balanced' },
  );
  const { times, keys, timeBase } = await readPackets(await renderVideo({ plan, files }), AVMEDIA_TYPE_VIDEO);
  const at = times.flatMap((time, nth) => (keys[nth] ? [Math.round((time * 30 * timeBase.num) / timeBase.den)] : []));
  assert.deepEqual(at, [0, 21, 60, 105, 120]);
});

test('[R22] a board that is held in mid-flight is not composed again', async () => {
  const timeline = {
    tier_blocks: [{ start: 0, duration: 4 }],
    tier_tiles: [{ tier_item_id: 'a', position: 1 }],
  };
  const { plan, files } = videoPlan({}, timeline, { reveal: 'spotlight' });
  const { at, end, lightens } = plan.board!.events[0]!;
  const heldFrom = at + 10;
  const paint = testPainter(plan);
  const held = paint.paint('board', plan.painted.board[0]!, frames(heldFrom));
  const painter: Painter = {
    ...paint,
    paint: (kind, layer, n) => (n >= heldFrom && n <= lightens ? held : paint.paint(kind, layer, n)),
  };
  using pool = new FramePool();
  const signal = new AbortController().signal;
  await using readers = new ClipReaders({ limits: DEFAULT_MEDIA_LIMITS, signal });
  const sources = new SourceFrames({ plan, files, readers, pool });
  using compositor = new Compositor(plan, painter, pool);
  const anew: number[] = [];
  for await (const inputs of sources.read({ start: frames(0), end: plan.totalFrames })) {
    const { frame, isRepeat } = await compositor.compose(inputs);
    pool.give(frame);
    if (!isRepeat) anew.push(inputs.n);
  }
  const moving = Array.from({ length: end - at }, (_, i) => at + i).filter((n) => n <= heldFrom || n > lightens);
  assert.deepEqual(anew, [0, ...moving, end]);
});
