import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  EVENT_STYLES,
  type EventStyleName,
  hasLanded,
  motionAt,
  roomAt,
} from '../../../src/plan/reveal/event-styles.ts';

const STYLES = Object.keys(EVENT_STYLES) as EventStyleName[];
const { spotlight, slam, move } = EVENT_STYLES;

test('[R19] motion ends exactly at rest', () => {
  for (const style of STYLES) {
    const { room, landed, shake } = EVENT_STYLES[style];
    assert.deepEqual([room(1), roomAt(style, 1)], [1, 1]);
    assert.deepEqual(landed(1), { scale: 1, alpha: 1, flash: 0 });
    assert.deepEqual(shake?.(1) ?? { x: 0, y: 0 }, { x: 0, y: 0 });
    assert.ok(hasLanded(style, 1));
  }
  assert.deepEqual(move.look(1), { lift: 0, sign: 0 });
  const { flight, dim, name, glow, stampAlpha } = spotlight.look(1);
  assert.deepEqual({ flight, dim, name, glow, stampAlpha }, { flight: 1, dim: 0, name: 0, glow: 0, stampAlpha: 0 });
});

test('[R19] a small step in time is a small step in everything that moves, but for what a landing sets off', () => {
  for (const style of STYLES) {
    const step = 1e-4;
    const lands = EVENT_STYLES[style].landsAt / EVENT_STYLES[style].seconds;
    for (let progress = 0; progress < 1 - step; progress += step) {
      if (style !== 'pop' && Math.abs(progress - lands) < 2 * step) continue;
      const [before, after] = [motionAt(style, progress, true), motionAt(style, progress + step, true)];
      for (const [at, value] of before.entries()) {
        assert.ok(Math.abs(after[at]! - value) < 60 * step, `${style} ${at} jumps at ${progress}`);
      }
    }
  }
});

test('[R19, R22] the canvas changes all at once for no longer than it takes to see it dim and lighten, and rests at the end', () => {
  const dimming = Array.from({ length: 161 }, (_, at) => spotlight.look(at / 160).dim);
  const changing = dimming.filter((dim, at) => dim !== dimming[at - 1]).length / 100;
  assert.ok(changing < 0.3, `${changing} s`);
  const at = (seconds: number) => motionAt('spotlight', seconds / spotlight.seconds, false);
  assert.deepEqual(at(1.53), at(1.59));
});

test('[R13, R19] a spotlight is held still between its spring and its stamp; a slam hits within 0.2 s', () => {
  const at = (seconds: number) => motionAt('spotlight', seconds / spotlight.seconds, false);
  assert.deepEqual(at(0.33), at(0.77));
  assert.notDeepEqual(at(0.3), at(0.33));
  assert.equal(spotlight.look(1.2 / spotlight.seconds).flight, 1);
  assert.ok(Math.max(...[0.05, 0.1, 0.15].map((seconds) => spotlight.look(seconds / spotlight.seconds).scale)) > 1);
  assert.equal(slam.look(0.2 / slam.seconds).approach, 1);
  assert.notDeepEqual(slam.shake!(0.21 / slam.seconds), { x: 0, y: 0 });
  assert.deepEqual(slam.shake!(0.19 / slam.seconds), { x: 0, y: 0 });
});
