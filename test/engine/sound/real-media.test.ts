import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { micros } from '../../../src/time.ts';
import { REAL_MEDIA } from '../../fixtures/real-media.ts';
import { audioPlan, clipAt, rendering } from './sound-plan.ts';

const SECOND = 48_000;

/** What is heard of each file in its first three seconds: when it is first and last not silent, and how loud it gets. */
const HEARD: Readonly<
  Record<string, { readonly from: number; readonly to: number; readonly peak: number } | 'silent'>
> = {
  'bbb_6ch_8kHz_opus.ogg': { from: 0, to: 3, peak: 0.39 },
  'bear-vbr-xing-header.mp3': { from: 0, to: 2.78, peak: 0.073 },
  'bear_with_picture.flac': { from: 0, to: 2.74, peak: 0.08 },
  'bear-1280x720.mp4': { from: 0, to: 2.62, peak: 0.108 },
  'sample_float32.wav': { from: 0.04, to: 1, peak: 0.003 },
  'sample_shorter_audio.mp4': { from: 0.07, to: 0.77, peak: 0.003 },
  'sample_portrait.mp4': { from: 0.07, to: 1.09, peak: 0.003 },
  'sample_mdat_too_long.mp4': { from: 0.11, to: 1.07, peak: 0.003 },
  'sample_with_ass_subtitles.mkv': { from: 0.06, to: 1.07, peak: 0.003 },
  'rotate-buck-bunny.mp4': { from: 0, to: 2, peak: 0.029 },
  'hdr10-av1.mp4': { from: 0.03, to: 3, peak: 0.024 },
  'testvid_1022ms.mp4': { from: 0.07, to: 1.02, peak: 0.89 },
  'sample_video_only.mp4': 'silent',
  'transparency.webm': 'silent',
  'long_1080p_lowbitrate.mp4': 'silent',
  'london-512.jpg': 'silent',
};

for (const [name, expected] of Object.entries(HEARD)) {
  const file = join(REAL_MEDIA, name);
  const skip = existsSync(file) ? false : `${REAL_MEDIA} has no ${name}`;
  test(`[R15] ${name} sounds as expected`, { skip }, async () => {
    // Thirty times its level: some of these files are hardly above the noise of the encoder.
    const gain = expected !== 'silent' && expected.peak < 0.03 ? 30 : 1;
    const clip = clipAt(0, 3 * SECOND, { gain, trim: { start: micros(0), end: micros(3_000_000) } });
    const { track, result } = await rendering(audioPlan([clip]), [file]);
    assert.equal(track.left.length, 3 * SECOND);
    const level = 10 ** (result.peakDb / 20) / gain;
    if (expected === 'silent') {
      assert(level < 1e-5);
      return;
    }
    const audible = (sample: number) => Math.abs(sample) > 0.02 * expected.peak * gain;
    const from = track.left.findIndex(audible) / SECOND;
    const to = track.left.findLastIndex(audible) / SECOND;
    assert(Math.abs(level / expected.peak - 1) < 0.25, `level ${level}`);
    assert(from >= expected.from - 0.03 && from < expected.from + 0.3, `from ${from}`);
    assert(to <= expected.to + 0.03 && to > expected.to - 0.4, `to ${to}`);
  });
}
