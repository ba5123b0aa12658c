import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  AVCOL_PRI_BT2020,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_SMPTE170M,
  AVCOL_TRC_BT709,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants';
import { DEFAULT_MEDIA_LIMITS, type MediaLimits } from '../../../src/engine/input/media-limits.ts';
import { openInput } from '../../../src/engine/input/open-input.ts';
import { scanPackets } from '../../../src/engine/input/scan-packets.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import type { ProbedMedia } from '../../../src/engine/probe/probed-media.ts';
import { type ClipOptions, clipFolder, makeClip } from '../../fixtures/clips.ts';

test('a video with sound: kind, length, rate, tracks', async () => {
  const media = await probeClip({ frames: 75, rate: { num: 30_000, den: 1001 }, bFrames: 2, sound: { seconds: 2 } });
  assert.equal(media.container, 'mp4');
  assert.deepEqual(media.facts, {
    kind: 'video',
    duration: 2.5025,
    width: 320,
    height: 180,
    alpha: false,
    sound: true,
  });
  assert.deepEqual(media.video?.rate, { num: 30_000, den: 1001 });
  assert.equal(media.video?.variableRate, false);
  assert.equal(media.video?.frames, 75);
  assert.equal(media.video?.codec, 'h264');
  assert.deepEqual(media.audio, {
    codec: 'aac',
    sampleRate: 48_000,
    channels: 2,
    layout: 'stereo',
    start: 0,
    end: 2,
  });
});

test('every sound container: kind and length', async () => {
  const made: [container: string, codec: string][] = [
    ['mp3', 'libmp3lame'],
    ['adts', 'aac'],
    ['ipod', 'aac'],
    ['ipod', 'alac'],
    ['flac', 'flac'],
    ['wav', 'pcm_s16le'],
    ['wav', 'pcm_f32le'],
    ['aiff', 'pcm_s16be'],
    ['ogg', 'libvorbis'],
    ['ogg', 'libopus'],
    ['ogg', 'flac'],
    ['matroska', 'ac3'],
  ];
  for (const [container, codec] of made) {
    const { facts, audio, video } = await probeClip({
      frames: 0,
      container,
      sound: { seconds: 2, codec, channels: 1 },
    });
    assert.equal(facts.kind, 'audio', `${container} ${codec}`);
    // ADTS and AC-3 cannot say that their first and last frames are padding.
    assert(Math.abs(facts.duration - 2) < 0.05, `${container} ${codec} lasts ${facts.duration}`);
    assert.equal(audio?.layout, 'mono', `${container} ${codec}`);
    assert.equal(video, null);
  }
});

test('a constant and a variable frame rate are detected in every container', async () => {
  for (const [num, den] of [
    [24, 1],
    [25, 1],
    [30_000, 1001],
    [60, 1],
  ] as const) {
    for (const [container, codec] of [
      ['mp4', 'libx264'],
      ['webm', 'libvpx-vp9'],
      ['mpegts', 'libx264'],
      ['avi', 'mpeg4'],
    ] as const) {
      const { video } = await probeClip({ frames: 60, rate: { num, den }, container, codec, width: 128, height: 72 });
      assert.deepEqual(video?.rate, { num, den }, container);
      assert.equal(video?.variableRate, false, `${container} ${num}/${den}`);
    }
  }
  const { video } = await probeClip({ frames: 30, timeOf: (n) => n / 30 + (n % 3) * 0.008 });
  assert.equal(video?.variableRate, true);
});

test('[R7] orientation, pixel aspect and the upright size', async () => {
  for (const quarterTurns of [0, 1, 2, 3] as const) {
    for (const mirrored of [false, true]) {
      const orientation = { quarterTurns, mirrored };
      const { video, facts } = await probeClip({ frames: 2, orientation, sampleAspect: { num: 1, den: 1 } });
      assert.deepEqual(video?.picture.orientation, orientation);
      assert.deepEqual([facts.width, facts.height], [320, 180]);
    }
  }
  const wide = await probeClip({ frames: 2, width: 180, height: 144, sampleAspect: { num: 16, den: 11 } });
  assert.deepEqual([wide.facts.width, wide.facts.height], [262, 144]);
});

test('[R7] colour: the tags of the file, and the defaults without tags', async () => {
  const hdr = await probeClip({
    frames: 2,
    codec: 'libx265',
    pixelFormat: 'yuv420p10le',
    color: { matrix: AVCOL_SPC_BT2020_NCL, transfer: AVCOL_TRC_SMPTE2084, primaries: AVCOL_PRI_BT2020 },
  });
  assert.equal(hdr.video?.picture.color.transfer, AVCOL_TRC_SMPTE2084);
  assert.equal(hdr.video?.picture.color.matrix, AVCOL_SPC_BT2020_NCL);
  const full = await probeClip({ frames: 2, color: { matrix: AVCOL_SPC_BT709, range: AVCOL_RANGE_JPEG } });
  assert.equal(full.video?.picture.color.range, AVCOL_RANGE_JPEG);
  const small = await probeClip({ frames: 2 });
  assert.equal(small.video?.picture.color.matrix, AVCOL_SPC_SMPTE170M);
  const large = await probeClip({ frames: 2, width: 1280, height: 720 });
  assert.equal(large.video?.picture.color.matrix, AVCOL_SPC_BT709);
  assert.equal(large.video?.picture.color.transfer, AVCOL_TRC_BT709);
});

test('[R7] interlaced video and its field order are detected', async () => {
  const { video } = await probeClip({ frames: 6, interlaced: true, codec: 'libx264', height: 192 });
  assert.equal(video?.picture.interlaced, true);
  assert.equal(video?.picture.topFieldFirst, true);
  assert.equal((await probeClip({ frames: 6 })).video?.picture.interlaced, false);
});

test('alpha: a separate WebM stream, and fully opaque channels', async () => {
  const clear = await probeClip({ frames: 5, container: 'webm', codec: 'libvpx-vp9', alpha: true });
  assert.equal(clear.facts.alpha, true);
  assert.equal(clear.video?.picture.pixelFormatName, 'yuva420p');
  const still = { frames: 1, container: 'image2', codec: 'png', muxOptions: { update: 1 } };
  assert.equal((await probeClip({ ...still, alpha: true })).facts.alpha, true);
  const opaque = await probeClip({ ...still, pixelFormat: 'rgba' });
  assert.equal(opaque.video?.picture.alpha, true);
  assert.equal(opaque.facts.alpha, false);
  const gif = await probeClip({ frames: 5, container: 'gif', codec: 'gif' });
  assert.equal(gif.video?.picture.alpha, true);
  assert.equal(gif.facts.alpha, false);
});

test('stills, animations and videos are distinguished', async () => {
  const still = { frames: 1, container: 'image2', muxOptions: { update: 1 } };
  const kinds: [ProbedMedia['kind'], ClipOptions][] = [
    ['still', { ...still, codec: 'png' }],
    ['still', { ...still, codec: 'mjpeg', pixelFormat: 'yuvj420p' }],
    ['still', { ...still, codec: 'bmp' }],
    ['still', { frames: 1, container: 'webp', codec: 'libwebp' }],
    ['still', { frames: 1, container: 'gif', codec: 'gif' }],
    ['still', { frames: 1, container: 'avif', codec: 'libsvtav1' }],
    ['animation', { frames: 10, container: 'gif', codec: 'gif', rate: { num: 10, den: 1 } }],
    ['animation', { frames: 10, container: 'apng', codec: 'apng', rate: { num: 10, den: 1 } }],
    ['animation', { frames: 10, container: 'webp', codec: 'libwebp_anim', rate: { num: 10, den: 1 } }],
    ['animation', { frames: 10, container: 'avif', codec: 'libsvtav1', rate: { num: 10, den: 1 } }],
    ['video', { frames: 1 }],
  ];
  for (const [kind, options] of kinds) {
    const { facts } = await probeClip(options);
    const label = `${options.container} ${options.frames}`;
    assert.equal(facts.kind, kind, label);
    if (kind === 'still') assert.equal(facts.duration, 0, label);
    if (kind === 'animation') assert(Math.abs(facts.duration - 1) < 0.001, `${label} lasts ${facts.duration}`);
    assert.deepEqual([facts.width, facts.height], [320, 180], label);
  }
});

test('the cover of a sound file is not a picture to show', async () => {
  const picture = await makeClip({
    frames: 1,
    codec: 'mjpeg',
    container: 'image2',
    pixelFormat: 'yuvj420p',
    muxOptions: { update: 1 },
  });
  const sound = await makeClip({
    frames: 0,
    container: 'mp3',
    sound: { seconds: 2, codec: 'libmp3lame' },
    muxOptions: { id3v2_version: 0 },
  });
  const file = join(clipFolder(), 'cover.mp3');
  // Padded beyond the bytes that are sniffed, as large covers are.
  const cover = Buffer.concat([await readFile(picture.file), Buffer.alloc(100_000)]);
  await writeFile(file, Buffer.concat([coverTag(cover), await readFile(sound.file)]));
  const media = await probe(file, DEFAULT_MEDIA_LIMITS);
  assert.equal(media.container, 'mp3');
  assert.equal(media.coverArt, true);
  assert.equal(media.video, null);
  assert.equal(media.problem, null);
  assert.equal(media.facts.kind, 'audio');
  assert.deepEqual([media.facts.width, media.facts.height], [0, 0]);
});

test('[R7] each of EXIF’s eight orientations', async () => {
  const picture = await makeClip({
    frames: 1,
    codec: 'mjpeg',
    container: 'image2',
    pixelFormat: 'yuvj420p',
    muxOptions: { update: 1 },
  });
  const bytes = await readFile(picture.file);
  const upright = [
    { quarterTurns: 0, mirrored: false },
    { quarterTurns: 0, mirrored: true },
    { quarterTurns: 2, mirrored: false },
    { quarterTurns: 2, mirrored: true },
    { quarterTurns: 3, mirrored: true },
    { quarterTurns: 1, mirrored: false },
    { quarterTurns: 1, mirrored: true },
    { quarterTurns: 3, mirrored: false },
  ];
  for (const [n, orientation] of upright.entries()) {
    const file = join(clipFolder(), `exif-${n + 1}.jpg`);
    await writeFile(file, Buffer.concat([bytes.subarray(0, 2), exifSegment(n + 1), bytes.subarray(2)]));
    const { video, facts } = await probe(file, DEFAULT_MEDIA_LIMITS);
    assert.deepEqual(video?.picture.orientation, orientation, `orientation ${n + 1}`);
    assert.deepEqual([facts.width, facts.height], n < 4 ? [320, 180] : [180, 320]);
  }
});

test('[H13] a wrong length in the header is ignored', async () => {
  const clip = await makeClip({ frames: 60, container: 'matroska' });
  const bytes = await readFile(clip.file);
  // Duration: element 4489, eight bytes, a double in milliseconds.
  const at = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88]));
  bytes.writeDoubleBE(6_422_000, at + 3);
  const file = join(clipFolder(), 'liar.mkv');
  await writeFile(file, bytes);
  assert.equal((await probe(file, DEFAULT_MEDIA_LIMITS)).duration, 2);
});

test('a last frame with a declared length of a millisecond lasts as long as the others', async () => {
  const clip = await makeClip({ frames: 60, container: 'matroska' });
  const bytes = await readFile(clip.file);
  // DefaultDuration: element 23e383, four bytes, in nanoseconds.
  const at = bytes.indexOf(Buffer.from([0x23, 0xe3, 0x83, 0x84]));
  bytes.writeUInt32BE(1_000_000, at + 4);
  const file = join(clipFolder(), 'short-last.mkv');
  await writeFile(file, bytes);
  const { video } = await probe(file, DEFAULT_MEDIA_LIMITS);
  assert(Math.abs(video!.end - 2) < 0.001, `${video!.end}`);
});

test('a recording without a declared length or index, as browsers make it, is measured', async () => {
  const media = await probeClip({
    frames: 60,
    container: 'webm',
    codec: 'libvpx',
    sound: { seconds: 2, codec: 'libopus' },
    muxOptions: { live: 1 },
  });
  assert(Math.abs(media.duration - 2) < 0.03, `${media.duration}`);
  assert.equal(media.video?.frames, 60);
});

test('a truncated file lasts as long as its remaining content', async () => {
  const clip = await makeClip({ frames: 150, container: 'mpegts', sound: { seconds: 5 } });
  const bytes = await readFile(clip.file);
  const file = join(clipFolder(), 'cut.ts');
  await writeFile(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
  const { facts } = await probe(file, DEFAULT_MEDIA_LIMITS);
  assert(facts.duration > 1 && facts.duration < 4, `${facts.duration}`);
});

test('only both ends of a long file are read, with the same result', async () => {
  for (const container of ['mp4', 'matroska', 'mpegts']) {
    const clip = await makeClip({ frames: 400, container, gop: 30, width: 64, height: 36, sound: { seconds: 13 } });
    await using whole = await openInput(clip.file, DEFAULT_MEDIA_LIMITS);
    await using parts = await openInput(clip.file, DEFAULT_MEDIA_LIMITS);
    const all = (await scanPackets(whole)).get(whole.video!.index)!;
    const some = (await scanPackets(parts, undefined, { packets: 100, bytes: 1e9 })).get(parts.video!.index)!;
    assert(all.complete && !some.complete && some.packets < all.packets, container);
    assert.equal(some.end, all.end, container);
  }
});

test('if the picture cannot be decoded, the sound is used; without sound the file is unreadable', async () => {
  const clip = await makeClip({ frames: 10, container: 'matroska' });
  const bytes = await readFile(clip.file);
  const cluster = bytes.indexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75]));
  for (let at = cluster + 40; at < bytes.length; at++) bytes[at] = bytes[at]! ^ 0x5a;
  const file = join(clipFolder(), 'unreadable.mkv');
  await writeFile(file, bytes);
  const media = await probe(file, DEFAULT_MEDIA_LIMITS);
  assert.equal(media.facts.kind, 'unreadable');
  assert.equal(media.problem, 'media.no_frames');
  assert.deepEqual(media.facts, { kind: 'unreadable', duration: 0, width: 0, height: 0, alpha: false, sound: false });
});

test('[H35, H36] each exceeded limit has its own code', async () => {
  const limit = (over: Partial<MediaLimits>): MediaLimits => ({ ...DEFAULT_MEDIA_LIMITS, ...over });
  const video = await makeClip({ frames: 75, container: 'mp4', bFrames: 2, gop: 12 });
  await assert.rejects(probe(video.file, limit({ maxDurationSeconds: 2 })), {
    code: 'media.too_long',
    message: /3 seconds/,
  });
  await assert.rejects(probe(video.file, limit({ maxFps: 25 })), { code: 'media.rate_too_high', message: /30 frames/ });
  const gif = await makeClip({ frames: 5, container: 'gif', codec: 'gif' });
  await assert.rejects(probe(gif.file, limit({ animationMaxFrames: 4 })), { code: 'media.too_many_frames' });
  await assert.rejects(probe(gif.file, limit({ animationMaxPixels: 320 * 180 * 4 })), {
    code: 'media.too_many_pixels',
  });
});

test('[H36] a rate is too high by the frames to decode per second, not by the distance of two frames', async () => {
  // All in a twentieth of a second, as an edit may leave them: a mean of 604 a second.
  const burst = await probeClip({ frames: 30, timeOf: (n) => Math.round((n * 1000) / 604) / 1000 });
  assert.equal(burst.video?.frames, 30);
  assert(burst.video.rate!.num / burst.video.rate!.den > 500);
  const slowly = (n: number) => (n < 300 ? n / 300 : n);
  const busy = await makeClip({ frames: 320, width: 64, height: 36, timeOf: slowly });
  await assert.rejects(probe(busy.file, DEFAULT_MEDIA_LIMITS), {
    code: 'media.rate_too_high',
    message: /30[01] frames/,
  });
});

test('MP3 after zeros, damaged bytes, padding or several tags has the same length and sound as without them', async () => {
  const made = { frames: 0, container: 'mp3', sound: { seconds: 2, codec: 'libmp3lame' } } as const;
  const clean = await makeClip({ ...made, muxOptions: { id3v2_version: 0, write_xing: 0 } });
  const [bare, expected] = [await readFile(clean.file), await probe(clean.file, DEFAULT_MEDIA_LIMITS)];
  const tag = coverTag(Buffer.alloc(500));
  const fronts = {
    zeros: Buffer.alloc(211),
    'zeros and a torn frame': Buffer.concat([Buffer.alloc(211), bare.subarray(150, 417)]),
    'a tag and zeros': Buffer.concat([tag, Buffer.alloc(3000)]),
    'a tag and letters': Buffer.concat([tag, Buffer.alloc(10_000, 'padding ')]),
    'three tags': Buffer.concat([tag, coverTag(Buffer.alloc(300_000)), tag]),
    'three tags and letters': Buffer.concat([tag, tag, tag, Buffer.alloc(65_000, 'padding ')]),
    'letters alone': Buffer.alloc(65_000, 'padding '),
  };
  for (const [name, front] of Object.entries(fronts)) {
    const file = join(clipFolder(), `${name}.mp3`);
    await writeFile(file, Buffer.concat([front, bare]));
    const media = await probe(file, DEFAULT_MEDIA_LIMITS);
    assert.equal(media.container, 'mp3', name);
    assert.deepEqual(media.audio, expected.audio, name);
  }
});

async function probeClip(options: ClipOptions): Promise<ProbedMedia> {
  return probe((await makeClip(options)).file, DEFAULT_MEDIA_LIMITS);
}

/** An ID3v2.3 tag that holds one JPEG as the front cover. */
function coverTag(jpeg: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('\0image/jpeg\0\x03\0', 'latin1'), jpeg]);
  const tag = Buffer.alloc(20);
  tag.write('ID3\x03', 'latin1');
  const size = body.length + 10;
  for (let n = 0; n < 4; n++) tag[6 + n] = (size >> (7 * (3 - n))) & 0x7f;
  tag.write('APIC', 10, 'latin1');
  tag.writeUInt32BE(body.length, 14);
  return Buffer.concat([tag, body]);
}

/** A JPEG segment of EXIF data that says nothing but how the camera was held. */
function exifSegment(orientation: number): Buffer {
  const segment = Buffer.alloc(36);
  segment.write('\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01', 'latin1');
  segment.writeUInt16BE(0x0112, 20);
  segment.writeUInt16BE(3, 22); // one 16-bit number
  segment.writeUInt32BE(1, 24);
  segment.writeUInt16BE(orientation, 28);
  return segment;
}

test('[H13] a picture whose file is cut off says so; a JPEG that only lacks its end mark does not', async () => {
  const problems = async (bytes: Buffer) => {
    const file = join(clipFolder(), `cut-${bytes.length}`);
    await writeFile(file, bytes);
    const { kind, problem, facts } = await probe(file, DEFAULT_MEDIA_LIMITS);
    return [kind, problem, facts.truncated ?? false];
  };
  const size = { width: 160, height: 120 };
  const jpeg = await makeClip({ ...size, frames: 1, codec: 'mjpeg', container: 'mjpeg' });
  const gif = await makeClip({ ...size, frames: 4, codec: 'gif', container: 'gif' });
  for (const [{ file }, kind] of [
    [jpeg, 'still'],
    [gif, 'animation'],
  ] as const) {
    const bytes = await readFile(file);
    assert.deepEqual(await problems(bytes), [kind, null, false]);
    assert.deepEqual(await problems(bytes.subarray(0, Math.floor(bytes.length * 0.8))), [
      kind,
      'media.truncated',
      true,
    ]);
  }
  const bytes = await readFile(jpeg.file);
  assert.deepEqual(await problems(bytes.subarray(0, -2)), ['still', null, false]);
});
