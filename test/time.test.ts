import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Frames,
  frameAt,
  frameRange,
  frameRate,
  frameShownAt,
  sampleAt,
  sampleAtFrame,
  secondsOf,
  sourceElapsed,
  speedMillionths,
} from '../src/time.ts';

const rates = fc.constantFrom(1, 12.5, 15, 23.976, 24, 25, 29.97, 30, 48, 50, 59.94, 60).map(frameRate);
const NTSC = frameRate(29.97);

test('[settings] decimal rates mean the exact 1001 fractions, others their literal value', () => {
  assert.deepEqual(frameRate(23.976), { num: 24000, den: 1001 });
  assert.deepEqual(frameRate(23.98), { num: 24000, den: 1001 });
  assert.deepEqual(frameRate(29.97), { num: 30000, den: 1001 });
  assert.deepEqual(frameRate(59.94), { num: 60000, den: 1001 });
  assert.deepEqual(frameRate(30), { num: 30, den: 1 });
  assert.deepEqual(frameRate(12.5), { num: 25, den: 2 });
  assert.deepEqual(frameRate(1), { num: 1, den: 1 });
});

test('[R2] times round to the nearest frame, ties to the later one', () => {
  assert.equal(frameAt(0.5 / 30, frameRate(30)), 1);
  assert.equal(frameAt(0.0166, frameRate(30)), 0);
  assert.equal(frameAt(0.1 + 0.2, frameRate(10)), 3);
  assert.equal(frameAt(0.05, frameRate(10)), 1);
});

test('[R2] every frame is its own nearest one, for four hours at any rate', () => {
  fc.assert(
    fc.property(rates, fc.integer({ min: 0, max: 60 * 14400 }), (rate, frame) => {
      assert.equal(frameAt(secondsOf(frame as Frames, rate), rate), frame);
    }),
  );
});

test('[R2] a requested time shows the frame that is on screen then', () => {
  const thirty = frameRate(30);
  assert.equal(frameShownAt(0.99, thirty), 29);
  assert.equal(frameShownAt(0.999999, thirty), 29);
  assert.equal(frameShownAt(1, thirty), 30);
  assert.equal(frameShownAt(0.1 + 0.2, frameRate(10)), 3);
  fc.assert(
    fc.property(rates, fc.integer({ min: 0, max: 60 * 14400 }), (rate, frame) => {
      const [start, end] = [secondsOf(frame as Frames, rate), secondsOf((frame + 1) as Frames, rate)];
      const written = Math.round(start * 1e6) / 1e6;
      for (const at of [start, written, start + 2e-6, (start + end) / 2, end - 2e-6]) {
        assert.equal(frameShownAt(at, rate), frame);
      }
    }),
  );
});

test('[R2] clips are adjacent: no gap, no overlap, for any durations, also after 100,000 of them', () => {
  const durations = fc.array(fc.double({ min: 0.04, max: 600, noNaN: true }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(rates, durations, (rate, lengths) => {
      let start = 0;
      let expected = 0;
      for (const length of lengths) {
        const range = frameRange(start, start + length, rate);
        assert.equal(range.start, expected);
        start += length;
        expected = frameAt(start, rate);
        assert.ok(range.end === expected || (range.end === range.start + 1 && expected <= range.end));
      }
    }),
  );
  let start = 0;
  let previous = 0;
  for (let i = 0; i < 100_000; i += 1) {
    const range = frameRange(start, start + 0.1337, NTSC);
    assert.equal(range.start, previous);
    previous = range.end;
    start += 0.1337;
  }
  assert.equal(previous, Math.round((start * 30000) / 1001));
});

test('[R3] an entry shorter than a frame still gets one', () => {
  fc.assert(
    fc.property(rates, fc.double({ min: 0, max: 14400, noNaN: true }), (rate, start) => {
      const { start: first, end } = frameRange(start, start + 1e-9, rate);
      assert.ok(end >= first + 1);
    }),
  );
});

test('[R15] samples of frames neither drift nor overlap', () => {
  assert.equal(sampleAtFrame(30000 as Frames, NTSC), 1001 * 48_000);
  assert.equal(sampleAtFrame(1 as Frames, NTSC), 1602);
  assert.equal(sampleAt(1.00001), 48_000);
  assert.equal(sampleAtFrame((60 * 14400) as Frames, frameRate(60)), 14400 * 48_000);
});

test('[R5] elapsed source time is exact to the microsecond after hours at any speed', () => {
  assert.equal(sourceElapsed(1 as Frames, frameRate(30), speedMillionths(1)), 33_333);
  assert.equal(sourceElapsed(3 as Frames, frameRate(30), speedMillionths(1)), 100_000);
  assert.equal(sourceElapsed(30000 as Frames, NTSC, speedMillionths(10)), 10_010_000_000);
  assert.equal(sourceElapsed(863_136 as Frames, frameRate(59.94), speedMillionths(1)), 14_399_985_600);
});
