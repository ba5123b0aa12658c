import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import {
  AV_PKT_DATA_SKIP_SAMPLES,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { FormatContext, Packet } from 'node-av/lib';
import { assemble } from '../../../src/engine/encode/assemble.ts';
import { h264Level } from '../../../src/iso/h264/level-buffer.ts';
import { soundTrack, ticksASecond, videoTrack } from '../../../src/iso/mp4/assembled-tracks.ts';
import { movieHead, utf8Prefix } from '../../../src/iso/mp4/movie.ts';
import { readPacketIndex, type TrackKind } from '../../../src/iso/mp4/sample-table.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { frames } from '../../../src/time.ts';
import { outFolder, type Render, renderAllChunks, renderVideo, silence } from '../../engine/encode/render-video.ts';
import { source, videoPlan } from '../../engine/video-plan.ts';
import { bytesOf, inMemory } from '../cmaf/byte-sources.ts';
import { boxesAt, boxesIn } from './boxes.ts';
import { readPackets } from './read-packets.ts';

const CHAPTERS: RenderPlan['chapters'] = [
  { start: frames(0), end: frames(100), title: 'Start' },
  { start: frames(100), end: frames(555), title: 'Chips – “S” 🥇' },
  { start: frames(555), end: frames(750), title: 'Nuts' },
];

/** 25 s at 30 frames a second, three chunks, B-frames, chapters and a title. */
async function threeChunks(settings: Record<string, unknown> = {}, fades: object = {}): Promise<Render> {
  const clip = await source({ frames: 750 });
  const videos = [{ file_field: 'clip', start: 0, duration: 25, speed: 0.2, ...fades }];
  const { plan, files } = videoPlan({ clip }, { videos }, { quality: 'balanced', ...settings });
  assert.ok(plan.chunks.length >= 2);
  return { plan: { ...plan, title: 'Ranked: “Snacks”', chapters: CHAPTERS }, files };
}

test('[R17] index first, then the data; the title and the chapters in both of their forms', async () => {
  const bytes = readFileSync(await renderVideo(await threeChunks()));
  assert.deepEqual(
    boxesIn(bytes).map(({ type }) => type),
    ['ftyp', 'moov', 'mdat'],
  );
  const [title] = boxesAt(bytes, 'moov/udta/meta/ilst/\u00a9nam/data');
  assert.equal(title!.body.toString('utf8', 8), 'Ranked: “Snacks”');

  const [marks] = boxesAt(bytes, 'moov/udta/chpl');
  const seen: [number, string][] = [];
  for (let at = 9; at < marks!.body.length; ) {
    const length = marks!.body[at + 8]!;
    const start = Number(marks!.body.readBigUInt64BE(at)) / 1e7;
    seen.push([start, marks!.body.toString('utf8', at + 9, at + 9 + length)]);
    at += 9 + length;
  }
  assert.deepEqual(
    seen,
    CHAPTERS.map(({ start, title }) => [start / 30, title]).map(([at, text]) => [
      Number((at as number).toFixed(7)),
      text,
    ]),
  );

  const handlers = boxesAt(bytes, 'moov/trak/mdia/hdlr').map(({ body }) => body.toString('latin1', 8, 12));
  assert.deepEqual(handlers, ['vide', 'soun', 'text']);
  const offset = boxesAt(bytes, 'moov/trak/mdia/minf/stbl/stco')[2]!.body.readUInt32BE(8);
  assert.equal(bytes.toString('utf8', offset + 2, offset + 2 + bytes.readUInt16BE(offset)), 'Start');
  assert.deepEqual(
    boxesAt(bytes, 'moov/trak/tref/chap').map(({ body }) => body.readUInt32BE(0)),
    [3, 3],
  );
});

for (const encoder_preset of ['ultrafast', 'superfast', 'medium']) {
  test(`[R17] H.264 High from ${encoder_preset} as well`, async () => {
    const clip = await source({ frames: 10 });
    const videos = [{ file_field: 'clip', start: 0, duration: 0.3 }];
    await using format = new FormatContext();
    await format.openInput(await renderVideo(videoPlan({ clip }, { videos }, { encoder_preset })));
    await format.findStreamInfo(null);
    const video = format.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO)!;
    assert.equal(video.codecpar.profile, 100);
  });
}

test('[R17] H.264 High, 4:2:0, BT.709, square pixels, closed GOPs of at most 2 s', async () => {
  const { plan, files } = await threeChunks();
  const format = new FormatContext();
  await format.openInput(await renderVideo({ plan, files }));
  await format.findStreamInfo(null);
  const video = format.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO)!;
  const { codecpar } = video;
  assert.equal(codecpar.profile, 100);
  assert.deepEqual(
    [codecpar.colorSpace, codecpar.colorRange, codecpar.colorPrimaries, codecpar.colorTrc],
    [AVCOL_SPC_BT709, AVCOL_RANGE_MPEG, AVCOL_PRI_BT709, AVCOL_TRC_BT709],
  );
  assert.deepEqual([video.avgFrameRate.num, video.avgFrameRate.den], [30, 1]);
  assert.equal(Number(video.duration) * video.timeBase.toDouble(), 25);
  using packet = new Packet();
  packet.alloc();
  const keys: number[] = [];
  for (; format.readFrameSync(packet) >= 0; packet.unref()) {
    if (packet.streamIndex === video.index && packet.isKeyframe)
      keys.push(Math.round(Number(packet.pts) * video.timeBase.toDouble() * 30));
  }
  await format.closeInput();
  for (const { start } of plan.chunks) assert.ok(keys.includes(start), `a key frame at ${start}`);
  assert.ok(
    keys.every((key, index) => key - (keys[index - 1] ?? 0) <= 60),
    `${keys}`,
  );
});

test("[R16] the sound starts with the picture: the encoder's priming is before 0", async () => {
  const render = await threeChunks();
  const out = await renderVideo(render);
  const format = new FormatContext();
  await format.openInput(out);
  const sound = format.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO)!;
  using packet = new Packet();
  packet.alloc();
  while (format.readFrameSync(packet) >= 0 && packet.streamIndex !== sound.index) packet.unref();
  assert.equal(packet.pts, -1024n);
  assert.equal(packet.getSideData(AV_PKT_DATA_SKIP_SAMPLES)?.readUInt32LE(0) ?? 1024, 1024);
  await format.closeInput();
  const [edit] = boxesAt(readFileSync(out), 'moov/trak/edts/elst');
  assert.deepEqual([edit!.body.readUInt32BE(8), edit!.body.readInt32BE(12)], [25 * 15_360, 1024]);
});

test('[R17] the file declares the AAC roll distance and its bit rate', async () => {
  const render = await threeChunks();
  const bytes = readFileSync(await renderVideo(render));
  const stbl = 'moov/trak/mdia/minf/stbl';
  const sound = boxesAt(bytes, `${stbl}/stsz`)[1]!.body;
  const [group, ...others] = boxesAt(bytes, `${stbl}/sgpd`);
  assert.equal(group!.body.toString('latin1', 4, 8), 'roll');
  assert.equal(group!.body.readInt16BE(16), -1);
  assert.equal(others.length, 0, 'the sound alone');
  const members = boxesAt(bytes, `${stbl}/sbgp`)[0]!.body;
  assert.deepEqual(
    [members.toString('latin1', 4, 8), ...[8, 12, 16].map((at) => members.readUInt32BE(at))],
    ['roll', 1, sound.readUInt32BE(8), 1],
  );

  const esds = boxesAt(bytes, `${stbl}/stsd/mp4a/esds`)[0]!.body;
  const [most, average] = [esds.readUInt32BE(16), esds.readUInt32BE(20)];
  const sizes = Array.from({ length: sound.readUInt32BE(8) }, (_, n) => sound.readUInt32BE(12 + n * 4));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert(Math.abs(average - (total * 8 * 48_000) / (1024 * sizes.length)) <= 1, `${average}`);
  assert(most >= average && most < 2 * average + 10_000, `${most}`);
  assert(esds.readUIntBE(13, 3) >= Math.max(...sizes), 'room for the largest packet');

  const btrt = boxesAt(bytes, `${stbl}/stsd/avc1/btrt`)[0]!.body;
  const frameSizes = boxesAt(bytes, `${stbl}/stsz`)[0]!.body;
  const largest = Math.max(...Array.from({ length: 750 }, (_, n) => frameSizes.readUInt32BE(12 + n * 4)));
  assert(btrt.readUInt32BE(0) >= largest && btrt.readUInt32BE(4) >= btrt.readUInt32BE(8));
});

const packetsOf = (file: string, kind: TrackKind) => readPacketIndex(file, inMemory(bytesOf(file)), kind);

test('[R17] a file of more than 4 GiB: every packet of both tracks is found', async () => {
  const clip = await source({ frames: 10 });
  const { plan, files } = videoPlan({ clip }, { videos: [{ file_field: 'clip', start: 0, duration: 0.3 }] });
  const chunk = await packetsOf((await renderAllChunks({ plan, files }))[0]!, 'vide');
  const sound = await packetsOf(await silence(plan), 'soun');
  // The picture in front, the sound behind a hole that takes no room on disk.
  const far = 4.5 * 2 ** 30;
  const length = (sizes: Uint32Array) => sizes.reduce((sum, size) => sum + size, 0);
  const head = movieHead({
    title: '',
    ticksASecond: ticksASecond(plan.rate),
    tracks: [
      { ...videoTrack(plan, [chunk]), runs: [{ samples: chunk.sizes.length, offset: 0 }] },
      { ...soundTrack(plan, sound), runs: [{ samples: sound.sizes.length, offset: far }] },
    ],
    chapters: [],
    mediaBytes: far + length(sound.sizes),
  });
  assert.equal(boxesAt(Buffer.from(head.subarray(0, -16)), 'moov/trak/mdia/minf/stbl/co64').length, 2);
  const out = join(outFolder(), 'large.mp4');
  await using file = await open(out, 'w');
  await file.write(head, 0, head.length, 0);
  const expected: Buffer[][] = [[], []];
  for (const [track, { offsets, sizes, file: from }] of [chunk, sound].entries()) {
    const bytes = readFileSync(from);
    let at = head.length + track * far;
    for (const [n, offset] of offsets.entries()) {
      const packet = bytes.subarray(offset, offset + sizes[n]!);
      expected[track]!.push(packet);
      await file.write(packet, 0, packet.length, at);
      at += packet.length;
    }
  }

  await using format = new FormatContext();
  assert.equal(await format.openInput(out), 0);
  using packet = new Packet();
  packet.alloc();
  const found: Buffer[][] = [[], []];
  for (; format.readFrameSync(packet) >= 0; packet.unref()) found[packet.streamIndex]!.push(Buffer.from(packet.data!));
  assert.deepEqual(found, expected);
});

test('the index of our files matches a read of every packet', async () => {
  const render = await threeChunks({ encoder_preset: 'slower' }, { fade_in: 4 });
  const [chunk] = await renderAllChunks(render);
  const sound = await silence(render.plan);
  const video = await renderVideo(render);
  for (const [file, kind] of [
    [chunk!, 'vide'],
    [sound, 'soun'],
    [video, 'vide'],
    [video, 'soun'],
  ] as const) {
    const { timeBase, ...read } = await readPackets(file, kind === 'vide' ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO);
    const { offsets, sizes, times, keys, config, ticksASecond } = await packetsOf(file, kind);
    const reported = {
      offsets: [...offsets],
      sizes: [...sizes],
      times: [...times],
      keys: [...keys].map(Boolean),
      config: Buffer.from(config),
    };
    assert.deepEqual(reported, read, `${kind} of ${file}`);
    assert.deepEqual([timeBase.num, timeBase.den], [1, ticksASecond]);
  }
});

test('packets are copied unchanged, with picture and sound interleaved', async () => {
  const render = await threeChunks();
  const chunkFiles = await renderAllChunks(render);
  const audioFile = await silence(render.plan);
  const out = join(outFolder(), 'video.mp4');
  const bytes = await assemble({ plan: render.plan, chunkFiles, audioFile, out });
  const file = readFileSync(out);
  assert.equal(file.length, bytes);
  const whole = await readPackets(out, AVMEDIA_TYPE_VIDEO);
  let nth = 0;
  for (const chunk of chunkFiles) {
    const part = await readPackets(chunk, AVMEDIA_TYPE_VIDEO);
    const original = readFileSync(chunk);
    for (const [index, size] of part.sizes.entries()) {
      assert.equal(whole.sizes[nth], size);
      const at = whole.offsets[nth]!;
      assert.ok(
        file.subarray(at, at + size).equals(original.subarray(part.offsets[index]!, part.offsets[index]! + size)),
      );
      nth += 1;
    }
  }
  assert.equal(nth, 750);
  const sound = await readPackets(out, AVMEDIA_TYPE_AUDIO);
  // Sound of about half the time is half way through the picture's bytes.
  const middle = whole.offsets[375]!;
  const near = sound.offsets.findIndex((offset) => offset > middle);
  assert.ok(Math.abs((sound.times[near]! + 1024) / 48_000 - 12.5) < 1, `${sound.times[near]}`);
});

for (const [name, settings, reordered] of [
  ['no B-frames (ultrafast)', { quality: 'draft' }, false],
  ['B-frames (veryfast)', {}, true],
  ['B-frames as references (slower)', { encoder_preset: 'slower' }, true],
] as const) {
  test(`[R34] frames are shown at their own times, whatever the encoder’s order: ${name}`, async () => {
    // A slow fade: frames differ and resemble each other, and the encoder finds use for B-frames.
    const out = await renderVideo(await threeChunks(settings, { fade_in: 4 }));
    const { times, timeBase } = await readPackets(out, AVMEDIA_TYPE_VIDEO);
    const shown = times.map((time) => Math.round((time * timeBase.num * 30) / timeBase.den));
    assert.equal(
      shown.some((frame, nth) => frame !== nth),
      reordered,
    );
    assert.deepEqual(
      shown.sort((a, b) => a - b),
      Array.from({ length: 750 }, (_, n) => n),
    );
    // Stricter players than libav use only the boxes: frame 0 is shown at 0, with no edit list. (R34)
    const file = readFileSync(out);
    const tracks = boxesAt(file, 'moov/trak').map(({ body }) => boxesAt(body, 'edts/elst').length);
    assert.deepEqual(tracks, [0, 1, 0], 'the sound alone, for its priming');
    const offsets = boxesAt(file, 'moov/trak/mdia/minf/stbl/ctts')[0]?.body;
    assert.equal(offsets !== undefined, reordered);
    if (offsets !== undefined) {
      const entries = Array.from({ length: offsets.readUInt32BE(4) }, (_, n) => offsets.readInt32BE(12 + 8 * n));
      assert.deepEqual([offsets.readUInt8(0), entries[0]], [1, 0]);
      assert(
        entries.some((each) => each < 0),
        'frames shown before their decode time',
      );
    }
  });
}

test('a chunk that does not match the plan is refused, and no file appears', async () => {
  const render = await threeChunks();
  const chunkFiles = await renderAllChunks(render);
  const audioFile = await silence(render.plan);
  const out = join(outFolder(), 'video.mp4');
  const truncated = join(dirname(out), 'truncated.mp4');
  const whole = readFileSync(chunkFiles[0]!);
  writeFileSync(truncated, whole.subarray(0, whole.length >> 1));
  const wrong = [
    [chunkFiles[1]!, ...chunkFiles.slice(1, -1), chunkFiles[0]!, chunkFiles[0]!].slice(0, chunkFiles.length),
    [truncated, ...chunkFiles.slice(1)],
    [audioFile, ...chunkFiles.slice(1)],
  ];
  const lengths = new Set(render.plan.chunks.map(({ start, end }) => end - start));
  for (const files of lengths.size > 1 ? wrong : wrong.slice(1)) {
    await assert.rejects(assemble({ plan: render.plan, chunkFiles: files, audioFile, out }), {
      code: 'chunk.unreadable',
    });
  }
  assert.deepEqual(readdirSync(dirname(out)), ['truncated.mp4']);
});

test('an aborted assembly leaves no file', async () => {
  const render = await threeChunks();
  const chunkFiles = await renderAllChunks(render);
  const out = join(outFolder(), 'video.mp4');
  const signal = AbortSignal.abort(new Error('not now'));
  await assert.rejects(
    assemble({ plan: render.plan, chunkFiles, audioFile: await silence(render.plan), out, signal }),
    /not now/,
  );
  assert.deepEqual(readdirSync(dirname(out)), []);
});

test('[R17] levels are ones that phones play', () => {
  const level = (width: number, height: number, num: number, den = 1) => h264Level({ width, height }, { num, den });
  assert.equal(level(640, 360, 30), '3.0');
  assert.equal(level(1280, 720, 30), '3.1');
  assert.equal(level(1920, 1080, 30), '4.1');
  assert.equal(level(1080, 1920, 30_000, 1001), '4.1');
  assert.equal(level(1920, 1080, 60), '4.2');
  assert.equal(level(3840, 2160, 30), '5.1');
  assert.equal(level(3840, 2160, 60), '5.2');
});

test('a text is cut between characters', () => {
  const cut = (maxBytes: number) => new TextDecoder().decode(utf8Prefix('añ🥇b', maxBytes));
  assert.equal(cut(100), 'añ🥇b');
  assert.equal(cut(6), 'añ');
  assert.equal(cut(7), 'añ🥇');
  assert.equal(cut(2), 'a');
});
