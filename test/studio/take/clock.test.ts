import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PictureClock, SampleClock } from '../../../src/studio/take/record/stream-clock.ts';
import { cutSeconds, TakeSpans, takeSeconds } from '../../../src/studio/take/record/take-times.ts';

const RATE = 48_000;
const BUFFER_MS = 10;
const MINUTES = 30;
const STARTED_MS = 5000;

/** Numbers from 0 to 1 that are the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Device {
  readonly ppm: number;
  /** What vanishes: the minute, and the milliseconds. */
  readonly losses?: readonly (readonly [minute: number, ms: number])[];
  /** The mean of what each buffer is late by. */
  readonly jitterMs?: number;
}

/** Half an hour of buffers from a device whose page stalls for 300 ms every 4 s. */
function halfAnHour({ ppm, losses = [], jitterMs = 3 }: Device) {
  const random = numbersFrom(ppm + jitterMs * 1000);
  const clock = new SampleClock();
  const speed = 1 + ppm * 1e-6;
  let stamp = 0;
  let lost = 0;
  let corrected = 0;
  let worst = 0;
  let settledAt = 3000;
  for (let at = BUFFER_MS; at <= MINUTES * 60_000; at += BUFFER_MS) {
    for (const [minute, ms] of losses) {
      if (at !== minute * 60_000) continue;
      lost += ms;
      settledAt = at + 5000;
    }
    stamp += BUFFER_MS;
    const captured = STARTED_MS + (stamp - corrected + lost) * speed;
    const stall = captured % 4000;
    const late = -Math.log(1 - random()) * jitterMs;
    const missing = clock.add(stamp, Math.max(captured + late, stall < 300 ? captured - stall + 300 : 0))?.ms ?? 0;
    stamp += missing;
    corrected += missing;
    const truth = STARTED_MS + (stamp - corrected + lost) * speed;
    if (at > settledAt) worst = Math.max(worst, Math.abs(clock.toPage(stamp) - truth));
  }
  return { clock, worst, corrected };
}

describe('the clock of a take', () => {
  for (const ppm of [0, 50, -100, 100]) {
    test(`half an hour at ${ppm} ppm with stalls stays within 6 ms`, () => {
      const { worst } = halfAnHour({ ppm });
      assert.ok(worst < 6, `${worst} ms`);
    });
  }

  for (const ppm of [-250, 250]) {
    test(`half an hour at ${ppm} ppm with stalls stays within 15 ms, and the drift is found`, () => {
      const { worst, clock } = halfAnHour({ ppm, jitterMs: 8 });
      assert.ok(worst < 15, `${worst} ms`);
      assert.ok(Math.abs((clock.line.rate - 1) * 1e6 - ppm) < 2, `${(clock.line.rate - 1) * 1e6} ppm`);
    });
  }

  test('stamps that start again, or continue from another origin, leave capture times continuous', () => {
    const clock = new PictureClock();
    const runs = [0, 0, 3_600_000];
    let page = STARTED_MS;
    for (const origin of runs) {
      for (let n = 0; n < 90; n += 1) {
        const captured = clock.captured(origin + (n * 1000) / 30, page);
        assert.ok(Math.abs(captured - page) < 1, `${captured} ms for a picture that arrived at ${page} ms`);
        page += 1000 / 30;
      }
    }
  });

  test('lost samples are detected with their length; a stall is not a loss', () => {
    const losses = [
      [7, 250],
      [21, 900],
    ] as const;
    for (const ppm of [0, 100, 250]) {
      const { worst, corrected } = halfAnHour({ ppm, losses });
      assert.ok(Math.abs(corrected - 1150) < 5, `${corrected} ms of 1150 at ${ppm} ppm`);
      assert.ok(worst < 15, `${worst} ms at ${ppm} ppm`);
    }
    assert.equal(halfAnHour({ ppm: 0 }).corrected, 0);
  });

  test('a picture is placed on the time of the sound, whatever either clock does', () => {
    const sound = halfAnHour({ ppm: 100 }).clock;
    const camera = halfAnHour({ ppm: -80 }).clock;
    // Both mark the same moment of the page, near the end.
    const page = STARTED_MS + 29 * 60_000;
    const stamp = (page - STARTED_MS) / (1 - 80e-6);
    const heard = (page - STARTED_MS) / (1 + 100e-6);
    const error = sound.fromPage(camera.toPage(stamp)) - heard;
    assert.ok(Math.abs(error) < 6, `${error} ms`);
  });
});

describe('which parts of a take are recorded', () => {
  test('a pause cuts the sound to the sample, and pictures at the same tick', () => {
    const take = new TakeSpans();
    take.go(1000);
    take.pause(50_001);
    take.go(90_007);
    assert.deepEqual(take.partsOf(0, 480), []);
    assert.deepEqual(take.partsOf(960, 480), [{ skip: 40, length: 440, at: 0 }]);
    assert.deepEqual(take.partsOf(49_900, 50_000), [
      { skip: 0, length: 101, at: 48_900 },
      { skip: 40_107, length: 9893, at: 49_001 },
    ]);
    assert.equal(take.placeOf(999), null);
    assert.equal(take.placeOf(50_000), 49_000);
    assert.equal(take.placeOf(50_001), null);
    assert.equal(take.placeOf(90_007), 49_001);
  });

  test('for any buffers and pauses, every recorded sample is written once and in order', () => {
    const random = numbersFrom(7);
    const below = (most: number) => Math.floor(random() * most);
    for (let run = 0; run < 50; run += 1) {
      const take = new TakeSpans();
      let tick = below(2000);
      for (let i = 0; i < 4; i += 1) {
        take.go(tick);
        tick += below(3000);
        take.pause(tick);
        tick += below(3000);
      }
      let next = 0;
      for (let at = 0; at < 30_000; ) {
        const length = 1 + below(700);
        for (const part of take.partsOf(at, length)) {
          assert.equal(part.at, next);
          assert.equal(take.placeOf(at + part.skip), next);
          next += part.length;
        }
        at += length;
      }
      assert.equal(
        next,
        take.spans.reduce((sum, { from, to }) => sum + to! - from, 0),
      );
    }
  });

  test('times of the page are found in the recording; those in a pause are at the cut', () => {
    const times = {
      line: { rate: 1 + 100e-6, offset: 2000 },
      ticksPerSecond: RATE,
      delayMs: 0,
      spans: [
        { from: RATE, to: 3 * RATE },
        { from: 10 * RATE, to: null },
      ],
    };
    const page = (seconds: number) => 2000 + seconds * 1000 * (1 + 100e-6);
    const expected = [
      [0.5, 0],
      [1.25, 0.25],
      [2.75, 1.75],
      [5, 2],
      [11, 3],
    ] as const;
    for (const [second, place] of expected) assert.ok(Math.abs(takeSeconds(times, page(second)) - place) < 1e-6);
    assert.ok(Math.abs(takeSeconds({ ...times, delayMs: 200 }, page(1.25)) - 0.45) < 1e-4);
    assert.deepEqual(cutSeconds(times), [2]);
  });
});
