import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RenderMeter } from '../../src/cli/render/render-meter.ts';
import type { Frames } from '../../src/time.ts';

/** A render of `total` frames at 30 a second, seen at times (seconds) and counts. */
function texts(total: number, sights: readonly (readonly [at: number, done: number])[]): string[] {
  let now = 0;
  const meter = new RenderMeter(total as Frames, { num: 30, den: 1 }, () => now * 1000);
  return sights.map(([at, done]) => {
    now = at;
    return meter.text(done);
  });
}

test('before the first progress there is no estimate', () => {
  // A minute's work, with a start of four seconds: by the share of the first frame the estimate would be twenty
  // minutes.
  const early = texts(1800, [
    [4, 6],
    [4.5, 20],
    [6, 60],
  ]);
  for (const text of early) assert.doesNotMatch(text, /left|×/);
  assert.match(early[2]!, /3 % {2}60\/1800 frames$/);
});

test('the estimate uses the rendering speed, not the start-up time', () => {
  const [, text] = texts(1800, [
    [10, 0],
    [20, 300],
  ]);
  assert.match(text!, /300\/1800 frames {2}1\.00× {2}0:50 left$/);
});

test('the estimate uses the recent speed', () => {
  // A still board for 3,000 frames, then clips at 10 frames a second.
  const slow = Array.from({ length: 31 }, (_, i): [number, number] => [5 + i, 3000 + i * 10]);
  const text = texts(4300, [[0, 0], ...slow]).at(-1)!;
  assert.match(text, /3300\/4300 frames {2}0\.33× {2}1:40 left$/);
});

test('a long video gets an estimate well before 2 % is done', () => {
  const long = texts(216_000, [
    [0, 0],
    [10, 300],
    [16, 480],
  ]);
  assert.doesNotMatch(long[1]!, /left/);
  assert.match(long[2]!, /1\.00× {2}119:44 left$/);
});
