import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipTime } from '../../../src/plan/frame/clip-at-frame.ts';
import { type FrameRate, frameRate, frames, micros, speedMillionths } from '../../../src/time.ts';

const RATES = [23.976, 24, 25, 29.97, 30, 50, 59.94, 60];
/** Ticks that containers count in: Matroska, old QuickTime, MPEG, and so fine that nothing is rounded. */
const TICKS = [1 / 1000, 1 / 600, 1 / 90_000, 1e-9];

const secondsAFrame = ({ num, den }: FrameRate) => den / num;

interface Played {
  readonly source: FrameRate;
  readonly output: FrameRate;
  readonly speed?: number;
  readonly from?: number;
  readonly tick?: number;
}

/** The source frames that a clip shows, one for each output frame. */
function framesShown(
  { source, output, speed = 1, from = 0, tick = 1e-9 }: Played,
  count: number,
  timeOf = (k: number) => k * secondsAFrame(source),
): number[] {
  const trim = { start: micros(Math.round(from * 1e6)), end: micros(1e12) };
  const shows = { start: frames(0), end: frames(count) };
  const clip = { shows, trim, lead: frames(0), speed: speedMillionths(speed), loop: false };
  let k = 0;
  return Array.from({ length: count }, (_, n) => {
    const at = clipTime(clip, frames(n), output);
    while (Math.round(timeOf(k + 1) / tick) * tick * 1e6 <= at) k += 1;
    return k;
  });
}

test('[R5] if the rates match, every source frame is shown once, however its container rounds', () => {
  for (const rate of RATES.map(frameRate)) {
    for (const tick of TICKS) {
      for (const first of [0, 7, 1000]) {
        const from = Math.round(first * secondsAFrame(rate) * 1e6) / 1e6;
        const shown = framesShown({ source: rate, output: rate, from, tick }, 2000);
        assert.deepEqual(
          shown,
          shown.map((_, n) => first + n),
        );
      }
    }
  }
});

test('[R5] of two source frames for one output frame the first is shown, however its container rounds', () => {
  for (const [source, output] of [
    [60, 30],
    [50, 25],
    [59.94, 29.97],
    [48, 24],
  ] as const) {
    for (const tick of TICKS) {
      const shown = framesShown({ source: frameRate(source), output: frameRate(output), tick }, 2000);
      assert.deepEqual(
        shown,
        shown.map((_, n) => 2 * n),
      );
    }
  }
});

test('[R5] timestamps with a jitter of a third of a frame repeat and drop nothing', () => {
  const rate = frameRate(30);
  const timeOf = (k: number) => (k + 0.33 * Math.sin(k * 1.7)) / 30;
  const shown = framesShown({ source: rate, output: rate }, 2000, timeOf);
  assert.deepEqual(
    shown,
    shown.map((_, n) => n),
  );
});

test('[R16] a picture is at most half a frame from its sound, at all rates and speeds', () => {
  for (const source of RATES.map(frameRate)) {
    for (const output of [24, 25, 29.97, 30, 50, 60].map(frameRate)) {
      for (const speed of [0.1, 0.5, 1, 1.5, 2, 3, 10]) {
        // Ties, which are up to an eighth wide, go to the later frame.
        const most = Math.max(secondsAFrame(source) / speed, secondsAFrame(output)) / 2 + secondsAFrame(output) / 16;
        for (const late of lateness({ source, output, speed, from: 0.4321 })) {
          assert.ok(Math.abs(late) <= most, `${late} s late: ${source.num} in ${output.num} at ${speed}`);
        }
      }
    }
  }
});

/**
 * By how many seconds each source frame is shown late: the middle of the time it is on screen against the middle of the time the
 * sound that belongs to it is heard.
 */
function lateness(played: Played): number[] {
  const { source, output, speed = 1, from = 0 } = played;
  const shown = framesShown(played, 600);
  const firsts = shown.flatMap((k, n) => (n > 0 && k !== shown[n - 1] ? [n] : []));
  return firsts.slice(0, -1).map((first, i) => {
    const onScreen = ((first + firsts[i + 1]!) / 2) * secondsAFrame(output);
    const heard = ((shown[first]! + 0.5) * secondsAFrame(source) - from) / speed;
    return onScreen - heard;
  });
}
