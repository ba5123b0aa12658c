import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_SMPTE170M,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { PictureReader } from '../../src/engine/picture/picture-reader.ts';
import { probe } from '../../src/engine/probe/probe-media.ts';
import type { ProbedMedia } from '../../src/engine/probe/probed-media.ts';
import { micros } from '../../src/time.ts';
import { REAL_MEDIA, noRealMedia as skip } from '../fixtures/real-media.ts';

/** A folder of small files from public test sets, not part of the project. */

/** The expected facts of each file, checked by hand: a function that throws if the probe differs. */
const EXPECTED: Readonly<Record<string, (media: ProbedMedia) => void>> = {
  'sample_portrait.mp4': video({ size: [720, 1080], sound: true }),
  'sample_rotate_and_reflect.mp4': video({ size: [720, 1080], sound: true, turned: [3, true] }),
  'rotate-buck-bunny.mp4': video({ size: [1080, 1920], sound: true, turned: [1, false] }),
  'hlg10-color-test.mp4': video({
    size: [1920, 1080],
    sound: true,
    color: [AVCOL_SPC_BT2020_NCL, AVCOL_TRC_ARIB_STD_B67],
  }),
  'hdr10-av1.mp4': video({ size: [720, 1280], sound: true, color: [AVCOL_SPC_BT2020_NCL, AVCOL_TRC_SMPTE2084] }),
  'bt601.mp4': video({ size: [360, 240], sound: true, color: [AVCOL_SPC_SMPTE170M, 6] }),
  'long_1080p_lowbitrate.mp4': video({ size: [1920, 1080], sound: true, lasts: 362.767, frames: 10_883 }),
  'sample_shorter_audio.mp4': (media) => {
    video({ size: [320, 240], sound: true, lasts: 1.2 })(media);
    assert(media.audio!.end < media.video!.end - 0.4);
  },
  'sample_video_only.mp4': video({ size: [1080, 720], sound: false }),
  'bbb_800x640_768kbps_30fps_avc_2b_firstpts_10_sec.mp4': video({ size: [1137, 640], sound: false, lasts: 4 }),
  'edit_list_positive_shift.mp4': (media) => {
    video({ size: [1920, 1080], sound: true, lasts: 10 })(media);
    assert.equal(media.video!.start, 1);
  },
  'bear-vp9-odd-dimensions.webm': video({ size: [161, 121], sound: false }),
  'bbb_642x642_768kbps_30fps_vp9.webm': video({ size: [642, 642], sound: false, lasts: 3 }),
  'bear-1280x720.mp4': video({ size: [1280, 720], sound: true }),
  'sample_with_ass_subtitles.mkv': video({ size: [1080, 720], sound: true }),
  'sample_h264_mpeg_audio.ts': video({ size: [640, 426], sound: true, frames: 3 }),
  'testvid_1022ms.mp4': video({ size: [480, 360], sound: true, lasts: 1.022 }),
  'sar_2x1.mp4': video({ size: [1280, 360], sound: false, lasts: 5 }),
  'cursed-vfr.mp4': (media) => {
    video({ size: [3026, 1386], sound: false, lasts: 8.7255, frames: 63 })(media);
    assert.equal(media.video!.variableRate, true);
  },
  'transparency.webm': (media) => {
    video({ size: [1280, 720], sound: false })(media);
    assert.equal(media.facts.alpha, true);
  },
  'sample_missing_stsd.mp4': video({ size: [1080, 720], sound: false }),
  'sample_mdat_too_long.mp4': video({ size: [1080, 720], sound: true }),
  'bear_with_picture.flac': (media) => {
    sound({ channels: 2, lasts: 2.741 })(media);
    assert.equal(media.coverArt, true);
  },
  'bbb_6ch_8kHz_opus.ogg': sound({ channels: 6, lasts: 3 }),
  'sample_float32.wav': sound({ channels: 1, lasts: 1.022 }),
  'bear-vbr-no-seek-table.mp3': sound({ channels: 2, lasts: 2.808 }),
  'sample_with_vobsub.mp4': ({ facts }) => assert.equal(facts.kind, 'video'),
  'bear-vbr-xing-header.mp3': sound({ channels: 2, lasts: 2.784 }),
  'exif_Landscape_6.jpg': still([1800, 1200], false),
  'exif_Portrait_3.jpg': still([1200, 1800], false),
  'london-512.jpg': still([512, 384], false),
  'sample_still_photo.heic': still([1080, 1920], false),
  'media3test.png': still([304, 84], true),
  'ic_launcher_round.webp': still([192, 192], true),
  // Each was accepted, refused or measured wrongly once.
  'faults/heif-sequence.heic': (media) => {
    assert.deepEqual([media.kind, media.container, media.duration], ['animation', 'heic_animation', 0.8]);
    assert.deepEqual([media.facts.width, media.facts.height], [1920, 1080]);
  },
  'faults/no-rows-per-strip.tiff': still([2, 3], false),
  'faults/one-frame.webm': video({ size: [8, 8], sound: false, lasts: 1 }),
  'faults/opus-preskip.mp4': sound({ channels: 2, lasts: 0.9935 }),
  'faults/raw-profile-exif.png': still([16, 16], false),
  'faults/short.mp3': sound({ channels: 2, lasts: 0.002 }),
  'faults/wmav2.wma': sound({ channels: 2, lasts: 4.272 }),
  'faults/xvid-mp3.avi': video({ size: [160, 120], sound: true }),
  'invalid-bitstream.webm': (media) => assert.equal(media.facts.kind, 'unreadable'),
};

for (const [name, check] of Object.entries(EXPECTED)) {
  test(`${name} has the expected facts`, { skip }, async () => {
    check(await probe(join(REAL_MEDIA, name), DEFAULT_MEDIA_LIMITS));
  });
}

test('a GIF whose frame claims gigapixels is refused before anything is decoded', { skip }, async () => {
  const file = join(REAL_MEDIA, 'decompression_bomb.gif');
  await assert.rejects(probe(file, DEFAULT_MEDIA_LIMITS), { code: 'media.too_many_pixels' });
});

test('[H9] a TIFF compressed with JPEG is refused with the method', { skip }, async () => {
  const file = join(REAL_MEDIA, 'faults/jpeg-in-tiff.tif');
  await assert.rejects(probe(file, DEFAULT_MEDIA_LIMITS), { code: 'media.unsupported', message: /with JPEG/ });
});

test('garbage before the first frame makes the format unknown', { skip }, async () => {
  const file = join(REAL_MEDIA, '100kB-garbage-prefix.mp3');
  await assert.rejects(probe(file, DEFAULT_MEDIA_LIMITS), { code: 'media.unsupported' });
});

for (const name of [
  'bear-1280x720.mp4',
  'cursed-vfr.mp4',
  'hdr10-av1.mp4',
  'bear-vp9-odd-dimensions.webm',
  'sample_h264_mpeg_audio.ts',
  'hlg10-color-test.mp4',
  'rotate-buck-bunny.mp4',
]) {
  test(`[R4] ${name}: frames reached by seeking equal those reached by playing`, { skip }, async () => {
    const file = join(REAL_MEDIA, name);
    const moments = Array.from({ length: 10 }, (_, n) => micros(n * 430_000));
    const played: Buffer[] = [];
    await using player = await PictureReader.open(file, DEFAULT_MEDIA_LIMITS, {});
    for (const at of moments) played.push((await player.frameAt(at)).toBuffer());
    await using seeker = await PictureReader.open(file, DEFAULT_MEDIA_LIMITS, {});
    for (const n of [...moments.keys()].reverse()) {
      const frame = (await seeker.frameAt(moments[n]!)).toBuffer();
      assert(frame.equals(played[n]!), `the frame at ${moments[n]} µs differs`);
    }
  });
}

interface VideoTraits {
  readonly size: readonly [width: number, height: number];
  readonly sound: boolean;
  readonly lasts?: number;
  readonly frames?: number;
  readonly turned?: readonly [quarterTurns: number, mirrored: boolean];
  readonly color?: readonly [matrix: number, transfer: number];
}

function video({ size, sound, lasts, frames, turned = [0, false], color }: VideoTraits): (media: ProbedMedia) => void {
  return ({ facts, video }) => {
    assert.equal(facts.kind, 'video');
    assert.deepEqual([facts.width, facts.height], size);
    assert.equal(facts.sound, sound);
    const { orientation, color: seen } = video!.picture;
    assert.deepEqual([orientation.quarterTurns, orientation.mirrored], turned);
    if (color !== undefined) assert.deepEqual([seen.matrix, seen.transfer], color);
    if (lasts !== undefined) assert(Math.abs(facts.duration - lasts) < 0.01, `it lasts ${facts.duration}`);
    if (frames !== undefined) assert.equal(video!.frames, frames);
  };
}

function sound({ channels, lasts }: { channels: number; lasts: number }): (media: ProbedMedia) => void {
  return ({ facts, audio }) => {
    assert.equal(facts.kind, 'audio');
    assert.equal(audio!.channels, channels);
    assert(Math.abs(facts.duration - lasts) < 0.01, `it lasts ${facts.duration}`);
  };
}

function still(size: readonly [number, number], alpha: boolean): (media: ProbedMedia) => void {
  return ({ facts }) => {
    assert.equal(facts.kind, 'still');
    assert.deepEqual([facts.width, facts.height], size);
    assert.equal(facts.alpha, alpha);
    assert.equal(facts.duration, 0);
  };
}
