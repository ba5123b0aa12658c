import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble } from '../../../src/engine/encode/assemble.ts';
import { VideoEncoder } from '../../../src/engine/encode/video-encoder.ts';
import { cutStream } from '../../../src/exports/watch/stream-cuts.ts';
import { pictureInit, soundInit } from '../../../src/iso/cmaf/init-segment.ts';
import { pictureSegment, type Segment, soundSegment } from '../../../src/iso/cmaf/segment.ts';
import { streamConfig } from '../../../src/iso/h264/repeating-stream.ts';
import { readSampleTable } from '../../../src/iso/mp4/sample-table.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { numbersIn, outFolder, renderAllChunks } from '../../engine/encode/render-video.ts';
import { decodedTrack } from '../../engine/sound/decoded-track.ts';
import { source, videoPlan } from '../../engine/video-plan.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { bytesOf, inMemory } from './byte-sources.ts';

/** 25 s of B-frames, with a still part, at a rate that no whole number of ticks a millisecond fits. */
async function rendered() {
  const clip = await source({ frames: 240, rate: { num: 10, den: 1 } });
  const videos = [
    { file_field: 'clip', start: 0, duration: 15 },
    { file_field: 'clip', start: 15, duration: 6, trim_start: 2, trim_end: 2.1 },
    { file_field: 'clip', start: 21, duration: 4, trim_start: 20 },
  ];
  const { plan, files } = videoPlan({ clip }, { videos }, { quality: 'balanced', fps: 9.99 });
  const chunkFiles = await renderAllChunks({ plan, files });
  const audioFile = await sound(plan);
  const movie = join(outFolder(), 'video.mp4');
  await assemble({ plan, chunkFiles, audioFile, out: movie });
  return { plan, chunkFiles, audioFile, movie };
}

async function sound({ audio }: RenderPlan): Promise<string> {
  const bursts = [0, 3, 9.5, 10, 14, 20, 24];
  return (await makeClip({ frames: 0, sound: { seconds: audio.totalSamples / 48_000, bursts } })).file;
}

const cut = (file: Buffer, { head, extents }: Segment) =>
  Buffer.concat([head, ...extents.map(({ start, end }) => file.subarray(start, end))]);

const written = (name: string, parts: readonly Uint8Array[]) => {
  const file = join(outFolder(), name);
  writeFileSync(file, Buffer.concat(parts));
  return file;
};

const RENDERED = await rendered();
const CUTS = cutStream(RENDERED.plan);

test('[C49] segments of chunks and segments of the finished video are the same bytes', async () => {
  const { plan, chunkFiles, audioFile, movie } = RENDERED;
  assert.ok(CUTS.length >= 2);
  const [whole, heard] = [readFileSync(movie), readFileSync(audioFile)];
  const pictures = await readSampleTable(inMemory(whole), 'vide');
  const sounds = await Promise.all([heard, whole].map((bytes) => readSampleTable(inMemory(bytes), 'soun')));
  assert.deepEqual(sounds[0]!.config, sounds[1]!.config);
  for (const [index, { frames, packets }] of CUTS.entries()) {
    const chunk = bytesOf(chunkFiles[index]!);
    const table = await readSampleTable(inMemory(chunk), 'vide');
    assert.deepEqual(table.config, pictures.config, 'one init segment for all');
    const early = cut(chunk, pictureSegment(table, 0, { index, frames, rate: plan.rate }));
    const late = pictureSegment(pictures, frames.start, { index, frames, rate: plan.rate });
    assert.ok(early.equals(cut(whole, late)), `picture ${index}`);
    assert.equal(late.bytes, early.length);
    const { totalSamples } = plan.audio;
    const [before, after] = sounds.map((each) => soundSegment(each, { index, packets, totalSamples }));
    assert.ok(cut(heard, before!).equals(cut(whole, after!)), `sound ${index}`);
  }
});

test('[C49] joined, the segments show every frame at its time, as the finished video does', async () => {
  const { plan, movie } = RENDERED;
  const whole = readFileSync(movie);
  const table = await readSampleTable(inMemory(whole), 'vide');
  const { width, height } = plan.canvas;
  const parts = CUTS.map(({ frames }, index) =>
    cut(whole, pictureSegment(table, frames.start, { index, frames, rate: plan.rate })),
  );
  const init = pictureInit({ width, height, rate: plan.rate, config: table.config });
  const [joined, expected] = await Promise.all([numbersIn(written('joined.mp4', [init, ...parts])), numbersIn(movie)]);
  assert.equal(joined.numbers.length, plan.totalFrames);
  assert.deepEqual(joined, expected);
  assert.equal(joined.micros[0], 0);

  // A player that starts in the middle gets the same frames at the same times.
  const { start } = CUTS[1]!.frames;
  const later = await numbersIn(written('later.mp4', [init, ...parts.slice(1)]));
  assert.deepEqual(later.numbers, expected.numbers.slice(start));
});

test('[C49] joined, the segments sound as the finished video does, from its first sample to its last (R16)', async () => {
  const { plan, movie } = RENDERED;
  const whole = readFileSync(movie);
  const table = await readSampleTable(inMemory(whole), 'soun');
  const { totalSamples } = plan.audio;
  const parts = CUTS.map(({ packets }, index) => cut(whole, soundSegment(table, { index, packets, totalSamples })));
  const joined = await decodedTrack(written('joined.m4a', [soundInit(table.config), ...parts]));
  const expected = await decodedTrack(movie);
  assert.equal(expected.left.length, totalSamples);
  assert.equal(joined.firstAt, 0, 'the priming is skipped');
  // libavformat returns the complete last packet; its duration says how much of it counts.
  assert.ok(joined.left.length - totalSamples < 1024);
  assert.deepEqual(joined.left.slice(0, totalSamples), expected.left);
  assert.equal(joined.toldLength, 1024 + totalSamples, 'priming, then what is meant to be heard');
});

test('[C49] cuts cover all frames and all packets, and sound is never behind its picture', () => {
  const { plan } = RENDERED;
  const last = CUTS.at(-1)!;
  assert.deepEqual([CUTS[0]!.packets.start, last.frames.end], [0, plan.totalFrames]);
  for (const [index, { frames, packets }] of CUTS.entries()) {
    if (index > 0) {
      assert.equal(packets.start, CUTS[index - 1]!.packets.end);
      const late = ((packets.start - 1) * 1024) / 48_000 - (frames.start * plan.rate.den) / plan.rate.num;
      assert.ok(late <= 0 && late > -1024 / 48_000, `${late} s`);
    }
  }
});

test('[C49, R24] chunks that were encoded again with a cap, of boards alone, or of moving pictures, need no other init segment', async () => {
  const { plan } = RENDERED;
  for (const preset of ['ultrafast', 'veryfast', 'medium']) {
    const settings = { ...plan, encoder: { ...plan.encoder, preset } };
    using free = await VideoEncoder.open(settings);
    using capped = await VideoEncoder.open(settings, { capped: true });
    using drawn = await VideoEncoder.open(settings, { material: 'drawn' });
    using moved = await VideoEncoder.open(settings, { material: 'moved' });
    const config = streamConfig(free.parameterSets);
    assert.deepEqual(streamConfig(capped.parameterSets), config, preset);
    assert.deepEqual(streamConfig(drawn.parameterSets), config, preset);
    assert.deepEqual(streamConfig(moved.parameterSets), config, preset);
  }
});
